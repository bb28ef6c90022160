"""Explanations that the view asks a model for: two sentences word by word, and the deletion test of the pair.

Arguments: a finished comparison, the model whose maps are shown, and the key of the view.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from colde.comparison.questions.deletion_test import CHUNKS, QUICK, measure_faithfulness
from colde.comparison.questions.word_by_word import SENTENCES, word_contributions
from colde.errors import ColdeError
from colde.results.comparison import Comparison
from colde.text.document import Span
from colde_explorer_app.session import available_models
from colde_explorer_app.session.comparison_jobs import load, model_turn
from colde_explorer_app.session.state import View, component_value, reference_in_use, state

MAX_WORD_PAIRS = 40
"""Pairs of words that go to the page."""

T = TypeVar("T")


def chosen_words(comparison: Comparison, model: str, key: str) -> Mapping[str, Any] | None:
    """Contributions of pairs of words in the two sentences that the reader chose last; None without a valid choice.

    Returns:
        `{"asked": the question as the page wrote it, "total": of the two sentences, "residual": the part of no pair of
        words, "pairs": [[start in a, end, start in b, end, contribution], …]}`.
    """
    asked = component_value(key, "words")
    spans = _spans(asked)
    if spans is None or asked.get("model") != model or not _supports(comparison, model, SENTENCES):
        return None
    question = json.dumps(
        {"a": list(asked["a"]), "b": list(asked["b"]), "model": model}, separators=(",", ":")
    )

    def make() -> Mapping[str, Any]:
        words = word_contributions(comparison, *spans, model, reference=reference_in_use(), loader=load)
        return {
            "asked": question,
            "total": words.total,
            "residual": words.map.residual or 0.0,
            "pairs": [
                [a.start, a.end, b.start, b.end, value] for a, b, value in words.strongest(MAX_WORD_PAIRS)
            ],
        }

    return state(View).answers.get(("words", key, question), comparison, lambda: _ask(make))


def with_pair_faithfulness(comparison: Comparison, model: str, key: str) -> Comparison:
    """The comparison with the deletion test of this model's explanation of the pair, where the model is quick."""
    if not _supports(comparison, model, CHUNKS):
        return comparison
    measured = state(View).answers.get(
        ("faithfulness", key, model),
        comparison,
        lambda: _ask(
            lambda: measure_faithfulness(comparison, model, reference=reference_in_use(), loader=load)
        ),
    )
    return comparison if measured is None else comparison.with_measured(model, measured)


def _supports(comparison: Comparison, model: str, view: str) -> bool:
    card = available_models.cards().get(model)
    return card is not None and card.cost in QUICK and view in comparison.maps.get(model, {})


def _ask(make: Callable[[], T]) -> T | None:
    try:
        with model_turn():
            return make()
    except ColdeError:
        return None


def _spans(asked: Any) -> tuple[Span, Span] | None:
    """The two passages that the page asks about; None if its value is something else."""
    if not isinstance(asked, Mapping):
        return None
    spans = []
    for side in ("a", "b"):
        edges: Any = asked.get(side)
        is_interval = (
            isinstance(edges, list | tuple) and len(edges) == 2 and all(type(e) is int for e in edges)
        )
        if not is_interval or not 0 <= edges[0] < edges[1]:
            return None
        spans.append(Span(edges[0], edges[1]))
    return spans[0], spans[1]
