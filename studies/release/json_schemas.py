"""JSON schemas and TypeScript declarations of what the program writes, from the types of the results.

`make schemas` writes docs/schema; `tests/report/test_serialise.py` fails until then. msgspec gives the schema of a
type, `msgspec.Meta` its limits, `JSON` the attributes that are written (`colde.serialise`), and the section
*Attributes* of a docstring the descriptions.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

from colde.comparison.claim_chart import ClaimChart
from colde.comparison.ledger import Ledger
from colde.comparison.version_history import VersionHistory
from colde.index.sources.counted_sources import Sources
from colde.ingest.document_json import ReadDocument
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.serialise import json_fields
from studies import ROOT

Schema = dict[str, Any]

FOLDER = ROOT / "docs" / "schema"
DECLARATIONS = "results.d.ts"
OFFSETS = "Offsets are Unicode code points into the text of the document; start is inclusive, end exclusive."


class JsonFile(NamedTuple):
    """A kind of file: the class it is written from, and its title."""

    written_from: type
    title: str


FILES = {
    "comparison": JsonFile(Comparison, "A comparison of two documents (colde compare --json)"),
    "collection": JsonFile(Collection, "Many documents compared with each other (colde compare DIR --json)"),
    "read": JsonFile(ReadDocument, "A document as read (colde read --json)"),
    "sources": JsonFile(Sources, "The sources of a document (colde sources --json)"),
    "chart": JsonFile(ClaimChart, "A claim chart (colde chart --json)"),
    "history": JsonFile(
        VersionHistory, "The history of a document with several versions (colde history --json)"
    ),
    "ledger": JsonFile(Ledger, "A ledger (colde ledger --json)"),
}
PLAIN = (str, int, float, bool, NoneType)
TYPESCRIPT = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def schema_of(name: str) -> Schema:
    written_from, title = FILES[name]
    _, definitions = schema_components([_struct(written_from)], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:colde:{name}:{getattr(written_from, 'version', 1)}",
        **definitions.pop(written_from.__name__),
        "title": title,
        "description": f"{OFFSETS} A value that does not exist is null, never 0.",
        "$defs": dict(sorted(definitions.items())),
    }


@cache
def _struct(kind: type) -> type[Struct]:
    """The JSON object of a class that `colde.serialise` can write."""
    declared, about = json_fields(kind), _descriptions(kind)
    assert declared is not None
    listed: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for name in declared.names:
        hint = _written(_hint(kind, name))
        if name in declared.optional:
            hint = _present(hint)
        if name in about:
            hint = Annotated[hint, Meta(description=about[name])]
        key = declared.key(name)
        listed.append((key, hint | UnsetType, UNSET) if name in declared.optional else (key, hint))
    return defstruct(kind.__name__, listed, namespace={"__doc__": _summary(kind)}, forbid_unknown_fields=True)


def _written(hint: Any) -> Any:
    """The type of a value as it is written, of those that msgspec knows."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[_written(args[0]), *args[1:]]
    if origin is ClassVar:
        return _written(args[0])
    if origin is Literal:  # msgspec would sort the values
        return Annotated[type(args[0]), Meta(extra_json_schema={"enum": list(args)})]
    if origin in (Union, UnionType):
        return Union[tuple(map(_written, args))]  # noqa: UP007
    if origin is np.ndarray:
        return list[list[float]]
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        keys = get_args(args[0])  # of a Literal
        limits = {"required": list(keys), "propertyNames": {"enum": list(keys)}}
        values = GenericAlias(dict, (str, _written(args[1])))
        return Annotated[values, Meta(extra_json_schema=limits)] if keys else values
    if origin is tuple:
        return GenericAlias(tuple, tuple(a if a is Ellipsis else _written(a) for a in args))
    if origin:
        return GenericAlias(list, (_written(args[0]),))
    return hint if hint in PLAIN or issubclass(hint, tuple) else _struct(hint)


def _present(hint: Any) -> Any:
    """The type of an optional attribute, which is not written where it is empty, false or None."""
    if hint is bool:
        return Annotated[bool, Meta(extra_json_schema={"const": True})]
    if get_origin(hint) is tuple:
        return Annotated[hint, Meta(min_length=1)]
    if get_origin(hint) is Union:
        return Union[tuple(a for a in get_args(hint) if a is not NoneType)]  # noqa: UP007
    return hint


def declarations() -> str:
    """TypeScript declarations of all kinds of files."""
    interfaces: dict[str, Schema] = {}
    for name, file in FILES.items():
        schema = schema_of(name)
        interfaces |= {file.written_from.__name__: schema | {"description": f"{file.title}."}} | schema[
            "$defs"
        ]
    lines = ["// What `--json` writes. Made by `make schemas` from the types in colde/results; not edited."]
    for name, schema in sorted(interfaces.items()):
        if "properties" not in schema:
            lines += ["", *_comment(schema, ""), f"export type {name} = {_typescript(schema)};"]
            continue
        lines += ["", *_comment(schema, ""), f"export interface {name} {{"]
        for key, value in schema["properties"].items():
            lines += _comment(value, "  ")
            lines.append(f"  {key}{'' if key in schema['required'] else '?'}: {_typescript(value)};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def contents() -> dict[str, str]:
    """The text of every file in docs/schema, by name."""
    schemas = {f"{name}.schema.json": schema_of(name) for name in FILES}
    texts = {
        name: json.dumps(schema, indent=1, ensure_ascii=False) + "\n" for name, schema in schemas.items()
    }
    return texts | {DECLARATIONS: declarations()}


def _hint(kind: type, name: str) -> Any:
    """The type of an attribute or a property."""
    hints = get_type_hints(kind, include_extras=True)
    if name in hints:
        return hints[name]
    return get_type_hints(getattr(kind, name).fget, include_extras=True)["return"]


def _summary(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split("\n\n", 1)[0].split())


def _descriptions(kind: type) -> dict[str, str]:
    """What a docstring says of each attribute, with the words of JSON."""
    descriptions = {
        n: _as_json(p.__doc__) for n, p in inspect.getmembers(kind) if isinstance(p, property) and p.__doc__
    }
    for base in reversed(kind.__mro__):
        section = re.search(r"Attributes:\n((?:    .*\n|\n)+)", inspect.cleandoc(base.__doc__ or "") + "\n")
        for names, text in _entries(section[1] if section else ""):
            descriptions |= dict.fromkeys(names, _as_json(text))
    return descriptions


def _as_json(text: str) -> str:
    """A description in the words of JSON, as a sentence."""
    return re.sub(r"\bNone\b", "null", text[0].upper() + text[1:])


def _entries(section: str) -> Iterator[tuple[list[str], str]]:
    for entry in re.split(r"\n?^    (?=\S)", section, flags=re.MULTILINE)[1:]:
        names, text = entry.split(": ", 1)
        yield names.split(", "), " ".join(text.split())


def _comment(schema: Schema, indent: str) -> list[str]:
    return [f"{indent}/** {schema['description']} */"] if "description" in schema else []


def _typescript(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in schema:
        return " | ".join(map(_typescript, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema["type"] in TYPESCRIPT:
        return TYPESCRIPT[schema["type"]]
    if schema["type"] == "object":
        keys = _typescript(schema.get("propertyNames", {"type": "string"}))
        return f"Record<{keys}, {_typescript(schema['additionalProperties'])}>"
    if "prefixItems" in schema:
        return "[" + ", ".join(map(_typescript, schema["prefixItems"])) + "]"
    items = _typescript(schema["items"])
    return f"({items})[]" if " | " in items and not items.startswith("[") else f"{items}[]"


if __name__ == "__main__":
    for name, text in contents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
