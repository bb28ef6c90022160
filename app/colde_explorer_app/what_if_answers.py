"""The models asked again without the passages that the reader has left out in the view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.comparison import what_if
from colde.comparison.part_notation import format_parts, parse_parts
from colde.errors import ColdeError
from colde.report.verdict import stance
from colde.results.comparison import Comparison
from colde_explorer_app import available_models
from colde_explorer_app.comparison_jobs import load, model_turn
from colde_explorer_app.linked_view_component import LEFT_OUT_PATTERN
from colde_explorer_app.reference_in_use import reference_in_use

ANSWER_KEY = "what_if_answer"
"""In the session: the last question, as (view, what was asked, models), and its answer."""
SEARCHES = ("smallest", "enough")
"""Questions that are answered with what to leave out."""


def answer(comparison: Comparison, key: str) -> Mapping[str, Any] | None:
    """What the models say to what the view asked last; None where it asked nothing.

    Args:
        comparison: finished.
        key: of the view.

    Returns:
        `{"asked": the question, "out": what was left out, "scores": [{"title", "before", "after", "says",
        "probability": [before, after] or None}], "note": str, "error": str}`.
    """
    asked = (st.session_state.get(key) or {}).get("what_if")
    if not isinstance(asked, str) or not (asked in SEARCHES or LEFT_OUT_PATTERN.fullmatch(asked)):
        return None
    question = key, asked, _answer_scope(comparison)
    kept = st.session_state.get(ANSWER_KEY)
    if kept is None or kept[0] != question:
        kept = st.session_state[ANSWER_KEY] = question, _compute_answer(comparison, asked)
    found: Mapping[str, Any] = kept[1]
    return found


def answers_fast(comparison: Comparison) -> bool:
    """Whether the models answer so soon that they can be asked at every change: only what changed is encoded again."""
    costs = {name: card.cost for name, card in available_models.cards().items()}
    return all(costs.get(s.name) in ("instant", "fast") for s in comparison.results)


def last_answer(comparison: Comparison, out: str) -> Mapping[str, Any] | None:
    """The last answer on this page, if it is about this comparison without these passages.

    Args:
        out: what is left out now.
    """
    kept = st.session_state.get(ANSWER_KEY)
    if kept is None or kept[0][2] != _answer_scope(comparison) or kept[1]["error"] or kept[1]["out"] != out:
        return None
    found: Mapping[str, Any] = kept[1]
    return found


def _answer_scope(comparison: Comparison) -> tuple[Any, ...]:
    """What an answer holds for, on one view."""
    texts = comparison.a.text, comparison.b.text
    names = tuple(s.name for s in comparison.results)
    return tuple(map(hash, texts)), names, comparison.prior, comparison.reference


def _compute_answer(comparison: Comparison, asked: str) -> dict[str, Any]:
    note = ""
    try:
        with st.spinner("Asking the models without these passages …"), model_turn():
            if asked == "smallest":
                found = what_if.smallest(comparison, reference=reference_in_use(), loader=load)
                assert found.smallest is not None
                if not found.smallest.turned:
                    note = f"Nothing was found that turns the verdict, in {found.smallest.tries} tries."
            elif asked == "enough":
                found = what_if.enough(comparison, reference=reference_in_use(), loader=load)
                assert found.enough is not None
                if not found.enough.found:
                    note = (
                        f"No fewer sections were found that keep the verdict, in {found.enough.tries} tries."
                    )
            else:
                parts = parse_parts(asked)
                found = what_if.without(
                    comparison, parts["a"], parts["b"], reference=reference_in_use(), loader=load
                )
    except (ColdeError, ValueError) as error:
        return {"asked": asked, "out": asked, "scores": [], "note": "", "error": str(error)}
    out = asked
    if asked in SEARCHES:
        out = "" if note else format_parts(dict(found.documents), found.left_out)
    scores = [
        {
            "title": old.title,
            "before": old.score,
            "after": new.score,
            "says": stance(new),
            "probability": None
            if old.probability is None or new.probability is None
            else [old.probability, new.probability],
        }
        for old, new in zip(comparison.results, found.after.results, strict=True)
    ]
    return {"asked": asked, "out": out, "scores": scores, "note": note, "error": ""}
