"""JSON in pieces: the text that `json.dumps` writes, without ever holding it."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.results.json_text import join_utf8, json_pieces
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from tests.report.example import example

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_the_pieces_are_the_text(value: object) -> None:
    assert "".join(json_pieces(value)) == json.dumps(value, ensure_ascii=False)


@given(st.lists(VALUES))
def test_an_iterator_is_a_list(items: list[object]) -> None:
    assert "".join(json_pieces({"a": iter(items)})) == json.dumps({"a": items}, ensure_ascii=False)


def test_no_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        list(json_pieces({"a": [float("nan")]}))


def test_a_comparison_in_pieces_is_its_object() -> None:
    found = example()
    assert json.loads(found.to_json()) == found.to_dict()
    assert join_utf8(found.json_pieces()).decode() == json.dumps(found.to_dict(), ensure_ascii=False)


def test_a_missing_value_is_null() -> None:
    spans = (Span(0, 1), Span(1, 2))
    m = SimilarityMap(np.array([[np.nan, 0.1234567]]), spans[:1], spans, "cosine", "M.", "topic", "chunk")
    assert list(m.value_rows()) == [[None, 0.123457]] == m.to_dict()["values"]


def test_a_large_map_is_never_in_memory_as_text() -> None:
    spans = tuple(Span(i, i + 1) for i in range(500))
    values = np.random.default_rng(0).normal(size=(500, 500)).astype(np.float32)
    large = SimilarityMap(values, spans, spans, "cosine", "M.", "topic", "sentence")
    found = replace(example(), maps={"colde": {"sentence": large}})
    tracemalloc.start()
    try:
        letters = sum(len(piece) for piece in found.json_pieces())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert letters > 2_000_000 and peak < letters / 4
