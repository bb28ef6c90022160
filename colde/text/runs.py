"""Runs of neighbouring items that belong together: lines of a paragraph, words of a label, pages in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def runs(items: Iterable[Item], goes_on: Callable[[Item, Item], bool]) -> Iterator[list[Item]]:
    """The items in order, in lists: a new one begins where `goes_on(item before, item)` is false."""
    run: list[Item] = []
    for item in items:
        if run and not goes_on(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run
