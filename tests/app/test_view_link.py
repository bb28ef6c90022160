"""The address of a view, there and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from colde_explorer_app.inputs.sample_cards import Origin
from colde_explorer_app.linked_view.linked_view_component import clean
from colde_explorer_app.linked_view.view_link import MAX_LENGTH, parameters, read

from colde.corpus.samples import sample_named

SAMPLE = sample_named("lighthouse")


def test_there_and_back() -> None:
    view = {"level": "chunk", "map": "passages", "row": 3, "column": 4}
    query = parameters(Origin(SAMPLE, swapped=True), "colde", "papers", view)
    wanted = read(query)
    assert wanted is not None
    assert wanted.sample == SAMPLE and wanted.swapped
    assert (wanted.model, wanted.profile, wanted.view) == ("colde", "papers", view)


def test_how_the_view_is_set_travels_with_the_selection() -> None:
    view = {"a": [0, 9], "b": [3, 7], "beside": "section", "shading": "word_attention", "standard": "with"}
    wanted = read(parameters(Origin(SAMPLE, swapped=False), "colde", "papers", view))
    assert wanted is not None
    assert clean(wanted.view) == {"beside": "section", "shading": "word_attention", "standard": "with"}


@pytest.mark.parametrize(
    "settings",
    [
        None,
        {},
        {"beside": "page"},
        {"beside": ["section"]},
        {"shading": "<b>"},
        {"shading": 7},
        {"standard": "twice"},
        {"beside": None},
    ],
)
def test_settings_that_make_no_sense_are_left_out(settings: dict[str, Any] | None) -> None:
    assert clean(settings) == {}


def test_without_a_selection_the_address_is_short() -> None:
    query = parameters(Origin(SAMPLE, swapped=False), "colde", "general", None)
    assert query == {"sample": SAMPLE.key, "model": "colde", "profile": "general"}


def test_nonsense_is_left_out() -> None:
    assert read({}) is None
    assert read({"sample": "../../etc/passwd"}) is None
    for nonsense in ("{", "[1]", "7", json.dumps({"x": "y" * MAX_LENGTH}), "[" * MAX_LENGTH):
        wanted = read({"sample": SAMPLE.key, "view": nonsense})
        assert wanted is not None and wanted.view is None


def test_an_address_of_an_earlier_version_opens_the_tab_by_its_name_of_today() -> None:
    assert clean({"tab": "matches"}) == {"tab": "passages"}
    assert clean({"tab": "passages"}) == {"tab": "passages"}
    assert clean({"tab": "evidence"}) == {}
