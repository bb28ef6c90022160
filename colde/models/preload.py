"""Models that load while something else is done: their libraries and weights take seconds, and so do two files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from colde import models
from colde.models.base import Matcher


class Preload:
    """Loads models in a thread of its own, one after the other, and hands each out as soon as it is there.

    A loader for `colde.comparison.pipeline`: it is called with a name, and raises what `models.load` raises. Left as a
    context it loads nothing more.
    """

    def __init__(self, names: Iterable[str], load: Callable[[str], Matcher] = models.load) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="models")
        self._found: dict[str, Future[Matcher]] = {
            name: self._thread.submit(load, name)
            for name in sorted(names, key=models.cost_rank)  # as they run
        }

    def __call__(self, name: str) -> Matcher:
        """The model of a name; one that was not asked for before is loaded now."""
        found = self._found.get(name)
        return self._load(name) if found is None else found.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
