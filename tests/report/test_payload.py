"""The payload of the linked view: exact values, exact places, nothing that JSON cannot say."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from colde.comparison import Comparison
from colde.report.payload import MISSING, pack, view_payload
from colde.similarity import SimilarityMap
from tests.report.example import example


def unpack(values: str, scale: float) -> np.ndarray:
    steps = np.frombuffer(base64.b64decode(values), dtype="<i2").astype(np.float64)
    steps[steps == MISSING] = np.nan
    return steps / scale


@given(arrays(np.float32, 12, elements=st.floats(-1, 1, width=32) | st.just(np.nan)))
def test_values_come_back_to_four_decimals_and_missing_ones_stay_missing(values: np.ndarray) -> None:
    back = unpack(pack(values, 10_000), 10_000)
    assert np.array_equal(np.isnan(back), np.isnan(values))
    assert np.nanmax(np.abs(back - values), initial=0) <= 0.00005 + 1e-7


def test_values_too_great_for_the_usual_steps_get_coarser_ones(comparison: Comparison) -> None:
    section = comparison.maps["colde"]["section"]
    great = replace(section, values=section.values * 40, kind="term weight")
    payload = view_payload(replace(comparison, maps={"colde": {"section": great}}), "colde")
    packed = payload["models"][0]["maps"]["section"]
    back = unpack(packed["values"], packed["scale"]).reshape(packed["shape"])
    np.testing.assert_allclose(back, great.values, atol=0.002)


def test_it_is_json_without_nan_and_says_where_everything_stands(comparison: Comparison) -> None:
    payload = view_payload(comparison)
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    section = payload["models"][0]["maps"]["section"]
    spans = comparison.maps["colde"]["section"].rows
    assert section["rows"] == [x for s in spans for x in (s.start, s.end)]
    assert section["shape"] == [3, 2]
    assert payload["models"][0]["maps"]["within_a_section"]["axes"] == "aa"


def test_all_models_with_something_to_look_at_or_the_one_asked_for(comparison: Comparison) -> None:
    assert [m["name"] for m in view_payload(comparison)["models"]] == ["colde"]
    assert [m["name"] for m in view_payload(comparison, "smith:np")["models"]] == ["smith:np"]


def test_a_model_still_at_work_is_pending(comparison: Comparison) -> None:
    growing = replace(comparison, results=())
    assert [m["pending"] for m in view_payload(growing)["models"]] == [True]
    nothing = view_payload(replace(growing, maps={}, evidence=()), "colde")["models"][0]
    assert nothing["pending"]
    assert nothing["maps"] == {}


def test_a_new_value_changes_the_generation_but_not_the_texts(comparison: Comparison) -> None:
    first = view_payload(comparison)
    values = comparison.maps["colde"]["section"].values.copy()
    values[0, 0] = 0.5
    section = replace(comparison.maps["colde"]["section"], values=values)
    second = view_payload(replace(comparison, maps={"colde": {"section": section}}))
    assert first["texts"] == second["texts"]
    assert first["generation"] != second["generation"]
    assert first == view_payload(comparison)


def test_matched_counts_overlapping_passages_once() -> None:
    whole = example()
    once = view_payload(replace(whole, evidence=whole.evidence[:1]), "colde")["models"][0]["matched"]["a"]
    twice = view_payload(replace(whole, evidence=whole.evidence[:1] * 2), "colde")["models"][0]["matched"][
        "a"
    ]
    compared = sum(len(s) for _, s in whole.a.compared())
    assert once == twice == pytest.approx(len(whole.evidence[0].a) / compared, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "kind", "level", "label"),
    [
        ("section", "cosine", "section", "topic"),
        ("chunk", "cosine", "chunk", "topic"),
        ("passages", "cosine", "chunk", "passages"),
        ("chunk_attention", "attention", "chunk", "attention"),
        ("sentence", "cosine", "sentence", "sentences"),
        ("within_b_chunk", "cosine", "chunk", "topic"),
        ("word_interaction", "cosine", "word", "interaction"),
        ("section", "term weight", "section", "words"),
    ],
)
def test_level_and_label_follow_from_a_maps_name(
    comparison: Comparison, name: str, kind: str, level: str, label: str
) -> None:
    section = comparison.maps["colde"]["section"]
    one = SimilarityMap(section.values, section.rows, section.columns, kind, "")  # type: ignore[arg-type]
    found = view_payload(replace(comparison, maps={"colde": {name: one}}))["models"][0]["maps"][name]
    assert (found["level"], found["label"]) == (level, label)
