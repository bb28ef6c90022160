"""The result of a comparison, which grows while models run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from colde import models as registry
from colde.comparison.checks import chunks_of
from colde.comparison.model_run import ModelRun, PairToScore
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.similarity_map import Array, SimilarityMap


class GrowingResult:
    """The results so far of a pair that is compared."""

    def __init__(self, pair: PairToScore, prior: float) -> None:
        self._pair, self._prior = pair, prior
        self._chunks = chunks_of(pair.a), chunks_of(pair.b)
        self._scores: dict[str, Score] = {}
        self._maps: dict[str, dict[str, SimilarityMap]] = {}
        self._begun = time.perf_counter()
        self._seconds = {"read": pair.a.seconds + pair.b.seconds, "load": 0.0, "encode": 0.0, "compare": 0.0}

    def add(self, name: str, run: ModelRun) -> None:
        """Keep what a model says."""
        self._scores[name] = run.score.at_prior(self._prior)
        self._maps[name] = share_equal_arrays(run.result.maps, self._maps.values())
        for step, seconds in run.seconds.items():
            self._seconds[step] += seconds

    def comparison(self, names: Sequence[str]) -> Comparison:
        """Comparison by those of these models that have finished, in their order."""
        done = [n for n in names if n in self._scores]
        total = self._seconds["read"] + time.perf_counter() - self._begun
        pair = self._pair
        return Comparison(
            a=pair.a,
            b=pair.b,
            chunks_a=self._chunks[0],
            chunks_b=self._chunks[1],
            models=tuple(self._scores[n] for n in done),
            maps={n: self._maps[n] for n in done},
            timing={k: round(v, 4) for k, v in {**self._seconds, "total": total}.items()},
            profile=pair.profile,
            kind=pair.kind,
            reference=None if pair.reference is None else str(pair.reference),
            prior=self._prior,
            encoder=pair.encoder,
            runtime=_runtime(done),
        )


def _runtime(names: Sequence[str]) -> str | None:
    """Hardware that the encoders of these models ran on; None where none has one, and torch is not imported for it."""
    if all(registry.card(name).cost == "instant" for name in names):
        return None
    from colde.encoders.runtime import runtime

    return str(runtime())


def share_equal_arrays(
    maps: Mapping[str, SimilarityMap], known: Iterable[Mapping[str, SimilarityMap]]
) -> dict[str, SimilarityMap]:
    """Maps that share the arrays of equal maps, of other models and of other levels.

    The models on CoLDE's network have most in common; sections of one chunk have equal maps at both levels.
    """
    arrays = [m.values for others in known for m in others.values()]
    shared = {}
    for name, m in maps.items():
        same = next((values for values in arrays if _same_bits(values, m.values)), None)
        shared[name] = m if same is None else replace(m, values=same)
        if same is None:
            arrays.append(m.values)
    return shared


def _same_bits(a: Array, b: Array) -> bool:
    if a.shape != b.shape or not a.flags.c_contiguous or not b.flags.c_contiguous:
        return False
    first, rest = slice(1), slice(1, None)  # arrays that differ mostly do so in the first row
    return all(np.array_equal(a[rows].view(np.int32), b[rows].view(np.int32)) for rows in (first, rest))
