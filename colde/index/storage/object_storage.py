"""An index on object storage, named by a URI: `s3://bucket/papers.index`, `gs://…`, `az://…`.

    index.json        as in a folder; `tables` names where they are once the index was rebuilt
    documents.lance/  and the other tables, by LanceDB
    lock              an object that is replaced on conditions; see `lease`
    shards/           of many workers, each complete when its documents are there, which are written last
    rebuilt-1/        the index made anew: it takes the place of the old one when index.json names it

Nothing can be renamed there, but one object is replaced at once: index.json, on condition that nobody else has
replaced it since it was read. Settings and credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT …).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import obstore
from obstore.store import from_url

from colde import strict_json
from colde.errors import StoreError
from colde.index.storage.index_storage import LOCK_FILE, META_FILE, REBUILT_PREFIX, IndexStorage, WriteLock
from colde.index.storage.lease import Lease, taken_over, version_of

SCHEMES = ("s3", "gs", "az")
SHARDS = "shards"
RETRIES: Any = {"max_retries": 5, "retry_timeout": timedelta(seconds=30)}
"""With a storage that does not answer, until it is said."""

ERROR_CODE = re.compile(r"<Code>(\w+)</Code>")


class ObjectStorage(IndexStorage):
    """A prefix of a bucket; see `IndexStorage`. An index within another one has the lock of that one.

    Raises:
        StoreError: the URI has no bucket or no name.
    """

    where: str
    advice = "try again; if that does not help, add its files to a new one"

    def __init__(self, where: str, write_lock: WriteLock | None = None) -> None:
        self.where = where.rstrip("/")
        self._write_lock = write_lock
        self._last_version: dict[str, str] | None = None  # index.json at the last read
        scheme, _, rest = self.where.partition("://")
        # The two libraries would read these differently.
        ambiguous = any(part in rest for part in ("?", "#", "//"))
        if scheme not in SCHEMES or not all(rest.partition("/")) or ambiguous:
            raise StoreError(
                f"{where} names no place for an index: name a folder, or s3://BUCKET/NAME (also gs://, az://), "
                "without ?, # or empty parts"
            )
        with self._translated_errors():
            self.store: Any = from_url(self.where, retry_config=RETRIES)

    def options(self) -> dict[str, str] | None:
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        return {"region": region} if region and self.where.startswith("s3:") else None

    def exists(self) -> bool:
        try:
            self.read()
        except FileNotFoundError:
            return False
        return True

    def read(self) -> bytes:
        with self._translated_errors():
            try:
                answer = obstore.get(self.store, META_FILE)
                content = bytes(answer.bytes())
            except FileNotFoundError:
                answer = None
        if answer is None:
            raise FileNotFoundError(f"{self.where}/{META_FILE}")
        self._last_version = version_of(answer.meta)
        return content

    def write(self, meta: bytes) -> None:
        if not self._try_replace(meta):
            raise taken_over(self.where)

    def begin(self, meta: bytes) -> None:
        if self.exists():
            return
        own_objects = (LOCK_FILE, f"{SHARDS}/")
        if any(not path.startswith(own_objects) for path in self.paths()):
            raise StoreError(f"{self.where} contains no index, but other files: name a new one")
        with self._translated_errors():
            try:
                obstore.put(self.store, META_FILE, meta, mode="create")
            except obstore.exceptions.AlreadyExistsError:  # another program was faster
                return

    @contextmanager
    def lock(self) -> Iterator[WriteLock]:
        if self._write_lock is not None:
            yield self._write_lock
            return
        lease = Lease(self.store, LOCK_FILE, self.where)
        # A context manager made by `contextmanager` is a decorator, too.
        confirm, done = (self._translated_errors()(method) for method in (lease.confirm, lease.done))
        with self._translated_errors():
            lease.acquire()
        try:
            if lease.shut_out:
                self._bump_meta()
            self._remove_replaced_tables()
            yield WriteLock(confirm, lease.shut_out, done)
        finally:
            lease.release()

    def holds_table(self, below: str, name: str) -> bool:
        table = f"{below}/{name}.lance" if below else f"{name}.lance"
        if any(True for _ in self.paths(f"{table}/_versions")):
            return True
        self.remove(table)
        return False

    def size(self) -> int:
        return sum(size for _, size in self._listed())

    def shards(self) -> str:
        return f"{self.where}/{SHARDS}"

    @contextmanager
    def rebuilding(self) -> Iterator[IndexStorage]:
        """See `IndexStorage`; a program that was stopped there, and may go on, is shut out."""
        with self.lock() as write_lock:
            number = int((self._tables_folder() or f"{REBUILT_PREFIX}0").removeprefix(REBUILT_PREFIX)) + 1
            yield ObjectStorage(
                f"{self.where}/{REBUILT_PREFIX}{number}", WriteLock(write_lock.confirm, shut_out=True)
            )

    def clear(self) -> None:
        self.remove(None)
        self._last_version = None

    def replace(self, fresh: IndexStorage) -> None:
        below = str(fresh.where).removeprefix(f"{self.where}/")
        meta = {**strict_json.decode_object(fresh.read()), "tables": below}
        with fresh.lock() as write_lock:  # this index' own
            write_lock.confirm()
        self.write(_json(meta))
        self._remove_replaced_tables()

    def get(self, path: str) -> bytes | None:
        """An object; None where there is none."""
        with self._translated_errors():
            try:
                return bytes(obstore.get(self.store, path).bytes())
            except FileNotFoundError:
                return None

    def put(self, path: str, content: bytes) -> None:
        """Write an object, as a whole."""
        with self._translated_errors():
            obstore.put(self.store, path, content, use_multipart=False)

    def paths(self, below: str | None = None) -> Iterator[str]:
        """Objects, by path."""
        return (path for path, _ in self._listed(below))

    def delete(self, *paths: str) -> None:
        """Remove objects; what is not there any more need not be removed."""
        with self._translated_errors(), contextlib.suppress(FileNotFoundError):
            obstore.delete(self.store, paths)

    def remove(self, below: str | None) -> None:
        """Remove all objects below a path, or all there are."""
        if paths := list(self.paths(below)):
            self.delete(*paths)

    def _tables_folder(self) -> str:
        return str(strict_json.decode_object(self.read()).get("tables", ""))

    def _bump_meta(self) -> None:
        """Write another version of index.json, so that programs that have read the old one cannot replace it."""
        with contextlib.suppress(FileNotFoundError, ValueError):  # there is no index yet, or a damaged one
            while not self._try_replace(
                _json({**strict_json.decode_object(self.read()), "turn": uuid.uuid4().hex})
            ):
                pass

    def _try_replace(self, meta: bytes) -> bool:
        """Whether index.json could be replaced: not if it has changed since it was read here."""
        mode: Any = self._last_version or "overwrite"
        with self._translated_errors():
            try:
                put = obstore.put(self.store, META_FILE, meta, mode=mode)
            except obstore.exceptions.PreconditionError:
                return self.read() == meta  # it was ours: an answer got lost
            except FileNotFoundError:
                return False
        self._last_version = version_of(put)
        return True

    def _remove_replaced_tables(self) -> None:
        """Remove the tables that were replaced; those of a rebuild stay."""
        try:
            current = self._tables_folder()
        except (OSError, ValueError, AttributeError):  # there is no index yet, or a damaged one
            return
        if not current:
            return
        with self._translated_errors():
            tops = [str(p).strip("/") for p in obstore.list_with_delimiter(self.store)["common_prefixes"]]
        number = int(current.removeprefix(REBUILT_PREFIX))
        for top in tops:
            older = top.startswith(REBUILT_PREFIX) and int(top.removeprefix(REBUILT_PREFIX)) < number
            if older or top.endswith(".lance"):
                self.remove(top)

    def _listed(self, below: str | None = None) -> Iterator[tuple[str, int]]:
        with self._translated_errors():
            for some in obstore.list(self.store, below, chunk_size=1_000):
                yield from ((str(entry["path"]), int(entry["size"])) for entry in some)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turn errors of the storage into StoreError."""
        try:
            yield
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            message = str(error)
            what = " ".join((ERROR_CODE.findall(message) or [message.split("\n")[0]])[0].split())[:200]
            raise StoreError(
                f"{self.where}: the storage refused access ({what}): check that the bucket exists, and that "
                "credentials and endpoint are set in the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT …)"
            ) from error


def _json(meta: dict[str, Any]) -> bytes:
    return (json.dumps(meta, indent=1) + "\n").encode()
