"""The models asked again without the sections ticked off in the view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from colde_explorer_app import what_if_answers
from colde_explorer_app.linked_view_component import LEFT_OUT_PATTERN, clean

from colde.report.html_report import to_html
from colde.results.comparison import Comparison


def test_scores_before_and_after_and_nothing_asked_twice(
    comparison: Comparison, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert what_if_answers.answer(comparison, "view") is None
    session["view"] = {"what_if": "a:3,b:4"}
    found = what_if_answers.answer(comparison, "view")
    assert found is not None and found["out"] == "a:3,b:4" and not found["error"]
    (score,) = found["scores"]
    assert score["before"] == comparison.results[0].score != score["after"]
    monkeypatch.setattr(what_if_answers, "compute_answer", lambda *_: pytest.fail("asked twice"))
    assert what_if_answers.answer(comparison, "view") is found


def test_too_little_left_is_said_and_nonsense_is_not_asked(
    comparison: Comparison, session: dict[str, Any]
) -> None:
    session["view"] = {"what_if": "a:0-99"}
    found = what_if_answers.answer(comparison, "view")
    assert found is not None and found["error"] and not found["scores"]
    for nonsense in ("a:1;b:2", {"a": 1}, "", "c:1"):
        session["view"] = {"what_if": nonsense}
        assert what_if_answers.answer(comparison, "view") is None


def test_sections_left_out_stand_in_an_address() -> None:
    assert clean({"tab": "why", "out": "a:3,b:7-9"}) == {"tab": "why", "out": "a:3,b:7-9"}
    assert clean({"out": "a:3,b@12-40"}) == {"out": "a:3,b@12-40"}
    assert clean({"out": "a:3,<script>"}) == {}


def test_searches_answer_with_what_to_leave_out(comparison: Comparison, session: dict[str, Any]) -> None:
    session["view"] = {"what_if": "enough"}
    found = what_if_answers.answer(comparison, "view")
    assert found is not None and found["asked"] == "enough" and LEFT_OUT_PATTERN.fullmatch(found["out"])
    before, after = found["scores"][0]["probability"]
    assert (before >= 0.5) == (after >= 0.5)
    report = to_html(comparison, what_if=what_if_answers.last_answer(comparison, found["out"]))
    assert f'"settings": {{"out": "{found["out"]}"}}' in report
    assert what_if_answers.last_answer(comparison.at_prior(0.1), found["out"]) is None
    assert what_if_answers.last_answer(comparison, "a:1") is None, "something else is left out now"


def test_slow_models_are_not_asked_at_every_change(comparison: Comparison) -> None:
    assert what_if_answers.answers_fast(comparison)
    slow = replace(comparison.results[0], name="cross_encoder")
    assert not what_if_answers.answers_fast(replace(comparison, results=(*comparison.results, slow)))
