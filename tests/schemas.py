"""Validation against the schemas in docs/schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

FOLDER = Path(__file__).parents[1] / "docs" / "schema"


def validate(name: str, data: Any) -> None:
    """Raise jsonschema.ValidationError unless the data follow the schema `comparison`, `collection` or `read`."""
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data)
