"""Scores of the models without the passages that the reader has left out in the view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.comparison.part_notation import format_parts, parse_parts
from colde.comparison.questions import what_if
from colde.errors import ColdeError
from colde.report.wording.verdict import stance
from colde.results.comparison import Comparison
from colde_explorer_app.linked_view.linked_view_component import LEFT_OUT_PATTERN
from colde_explorer_app.session import available_models
from colde_explorer_app.session.comparison_jobs import load, model_turn
from colde_explorer_app.session.state import View, component_value, reference_in_use, state

SEARCHES = ("smallest", "enough")
"""Questions whose answer is what to leave out."""


def answer(comparison: Comparison, key: str) -> Mapping[str, Any] | None:
    """The answer to what the view with this key asked last about a finished comparison; None if it asked nothing.

    Returns:
        `{"asked": the question, "out": what was left out, "scores": [{"title", "before", "after", "threshold", "says",
        "probability": [before, after] or None}], "note": str, "error": str}`.
    """
    asked = component_value(key, "what_if")
    if not isinstance(asked, str) or not (asked in SEARCHES or LEFT_OUT_PATTERN.fullmatch(asked)):
        return None
    question = (*_about(comparison), key, asked)
    return state(View).answers.get(question, comparison, lambda: compute_answer(comparison, asked))


def answers_fast(comparison: Comparison) -> bool:
    """Whether the models are fast enough to be asked at every change: only what changed is encoded again."""
    costs = {name: card.cost for name, card in available_models.cards().items()}
    return all(costs.get(s.name) in ("instant", "fast") for s in comparison.models)


def last_answer(comparison: Comparison, out: str) -> Mapping[str, Any] | None:
    """The last answer about this comparison without the passages that are left out now."""
    answers = state(View).answers.latest(_about(comparison), comparison)
    return next((given for given in answers if not given["error"] and given["out"] == out), None)


def _about(comparison: Comparison) -> tuple[Any, ...]:
    """The beginning of each question: what changes the answers beside the texts and their reference."""
    return "what_if", tuple(s.name for s in comparison.models), comparison.prior, comparison.encoder


def compute_answer(comparison: Comparison, asked: str) -> dict[str, Any]:
    """The answer of the models, or in `error` why there is none."""
    try:
        with st.spinner("Asking the models without these passages …"), model_turn():
            new_answer, note = _ask(comparison, asked)
    except (ColdeError, ValueError) as error:
        return {
            "asked": asked,
            "out": asked,
            "scores": [],
            "note": "",
            "error": error.sentence if isinstance(error, ColdeError) else str(error),
        }
    out = asked
    if asked in SEARCHES:
        out = "" if note else format_parts(new_answer.documents, new_answer.left_out)
    scores = [
        {
            "title": old.title,
            "before": old.score,
            "after": new.score,
            "threshold": new.threshold,
            "says": stance(new),
            "probability": None
            if old.probability is None or new.probability is None
            else [old.probability, new.probability],
        }
        for old, new in zip(comparison.models, new_answer.after.models, strict=True)
    ]
    return {"asked": asked, "out": out, "scores": scores, "note": note, "error": ""}


def _ask(comparison: Comparison, asked: str) -> tuple[what_if.WhatIf, str]:
    reference = reference_in_use()
    if asked == "smallest":
        outcome = what_if.smallest(comparison, reference=reference, loader=load)
        assert outcome.smallest is not None
        missing = f"No removal that flips the verdict was found in {outcome.smallest.tries} tries."
        return outcome, "" if outcome.smallest.found else missing
    if asked == "enough":
        outcome = what_if.enough(comparison, reference=reference, loader=load)
        assert outcome.enough is not None
        missing = (
            f"No smaller set of sections that keeps the verdict was found in {outcome.enough.tries} tries."
        )
        return outcome, "" if outcome.enough.found else missing
    parts = parse_parts(asked)
    return what_if.without(comparison, parts["a"], parts["b"], reference=reference, loader=load), ""
