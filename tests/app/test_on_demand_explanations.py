"""Two sentences of the view word by word, and what an account is worth on the pair: asked once, nonsense never."""

from __future__ import annotations

import json
from typing import Any

import pytest
from colde_explorer_app import on_demand_explanations

from colde.results.comparison import Comparison


def test_words_of_the_chosen_sentences(
    comparison: Comparison, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert on_demand_explanations.chosen_words(comparison, "tfidf", "view") is None
    made = comparison.maps["tfidf"]["contribution_sentence"]
    row, column = divmod(int(made.values.argmax()), len(made.columns))
    (a, b) = made.rows[row], made.columns[column]
    asked = {"a": [a.start, a.end], "b": [b.start, b.end], "model": "tfidf"}
    session["view"] = {"words": asked}
    found = on_demand_explanations.chosen_words(comparison, "tfidf", "view")
    assert found is not None and json.loads(found["asked"]) == asked
    assert found["total"] == pytest.approx(float(made.values.max()), abs=1e-6)
    (a0, a1, b0, b1, part), *_ = found["pairs"]
    assert comparison.a.text[a0:a1].lower() == comparison.b.text[b0:b1].lower() and part > 0
    assert (
        on_demand_explanations.chosen_words(comparison, "colde", "view") is None
    )  # of another model than was asked
    monkeypatch.setattr(
        on_demand_explanations, "word_contributions", lambda *_, **__: pytest.fail("asked twice")
    )
    assert on_demand_explanations.chosen_words(comparison, "tfidf", "view") is found


@pytest.mark.parametrize(
    "asked",
    ["a:1", {"a": [0, 9]}, {"a": [9, 3], "b": [0, 4]}, {"a": ["0", 4], "b": [0, 4]}, {"a": {}, "b": []}],
)
def test_nonsense_is_not_asked(comparison: Comparison, session: dict[str, Any], asked: Any) -> None:
    session["view"] = {"words": asked if isinstance(asked, str) else {**asked, "model": "tfidf"}}
    assert on_demand_explanations.chosen_words(comparison, "tfidf", "view") is None


def test_a_place_outside_the_text_has_no_words(comparison: Comparison, session: dict[str, Any]) -> None:
    session["view"] = {"words": {"a": [10**7, 10**7 + 5], "b": [0, 4], "model": "tfidf"}}
    assert on_demand_explanations.chosen_words(comparison, "tfidf", "view") is None


def test_this_pair_is_measured_once(
    comparison: Comparison, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = on_demand_explanations.with_pair_faithfulness(comparison, "tfidf", "view")
    assert found.faithfulness["tfidf"].own > found.faithfulness["tfidf"].chance
    monkeypatch.setattr(
        on_demand_explanations, "measure_faithfulness", lambda *_, **__: pytest.fail("asked twice")
    )
    assert (
        on_demand_explanations.with_pair_faithfulness(comparison, "tfidf", "view").faithfulness
        == found.faithfulness
    )
    assert (
        on_demand_explanations.with_pair_faithfulness(comparison, "smith", "view") is comparison
    )  # slow, and not there
