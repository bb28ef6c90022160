"""Values of a session: typed, made when they are first asked for, independent of other sessions."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import colde_explorer_app
import pytest
from colde_explorer_app.page_parts.page_texts import FOLDER, page_text
from colde_explorer_app.session import state as state_module
from colde_explorer_app.session.state import MODELS, AnswerCache, Inputs, View, state

from colde.results.comparison import Comparison

SOURCES = [
    path.read_text(encoding="utf-8") for path in Path(colde_explorer_app.__file__).parent.rglob("*.py")
]


def test_a_value_is_made_once_and_found_after_its_module_was_loaded_again(session: dict[str, Any]) -> None:
    held = state(Inputs)
    held.generation = 3
    again = type("Inputs", (Inputs,), {})
    assert state(again) is held and state(Inputs).generation == 3
    assert state(View) is not state(View).answers
    assert set(session) == {"state.Inputs", "state.View"}


def test_two_sessions_share_nothing(session: dict[str, Any]) -> None:
    first = {kind: state(kind) for kind in (Inputs, View)}
    session.clear()
    for kind, held in first.items():
        for field in fields(kind):
            value = getattr(state(kind), field.name)
            assert value == getattr(held, field.name)
            assert not isinstance(value, dict | AnswerCache) or value is not getattr(held, field.name)


def test_a_widget_has_its_default_until_it_is_set(session: dict[str, Any]) -> None:
    assert MODELS.get() == ()
    MODELS.set_default(["colde"])
    MODELS.set_default(["tfidf"])
    assert MODELS.get() == ["colde"] and session == {"taking_part": ["colde"]}


def test_answers_are_kept_by_pair_and_the_oldest_goes_first(
    comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "MAX_ANSWERS", 2)
    cache = AnswerCache()
    other = replace(comparison, profile="papers")
    assert cache.get(("words", 1), comparison, lambda: "first") == "first"
    assert cache.get(("words", 1), comparison, lambda: "again") == "first"
    assert cache.get(("words", 1), other, lambda: "of another profile") == "of another profile"
    assert list(cache.latest(("words",), comparison)) == ["first"]
    cache.get(("words", 2), comparison, lambda: "third")
    assert list(cache.latest(("words",), comparison)) == ["third"]
    assert list(cache.latest(("what_if",), comparison)) == []


def test_every_key_of_the_session_is_typed_or_belongs_to_a_widget() -> None:
    """`st.session_state["…"]` with a name of its own would be an untyped value again."""
    widgets = {"collection_files", "collection_model", "collection_profile"}
    named = {name for text in SOURCES for name in re.findall(r'session_state(?:\[|\.\w+\()"(\w+)"', text)}
    assert named == widgets


def test_every_text_is_shown_and_every_text_that_is_shown_is_there() -> None:
    asked = {name for text in SOURCES for name in re.findall(r'page_text\("(\w+)"\)', text)}
    assert asked == {path.stem for path in FOLDER.glob("*.md")}
    assert all(page_text(name).strip() for name in asked)
