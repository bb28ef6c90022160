"""A corpus encoded by many workers (Ray), written into one index: `colde encode-corpus DIR --index DIR --ray ADDRESS`.

    list of files → batches → workers: hash, skip what the index holds, read, encode, write a shard (`shard_files`)
                            → this process: append each shard to the index, each document once, drop the shard

A worker that dies leaves no shard, and Ray gives its batch to another. When this process dies, complete shards stay,
and the next run appends them before it encodes anything. Documents are told apart by the SHA-256 of their content, so
that a batch that is read twice adds nothing. Every worker must see the index and its shards.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colde import models as registry
from colde.comparison.fitted_model import over_encoder
from colde.comparison.model_run import Loader
from colde.corpus.document_sources import DocumentSource, FileSource, RecordSource, document_sources
from colde.encoders.encoder_names import PACKAGED
from colde.errors import MissingExtraError, ModelError, ReadError, StoreError
from colde.index.document_index import Index
from colde.index.index_results import Added, SkippedFile
from colde.index.index_schema import DOCUMENT_KEYS, DOCUMENTS
from colde.index.shard_files import Shards, shards_at
from colde.index.storage.index_storage import is_uri
from colde.index.store import Location, Store
from colde.index.write_buffer import BATCH, DocumentAdder
from colde.results.progress import OnProgress, Progress, Stage

if TYPE_CHECKING:
    import pyarrow as pa

COMPACT_EVERY = 500
"""Shards between two merges of the small files that appending them leaves."""

MAX_BLOCKS = 10_000
"""Of the list of documents; a block is what Ray gives a worker at once, and again to another where it dies."""

RAY_MEMORY = 200_000_000
"""Bytes of Ray's own memory on this machine alone: what goes through it are names, and the records of a corpus."""

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker knows.

    Attributes:
        index, shards: folders that all of them see, or URIs.
        model: name of the model that encodes; loader: how it is loaded by its name.
        gpus: of one worker, below one a share of it.
    """

    index: Path | str
    shards: Path | str
    model: str
    loader: Loader
    gpus: float = 0.0


class Worker:
    """Reads and encodes batches of documents; Ray keeps one on each of its nodes, with the model loaded once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._refused = ""
        self._store = Store(job.index)
        encoder = self._store.meta.encoder or PACKAGED
        if job.gpus:
            from colde.encoders.encoders_by_name import shared_encoder

            try:
                shared_encoder(encoder).to_gpu()
            except ModelError as error:
                self._refused = str(error)
        self._model, self._encoder = over_encoder(job.loader(job.model), encoder), encoder
        self._shards = shards_at(job.shards)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[str]]:
        """Encode a batch of columns of `item_of`, and write its shard.

        Returns:
            One row, `said`, a JSON object: `shard`, its name, or empty without new documents; names that were `known`;
            `unread`, the fields of each `ReadError`; `warnings`, name and sentence; how many were `done`. Or `refused`,
            why this worker cannot work.
        """
        if self._refused:
            return {"said": [json.dumps({"refused": self._refused})]}
        entries = [entry_of(*values) for values in zip(*(batch[name] for name in COLUMNS), strict=True)]
        adder = DocumentAdder(lambda: self._model, self._encoder)
        files = [(entry, file) for entry in entries if (file := adder.digest(entry)) is not None]
        adder.files = self._known_hashes([file for _, file in files])
        for entry, file in files:
            adder.take(entry, file)
        answer = {
            "shard": write_shard(self._shards, adder.tables()) if adder.added else "",
            "known": adder.known,
            "unread": [(u.name, u.error.reason, u.error.what, u.error.advice) for u in adder.unread],
            "warnings": adder.warnings,
            "done": len(entries),
        }
        return {"said": [json.dumps(answer)]}

    def _known_hashes(self, digests: Sequence[str]) -> set[str]:
        if not digests:
            return set()
        listed = ", ".join(f"'{digest}'" for digest in digests)
        return {row["file"] for row in self._store.rows(DOCUMENTS, ["file"], f"file IN ({listed})")}


def encode_corpus(
    paths: Iterable[str | os.PathLike[str]],
    index: Location,
    *,
    address: str = LOCAL,
    workers: int | None = None,
    gpus: float = 0.0,
    model: str | None = None,
    loader: Loader = registry.load,
    on_progress: OnProgress | None = None,
) -> Added:
    """Add files, folders of files, or corpora to an index, read and encoded by many workers.

    Stopped at any moment it goes on from there when it is called again; so does `Index.add`.

    Args:
        paths: files and folders that every worker sees under the same name.
        index: such a folder, or a URI on object storage, whose credentials every worker has in its environment.
        address: of a Ray cluster (`ray://head:10001`, `auto`), or `local` for one on this machine alone.
        workers: how many; by default one for each processor core of the cluster, or as many as its GPUs are enough for.
        gpus: of each worker, below one a share of it; the encoder then runs there, all else on the processor.
        model: only for a new index, others know theirs.
        loader: how a model is got by its name, here and by the workers.
        on_progress: called after each batch; raise `Cancelled` in it to stop.

    Raises:
        StoreError: as `Index.add`; no cluster answers, or it has too few GPUs.
        ModelError: a worker's torch sees no GPU.
        MissingExtraError: Ray is not installed.
    """
    target = Index(index if is_uri(index) else Path(index).absolute(), model=model, loader=loader)
    wanted = list(document_sources(Path(p).absolute() for p in paths))
    store = target.open_or_create()
    job = Job(target.folder, target.storage.shards(), store.meta.model, loader, gpus)
    with ray_session(address, workers) as ray, store.writing():
        writer = ShardWriter(store, job.shards)
        writer.append_waiting()
        unread: list[SkippedFile] = []
        known: list[str] = []
        warnings: list[tuple[str, str]] = []
        done = 0
        try:
            for row in _encoded(ray, job, wanted, workers):
                if "refused" in row:
                    raise ModelError(f"a worker cannot run: {row['refused']}")
                known += row["known"]
                unread += [SkippedFile(fields[0], ReadError(*fields)) for fields in row["unread"]]
                warnings += [(name, warning) for name, warning in row["warnings"]]
                if row["shard"]:
                    known += writer.append(str(row["shard"]))
                done += int(row["done"])
                if on_progress is not None:
                    on_progress(Progress(Stage.INDEXING, done, len(wanted)))
        finally:
            writer.append_waiting()  # what workers finished after this process heard of it last
            if writer.added:
                store.compact()
        writer.shards.clear()
    return Added(writer.added, known, unread, warnings)


