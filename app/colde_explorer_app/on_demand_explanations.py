"""What the view asks a model beside its maps: two sentences word by word, and what its account is worth on the pair."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from colde.comparison.deletion_test import CHUNKS, QUICK, measure_faithfulness
from colde.comparison.word_by_word import SENTENCES, word_contributions
from colde.errors import ColdeError
from colde.results.comparison import Comparison
from colde.text.document import Span
from colde_explorer_app import available_models
from colde_explorer_app.comparison_jobs import load, model_turn
from colde_explorer_app.reference_in_use import reference_in_use

MAX_WORD_PAIRS = 40
"""Pairs of words that go to the page."""
MAX_ANSWERS = 40
"""Answers of a session; the oldest goes first."""

T = TypeVar("T")


def chosen_words(comparison: Comparison, model: str, key: str) -> Mapping[str, Any] | None:
    """What pairs of words add where the reader chose two sentences last; None where nothing can be said.

    Args:
        comparison: finished. model: whose maps are shown. key: of the view.

    Returns:
        `{"asked": as the page asked, "total": of the two sentences, "residual": what no pair of words makes,
        "pairs": [[start in a, end, start in b, end, part], …]}`.
    """
    asked: Any = (st.session_state.get(key) or {}).get("words")
    spans = _spans(asked)
    if spans is None or asked.get("model") != model or not _supports(comparison, model, SENTENCES):
        return None
    question_json = json.dumps(
        {"a": list(asked["a"]), "b": list(asked["b"]), "model": model}, separators=(",", ":")
    )

    def make() -> Mapping[str, Any] | None:
        found = word_contributions(comparison, *spans, model, reference=reference_in_use(), loader=load)
        return {
            "asked": question_json,
            "total": found.total,
            "residual": found.map.residual or 0.0,
            "pairs": [
                [a.start, a.end, b.start, b.end, value] for a, b, value in found.strongest(MAX_WORD_PAIRS)
            ],
        }

    return _cached_answer(("words", key, question_json), comparison, make)


def with_pair_faithfulness(comparison: Comparison, model: str, key: str) -> Comparison:
    """The comparison with what this model's account is worth on the pair, where that is soon known.

    Args:
        comparison: finished. model: whose maps are shown. key: of the view.
    """
    if not _supports(comparison, model, CHUNKS):
        return comparison
    found = _cached_answer(
        ("worth", key, model),
        comparison,
        lambda: measure_faithfulness(comparison, model, reference=reference_in_use(), loader=load),
    )
    return comparison if found is None else comparison.with_measured(model, found)


def _supports(comparison: Comparison, model: str, view: str) -> bool:
    card = available_models.cards().get(model)
    return card is not None and card.cost in QUICK and view in comparison.maps.get(model, {})


def _cached_answer(
    question: tuple[str, ...], comparison: Comparison, make: Callable[[], T | None]
) -> T | None:
    """The answer to a question about this comparison, asked once in a session; None where there is none."""
    full = (
        *question,
        comparison.profile,
        comparison.reference,
        hash(comparison.a.text),
        hash(comparison.b.text),
    )
    answers: dict[tuple[Any, ...], Any] = st.session_state.setdefault("asked_of_pairs", {})
    if full not in answers:
        try:
            with model_turn():
                answers[full] = make()
        except ColdeError:
            answers[full] = None
        while len(answers) > MAX_ANSWERS:
            answers.pop(next(iter(answers)))
    found: T | None = answers[full]
    return found


def _spans(asked: Any) -> tuple[Span, Span] | None:
    """The two passages in what the page asked; it comes from the page and may be anything."""
    if not isinstance(asked, Mapping):
        return None
    found = []
    for side in ("a", "b"):
        edges: Any = asked.get(side)
        is_interval = (
            isinstance(edges, list | tuple) and len(edges) == 2 and all(type(e) is int for e in edges)
        )
        if not is_interval or not 0 <= edges[0] < edges[1]:
            return None
        found.append(Span(edges[0], edges[1]))
    return found[0], found[1]
