"""What is usual between unrelated texts is measured, and known of the maps that the default models draw."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from colde import models
from colde.assets import asset
from colde.report.unrelated_percentiles import FIGURES_FILE, figure_key, unrelated_percentile
from tests.report.example import example


def test_every_default_model_is_measured_between_zero_and_one() -> None:
    whole = json.loads(asset(FIGURES_FILE).read_text(encoding="utf-8"))
    assert set(whole["models"]) == {*models.DEFAULTS} - {"bm25"}, "BM25 has no scale that pairs share"
    assert whole["pairs"] >= 20
    values = [value for maps in whole["models"].values() for value in maps.values()]
    assert values
    assert all(0 <= value < 1 for value in values)


def test_maps_whose_scale_two_pairs_share_have_it_and_others_do_not() -> None:
    maps = example().maps["colde"]
    assert figure_key(maps["section"]) == "topic/section"
    assert unrelated_percentile("colde", maps["passages"]) == pytest.approx(
        json.loads(asset(FIGURES_FILE).read_text(encoding="utf-8"))["models"]["colde"]["passages/chunk"]
    )
    for name in ("chunk_attention", "contribution_section", "within_a_section"):
        assert unrelated_percentile("colde", maps[name]) is None
    assert unrelated_percentile("nobody", maps["section"]) is None
    assert unrelated_percentile("colde", replace(maps["section"], label="of another kind")) is None
