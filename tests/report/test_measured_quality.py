"""The line that says how much a view was measured to say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from colde.report import measured_quality
from colde.results.model_score import Faithfulness


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def write(deletion: list[float], less: list[float], insertion: list[float], more: list[float]) -> None:
        view = {
            "deletion": deletion,
            "deletion less chance": less,
            "insertion": insertion,
            "insertion less chance": more,
        }
        found: dict[str, Any] = {
            "colde": {
                "corpus": "acl",
                "pairs": 20,
                "passages": "sentences",
                "views": {"contribution_sentence": view},
            }
        }
        (tmp_path / measured_quality.FIGURES_FILE).write_text(json.dumps({"models": found}), encoding="utf-8")
        measured_quality._measured.cache_clear()

    monkeypatch.setattr(measured_quality, "asset", lambda name: tmp_path / name)
    yield write
    measured_quality._measured.cache_clear()


def test_better_than_chance_is_said_as_a_multiple(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.3, 0.2, 0.4], [0.2, 0.1, 0.3], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = measured_quality.measured_quality("colde")
    assert found is not None and found.better and "3.0 times as much" in found.sentence
    assert "20 related pairs of papers" in found.sentence
    assert measured_quality.measured_quality("nobody") is None


def test_this_pair_is_said_beside_all_pairs(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.3, 0.2, 0.4], [0.2, 0.1, 0.3], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = measured_quality.measured_quality("colde", Faithfulness(own=0.24, chance=0.1))
    assert found is not None and found.sentence.endswith("On this pair, 2.4 times as much.")
    found = measured_quality.measured_quality("colde", Faithfulness(own=0.2, chance=-0.01))
    assert (
        found is not None
        and "it changes the score by \N{MINUS SIGN}0.20, leaving out at random by +0.01" in found.sentence
    )


def test_figures_over_more_pairs_come_first(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.3, 0.2, 0.4], [0.2, 0.1, 0.3], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    whole = json.loads(
        (path := measured_quality.asset(measured_quality.FIGURES_FILE)).read_text(encoding="utf-8")
    )
    more = {"deletion": [0.4], "deletion less chance": [0.3, 0.2, 0.4]}
    more |= {"insertion": [0.5], "insertion less chance": [0.1, 0.0, 0.2]}
    whole["models"]["minilm"] = {"views": {}, "curves": {"pairs": 746, "corpus": "acl and wiki", **more}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    measured_quality._measured.cache_clear()
    found = measured_quality.measured_quality("minilm")
    assert (
        found is not None
        and "4.0 times" in found.sentence
        and "746 related pairs of papers and articles" in found.sentence
    )


def test_no_better_than_chance_is_not_an_explanation(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.1, 0.0, 0.2], [0.02, -0.01, 0.05], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = measured_quality.measured_quality("colde")
    assert found is not None and not found.better and "not shown as an explanation" in found.sentence


def test_insertion_counts_too_and_a_loss_where_chance_loses_nothing(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.1, 0.0, 0.2], [0.02, -0.01, 0.05], [0.5, 0.4, 0.6], [0.2, 0.1, 0.3])
    found = measured_quality.measured_quality("colde")
    assert found is not None and found.better and "0.50 by itself" in found.sentence
    measured([0.3, 0.2, 0.4], [0.31, 0.1, 0.5], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = measured_quality.measured_quality("colde")
    assert found is not None and "by 0.30, leaving out at random by -0.01" in found.sentence


def test_without_figures_nothing_is_said(measured) -> None:  # type: ignore[no-untyped-def]
    measured_quality._measured.cache_clear()
    assert measured_quality.measured_quality("colde") is None
