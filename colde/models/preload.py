"""Loads models in the background: their libraries and weights take seconds, and so does reading two files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager

from colde import models
from colde.models.base import Matcher


class Preload(AbstractContextManager["Preload"]):
    """Loads models one after the other in a thread, and returns each when it is ready.

    A loader for `colde.comparison.pipeline`: it is called with a name, and raises what `models.load` raises. At the end
    of the `with` block it stops loading.
    """

    def __init__(self, names: Iterable[str], load: Callable[[str], Matcher] = models.load) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="models")
        self._futures: dict[str, Future[Matcher]] = {
            name: self._thread.submit(load, name)
            for name in sorted(names, key=models.cost_rank)  # the order in which they run
        }

    def __call__(self, name: str) -> Matcher:
        """The model of a name; one that was not named before is loaded now."""
        future = self._futures.get(name)
        return self._load(name) if future is None else future.result()

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
