"""What many tests need and one run needs once: the parsed samples, and what is encoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

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


class _Kept:
    """What encoders have computed of token ids, which is always the same, in the memory of this process.

    Attributes:
        used: whether it is looked up and kept now.
        means: by encoder and token ids.
        states: by encoder, layers and token ids.
    """

    used = False
    means: ClassVar[dict[tuple[str, bytes], Any]] = {}
    states: ClassVar[dict[tuple[str, tuple[int, ...], bytes], list[Any]]] = {}


@cache
def _let_encoders_keep() -> None:
    from colde.encoders.encoder import PackedEncoder  # with torch, which many tests need not load

    mean_states, states_of_layers = PackedEncoder.mean_states, PackedEncoder.states_of_layers

    def kept_means(self: PackedEncoder, ids: Sequence[Any]) -> Any:
        if not _Kept.used:
            return mean_states(self, ids)
        keys = [(self.tag, text.tobytes()) for text in ids]
        missing = [n for n, key in enumerate(keys) if key not in _Kept.means]
        if missing:
            computed = mean_states(self, [ids[n] for n in missing])
            _Kept.means.update((keys[n], means) for n, means in zip(missing, computed, strict=True))
        return np.stack([_Kept.means[key] for key in keys])

    def kept_states(self: PackedEncoder, ids: Sequence[Any], layers: Sequence[int]) -> list[list[Any]]:
        if not _Kept.used:
            return states_of_layers(self, ids, layers)
        keys = [(self.tag, tuple(layers), text.tobytes()) for text in ids]
        missing = [n for n, key in enumerate(keys) if key not in _Kept.states]
        if missing:
            computed = zip(*states_of_layers(self, [ids[n] for n in missing], layers), strict=True)
            _Kept.states.update((keys[n], list(states)) for n, states in zip(missing, computed, strict=True))
        return [[_Kept.states[key][layer].copy() for key in keys] for layer in range(len(layers))]

    PackedEncoder.mean_states = kept_means  # type: ignore[method-assign]
    PackedEncoder.states_of_layers = kept_states  # type: ignore[method-assign]


@contextmanager
def keeping_vectors() -> Iterator[None]:
    """Until the end of the `with` block nothing is encoded that has been encoded in such a block."""
    _let_encoders_keep()
    before, _Kept.used = _Kept.used, True
    yield
    _Kept.used = before
