"""The page of all JSON fields, from the schemas in docs/schema."""

from __future__ import annotations

import json
from typing import Any

from studies.release.json_schemas import FOLDER
from studies.tables import markdown_table

SCHEMAS = ("comparison", "collection", "read", "sources", "chart", "ledger", "history")

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    return {
        name: json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")) for name in SCHEMAS
    }


def json_reference() -> str:
    """A section for each kind of file, then a table for each kind of object in it."""
    parts, shown = [], set()
    for name, schema in schemas().items():
        parts.append(f"## {schema['title']}\n\nSchema: [{name}.schema.json](/schema/{name}.schema.json).")
        parts.append(_table(schema))
        for kind, definition in schema["$defs"].items():
            if kind not in shown and "properties" in definition:
                shown.add(kind)
                about = definition.get("description", "")
                parts.append(f"### {kind}\n\n{_escaped(about)}\n\n{_table(definition)}")
    return "\n\n".join(parts)


def _table(schema: Schema) -> str:
    required = schema.get("required", [])
    rows = (
        [f"`{key}`", _type(value), "" if key in required else "may be missing", _about(value)]
        for key, value in schema["properties"].items()
    )
    return markdown_table(["field", "type", "presence", "meaning"], rows)


def _about(value: Schema) -> str:
    return _escaped(value.get("description", ""))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _type(value: Schema) -> str:
    """The type in words; an object that has a table of its own is a link to it."""
    if "$ref" in value:
        kind = value["$ref"].rpartition("/")[2]
        return f"[{kind}](#{kind.lower()})"
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(v, ensure_ascii=False)}`" for v in value["enum"])
    if "anyOf" in value:
        return " or ".join(_type(v) for v in value["anyOf"])
    return _named(value["type"], value)


def _named(name: str, value: Schema) -> str:
    if name == "array":
        items = value.get("prefixItems") or [value.get("items") or {}]
        return f"list of {', '.join(dict.fromkeys(_type(item) for item in items))}"
    if name == "object":
        keys = ", ".join(f"`{key}`" for key in value.get("propertyNames", {}).get("enum", ())) or "name"
        return f"object of {_type(value['additionalProperties'])} by {keys}"
    return name
