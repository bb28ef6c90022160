"""The service as its clients see it, with the limits of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from colde.index import Index
from tests.index.light import load, write_files

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with files and an index of them."""
    files = write_files(tmp_path / "files", 3)
    Index(tmp_path / "index", loader=load).add([files])
    return tmp_path


@pytest.fixture
def served() -> Iterator[Callable[..., TestClient]]:
    """Starts a service with these arguments of `create_app`; its client."""
    from fastapi.testclient import TestClient

    from colde.serve.routes import create_app

    with ExitStack() as running:

        def start(*index: Path, address: str = "http://localhost", **options: object) -> TestClient:
            app = create_app(*index, warm=(), **options)  # type: ignore[arg-type]
            return running.enter_context(TestClient(app, base_url=address))

        yield start


@pytest.fixture
def client(served, folder) -> TestClient:
    return served(folder / "index")
