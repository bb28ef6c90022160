"""What a model's account of its score is worth on one pair: leave out what it calls strongest, and as much at random.

As studies/explanations/explanation_figures.py measures it over many pairs: chunks of both documents are left out,
those first that add most for their letters, until 10, 25 and 50 % of the text are gone, and no document loses its
last one; beside it three orders at random. A few scores of one pair: the ratio wavers from draw to draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.pipeline import Loader, check_comparable
from colde.errors import ModelError, ReadError
from colde.judge.reference import Reference
from colde.results.comparison import Comparison
from colde.results.model_score import Faithfulness
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Span
from colde.text.passage_removal import leave_out

SHARES = (0.1, 0.25, 0.5)
DRAWS = 3
CHUNKS = "contribution_chunk"
QUICK = ("instant", "fast")
"""Costs of models that are asked a dozen times in a second or two."""

Place = tuple[Letter, Span]
Side = TypeVar("Side", Letter, int)
"""What tells the two documents apart."""


def measure_faithfulness(
    comparison: Comparison,
    model: str,
    *,
    reference: Reference | None = None,
    loader: Loader = registry.load,
) -> Faithfulness | None:
    """Ask a model a dozen times without some chunks; None where the texts are too short to leave any out.

    Args:
        comparison: finished.
        model: one that says what made its score.
        reference: the one the comparison was made with, where it was made with one.

    Raises:
        ModelError: the model does not say what made its score, or the reference is missing.
    """
    contribution = comparison.maps.get(model, {}).get(CHUNKS)
    score = next((s.score for s in comparison.results if s.name == model), None)
    if contribution is None or score is None:
        raise ModelError(f"{model} does not say what made its score")
    if comparison.reference is not None and reference is None:
        raise ModelError(f"the comparison was made with the reference {comparison.reference}: name it again")
    matcher, _ = apply_reference(loader(model), comparison.profile, reference)

    def score_loss(gone: Iterable[Place]) -> float | None:
        left = list(gone)
        if not left:
            return None
        documents = [
            leave_out(document, [s for letter, s in left if letter == own])
            for own, document in (("a", comparison.a), ("b", comparison.b))
        ]
        try:
            for document in documents:
                check_comparable(document)
        except ReadError:
            return None
        return score - matcher.match(*matcher.encode(documents, explain=False), explain=False).score

    own, *random = deletion_orders(contribution, DRAWS)
    losses = [
        (score_loss(first(own, share)), [score_loss(first(o, share)) for o in random]) for share in SHARES
    ]
    found = [(mine, [x for x in others if x is not None]) for mine, others in losses if mine is not None]
    found = [(mine, others) for mine, others in found if others]
    if not found:
        return None
    return Faithfulness(
        float(np.mean([mine for mine, _ in found])),
        float(np.mean([np.mean(others) for _, others in found])),
    )


def with_faithfulness(
    comparison: Comparison, *, reference: Reference | None = None, loader: Loader = registry.load
) -> Comparison:
    """The same with the worth of the first model's account, where it has one and answers quickly.

    Arguments and errors as in `measure_faithfulness`.
    """
    name = comparison.results[0].name
    if CHUNKS not in comparison.maps.get(name, {}) or registry.card(name).cost not in QUICK:
        return comparison
    found = measure_faithfulness(comparison, name, reference=reference, loader=loader)
    return comparison if found is None else comparison.with_measured(name, found)


def deletion_orders(contribution: SimilarityMap, draws: int) -> list[list[Place]]:
    """Chunks of both documents: those first that add most for their letters, then at random."""
    places: list[Place] = [("a", Span(s.start, s.end)) for s in contribution.rows]
    places += [("b", Span(s.start, s.end)) for s in contribution.columns]
    adds = np.concatenate([contribution.values.sum(1), contribution.values.sum(0)])
    each = adds / [max(1, len(span)) for _, span in places]
    random = np.random.default_rng(0)
    ranked = [np.argsort(-each, kind="stable"), *(random.permutation(len(places)) for _ in range(draws))]
    return [[places[int(k)] for k in order] for order in ranked]


def first(order: Sequence[tuple[Side, Span]], share: float) -> list[tuple[Side, Span]]:
    """The first passages of an order, a share of its text or just more; no document loses its last one."""
    enough = share * sum(len(s) for _, s in order)
    left = Counter(side for side, _ in order)
    found: list[tuple[Side, Span]] = []
    gone = 0
    for side, span in order:
        if gone >= enough:
            break
        if left[side] > 1:
            found.append((side, span))
            left[side] -= 1
            gone += len(span)
    return found
