"""The sentence on the faithfulness of a model's explanation, and what is usual between unrelated texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from colde import models
from colde.assets import figures
from colde.report.maps import map_colours
from colde.report.maps.map_colours import FIGURES_FILE, figure_key, unrelated_percentile
from colde.report.wording import measured_quality as module
from colde.report.wording.measured_quality import MeasuredQuality, measured_quality
from colde.results.model_score import Faithfulness
from tests.report.example import example

Measured = Callable[..., MeasuredQuality | None]
AS_CHANCE = [0.02, -0.01, 0.05]
BETTER = [0.2, 0.1, 0.3]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Measured:
    """The sentence where these are the figures of `colde`: losses by deletion, scores by insertion."""

    def sentence(
        deletion: float,
        deletion_gain: list[float],
        insertion_gain: list[float] = AS_CHANCE,
        pair: Faithfulness | None = None,
        curves: dict[str, Any] | None = None,
        control: dict[str, Any] | None = None,
    ) -> MeasuredQuality | None:
        view = {
            "deletion": [deletion],
            "deletion less chance": deletion_gain,
            "insertion": [0.5],
            "insertion less chance": insertion_gain,
        }
        entry: dict[str, Any] = {"corpus": "acl", "pairs": 20, "passages": "sentences"}
        entry["views"] = {"contribution_sentence": view}
        if curves is not None:
            entry = {"views": {}, "curves": view | curves, "control": control}
        monkeypatch.setattr(module, "figures", lambda name: {"models": {"colde": entry}})
        return measured_quality("colde", pair)

    return sentence


@pytest.mark.parametrize(
    ("deletion", "less", "more", "better", "says"),
    [
        (
            0.3,
            BETTER,
            AS_CHANCE,
            True,
            "3.0 times as much as leaving out passages at random (20 related pairs of papers).",
        ),
        (0.1, AS_CHANCE, AS_CHANCE, False, "It is therefore not shown as an explanation."),
        (0.1, AS_CHANCE, BETTER, True, "alone have a score of 0.50; as much text at random has 0.30 (20"),
        (
            0.3,
            [0.31, 0.1, 0.5],
            AS_CHANCE,
            True,
            "lowers the score by 0.30, leaving out passages at random by -0.01 (20",
        ),
    ],
)
def test_a_measured_explanation_has_a_sentence(
    measured: Measured, deletion: float, less: list[float], more: list[float], better: bool, says: str
) -> None:
    quality = measured(deletion, less, more)
    assert quality is not None and quality.better is better and says in quality.sentence
    assert measured_quality("nobody") is None


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (Faithfulness(own=0.24, chance=0.1), "On this pair, 2.4 times as much."),
        (
            Faithfulness(own=0.2, chance=-0.01),
            "it changes the score by \N{MINUS SIGN}0.20, leaving out passages at random by +0.01.",
        ),
    ],
)
def test_this_pair_is_said_beside_all_pairs(measured: Measured, pair: Faithfulness, says: str) -> None:
    quality = measured(0.3, BETTER, pair=pair)
    assert quality is not None and quality.sentence.endswith(says)


def test_figures_over_more_pairs_come_first(measured: Measured) -> None:
    quality = measured(0.4, [0.3, 0.2, 0.4], curves={"pairs": 746, "corpus": "acl and wiki"})
    assert quality is not None
    assert "4.0 times" in quality.sentence and "746 related pairs of papers and articles" in quality.sentence


def test_what_a_network_without_training_reaches_is_said(measured: Measured) -> None:
    curves = {"pairs": 746, "corpus": "acl"}
    quality = measured(0.4, [0.3, 0.2, 0.4], curves=curves)
    assert quality is not None and "random weights" not in quality.sentence
    control = {"pairs": 40, "loss": 0.1, "control": 0.082, "chance": 0.01}
    quality = measured(0.4, [0.3, 0.2, 0.4], curves=curves, control=control)
    assert quality is not None
    assert "trained ones, 80 % of this difference remains (40 pairs)" in quality.sentence


def test_without_figures_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (module, map_colours):
        monkeypatch.setattr(file, "figures", lambda name: {})
    assert measured_quality("colde") is None
    assert unrelated_percentile("colde", example().maps["colde"]["passages"]) is None
    assert figures("no such file.json") == {}


def test_every_default_model_is_measured_between_zero_and_one() -> None:
    content = figures(FIGURES_FILE)
    assert set(content["models"]) == {*models.DEFAULTS} - {"bm25"}, "BM25 has no scale that pairs share"
    assert content["pairs"] >= 20
    values = [value for maps in content["models"].values() for value in maps.values()]
    assert values and all(0 <= value < 1 for value in values)


def test_maps_whose_scale_two_pairs_share_have_it_and_others_do_not() -> None:
    maps = example().maps["colde"]
    assert figure_key(maps["section"]) == "topic/section"
    expected = figures(FIGURES_FILE)["models"]["colde"]["passages/chunk"]
    assert unrelated_percentile("colde", maps["passages"]) == pytest.approx(expected)
    for name in ("chunk_attention", "contribution_section", "within_a_section"):
        assert unrelated_percentile("colde", maps[name]) is None
    assert unrelated_percentile("nobody", maps["section"]) is None
    assert unrelated_percentile("colde", replace(maps["section"], label="of another kind")) is None