class ShardWriter:
    """Appends complete shards to the index, each document once, and drops them; `added` are the new names."""

    def __init__(self, store: Store, shards: Path | str) -> None:
        self.store, self.shards = store, shards_at(shards)
        self.added: list[str] = []
        self._ids = {row["id"] for row in store.rows(DOCUMENTS, ["id"])}
        self._appended = 0

    def append_waiting(self) -> None:
        """Append every complete shard."""
        for name in self.shards.complete():
            self.append(name)

    def append(self, shard: str) -> list[str]:
        """Append a shard, if it still exists; names of its documents that the index held already."""
        import pyarrow as pa
        import pyarrow.compute as pc

        read = self.shards.read(shard)
        if read is None:
            return []
        ids, names = (read[DOCUMENTS][column].to_pylist() for column in ("id", "name"))
        fresh = {i: name for i, name in zip(ids, names, strict=True) if i not in self._ids}
        if fresh:
            wanted = pa.array(list(fresh), pa.string())
            self.store.append(
                {t: read[t].filter(pc.is_in(read[t][key], wanted)) for t, key in DOCUMENT_KEYS.items()}
            )
            self._ids |= fresh.keys()
            self.added += fresh.values()
            self._appended += 1
            if self._appended % COMPACT_EVERY == 0:
                self.store.compact()
        self.shards.drop(shard)
        return [name for i, name in zip(ids, names, strict=True) if i not in fresh]


def write_shard(shards: Shards, tables: Mapping[str, pa.Table]) -> str:
    """Write a shard with the tables of some documents; returns its name.

    The name is a hash of the documents, so that a batch that is encoded twice leaves one shard.
    """
    ids = sorted(tables[DOCUMENTS]["id"].to_pylist())
    name = hashlib.sha256("\n".join(ids).encode()).hexdigest()
    shards.write(name, tables)
    return name


COLUMNS = ("name", "path", "record")


def item_of(entry: DocumentSource) -> dict[str, str]:
    """A document as Ray carries it: a file by its path, a record of a corpus with its text."""
    match entry:
        case FileSource():
            return {"name": entry.name, "path": str(entry.path), "record": ""}
        case RecordSource():
            return {"name": entry.name, "path": "", "record": json.dumps(entry.record)}
        case _:
            raise TypeError(f"{type(entry).__name__} cannot be read elsewhere")


def entry_of(name: Any, path: Any, record: Any) -> FileSource | RecordSource:
    return (
        FileSource(str(name), Path(str(path))) if path else RecordSource(str(name), json.loads(str(record)))
    )


@contextmanager
def ray_session(address: str, workers: int | None = None) -> Iterator[Any]:
    """Ray, connected to a cluster, or started on this machine; see the errors of `encode_corpus`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    try:
        import ray
    except ImportError:
        raise MissingExtraError(
            "Ray, which runs the workers, is not installed: pip install 'colde-explorer[cluster]'"
        ) from None
    if ray.is_initialized():
        yield ray
        return
    more: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        more |= {"num_cpus": workers, "include_dashboard": False, "object_store_memory": RAY_MEMORY}
    try:
        ray.init(address=address, **more)
    except (ConnectionError, ValueError, RuntimeError) as error:
        what = " ".join(str(error).split())[:200]
        raise StoreError(f"no Ray cluster answers at {address} ({what}): start one with ray start") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def worker_count(there: Mapping[str, float], workers: int | None, gpus: float) -> int:
    """How many workers a cluster with these resources gets; raises `StoreError` if it has too few GPUs."""
    cores, cards = int(there.get("CPU", 1)), float(there.get("GPU", 0))
    count = workers or max(1, min(cores, int(cards / gpus)) if gpus else cores)
    if gpus and count * gpus > cards:
        raise StoreError(
            f"the cluster has too few GPUs ({cards:g}) for {count} workers with {gpus:g} each: use fewer workers "
            "(--workers), a smaller share (--gpus-per-worker 0.5), or no GPUs (0)"
        )
    return count


def _encoded(
    ray: Any, job: Job, wanted: Sequence[DocumentSource], workers: int | None
) -> Iterator[dict[str, Any]]:
    import ray.data as data

    if not wanted:
        return
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # it says what it plans, and that it shows no bars
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    count = worker_count(ray.cluster_resources(), workers, job.gpus)
    blocks = min(-(-len(wanted) // BATCH), MAX_BLOCKS)
    items = data.from_items([item_of(entry) for entry in wanted], override_num_blocks=blocks)
    rows = items.map_batches(
        Worker,
        batch_size=BATCH,
        fn_constructor_args=(job,),
        compute=data.ActorPoolStrategy(size=count),
        num_cpus=1,
        num_gpus=job.gpus or None,
    )
    for row in rows.iter_rows():
        yield json.loads(row["said"])
