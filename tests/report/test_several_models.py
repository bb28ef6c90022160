"""The payload of several models at once, and of weights within a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from colde.report.html.view_payload import view_payload
from colde.report.maps import map_names as module
from colde.report.maps.map_names import representative_maps, section_map
from colde.text.document import Span
from tests.report.example import drawn, unpacked
from tests.report.several import WORDS_READ, first_words, several


def weights_of(payload: dict[str, Any], side: dict[str, Any]) -> NDArray[np.float64]:
    return unpacked(payload["values"][side["values"]], side["steps"])


def test_the_other_models_come_only_when_they_are_wanted_and_with_one_map_a_level() -> None:
    whole = several()
    alone = view_payload(whole, "colde")
    assert alone["beside"] is None
    assert alone["comparable"] == ["colde", "counter", "reader"]
    found = view_payload(whole, "colde", beside=True)
    assert [(m["name"], list(m["maps"])) for m in found["beside"]] == [
        ("counter", ["section"]),
        ("reader", ["sentence"]),
    ]
    assert found["models"] == alone["models"]
    assert found["generation"] != alone["generation"]
    assert found["texts"] == alone["texts"]


def test_a_report_holds_every_map_once() -> None:
    found = view_payload(several())
    assert [m["name"] for m in found["models"]] == found["comparable"]
    assert found["beside"] is None


def test_passages_stand_for_their_level_and_attention_only_where_there_is_nothing_else() -> None:
    maps = several().maps["colde"]
    assert representative_maps(maps) == {"section": "section", "chunk": "passages", "sentence": "sentence"}
    assert representative_maps({k: maps[k] for k in ("chunk_attention", "chunk")}) == {"chunk": "chunk"}
    assert representative_maps({"chunk_attention": maps["chunk_attention"]}) == {"chunk": "chunk_attention"}
    assert representative_maps({"within_a_section": maps["within_a_section"]}) == {}
    turned = {k: maps[k] for k in ("contribution_section", "section")}
    assert representative_maps(turned) == {"section": "section"}
    assert section_map(turned) is maps["section"]


def test_a_coarser_map_stands_in_for_one_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    maps = several().maps["colde"]
    monkeypatch.setattr(module, "MAX_CELLS_BESIDE", maps["sentence"].values.size - 1)
    assert representative_maps(maps) == {"section": "section", "chunk": "passages"}


def test_a_model_without_a_map_of_both_texts_is_not_beside_the_others() -> None:
    whole = several()
    reader = {k: m for k, m in whole.maps["reader"].items() if m.side != "across"}
    found = view_payload(replace(whole, maps={**whole.maps, "reader": reader}), "colde", beside=True)
    assert found["comparable"] == ["colde", "counter"]
    assert [m["name"] for m in found["beside"]] == ["counter"]


def test_weights_lying_or_standing_belong_to_the_same_units() -> None:
    whole = several()
    payload = view_payload(whole, "reader")
    model = payload["models"][0]
    assert set(model["maps"]) == {"sentence", "within_a_sentence", "within_b_sentence"}
    words, ranks = model["shadings"]
    assert words["key"] == "word_attention_paragraph_hierarchy"
    assert (words["level"], words["role"], words["kind"]) == ("word", "attention", "attention")
    assert words["label"] == "words: attention, paragraph hierarchy"
    assert words["more"] == "more of the model’s attention"
    assert (ranks["key"], ranks["label"]) == ("sentence_rank", "sentences: rank")
    for side, document in (("a", whole.a), ("b", whole.b)):
        spans = payload["spans"][words[side]["spans"]]
        assert spans == [x for s in first_words(document) for x in (s.start, s.end)]
        assert len(payload["spans"][ranks[side]["spans"]]) == 2 * len(weights_of(payload, ranks[side]))


def test_small_shares_keep_their_digits() -> None:
    payload = view_payload(several(), "reader")
    words = payload["models"][0]["shadings"][0]["a"]
    expected = np.arange(1, WORDS_READ + 1) / (WORDS_READ * (WORDS_READ + 1) / 2)
    np.testing.assert_allclose(weights_of(payload, words), expected, rtol=0.002)


def test_a_text_of_one_unit_is_not_taken_for_its_whole() -> None:
    whole = several()
    unit, everything = (Span(3, 9),), (Span(0, len(whole.a.text)),)
    for rows, columns in ((unit, everything), (everything, unit)):
        weights = {"level": "word", "side": "within_a", "form": "weights"}
        kept = drawn([[1.0]], rows, columns, "kept", kind="attribution", **weights)
        found = view_payload(replace(whole, maps={"reader": {"x": kept}}), "reader")
        shading = found["models"][0]["shadings"][0]
        assert found["spans"][shading["a"]["spans"]] == [3, 9]
        assert shading["b"] is None
        assert shading["more"] == "kept through more layers"
