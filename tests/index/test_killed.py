"""A program that is killed while it adds loses nothing that was written and doubles nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from colde.index import Index
from colde.index.tables import CHUNKS, DOCUMENTS, SECTIONS
from tests.index.light import load, write_files

FILES = 60
KILLS = int(os.environ.get("COLDE_KILLS", "2"))
"""More are for a night: each begins a program."""

ROOT = Path(__file__).resolve().parents[2]
ADD = """
import sys
import colde.index.index as module
from tests.index.light import Light
module.BATCH = 3
index = module.Index(sys.argv[1], loader=lambda name: Light(0.01))
index.made()
print("ready", flush=True)
index.add([sys.argv[2]])
"""


def begin(folder: Path, files: Path) -> subprocess.Popen[str]:
    """A program that adds; it has said that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", ADD, str(folder), str(files)],
        cwd=ROOT,
        env={**os.environ, "COLDE_SANDBOX": "off", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.slow
def test_killed_at_random_moments_it_loses_nothing_and_doubles_nothing(tmp_path) -> None:
    files = write_files(tmp_path / "files", FILES)
    folder = tmp_path / "index"
    moments = random.Random(7)
    held: set[str] = set()
    killed = 0
    for _ in range(KILLS):
        with begin(folder, files) as process:
            time.sleep(moments.uniform(0.0, 0.5))
            process.kill()
        killed += process.returncode != 0
        found = Index(folder, loader=load).documents()
        names = {d.name for d in found}
        assert len(names) == len(found), "a document stands there twice"
        assert held <= names, "a document was lost"
        held = names
    assert killed, "no program was killed at work"
    with begin(folder, files) as process:
        assert process.wait() == 0

    store = Index(folder, loader=load)._store()
    ids = [row["id"] for row in store.rows(DOCUMENTS, ["id"])]
    assert len(ids) == len(set(ids)) == FILES
    for table in (SECTIONS, CHUNKS):
        counts = Counter(
            (row["document"], row["number"]) for row in store.rows(table, ["document", "number"])
        )
        assert set(counts.values()) == {1}
        assert len(counts) == 2 * FILES
        assert {document for document, _ in counts} == set(ids)
