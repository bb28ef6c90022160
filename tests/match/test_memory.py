"""Freed memory is returned where the C library can, and nothing happens where it cannot."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

import pytest

from colde.match import memory


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    memory._function.cache_clear()
    yield
    memory._function.cache_clear()


def test_the_library_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Library:
        malloc_trim = staticmethod(asked.append)

        @staticmethod
        def mallopt(option: int, value: int) -> None:
            asked.append(option)

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library())
    memory.give_back()
    assert asked == [0]
    monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", "mine")
    memory.keep_flat()
    assert asked == [0, -8, -3, -1], "one heap, large blocks mapped by themselves, free ends returned"
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == "mine"


@pytest.mark.parametrize("fault", [OSError, AttributeError, TypeError])
def test_another_library_is_no_fault(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: None) -> None:
        raise fault("no such thing")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    memory.give_back()
