"""A program that adds to an index, to be killed at work, and what must hold of the index afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.index.store import Location, Store

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("COLDE_KILLS", "2"))
"""More are for a night: each begins a program."""

ADD = """
import sys
from pathlib import Path
from colde.corpus import digest_manifest
from colde.index import Index, write_buffer; from colde.index.storage import lease
from tests.index.light import Light
lease.LEASE_SECONDS, lease.RENEW_SECONDS = 2.0, 0.2
write_buffer.BATCH = digest_manifest.COMMIT_EVERY = 3
index = Index(sys.argv[1], loader=lambda name: Light(0.01))
index.open_or_create()
print("ready", flush=True)
index.add([sys.argv[2]], manifest=Path(sys.argv[3]) if len(sys.argv) > 3 else None)
"""

STOPS = """
import os, signal
from lancedb.table import LanceTable
add = LanceTable.add
def stop_and_add(table, *args, **more):
    if table.name == "documents":
        os.kill(os.getpid(), signal.SIGSTOP)
    return add(table, *args, **more)
LanceTable.add = stop_and_add
"""
"""It stops where it has proved that the index is its own, and before it writes."""


def begin(
    where: Location, files: Path, *, stops: bool = False, manifest: Path | None = None
) -> subprocess.Popen[str]:
    """A program that adds; it has said that it is ready."""
    paths = [str(path) for path in (where, files, manifest) if path is not None]
    process = subprocess.Popen(
        [sys.executable, "-c", STOPS + ADD if stops else ADD, *paths],
        cwd=ROOT,
        env={**os.environ, "COLDE_SANDBOX": "off", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if stops else None,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


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
