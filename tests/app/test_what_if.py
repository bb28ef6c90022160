"""The models asked again without the sections ticked off in the view."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from colde_explorer_app import what_if
from colde_explorer_app.linked_view import clean

import colde
from colde.data.samples import samples
from colde.results.comparison import Comparison


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    sample = samples()[0]
    return colde.compare(colde.read(sample.a), colde.read(sample.b), models=["tfidf"])


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    held: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


def test_scores_before_and_after_and_nothing_asked_twice(
    comparison: Comparison, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert what_if.answer(comparison, "view") is None
    session["view"] = {"what_if": "a:3,b:4"}
    found = what_if.answer(comparison, "view")
    assert found is not None and found["out"] == "a:3,b:4" and not found["error"]
    (score,) = found["scores"]
    assert score["before"] == comparison.results[0].score != score["after"]
    monkeypatch.setattr(what_if, "_asked", lambda *_: pytest.fail("asked twice"))
    assert what_if.answer(comparison, "view") is found


def test_too_little_left_is_said_and_nonsense_is_not_asked(
    comparison: Comparison, session: dict[str, Any]
) -> None:
    session["view"] = {"what_if": "a:0-99"}
    found = what_if.answer(comparison, "view")
    assert found is not None and found["error"] and not found["scores"]
    for nonsense in ("a:1;b:2", {"a": 1}, "", "c:1"):
        session["view"] = {"what_if": nonsense}
        assert what_if.answer(comparison, "view") is None


def test_sections_left_out_stand_in_an_address() -> None:
    assert clean({"tab": "why", "out": "a:3,b:7-9"}) == {"tab": "why", "out": "a:3,b:7-9"}
    assert clean({"out": "a:3,<script>"}) == {}
