"""The payload of the linked view: exact values, exact places, nothing that JSON cannot say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from colde.report.html.view_payload import VERSION, view_payload
from colde.report.maps.map_names import LABELS, PREFERENCE, READER_LEVELS, page_maps
from colde.report.maps.packed_values import MISSING
from colde.results.comparison import Comparison
from colde.results.shared_text import AlignedWords, Part
from colde.results.similarity_map import Level, Role
from colde.text.document import Span
from tests.report.example import example, map_values


def test_values_too_great_for_the_usual_steps_get_coarser_ones(comparison: Comparison) -> None:
    section = comparison.maps["colde"]["section"]
    great = replace(section, values=section.values * 40, kind="term weight")
    payload = view_payload(replace(comparison, maps={"colde": {"section": great}}), "colde")
    np.testing.assert_allclose(map_values(payload, "section"), great.values, atol=0.002)


def test_it_is_json_without_nan_and_says_where_everything_stands(comparison: Comparison) -> None:
    payload = view_payload(comparison)
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    section = payload["models"][0]["maps"]["section"]
    spans = comparison.maps["colde"]["section"].rows
    assert payload["spans"][section["rows"]] == [x for s in spans for x in (s.start, s.end)]
    assert section["shape"] == [3, 2]
    assert payload["models"][0]["maps"]["within_a_section"]["side"] == "within_a"


def test_a_passage_with_itself_has_no_value(comparison: Comparison) -> None:
    payload = view_payload(comparison)
    within, across = (map_values(payload, name) for name in ("within_a_section", "section"))
    assert np.array_equal(np.isnan(within), np.eye(len(within), dtype=bool))
    assert np.array_equal(np.isnan(across), np.isnan(comparison.maps["colde"]["section"].values))


def test_all_models_with_something_to_look_at_or_the_one_asked_for(comparison: Comparison) -> None:
    assert [m["name"] for m in view_payload(comparison)["models"]] == ["colde"]
    assert [m["name"] for m in view_payload(comparison, "smith:np")["models"]] == ["smith:np"]


def test_a_model_still_at_work_is_pending(comparison: Comparison) -> None:
    growing = replace(comparison, models=())
    assert [m["pending"] for m in view_payload(growing)["models"]] == [True]
    nothing = view_payload(replace(growing, maps={}), "colde")["models"][0]
    assert nothing["pending"]
    assert nothing["maps"] == {}


def test_a_model_that_was_stopped_is_not_pending_and_says_how_it_ended(comparison: Comparison) -> None:
    growing = replace(comparison, models=())
    running = view_payload(growing)
    for ended in ("cancelled", "failed"):
        payload = view_payload(growing, stopped=ended)
        assert [(m["pending"], m["stopped"]) for m in payload["models"]] == [(False, ended)]
        assert payload["generation"] != running["generation"], "the view draws anew"
    whole = view_payload(comparison, stopped="cancelled")
    assert [m["stopped"] for m in whole["models"]] == [None], "its own result is whole"


def test_a_new_value_changes_the_generation_but_not_the_texts(comparison: Comparison) -> None:
    first = view_payload(comparison)
    values = comparison.maps["colde"]["section"].values.copy()
    values[0, 0] = 0.5
    section = replace(comparison.maps["colde"]["section"], values=values)
    second = view_payload(replace(comparison, maps={"colde": {"section": section}}))
    assert first["texts"] == second["texts"]
    assert first["generation"] != second["generation"]
    assert first == view_payload(comparison)


def test_colours_have_limits_that_no_pair_moves() -> None:
    whole = example()
    maps = view_payload(whole, "colde")["models"][0]["maps"]
    assert maps["section"]["limits"] == [0.0, 1.0]
    assert maps["chunk_attention"]["limits"] is None
    assert maps["contribution_section"]["limits"] is None


def test_small_parts_of_a_score_keep_their_digits_and_their_signs() -> None:
    whole = example()
    parts = whole.maps["colde"]["contribution_section"]
    payload = view_payload(whole, "colde")
    found = payload["models"][0]["maps"]["contribution_section"]
    back = map_values(payload, "contribution_section")
    np.testing.assert_allclose(back, parts.values, atol=np.abs(parts.values).max() / 8_000 * 1.01)
    assert (found["scale"], found["unit"]) == ("diverging", "part of the score")


@pytest.mark.parametrize(
    ("role", "level", "kind", "offered", "label"),
    [
        ("topic", "section", "cosine", "section", "Topic similarity"),
        ("passages", "chunk", "cosine", "chunk", "Shared passages"),
        ("attention", "block", "attention", "chunk", "Attention"),
        ("contribution", "window", "attribution", "chunk", "Contribution to score"),
        ("words", "paragraph", "term weight", "chunk", "Shared vocabulary"),
        ("contribution", "word", "attribution", "word", "Contribution to score"),
    ],
)
def test_a_map_is_offered_and_called_by_what_it_says_of_itself(
    comparison: Comparison, role: Role, level: Level, kind: str, offered: str, label: str
) -> None:
    section = comparison.maps["colde"]["section"]
    one = replace(section, role=role, level=level, kind=kind, unit="")
    maps = {"x": one, "y": replace(one, label="sentence hierarchy")}
    found = view_payload(replace(comparison, maps={"colde": maps}))["models"][0]["maps"]
    assert (found["x"]["role"], found["x"]["level"]) == (role, level)
    assert (found["x"]["offered"], found["x"]["label"]) == (offered, label)
    assert found["y"]["label"] == f"{label}, sentence hierarchy"


def test_every_role_and_level_has_its_words() -> None:
    assert set(LABELS) == set(PREFERENCE) == set(get_args(Role))
    assert set(READER_LEVELS) == set(get_args(Level))


def test_the_view_gets_the_constants_it_shares(comparison: Comparison) -> None:
    payload = view_payload(comparison)
    assert payload["version"] == VERSION
    assert payload["missing"] == MISSING
    assert payload["levels"] == ["section", "chunk", "sentence", "word"]


def test_the_parts_of_a_mixture_go_along(comparison: Comparison) -> None:
    parts = view_payload(comparison)["models"][0]["parts"]
    assert parts[0] == {"name": "vectors", "weight": 0.75, "value": 0.68}
    assert sum(p["weight"] * p["value"] for p in parts) == pytest.approx(0.62)


def test_passages_are_in_the_order_of_the_list_with_their_parts(comparison: Comparison) -> None:
    shared = comparison.shared
    assert shared is not None
    first = shared.passages[0]
    words = AlignedWords(Span(14, 18), Span(12, 15), 0.8)
    two = replace(
        first,
        kind="paraphrased",
        standard=True,
        aligned=(words,),
        parts=(*first.parts, Part("edited", Span(20, 30), Span(20, 31))),
    )
    payload = view_payload(replace(comparison, shared=replace(shared, passages=(first, two))))
    one, other = payload["passages"]
    assert (one["kind"], one["standard"], one["words"]) == ("identical", False, [6, 6])
    assert (one["a"]["start"], one["a"]["end"]) == (first.a.start, first.a.end)
    assert (other["kind"], other["standard"]) == ("paraphrased", True)
    assert other["aligned"] == [[14, 18, 12, 15, 0.8]]
    kinds = [payload["kinds"][number] for number in other["parts"][::5]]
    assert (kinds, other["parts"][-4:]) == (["identical", "edited"], [20, 30, 20, 31])
    unknown = view_payload(replace(comparison, shared=None))
    assert unknown["passages"] is unknown["closest"] is unknown["split"] is None


def test_shared_passages_have_a_map_of_sections() -> None:
    whole = example()
    maps = page_maps(whole, "colde")
    section, chunk = maps["passages_section"], maps["passages"]
    assert section.values.shape == maps["section"].values.shape
    for i, row in enumerate(section.rows):
        for j, column in enumerate(section.columns):
            inside = chunk.values[[c.overlaps(row) for c in chunk.rows]][
                :, [c.overlaps(column) for c in chunk.columns]
            ]
            assert section.values[i, j] == inside.max()
    assert page_maps(replace(whole, maps={"colde": {"section": maps["section"]}}), "colde").keys() == {
        "section"
    }
