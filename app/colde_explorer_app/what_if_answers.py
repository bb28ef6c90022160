"""The models asked again without the passages that the reader has left out in the view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.comparison import what_if
from colde.comparison.part_notation import read_parts, write_parts
from colde.errors import ColdeError
from colde.report.verdict import stance
from colde.results.comparison import Comparison
from colde_explorer_app import available_models
from colde_explorer_app.comparison_jobs import asking, load
from colde_explorer_app.linked_view_component import LEFT_OUT
from colde_explorer_app.reference_in_use import shown

ANSWERED = "what_if_answer"
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
    if not isinstance(asked, str) or not (asked in SEARCHES or LEFT_OUT.fullmatch(asked)):
        return None
    question = key, asked, _judged(comparison)
    kept = st.session_state.get(ANSWERED)
    if kept is None or kept[0] != question:
        kept = st.session_state[ANSWERED] = question, _asked(comparison, asked)
    found: Mapping[str, Any] = kept[1]
    return found


def quick(comparison: Comparison) -> bool:
    """Whether the models answer so soon that they can be asked at every change: only what changed is encoded again."""
    costs = {name: card.cost for name, card in available_models.cards().items()}
    return all(costs.get(s.name) in ("instant", "fast") for s in comparison.results)


def last(comparison: Comparison, out: str) -> Mapping[str, Any] | None:
    """The last answer on this page, if it is about this comparison without these passages.

    Args:
        out: what is left out now.
    """
    kept = st.session_state.get(ANSWERED)
    if kept is None or kept[0][2] != _judged(comparison) or kept[1]["error"] or kept[1]["out"] != out:
        return None
    found: Mapping[str, Any] = kept[1]
    return found


def _judged(comparison: Comparison) -> tuple[Any, ...]:
    """What an answer holds for, on one view."""
    texts = comparison.a.text, comparison.b.text
    names = tuple(s.name for s in comparison.results)
    return tuple(map(hash, texts)), names, comparison.prior, comparison.reference


def _asked(comparison: Comparison, asked: str) -> dict[str, Any]:
    note = ""
    try:
        with st.spinner("Asking the models without these passages …"), asking():
            if asked == "smallest":
                found = what_if.smallest(comparison, reference=shown(), loader=load)
                assert found.smallest is not None
                if not found.smallest.turned:
                    note = f"Nothing was found that turns the verdict, in {found.smallest.tries} tries."
            elif asked == "enough":
                found = what_if.enough(comparison, reference=shown(), loader=load)
                assert found.enough is not None
                if not found.enough.found:
                    note = (
                        f"No fewer sections were found that keep the verdict, in {found.enough.tries} tries."
                    )
            else:
                parts = read_parts(asked)
                found = what_if.without(comparison, parts["a"], parts["b"], reference=shown(), loader=load)
    except (ColdeError, ValueError) as error:
        return {"asked": asked, "out": asked, "scores": [], "note": "", "error": str(error)}
    out = asked
    if asked in SEARCHES:
        out = "" if note else write_parts(dict(found.documents), found.left_out)
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
