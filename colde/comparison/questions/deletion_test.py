"""Deletion test of a contribution map on one pair: loss of score without the strongest chunks, and without random ones.

As in studies/explanations/explanation_figures.py, which measures many pairs: chunks of both documents are left out, in
the order of their contribution for each character, until 10, 25 and 50 % of the text are gone; no document loses its
last chunk. The comparison is with three random orders. On one pair the result varies from draw to draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar, Unpack

import numpy as np

from colde import models as registry
from colde.comparison.model_run import RunOptions
from colde.comparison.questions.model_probe import ModelProbe
from colde.errors import ModelError
from colde.explain.counterfactual import Place
from colde.results.comparison import Comparison
from colde.results.model_score import Faithfulness
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Document, Span

SHARES = (0.1, 0.25, 0.5)
DRAWS = 3
CHUNKS = "contribution_chunk"
QUICK = ("instant", "fast")
"""Costs of models that answer a dozen times within two seconds."""
MOST_SENTENCES = 10_000
"""Sentences of both texts together up to which a report measures faithfulness: a model reads them a dozen times, a
millisecond each (docs/log/robustness.md)."""
MOST_CUT = 20_000
"""Characters of sentences that chunks cut, up to which a report measures faithfulness. Vectors of whole sentences are
known; what is left of a sentence is encoded each time."""

Side = TypeVar("Side", Letter, int)
"""Which of the two documents."""


def measure_faithfulness(
    comparison: Comparison, model: str, **options: Unpack[RunOptions]
) -> Faithfulness | None:
    """Ask a model a dozen times without some chunks; None where the texts are too short to leave any out.

    Args:
        comparison: finished.
        model: one with a contribution map.
        options: `reference`, the one that the comparison was made with, if any; `loader`.

    Raises:
        ModelError: the model has no contribution map, or the reference is missing.
    """
    contribution = comparison.maps.get(model, {}).get(CHUNKS)
    score = next((s.score for s in comparison.models if s.name == model), None)
    if contribution is None or score is None:
        raise ModelError(f"{model} does not explain its score")
    probe = ModelProbe.of(comparison, model, **options)

    def loss(order: Sequence[tuple[Letter, Span]], share: float) -> float | None:
        removed = [Place(letter, span) for letter, span in first_share(order, share)]
        rest = probe.score_without(removed) if removed else None
        return None if rest is None else score - rest

    strongest, *random = deletion_orders(contribution, DRAWS)
    return _mean_losses([(loss(strongest, share), [loss(o, share) for o in random]) for share in SHARES])


def _mean_losses(losses: Sequence[tuple[float | None, Sequence[float | None]]]) -> Faithfulness | None:
    """The mean over the shares of text for which there is a loss without the strongest and without random chunks."""
    strongest, random = [], []
    for loss, random_losses in losses:
        known = [x for x in random_losses if x is not None]
        if loss is not None and known:
            strongest.append(loss)
            random.append(np.mean(known))
    return Faithfulness(float(np.mean(strongest)), float(np.mean(random))) if strongest else None


def with_faithfulness(comparison: Comparison, **options: Unpack[RunOptions]) -> Comparison:
    """Copy with the faithfulness of the first model, where it has a contribution map and answers quickly.

    Texts of more than 10,000 sentences together are not measured, nor those with more than 20,000 characters in
    sentences that are cut. Arguments and errors as in `measure_faithfulness`.
    """
    name = comparison.models[0].name
    contribution = comparison.maps.get(name, {}).get(CHUNKS)
    if contribution is None or registry.card(name).cost not in QUICK:
        return comparison
    sides = ((comparison.a, contribution.rows), (comparison.b, contribution.columns))
    if sum(1 for document, _ in sides for _ in document.sentences()) > MOST_SENTENCES:
        return comparison
    if registry.card(name).encoder and sum(cut_characters(*side) for side in sides) > MOST_CUT:
        return comparison
    measured = measure_faithfulness(comparison, name, **options)
    return comparison if measured is None else comparison.with_measured(name, measured)


def cut_characters(document: Document, chunks: Sequence[Span]) -> int:
    """Characters of the sentences within which a chunk begins."""
    spans = np.array([(-1, -1), *((s.start, s.end) for _, s in document.sentences())])
    begins = np.array([chunk.start for chunk in chunks])
    before = np.searchsorted(spans[:, 0], begins) - 1  # the last sentence that begins before each chunk
    cut = np.unique(before[spans[before, 1] > begins])
    return int(np.diff(spans[cut]).sum())


def deletion_orders(contribution: SimilarityMap, draws: int) -> list[list[tuple[Letter, Span]]]:
    """Orders of the chunks of both documents: by contribution for each character, then random ones."""
    places: list[tuple[Letter, Span]] = [("a", Span(s.start, s.end)) for s in contribution.rows]
    places += [("b", Span(s.start, s.end)) for s in contribution.columns]
    adds = np.concatenate([contribution.values.sum(1), contribution.values.sum(0)])
    each = adds / [max(1, len(span)) for _, span in places]
    random = np.random.default_rng(0)
    ranked = [np.argsort(-each, kind="stable"), *(random.permutation(len(places)) for _ in range(draws))]
    return [[places[int(k)] for k in order] for order in ranked]


def first_share(order: Sequence[tuple[Side, Span]], share: float) -> list[tuple[Side, Span]]:
    """The first passages of an order, a share of its text or just more; no document loses its last one."""
    wanted = share * sum(len(s) for _, s in order)
    left = Counter(side for side, _ in order)
    taken: list[tuple[Side, Span]] = []
    characters = 0
    for side, span in order:
        if characters >= wanted:
            break
        if left[side] > 1:
            taken.append((side, span))
            left[side] -= 1
            characters += len(span)
    return taken
