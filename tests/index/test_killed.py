"""A program that is killed while it adds loses nothing that was written and doubles nothing."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from colde.index import Index
from tests.index.adding import KILLS, begin, count
from tests.index.light import load, write_files

FILES = 12


@pytest.mark.slow
def test_killed_at_random_moments_it_loses_nothing_and_doubles_nothing(location, tmp_path) -> None:
    """The first program keeps no manifest, the others do."""
    files = write_files(tmp_path / "files", FILES)
    manifest = None
    moments = random.Random(7)
    held: set[str] = set()
    killed = 0
    for _ in range(KILLS):
        with begin(location, files, manifest=manifest) as process:
            time.sleep(moments.uniform(0.0, 0.5 if isinstance(location, Path) else 1.0))
            process.kill()
        manifest = tmp_path / "files.manifest"
        killed += process.exitcode != 0
        found = Index(location, loader=load).documents()
        names = {d.name for d in found}
        assert len(names) == len(found), "a document stands there twice"
        assert held <= names, "a document was lost"
        held = names
    assert killed, "no program was killed at work"
    with begin(location, files, manifest=manifest) as process:
        pass
    assert process.exitcode == 0
    count(location, FILES)
