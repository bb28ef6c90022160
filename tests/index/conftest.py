"""A folder of files, and an index of them by a model that loads at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from colde.index import Index
from tests.index.light import load, write_files


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Read in this process: the files are our own."""
    monkeypatch.setenv("COLDE_SANDBOX", "off")


@pytest.fixture
def files(tmp_path) -> Path:
    return write_files(tmp_path / "files", 6)


@pytest.fixture
def index(tmp_path, files) -> Index:
    made = Index(tmp_path / "index", loader=load)
    made.add([files])
    return made
