"""JSON schemas and TypeScript declarations of what the program writes, from the types of the results.

`make schemas` writes docs/schema; `tests/report/test_serialise.py` fails until then. Types give the schema of a value,
`Annotated` its limits, `JSON` the attributes that are written (`colde.serialise`), and the section *Attributes* of a
docstring the descriptions.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

from colde.comparison.claim_chart import ClaimChart
from colde.comparison.ledger import Ledger
from colde.comparison.version_history import VersionHistory
from colde.index.counted_sources import Sources
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
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
TYPESCRIPT = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


class SchemaWriter:
    """Schemas of types; each class that is met gets an entry in `definitions`."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def of(self, hint: Any) -> Schema:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.of(args[0]) | args[1].keywords
        if origin is ClassVar:
            return self.of(args[0])
        if isinstance(hint, type) and hint in PLAIN:
            return {"type": PLAIN[hint]}
        if origin is Literal:
            return {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
        if origin in (Union, UnionType):
            return _nullable(self.of(next(a for a in args if a is not NoneType)))
        if inspect.isclass(origin):
            return self._container(origin, args)
        if issubclass(hint, tuple):
            return _fixed([self.of(t) for t in get_type_hints(hint, include_extras=True).values()])
        return self._reference(hint)

    def _container(self, origin: type, args: Sequence[Any]) -> Schema:
        if issubclass(origin, np.ndarray):
            return _list(_list({"type": "number"}))
        if issubclass(origin, Mapping):
            values = self.of(args[1])
            if get_origin(args[0]) is not Literal:
                return {"type": "object", "additionalProperties": values}
            return _object(dict.fromkeys(get_args(args[0]), values))
        if args[-1] is Ellipsis or len(args) == 1:
            return _list(self.of(args[0]))
        return _fixed([self.of(a) for a in args])

    def _reference(self, kind: type) -> Schema:
        if kind.__name__ not in self.definitions:
            self.definitions[kind.__name__] = {}  # it may contain itself
            self.definitions[kind.__name__] = {"description": _summary(kind)} | self.object_of(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def object_of(self, kind: type) -> Schema:
        """The schema of a class that `colde.serialise` can write."""
        declared = json_fields(kind)
        assert declared is not None
        about = _descriptions(kind)
        properties: dict[str, Schema] = {}
        for name in declared.names:
            schema = self.of(_hint(kind, name))
            if name in declared.optional:
                schema = _present(schema)
            if name in declared.null_if_empty:
                schema = _nullable(schema)
            properties[declared.key(name)] = schema | ({"description": about[name]} if name in about else {})
        required = [declared.key(n) for n in declared.names if n not in declared.optional]
        object_schema = _object(properties, required)
        if declared.together:
            object_schema["dependentRequired"] = {
                n: [m for m in declared.together if m != n] for n in declared.together
            }
        return object_schema


def schema_of(name: str) -> Schema:
    file = FILES[name]
    writer = SchemaWriter()
    schema = writer.object_of(file.written_from)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:colde:{name}:{getattr(file.written_from, 'version', 1)}",
        "title": file.title,
        "description": f"{OFFSETS} A value that does not exist is null, never 0.",
        **schema,
        "$defs": dict(sorted(writer.definitions.items())),
    }


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


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _fixed(items: Sequence[Schema]) -> Schema:
    return {"type": "array", "prefixItems": list(items), "items": False, "minItems": len(items)}


def _object(properties: Mapping[str, Schema], required: Sequence[str] | None = None) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties if required is None else required),
        "properties": dict(properties),
    }


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    return (
        schema | {"type": [schema["type"], "null"]}
        if "type" in schema
        else {"anyOf": [schema, {"type": "null"}]}
    )


def _present(schema: Schema) -> Schema:
    """The schema of an optional attribute, which is not written where it is empty, false or None."""
    if schema.get("type") == "boolean":
        return {"const": True}
    if schema.get("type") == "array":
        return schema | {"minItems": 1}
    if isinstance(schema.get("type"), list):
        return schema | {"type": schema["type"][0]}
    return schema["anyOf"][0] if "anyOf" in schema else schema


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
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(TYPESCRIPT.get(kind) or _collection(schema, kind) for kind in kinds)


def _collection(schema: Schema, kind: str) -> str:
    if kind == "object":
        if "properties" in schema:
            return "{ " + " ".join(f"{k}: {_typescript(v)};" for k, v in schema["properties"].items()) + " }"
        return f"Record<string, {_typescript(schema['additionalProperties'])}>"
    if "prefixItems" in schema:
        return "[" + ", ".join(map(_typescript, schema["prefixItems"])) + "]"
    items = _typescript(schema["items"])
    return f"({items})[]" if " | " in items and not items.startswith("[") else f"{items}[]"


if __name__ == "__main__":
    for name, text in contents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
