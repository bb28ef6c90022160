"""Freed memory is returned where the C library can, and nothing happens where it cannot."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterator

import pytest

from colde.encoders import memory
from tests.programs import run_python


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    memory._function.cache_clear()
    yield
    memory._function.cache_clear()


def test_the_library_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    for name in [n for n in os.environ if n.startswith("MALLOC_") or n == "GLIBC_TUNABLES"]:
        monkeypatch.delenv(name)

    class Library:
        malloc_trim = staticmethod(asked.append)

        @staticmethod
        def mallopt(option: int, value: int) -> None:
            asked.append(option)

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library())
    memory.release_memory()
    assert asked == [0]
    monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", "mine")
    memory.use_one_heap()
    assert asked == [0, -8, -3, -1], "one heap, blocks of a batch kept for the next one"
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == "mine"
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "1")
    memory.reuse_freed_blocks()
    assert asked == [0, -8, -3, -1], "who says otherwise in the environment is heard"


@pytest.mark.parametrize("fault", [OSError, AttributeError, TypeError])
def test_another_library_is_no_fault(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: None) -> None:
        raise fault("no such thing")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    memory.release_memory()
    memory.reuse_freed_blocks()


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="not the C library of Linux"
)
def test_blocks_that_were_freed_are_not_mapped_anew() -> None:
    """Pages that ten batches of three blocks of 30 MB touch for the first time: those of one, not of each."""
    code = """
import resource
from colde.encoders.memory import reuse_freed_blocks
if {keep}: reuse_freed_blocks()
def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for number in range(10):
        blocks = [b"x" * (30_000_000 + 1_000 * number) for _ in range(3)]
        del blocks
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults()
print(faults())
"""
    kept, mapped = (int(run_python("-c", code.format(keep=keep))) for keep in (True, False))
    assert kept * 4 < mapped
