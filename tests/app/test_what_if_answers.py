"""Questions of the view to the models: what if, two sentences word by word, the deletion test of the pair."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from colde_explorer_app.linked_view import on_demand_explanations, what_if_answers
from colde_explorer_app.linked_view.linked_view_component import LEFT_OUT_PATTERN, clean

from colde.report.html.html_report import to_html
from colde.results.comparison import Comparison


def strongest_sentences(comparison: Comparison) -> dict[str, Any]:
    """The pair of sentences that contributes most, as the view asks for it."""
    made = comparison.maps["tfidf"]["contribution_sentence"]
    row, column = divmod(int(made.values.argmax()), len(made.columns))
    a, b = made.rows[row], made.columns[column]
    return {"a": [a.start, a.end], "b": [b.start, b.end], "model": "tfidf"}


def words_by_tfidf(comparison: Comparison, key: str) -> Mapping[str, Any] | None:
    return on_demand_explanations.chosen_words(comparison, "tfidf", key)


def faithfulness_of_tfidf(comparison: Comparison, key: str) -> object:
    return on_demand_explanations.with_pair_faithfulness(comparison, "tfidf", key).faithfulness["tfidf"]


def test_scores_before_and_after(comparison: Comparison, session: dict[str, Any]) -> None:
    assert what_if_answers.answer(comparison, "view") is None
    session["view"] = {"what_if": "a:3,b:4"}
    found = what_if_answers.answer(comparison, "view")
    assert found is not None and found["out"] == "a:3,b:4" and not found["error"]
    (score,) = found["scores"]
    assert score["before"] == comparison.models[0].score != score["after"]


@pytest.mark.parametrize(
    ("module", "computes", "ask"),
    [
        (what_if_answers, "compute_answer", what_if_answers.answer),
        (on_demand_explanations, "word_contributions", words_by_tfidf),
        (on_demand_explanations, "measure_faithfulness", faithfulness_of_tfidf),
    ],
)
def test_nothing_is_asked_twice(
    module: ModuleType,
    computes: str,
    ask: Callable[[Comparison, str], object],
    comparison: Comparison,
    session: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session["view"] = {"what_if": "a:3,b:4", "words": strongest_sentences(comparison)}
    first = ask(comparison, "view")
    assert first is not None
    monkeypatch.setattr(module, computes, lambda *_, **__: pytest.fail("asked twice"))
    assert ask(comparison, "view") is first


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
    assert f'"settings":{{"out":"{found["out"]}"}}' in report
    assert what_if_answers.last_answer(comparison.at_prior(0.1), found["out"]) is None
    assert what_if_answers.last_answer(comparison, "a:1") is None, "something else is left out now"


def test_slow_models_are_not_asked_at_every_change(comparison: Comparison) -> None:
    assert what_if_answers.answers_fast(comparison)
    slow = replace(comparison.models[0], name="cross_encoder")
    assert not what_if_answers.answers_fast(replace(comparison, models=(*comparison.models, slow)))


def test_words_of_the_chosen_sentences(comparison: Comparison, session: dict[str, Any]) -> None:
    assert words_by_tfidf(comparison, "view") is None
    asked = strongest_sentences(comparison)
    session["view"] = {"words": asked}
    found = words_by_tfidf(comparison, "view")
    assert found is not None and json.loads(found["asked"]) == asked
    strongest = float(comparison.maps["tfidf"]["contribution_sentence"].values.max())
    assert found["total"] == pytest.approx(strongest, abs=1e-6)
    (a0, a1, b0, b1, part), *_ = found["pairs"]
    assert comparison.a.text[a0:a1].lower() == comparison.b.text[b0:b1].lower() and part > 0
    other_model = on_demand_explanations.chosen_words(comparison, "colde", "view")
    assert other_model is None


@pytest.mark.parametrize(
    "asked",
    [
        "a:1",
        {"a": [0, 9]},
        {"a": [9, 3], "b": [0, 4]},
        {"a": ["0", 4], "b": [0, 4]},
        {"a": {}, "b": []},
        {"a": [10**7, 10**7 + 5], "b": [0, 4]},
    ],
)
def test_no_words_for_what_is_no_place_of_the_texts(
    comparison: Comparison, session: dict[str, Any], asked: Any
) -> None:
    session["view"] = {"words": asked if isinstance(asked, str) else {**asked, "model": "tfidf"}}
    assert words_by_tfidf(comparison, "view") is None


def test_this_pair_is_measured(comparison: Comparison, session: dict[str, Any]) -> None:
    measured = on_demand_explanations.with_pair_faithfulness(comparison, "tfidf", "view")
    assert measured.faithfulness["tfidf"].own > measured.faithfulness["tfidf"].chance
    slow = on_demand_explanations.with_pair_faithfulness(comparison, "smith", "view")
    assert slow is comparison, "slow, and not there"
