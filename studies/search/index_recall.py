"""How long does a search among very many chunk vectors take, and how much of the exact answer does it find?

    python -m studies.search.index_recall --kept VECTORS CORPUS… [--vectors 1000000] [--kinds IVF_PQ IVF_SQ]
    python -m studies.search.index_recall --index papers.index [--vectors 0]

The vectors are those of the chunks of corpora, made by the shipped network from the sentence vectors that
`python -m studies.papers.sentence_vectors` keeps in VECTORS, or those of an index. They are repeated until there are
so many (0: each once), with noise: a repeated vector has the cosine to its origin that a chunk has, in the median, to
the nearest chunk of another document. Queries are vectors that are not in the table. Printed for each kind of index:
seconds to build, bytes, milliseconds of a search and its recall@10 against the exact answer, the most memory.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import lancedb
import numpy as np
import pyarrow as pa
from lancedb import index as kinds
from numpy.typing import NDArray

from studies.arguments import command_line
from studies.speed.process_memory import peak_mebibytes

AT_ONCE = 50_000
FIRST = 10
CHUNKS = 24
"""Of a long query; see `colde.index.search`."""

Vectors = NDArray[np.float32]
Config = Callable[[int, int], Any]
"""Of the count of vectors and their dimension."""

KINDS: dict[str, Config] = {
    "IVF_FLAT": lambda n, d: kinds.IvfFlat(distance_type=DISTANCE, num_partitions=partitions(n)),
    "IVF_SQ": lambda n, d: kinds.IvfSq(distance_type=DISTANCE, num_partitions=partitions(n)),
    "IVF_PQ": lambda n, d: kinds.IvfPq(
        distance_type=DISTANCE, num_partitions=partitions(n), num_sub_vectors=d // 8
    ),
    "IVF_RQ": lambda n, d: kinds.IvfRq(distance_type=DISTANCE, num_partitions=partitions(n)),
    "IVF_HNSW_SQ": lambda n, d: kinds.HnswSq(distance_type=DISTANCE, num_partitions=max(1, n // 250_000)),
}
DISTANCE: Literal["l2"] = "l2"
"""Of vectors of length one l2 gives the same order as the dot product, and its partitions are of like sizes."""

PROBES = (5, 10, 20, 40, 80)


def partitions(count: int) -> int:
    """√n, as usual."""
    return max(1, round(count**0.5))


def of_corpora(folder: Path, corpora: list[Path]) -> tuple[Vectors, NDArray[np.int64]]:
    """Chunk vectors of all documents whose sentences are kept, and the document of each."""
    from colde import models
    from colde.encoders.vector_math import group_sums, normalised
    from colde.models.colde.matcher import Colde
    from colde.training.corpora.sentence_vectors import load_layout, open_stored_vectors

    model = models.load("colde")
    assert isinstance(model, Colde)
    network = model.network
    weight = network.project
    vectors, owners, count = [], [], 0
    import torch

    for corpus in corpora:
        layouts = load_layout(corpus, folder)
        kept = open_stored_vectors(corpus, folder, layouts)
        for d in range(len(layouts.names)):
            rows = kept.of(d)
            if not kept.ready[rows].all() or rows.start == rows.stop:
                continue
            numbers = kept.sentence[rows]
            present, local = np.unique(layouts.chunk[numbers], return_inverse=True)
            units = np.asarray(kept.vectors[rows], np.float32)
            with torch.inference_mode():
                projected = weight(network.center_and_scale(torch.from_numpy(units))).numpy()
            vectors.append(
                normalised(group_sums(projected * layouts.tokens[numbers, None], local, len(present)))
            )
            owners.append(np.full(len(present), count))
            count += 1
    return np.concatenate(vectors), np.concatenate(owners)


def of_index(folder: Path) -> tuple[Vectors, NDArray[np.int64]]:
    """Chunk vectors of an index, and the document of each."""
    from colde.index.index_schema import CHUNKS
    from colde.index.store import Store

    rows = Store(folder).rows(CHUNKS, ["document", "vector"])
    owners = np.unique([row["document"] for row in rows], return_inverse=True)[1]
    return np.array([row["vector"] for row in rows], np.float32), np.asarray(owners, np.int64)


def nearness(vectors: Vectors, owners: NDArray[np.int64], rng: np.random.Generator) -> float:
    """The cosine of a chunk and the nearest one of another document, in the median of 500."""
    some = rng.choice(len(vectors), min(500, len(vectors)), replace=False)
    cosines = vectors[some] @ vectors.T
    cosines[owners[some, None] == owners[None]] = -1
    return float(np.median(cosines.max(1)))


def noisy(vectors: Vectors, count: int, noise: float, rng: np.random.Generator) -> Vectors:
    """So many of these vectors, with noise of this standard deviation a number, of length one."""
    noised = vectors[rng.integers(len(vectors), size=count)]
    noised = noised + rng.normal(0, noise, noised.shape).astype(np.float32)
    return np.asarray(noised / np.linalg.norm(noised, axis=1, keepdims=True), np.float32)


def timed(ask: Callable[[Vectors], Any], queries: Vectors) -> tuple[list[list[int]], str]:
    """Ids of the answers, and milliseconds: median, 95th percentile."""
    answers, spent = [], []
    ask(queries[0]).to_arrow()  # opens the files
    for query in queries:
        begun = time.perf_counter()
        answers.append(ask(query).to_arrow()["id"].to_pylist())
        spent.append(1000 * (time.perf_counter() - begun))
    return answers, f"{np.median(spent):6.1f} ms, p95 {np.quantile(spent, 0.95):6.1f} ms"


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path, nargs="*")
    parser.add_argument("--kept", type=Path, help="folder of kept sentence vectors")
    parser.add_argument("--index", type=Path, help="an index instead")
    parser.add_argument("--vectors", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["IVF_PQ"])
    parser.add_argument("--probes", type=int, nargs="+", default=PROBES)
    parser.add_argument("--refine", type=int, nargs="+", default=[1, 5, 10, 20])
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    vectors, owners = of_index(asked.index) if asked.index else of_corpora(asked.kept, asked.corpora)
    near = nearness(vectors, owners, rng)
    noise = ((1 / near**2 - 1) / vectors.shape[1]) ** 0.5
    print(f"{len(vectors):,} chunk vectors of {owners.max() + 1:,} documents; nearest of another: {near:.3f}")
    if asked.vectors:
        count, queries = asked.vectors, noisy(vectors, asked.queries, noise, rng)
    else:  # each once; the queries are taken out
        order = rng.permutation(len(vectors))
        queries, vectors = vectors[order[: asked.queries]], vectors[order[asked.queries :]]
        count = len(vectors)
    with tempfile.TemporaryDirectory(prefix="index_scale") as folder:
        table = write(Path(folder), vectors, count, noise if asked.vectors else 0.0, rng)
        written = size_of(Path(folder))
        exact, spent = timed(lambda q: _ask(table, q), queries)
        print(f"exact: {spent}; {written / 1e6:,.0f} MB; most memory {peak_mebibytes():,.0f} MiB", flush=True)
        for kind in asked.kinds:
            begun = time.perf_counter(), time.process_time()
            table.create_index("vector", config=KINDS[kind](count, vectors.shape[1]), replace=True)
            clock, processor = time.perf_counter() - begun[0], time.process_time() - begun[1]
            table.optimize(cleanup_older_than=timedelta(0))  # the index before this one goes
            more = size_of(Path(folder) / "chunks.lance" / "_indices")
            print(
                f"{kind}: built in {clock:.0f} s by the clock, {processor:.0f} s of processor time, "
                f"{more / 1e6:,.0f} MB more, most memory {peak_mebibytes():,.0f} MiB",
                flush=True,
            )
            for refine in asked.refine:
                for probes in asked.probes:
                    ask = _near(table, probes, refine)
                    answers, spent = timed(ask, queries)
                    shares = [len(set(a) & set(b)) / FIRST for a, b in zip(exact, answers, strict=True)]
                    print(
                        f"  {probes:3} partitions, refine {refine:2}: recall@10 {np.mean(shares):.3f}, {spent}",
                        flush=True,
                    )
                    several = [list(queries[at : at + CHUNKS]) for at in range(0, len(queries), CHUNKS)]
                    spent = [timed_once(ask, some) for some in several if len(some) == CHUNKS]
                    print(f"      {CHUNKS} at once: {np.median(spent):.0f} ms", flush=True)


def timed_once(ask: Callable[[Any], Any], queries: list[Vectors]) -> float:
    """Milliseconds of one question for several vectors, as the chunks of a long query are asked for."""
    begun = time.perf_counter()
    ask(queries).to_arrow()
    return 1000 * (time.perf_counter() - begun)


def write(folder: Path, vectors: Vectors, count: int, noise: float, rng: np.random.Generator) -> Any:
    """A table of so many vectors."""
    dimension = vectors.shape[1]
    schema = pa.schema([("id", pa.int64()), pa.field("vector", pa.list_(pa.float32(), dimension))])
    table = lancedb.connect(folder).create_table("chunks", schema=schema)
    begun = time.perf_counter()
    for at in range(0, count, AT_ONCE):
        many = min(AT_ONCE, count - at)
        some = noisy(vectors, many, noise, rng) if noise else vectors[at : at + many]
        column = pa.FixedSizeListArray.from_arrays(pa.array(some.ravel()), dimension)
        table.add(pa.table({"id": pa.array(range(at, at + many)), "vector": column}, schema=schema))
    print(f"{count:,} vectors of {dimension}: written in {time.perf_counter() - begun:.0f} s", flush=True)
    return table


def size_of(folder: Path) -> int:
    """Bytes of the files below a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def _near(table: Any, probes: int, refine: int) -> Callable[[Vectors], Any]:
    def ask(query: Vectors) -> Any:
        search = _ask(table, query).nprobes(probes)
        return search if refine == 1 else search.refine_factor(refine)

    return ask


def _ask(table: Any, query: Vectors) -> Any:
    search = table.search(query, vector_column_name="vector").distance_type(DISTANCE)
    return search.select(["id", "_distance"]).limit(FIRST)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    main()
