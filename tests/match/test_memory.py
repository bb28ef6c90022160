"""Freed memory is returned where the C library can, and nothing happens where it cannot."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest

from colde.match import memory


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    memory._trim.cache_clear()
    yield
    memory._trim.cache_clear()


def test_the_library_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Library:
        malloc_trim = staticmethod(asked.append)

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library())
    memory.give_back()
    assert asked == [0]


@pytest.mark.parametrize("fault", [OSError, AttributeError, TypeError])
def test_another_library_is_no_fault(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: None) -> None:
        raise fault("no such thing")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    memory.give_back()
