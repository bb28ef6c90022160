"""Many workers write one index: each document once, whoever dies."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch

from colde.corpus.document_sources import FileSource, document_sources
from colde.errors import MissingExtraError, ModelError, StoreError
from colde.index import Index, ray_workers
from tests.index.adding import count
from tests.index.light import Light, load, store_of, write_files
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
FILES = 40
RAY = 2 * PATIENCE  # Ray and its workers start slowly where others work

SCRIPT = """
import os, signal, sys
from pathlib import Path
from colde.index import ray_workers
from tests.index.light import Light

files, folder, mark, seconds = sys.argv[1:]

class Mortal(Light):
    "Dies once in the middle of its work, as a machine does."

    def _encode(self, document):
        if "tower 20 " in document.text and not Path(mark).exists():
            Path(mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._encode(document)

def load(name):
    return Mortal(float(seconds))

found = ray_workers.encode_corpus([files], folder, workers=2, loader=load)
Path(mark).write_text(f"{len(found.added)} {len(found.known)} {len(found.unread)}")
"""


def batch(files: Path) -> dict[str, list[str]]:
    items = [ray_workers.item_of(entry) for entry in document_sources([files])]
    return {name: [item[name] for item in items] for name in ray_workers.COLUMNS}


def test_a_shard_is_appended_once_and_what_the_index_holds_is_not_read(anywhere, tmp_path) -> None:
    files = write_files(tmp_path / "more", 9)  # six of them are there
    (files / "twice.md").write_bytes((files / "file007.md").read_bytes().replace(b"\n", b"\r\n"))
    (files / "short.md").write_text("Three short words.")
    model = Light()
    job = ray_workers.Job(anywhere.folder, anywhere.storage.shards(), "colde", lambda name: model)
    said = json.loads(ray_workers.Worker(job)(batch(files))["said"][0])
    assert model.encoded == 3, "what is twice in a batch is encoded once"
    assert (len(said["known"]), said["unread"][0][:2], said["done"]) == (7, ["short.md", "too_short"], 11)
    again = json.loads(ray_workers.Worker(job)(batch(files))["said"][0])
    assert again["shard"] == said["shard"], "a batch that is encoded twice leaves one shard"
    other = json.loads(ray_workers.Worker(job)(batch(files / "twice.md"))["said"][0])
    store = store_of(anywhere)
    with store.writing():
        writer = ray_workers.ShardWriter(store, job.shards)
        assert writer.append(said["shard"]) == []
        assert writer.append(said["shard"]) == []
        assert writer.append(other["shard"]) == ["twice.md"]
        assert writer.added == ["file006.md", "file007.md", "file008.md"]
    count(anywhere.folder, 9)


def test_complete_shards_of_a_run_that_died_are_appended_by_the_next(index, tmp_path) -> None:
    files = write_files(tmp_path / "more", 8)
    shards = tmp_path / "shards"
    job = ray_workers.Job(index.folder, shards, "colde", load)
    ray_workers.Worker(job)(batch(files))
    (shards / "half.part").mkdir()  # of a worker that was killed as it wrote
    store = store_of(index)
    with store.writing():
        writer = ray_workers.ShardWriter(store, shards)
        writer.append_waiting()
    assert writer.added == ["file006.md", "file007.md"]
    assert [p.name for p in shards.iterdir()] == ["half.part"]
    count(index.folder, 8)
    said = json.loads(ray_workers.Worker(job)(batch(files))["said"][0])
    assert (said["shard"], len(said["known"])) == ("", 8)


def test_a_document_travels_by_its_path(tmp_path) -> None:
    path = tmp_path / "a.md"
    assert ray_workers.entry_of(*ray_workers.item_of(FileSource("a.md", path)).values()) == FileSource(
        "a.md", path
    )


def test_without_ray_it_says_what_to_install(files, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"colde-explorer\[cluster\]"):
        ray_workers.encode_corpus([files], tmp_path / "new", loader=load)


def test_workers_with_gpus_are_as_many_as_the_gpus_are_enough_for() -> None:
    there = {"CPU": 16.0, "GPU": 2.0}
    assert [ray_workers.worker_count(there, None, gpus) for gpus in (0, 1, 2, 0.25)] == [16, 2, 1, 8]
    assert ray_workers.worker_count(there, 3, 0.5) == 3
    for cluster_, workers in ((there, 3), ({"CPU": 4.0}, None)):
        with pytest.raises(StoreError, match=r"too few GPUs \(\d\) for \d workers with 1 each: use"):
            ray_workers.worker_count(cluster_, workers, 1)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_worker_whose_torch_sees_no_gpu_says_so(index, files, tmp_path, monkeypatch) -> None:
    job = ray_workers.Job(index.folder, tmp_path / "shards", "colde", load, gpus=1)
    said = ray_workers.Worker(job)(batch(files))["said"]
    assert "torch sees no GPU here" in json.loads(said[0])["refused"]
    monkeypatch.setattr(ray_workers, "ray_session", lambda *of: nullcontext())
    monkeypatch.setattr(ray_workers, "_encoded", lambda *of: map(json.loads, said))
    with pytest.raises(ModelError, match="a worker cannot run: torch sees no GPU here"):
        ray_workers.encode_corpus([files], index.folder, gpus=1, loader=load)


@pytest.fixture
def patience() -> None:
    """The limit of a test is that of one that starts no cluster; here each wait has its own."""
    faulthandler.cancel_dump_traceback_later()


def begin(files: Path, folder: Path, mark: Path, seconds: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(files), str(folder), str(mark), str(seconds)],
        cwd=ROOT,
        env={**os.environ, "COLDE_SANDBOX": "off", "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.slow
def test_a_worker_is_killed_and_the_run_goes_on(tmp_path, patience) -> None:
    pytest.importorskip("ray")
    files = write_files(tmp_path / "files", FILES)
    index, mark = Index(tmp_path / "index", loader=load), tmp_path / "mark"
    with begin(files, index.folder, mark, 0.0) as driver:
        assert driver.wait(RAY) == 0
    assert mark.read_text() == f"{FILES} 0 0", "no worker was killed"
    count(index.folder, FILES)


@pytest.mark.slow
def test_the_driver_is_killed_and_the_next_run_goes_on(tmp_path, patience) -> None:
    pytest.importorskip("ray")
    files = write_files(tmp_path / "files", FILES)
    index, mark = Index(tmp_path / "index", loader=load), tmp_path / "mark"
    mark.touch()  # no worker dies here
    with begin(files, index.folder, mark, 0.3) as driver:
        shards = index.storage.shards()
        # Until the first shard is begun, however slow the machine is; the rest is seconds of work away.
        for _ in range(RAY * 10):
            if driver.poll() is not None or (shards.is_dir() and any(shards.iterdir())):
                break
            time.sleep(0.1)
        assert driver.poll() is None, "it ended before it could be killed"
        driver.send_signal(signal.SIGKILL)
    assert mark.read_text() == "", "it was done before it was killed"
    with begin(files, index.folder, mark, 0.0) as driver:
        assert driver.wait(RAY) == 0
    count(index.folder, FILES)
