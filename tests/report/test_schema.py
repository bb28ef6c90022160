"""The schemas that ship in docs/schema describe exactly what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from colde.ingest.document_json import to_dict
from tests.report.example import example

FOLDER = Path(__file__).parents[2] / "docs" / "schema"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_a_comparison_validates(comparison) -> None:
    validator("comparison").validate(json.loads(comparison.to_json()))


def test_contributions_validate() -> None:
    data = json.loads(example().to_json())
    validator("comparison").validate(data)
    parts = data["maps"]["colde"]["contribution_section"]
    assert parts["sum"] == pytest.approx(sum(map(sum, parts["values"])), abs=1e-6)
    total = parts["sum"] + parts["reference"] + parts["residual"]
    assert total == pytest.approx(data["models"][0]["score"], abs=1e-4)


def test_a_document_as_read_validates(comparison) -> None:
    validator("read").validate(json.loads(json.dumps(to_dict(comparison.a))))


def breakages() -> list[tuple[str, Any]]:
    return [
        ("a missing value written as NaN", lambda d: d["maps"]["colde"]["section"]["values"][0].__setitem__(0, "NaN")),
        ("a probability above 1", lambda d: d["models"][0].__setitem__("probability", 1.2)),
        ("a kind of score nobody declared", lambda d: d["models"][0].__setitem__("score_kind", "points")),
        ("a field that is not documented", lambda d: d["models"][0].__setitem__("extra", 1)),
        ("a model without its reading", lambda d: d["models"][0].pop("read")),
        ("no timing of the encoding", lambda d: d["timing"].pop("encode")),
        ("a page 0", lambda d: d["evidence"][0]["a"].__setitem__("page", 0)),
        ("a negative offset", lambda d: d["documents"]["a"]["sections"][0].__setitem__("start", -1)),
        ("a role nobody declared", lambda d: d["maps"]["colde"]["section"].__setitem__("role", "mystery")),
        ("a map without its level", lambda d: d["maps"]["colde"]["section"].pop("level")),
        ("a reference without a residual", lambda d: d["maps"]["colde"]["section"].__setitem__("reference", 0.1)),
        ("a part without its weight", lambda d: d["models"][0]["parts"][0].pop("weight")),
        ("a worth above 1", lambda d: d["evidence"][0].__setitem__("worth", 1.5)),
        ("another version", lambda d: d.__setitem__("version", 2)),
        ("a chunk too long to encode", lambda d: d["documents"]["b"]["chunks"][0].__setitem__("tokens", 513)),
    ]  # fmt: skip


@pytest.mark.parametrize(("what", "damage"), breakages(), ids=[b[0] for b in breakages()])
def test_the_schema_refuses(comparison, what: str, damage: Any) -> None:
    data = json.loads(comparison.to_json())
    damage(data)
    with pytest.raises(jsonschema.ValidationError):
        validator("comparison").validate(data)
