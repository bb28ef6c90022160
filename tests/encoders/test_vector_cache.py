"""Vectors on disk: found again by content, never mixed, never a reason to fail, never text."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError

from colde.encoders.vector_cache import ABANDONED, VectorCache

IDS = [np.array([101, 5, 102], np.int32), np.array([101, 6, 7, 102], np.int32)]
VECTORS = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_found_again_by_content_and_encoder(tmp_path: Path) -> None:
    VectorCache(tmp_path, "x").save(IDS, VECTORS)
    np.testing.assert_array_equal(VectorCache(tmp_path, "x").load(IDS), VECTORS)
    assert VectorCache(tmp_path, "y").load(IDS) is None
    assert VectorCache(tmp_path, "x").load(IDS[:1]) is None
    regrouped = [np.concatenate(IDS)]
    assert VectorCache(tmp_path, "x").load(regrouped) is None


def test_a_folder_that_cannot_be_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    cache = VectorCache(tmp_path / "file" / "vectors", "x")
    cache.save(IDS, VECTORS)
    assert cache.load(IDS) is None


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "x", most_bytes=250)
    for i in range(4):
        cache.save([np.array([i], np.int32)], VECTORS[:1])
        for file in tmp_path.iterdir():
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 10))
    assert cache.load([np.array([3], np.int32)]) is not None
    assert cache.load([np.array([0], np.int32)]) is None


def test_files_are_not_listed_at_every_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With thousands of files a list of them takes longer than a save."""
    listed: list[str] = []
    glob = Path.glob

    def count(folder: Path, pattern: str) -> object:
        listed.append(pattern)
        return glob(folder, pattern)

    monkeypatch.setattr(Path, "glob", count)
    cache = VectorCache(tmp_path, "x", most_bytes=100_000)
    for i in range(200):
        cache.save([np.array([i], np.int32)], VECTORS[:1])
    assert len(list(tmp_path.iterdir())) == 200
    assert 2 < len(listed) < 20


@pytest.mark.parametrize("setting", ["off", "on"])
def test_there_is_no_cache_if_it_is_off_or_without_a_home(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLDE_CACHE", setting)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert VectorCache.from_environment("x") is None


def test_a_damaged_file_is_unknown(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "x")
    cache.save(IDS, VECTORS)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        vectors = cache.load(IDS)
        assert vectors is None or np.array_equal(vectors, VECTORS)
    file.write_bytes(whole[:20])
    assert cache.load(IDS) is None


def test_a_full_disk_is_no_fault_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(tensors: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")

    monkeypatch.setattr("colde.encoders.vector_cache.save_file", full)
    VectorCache(tmp_path, "x").save(IDS, VECTORS)
    assert list(tmp_path.iterdir()) == []


def test_what_an_ended_writer_left_goes(tmp_path: Path) -> None:
    for name, age in (("old.part", 2 * ABANDONED), ("new.part", 0.0)):
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    VectorCache(tmp_path, "x").save(IDS, VECTORS)
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".part", ".safetensors"]


def test_two_writers_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: VectorCache(tmp_path, "x").save(IDS, VECTORS), range(40)))
    assert len(list(tmp_path.iterdir())) == 1
    np.testing.assert_array_equal(VectorCache(tmp_path, "x").load(IDS), VECTORS)
