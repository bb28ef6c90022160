"""A folder of files, and an index of them by a model that loads at once, in a folder or on object storage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from colde.index import Index
from colde.index.store import Location
from tests.index.light import load, write_files
from tests.index.storage import BUCKET, installed, server


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


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """The environment of a running S3 server."""
    pytest.importorskip("obstore")
    if not installed():
        pytest.skip("no S3 server is installed here: make .venv/.s3")
    with server() as environment:
        yield environment


@pytest.fixture(scope="session")
def stored(s3, tmp_path_factory) -> dict[str, bytes]:
    """The objects of an index of `files` on object storage: made once, since the server takes its time."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in {**s3, "COLDE_SANDBOX": "off"}.items():
            patched.setenv(name, value)
        made = Index(f"s3://{BUCKET}/stored/papers.index", loader=load)
        made.add([write_files(tmp_path_factory.mktemp("stored"), 6)])
        return {path: made.storage.get(path) for path in made.storage.paths()}


@pytest.fixture
def uri(s3, monkeypatch, request) -> str:
    """A place on object storage without an index."""
    from colde.index.storage import lease

    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(lease, "LEASE_SECONDS", 2.0)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.2)
    return f"s3://{BUCKET}/{re.sub(r'[^a-z0-9]', '-', request.node.name)}/papers.index"


@pytest.fixture
def remote(uri, stored) -> Index:
    """A copy of the stored index."""
    from colde.index.storage.object_storage import ObjectStorage

    storage = ObjectStorage(uri)
    for path, content in stored.items():
        storage.put(path, content)
    return Index(uri, loader=load)


@pytest.fixture(params=["folder", "s3"])
def location(request, tmp_path) -> Location:
    """A place without an index, of both kinds."""
    return tmp_path / "index" if request.param == "folder" else request.getfixturevalue("uri")


@pytest.fixture(params=["index", "remote"], ids=["folder", "s3"])
def anywhere(request) -> Index:
    """An index in either place."""
    return request.getfixturevalue(request.param)
