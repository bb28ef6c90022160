"""What many tests need and one run needs once: the parsed samples, and the vectors of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from colde.encoders.vector_cache import VectorCache
from colde.ingest import parsing
from tests.programs import ROOT


def parse_samples_once() -> None:
    """Keep what is parsed of the files in assets/samples: a PDF of them takes a fifth of a second.

    Every other file is parsed each time that it is read.
    """
    samples = {path.read_bytes() for path in (ROOT / "assets" / "samples").iterdir() if path.is_file()}
    parse = parsing.parse
    kept = cache(parse)

    def parse_once(data, name, password, limits, *more):  # type: ignore[no-untyped-def]
        if more or data not in samples:
            return parse(data, name, password, limits, *more)
        document = kept(data, name, password, limits)
        # with a text of its own, since an encoder keeps the vectors of texts that are in use
        return replace(document, text=document.text.encode().decode())

    parsing.parse = parse_once


class KeptVectors:
    """The sentence vectors of an encoder in the memory of this process, in the place of a `VectorCache`."""

    used = False
    """Whether they are looked up and kept now."""

    def __init__(self) -> None:
        self._kept: dict[tuple[bytes, ...], Any] = {}

    def load(self, ids: Sequence[Any]) -> Any:
        """As `VectorCache.load`."""
        found = self._kept.get(_key(ids)) if self.used else None
        return None if found is None else found.copy()

    def save(self, ids: Sequence[Any], vectors: Any) -> None:
        """As `VectorCache.save`."""
        if self.used:
            self._kept[_key(ids)] = vectors.copy()


def _key(ids: Sequence[Any]) -> tuple[bytes, ...]:
    return tuple(one.tobytes() for one in ids)


def offer_kept_vectors() -> None:
    """Give encoders of sentences that have no cache on disk a `KeptVectors`."""
    from_environment = VectorCache.from_environment

    def cache_of(encoder: str) -> Any:
        return from_environment(encoder) or (KeptVectors() if encoder.startswith("sentences-") else None)

    VectorCache.from_environment = cache_of  # type: ignore[method-assign]


@contextmanager
def keeping_vectors() -> Iterator[None]:
    """Until the end of the `with` block no sentence of a document is encoded that has been encoded in such a block."""
    KeptVectors.used = True
    yield
    KeptVectors.used = False
