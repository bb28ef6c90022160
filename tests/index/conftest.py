"""A folder of files, and an index of them by a model that loads at once, in a folder or on object storage."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from colde.index import Index
from colde.index.store import Location
from tests.index.light import load, write_files
from tests.index.storage import BUCKET, installed, server


@pytest.fixture(autouse=True)
def quick(monkeypatch, kept_vectors) -> None:
    """Read in this process: the files are our own. Encode no text twice: no test here is about encoding."""
    monkeypatch.setenv("COLDE_SANDBOX", "off")


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Path:
    """A folder with `files` and with an `index` of them, made once, to be copied."""
    folder = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLDE_SANDBOX", "off")
        Index(folder / "index", loader=load).add([write_files(folder / "files", 6)])
    return folder


@pytest.fixture
def files(tmp_path, once) -> Path:
    return Path(shutil.copytree(once / "files", tmp_path / "files"))


@pytest.fixture
def index(tmp_path, files, once) -> Index:
    return Index(shutil.copytree(once / "index", tmp_path / "index"), loader=load)


S3 = pytest.mark.xdist_group("s3")
"""Tests that use the S3 server: on one worker, which starts one."""


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """The environment of a running S3 server."""
    pytest.importorskip("obstore")
    if not installed():
        pytest.skip("no S3 server is installed here: make .venv/.s3")
    with server() as environment:
        yield environment


@pytest.fixture(scope="session")
def stored(s3, once) -> dict[str, bytes]:
    """The objects of an index of `files` on object storage: made once, since the server takes its time."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in {**s3, "COLDE_SANDBOX": "off"}.items():
            patched.setenv(name, value)
        made = Index(f"s3://{BUCKET}/stored/papers.index", loader=load)
        made.add([once / "files"])
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


@pytest.fixture(params=["folder", pytest.param("s3", marks=S3)])
def location(request, tmp_path) -> Location:
    """A place without an index, of both kinds."""
    return tmp_path / "index" if request.param == "folder" else request.getfixturevalue("uri")


@pytest.fixture(params=[pytest.param("index", id="folder"), pytest.param("remote", id="s3", marks=S3)])
def anywhere(request) -> Index:
    """An index in either place."""
    return request.getfixturevalue(request.param)
