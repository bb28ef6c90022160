"""A program that adds to an index, to be killed at work, and what must hold of the index afterwards."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import psutil

from colde.errors import StoreError
from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.index.store import Location, Store
from tests.forks import FORKS
from tests.patience import PATIENCE

KILLS = int(os.environ.get("COLDE_KILLS", "2"))
"""More are for a night: each begins a program."""


def add(where: Location, files: Path, manifest: Path | None, ready: Connection | None = None) -> None:
    """Add the files to the index, in small steps."""
    from colde.corpus import digest_manifest
    from colde.index import Index, write_buffer
    from colde.index.storage import lease
    from tests.index.light import Light

    lease.LEASE_SECONDS, lease.RENEW_SECONDS = 0.5, 0.1
    write_buffer.BATCH = digest_manifest.COMMIT_EVERY = 3
    index = Index(where, loader=lambda name: Light(0.01))
    index.open_or_create()
    if ready is not None:
        ready.send("ready")
    index.add([files], manifest=manifest)


def _environment() -> dict[str, str]:
    return {**os.environ, "COLDE_SANDBOX": "off"}


def _run(environment: Mapping[str, str], *arguments: Any) -> None:
    os.environ.update(environment)
    add(*arguments)


def _stop_and_add(environment: Mapping[str, str], where: Location, files: Path, said: Connection) -> None:
    """Stop where it has proved that the index is its own, and before it writes; say how that ends."""
    from lancedb.table import LanceTable

    write = LanceTable.add

    def stop_and_write(table: Any, *args: Any, **more: Any) -> Any:
        if table.name == DOCUMENTS:
            os.kill(os.getpid(), signal.SIGSTOP)
        return write(table, *args, **more)

    LanceTable.add = stop_and_write
    try:
        _run(environment, where, files, None)
    except StoreError as error:
        said.send(str(error))


@contextmanager
def begin(where: Location, files: Path, *, manifest: Path | None = None) -> Iterator[BaseProcess]:
    """A program that adds; it is ready to write the first documents, and has ended behind the `with` block."""
    here, there = FORKS.Pipe()
    process = FORKS.Process(target=_run, args=(_environment(), where, files, manifest, there))
    process.start()
    there.close()
    with here:
        assert here.poll(PATIENCE) and here.recv() == "ready"
        yield process
    process.join()


@contextmanager
def stopped(where: Location, files: Path) -> Iterator[tuple[BaseProcess, Connection]]:
    """A program that adds and has stopped itself as `_stop_and_add` says, and what it will say."""
    here, there = FORKS.Pipe()
    process = FORKS.Process(target=_stop_and_add, args=(_environment(), where, files, there))
    process.start()
    there.close()
    with here:
        seen = psutil.Process(process.pid)
        while seen.status() != psutil.STATUS_STOPPED:
            assert process.is_alive(), "it ended without a stop"
            time.sleep(0.01)
        yield process, here
    process.join()


def count(where: Location, documents: int, sections: int | None = None) -> None:
    """Each document, section and chunk stands there once; by default two sections a document, of one chunk."""
    store = Store(where)
    ids = [row["id"] for row in store.rows(DOCUMENTS, ["id"])]
    assert len(ids) == len(set(ids)) == documents
    for table in (SECTIONS, CHUNKS):
        held = Counter((r["document"], r["number"]) for r in store.rows(table, ["document", "number"]))
        assert set(held.values()) == {1}
        assert len(held) == (2 * documents if sections is None else sections)
        assert {document for document, _ in held} == set(ids)
