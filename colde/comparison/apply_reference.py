"""A model as it judges documents of a profile, or of a reference collection."""

from __future__ import annotations

import numpy as np

from colde.judge.calibration import QUANTILES, Background
from colde.judge.reference import Reference
from colde.models.base import Matcher, ProfileAware
from colde.results.progress import OnProgress

PAIRS = 2_000  # drawn at random; among so many few are related


def apply_reference(
    matcher: Matcher,
    profile: str,
    reference: Reference | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> tuple[Matcher, Background | None]:
    """The matcher as it judges documents of a profile, or of a reference, and what is usual there.

    The same reference gives the same background, whatever pairs are judged; it is made once for a model and kept in the
    reference.
    """
    if reference is None:
        return (matcher.for_profile(profile) if isinstance(matcher, ProfileAware) else matcher), None
    asked = matcher, profile, seed  # a model itself is part of the key: another of the same name is another
    if asked not in reference.applied:
        reference.applied[asked] = _apply(matcher, profile, reference, seed, on_progress)
    found: tuple[Matcher, Background] = reference.applied[asked]
    return found


def _apply(
    matcher: Matcher, profile: str, reference: Reference, seed: int, on_progress: OnProgress | None
) -> tuple[Matcher, Background]:
    documents = list(reference.documents)
    encoded = matcher.encode(documents, explain=False, on_progress=on_progress)
    if isinstance(matcher, ProfileAware):
        matcher = matcher.for_profile(profile, encoded)
        encoded = matcher.encode(documents, explain=False)  # anew from the centre; what is slow is kept
    drawn = np.random.default_rng(seed).integers(len(encoded), size=(PAIRS, 2))
    scores = [matcher.match(encoded[i], encoded[j], explain=False).score for i, j in drawn if i != j]
    return matcher, Background(
        name=reference.name,
        documents=len(documents),
        # A probability has no spread to measure a threshold by.
        score_std=float(np.std(scores)) if matcher.card.score_kind != "probability" else 0.0,
        quantiles=tuple(float(q) for q in np.quantile(scores, np.linspace(0, 1, QUANTILES))),
    )
