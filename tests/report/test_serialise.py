"""JSON of results: the objects, their text in pieces, and the schemas in docs/schema."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.comparison.ledger import LedgerRow
from colde.ingest.document_json import to_dict
from colde.results.similarity_map import SimilarityMap
from colde.serialise import join_utf8, json_pieces, to_value
from colde.text.document import Chunk, Span
from studies.release import json_schemas
from tests.report.example import example
from tests.schemas import FOLDER, validate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
SPANS = (Span(0, 1), Span(1, 2))


@given(VALUES)
def test_the_pieces_are_the_text(value: object) -> None:
    assert "".join(json_pieces(value)) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(st.lists(VALUES))
def test_an_iterator_is_a_list(items: list[object]) -> None:
    assert "".join(json_pieces({"a": iter(items)})) == json.dumps(
        {"a": items}, ensure_ascii=False, separators=(",", ":")
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_refused_with_the_name_of_its_field(number: float) -> None:
    with pytest.raises(ValueError, match=r"^a\.b\[1\]\.c is no finite number"):
        list(json_pieces({"a": {"b": [{"c": 1.0}, {"c": number}]}}))
    with pytest.raises(ValueError, match=r"^maps\[1\]\[0\] is no finite number"):
        list(json_pieces({"maps": iter([[1.0], [number]])}))
    row = LedgerRow(1, "dropped", None, None, number, "")
    with pytest.raises(ValueError, match=r"^rows\[1\]\.certainty is no finite number"):
        list(json_pieces({"rows": (replace(row, certainty=0.5), row)}))


def test_a_class_that_declares_nothing_is_refused() -> None:
    with pytest.raises(TypeError, match="object declares no JSON fields"):
        to_value([object()])


def test_a_number_with_few_digits_may_be_null() -> None:
    rows = [LedgerRow(1, "dropped", None, None, certainty, "") for certainty in (0.123456, None)]
    assert [to_value(row)["certainty"] for row in rows] == [0.1235, None]


def test_every_passage_of_a_map_is_a_start_and_an_end() -> None:
    found = SimilarityMap(np.eye(1), (Chunk(0, 3, 0, 9),), SPANS[:1], "cosine", "M.", "topic", "chunk")
    assert found.to_dict()["rows"] == [{"start": 0, "end": 3}]


def test_a_comparison_in_pieces_is_its_object() -> None:
    found = example()
    assert join_utf8(found.json_pieces()).decode() == json.dumps(
        found.to_dict(), ensure_ascii=False, separators=(",", ":")
    )


def test_a_missing_value_is_null() -> None:
    m = SimilarityMap(np.array([[np.nan, 0.1234567]]), SPANS[:1], SPANS, "cosine", "M.", "topic", "chunk")
    assert list(m.written_values) == [[None, 0.123457]] == m.to_dict()["values"]


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
    assert letters > 1_000_000 and peak < letters / 4


def test_the_schemas_are_those_of_the_types() -> None:
    """`make schemas` writes them anew."""
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert written == json_schemas.contents()


def test_results_follow_their_schemas(comparison) -> None:
    validate("comparison", json.loads(comparison.to_json()))
    validate("read", json.loads(json.dumps(to_dict(comparison.a))))
    data = json.loads(example().to_json())
    validate("comparison", data)
    parts = data["maps"]["colde"]["contribution_section"]
    assert parts["sum"] == pytest.approx(sum(map(sum, parts["values"])), abs=1e-6)
    total = parts["sum"] + parts["reference"] + parts["residual"]
    assert total == pytest.approx(data["models"][0]["score"], abs=1e-4)


DAMAGES: list[tuple[str, Callable[[Any], Any]]] = [
    ("a missing value written as NaN", lambda d: d["maps"]["colde"]["section"]["values"][0].__setitem__(0, "NaN")),
    ("a probability above 1", lambda d: d["models"][0].__setitem__("probability", 1.2)),
    ("a kind of score nobody declared", lambda d: d["models"][0].__setitem__("score_kind", "points")),
    ("a field that is not documented", lambda d: d["models"][0].__setitem__("extra", 1)),
    ("a model without its reading", lambda d: d["models"][0].pop("read")),
    ("no timing of the encoding", lambda d: d["timing"].pop("encode")),
    ("a passage without words", lambda d: d["shared"]["passages"][0].pop("words")),
    ("a negative offset", lambda d: d["documents"]["a"]["sections"][0].__setitem__("start", -1)),
    ("a role nobody declared", lambda d: d["maps"]["colde"]["section"].__setitem__("role", "mystery")),
    ("a map without its level", lambda d: d["maps"]["colde"]["section"].pop("level")),
    ("a reference without a residual", lambda d: d["maps"]["colde"]["section"].__setitem__("reference", 0.1)),
    ("a part without its weight", lambda d: d["models"][0]["parts"][0].pop("weight")),
    ("a certainty above 1", lambda d: d["shared"]["passages"][0].__setitem__("certainty", 1.5)),
    ("a kind of 0.2", lambda d: d["shared"]["passages"][0].__setitem__("kind", "copied")),
    ("another version", lambda d: d.__setitem__("version", 1)),
    ("one document alone", lambda d: d["documents"].pop("b")),
    ("a third document", lambda d: d["documents"].__setitem__("c", d["documents"]["b"])),
    ("an empty list of what is left out where there is none", lambda d: d["models"][0].__setitem__("parts", [])),
    ("a chunk too long to encode", lambda d: d["documents"]["b"]["chunks"][0].__setitem__("tokens", 513)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "damage"), DAMAGES, ids=[d[0] for d in DAMAGES])
def test_the_schema_refuses(comparison, what: str, damage: Callable[[Any], Any]) -> None:
    data = json.loads(comparison.to_json())
    damage(data)
    with pytest.raises(jsonschema.ValidationError):
        validate("comparison", data)
