"""The address of a view, there and back."""

from __future__ import annotations

import json

from app.link import LONGEST, parameters, read
from app.start import Origin
from colde.samples import samples

SAMPLE = samples()[0]


def test_there_and_back() -> None:
    view = {"level": "chunk", "map": "passages", "row": 3, "column": 4}
    query = parameters(Origin(SAMPLE, swapped=True), "colde", "papers", view)
    wanted = read(query)
    assert wanted is not None
    assert wanted.sample == SAMPLE and wanted.swapped
    assert (wanted.model, wanted.profile, wanted.view) == ("colde", "papers", view)


def test_without_a_selection_the_address_is_short() -> None:
    query = parameters(Origin(SAMPLE, swapped=False), "colde", "general", None)
    assert query == {"sample": SAMPLE.key, "model": "colde", "profile": "general"}


def test_nonsense_is_left_out() -> None:
    assert read({}) is None
    assert read({"sample": "../../etc/passwd"}) is None
    for nonsense in ("{", "[1]", "7", json.dumps({"x": "y" * LONGEST})):
        wanted = read({"sample": SAMPLE.key, "view": nonsense})
        assert wanted is not None and wanted.view is None
