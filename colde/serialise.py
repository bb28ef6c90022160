"""JSON of typed values: what a class writes, in which order, and the text of it, as one string or in pieces.

`studies/release/json_schemas.py` reads the same declarations and writes the schemas in docs/schema.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

from msgspec import Meta

Share = Annotated[float, Meta(ge=0, le=1)]
Offset = Annotated[int, Meta(ge=0)]
"""A position in a text or in a list, or a number of things."""
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
UNIQUE = Meta(extra_json_schema={"uniqueItems": True})


class JsonFields:
    """Which attributes of a class its JSON object has, as the class attribute `JSON`; by default all fields.

    Args:
        names: attributes in the order in which they are written, separated by spaces.
        optional: attributes that come last, and are left out where they are empty, false or None.
        digits: decimals of an attribute; all where none are named.
    """

    def __init__(
        self,
        names: str,
        *,
        optional: str = "",
        digits: Mapping[str, int] | None = None,
    ) -> None:
        self.optional = tuple(optional.split())
        self.names = (*names.split(), *self.optional)
        self.digits = digits or {}

    def key(self, attribute: str) -> str:
        """The name of an attribute in JSON: `maps` of `written_maps`, the form in which a file has `maps`."""
        return attribute.removeprefix("written_")


@cache
def json_fields(kind: type) -> JsonFields | None:
    """What a class declares as `JSON`, else all fields of a dataclass; None for other classes."""
    declared: JsonFields | None = getattr(kind, "JSON", None)
    if declared is None and is_dataclass(kind):
        declared = JsonFields(" ".join(f.name for f in fields(kind)))
    return declared


class JsonObject:
    """A class that is written as a JSON object."""

    __slots__ = ()
    JSON: ClassVar[JsonFields]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object as plain values; a value that does not exist is None."""
        written: dict[str, Any] = to_value(self)
        return written

    def json_pieces(self) -> Iterator[str]:
        """`to_json` in pieces: the maps of two long documents take gigabytes as lists and as one text."""
        return json_pieces(self)

    def to_json(self) -> str:
        """`to_dict` as strict JSON (no NaN)."""
        return to_json(self)


def to_value(value: Any) -> Any:
    """A value as the dictionaries, lists and plain values of its JSON; errors as in `json_pieces`."""
    return json.loads(to_json(value))


def to_json(value: Any) -> str:
    """Strict JSON of a value, as `json_pieces`."""
    return "".join(json_pieces(value))


def json_pieces(value: Any, path: str = "") -> Iterator[str]:
    """Strict JSON of a value (no NaN), without blanks.

    Args:
        value: plain values, arrays, collections of values, and objects that `json_fields` knows. An iterator becomes a
            list; its items are made when they are written, so that no large map is in memory as text.
        path: what the value is called in an error.

    Raises:
        TypeError: an object of another class.
        ValueError: a number is infinite or NaN; the message names its field, as `a.b[3]`.
    """
    if isinstance(value, Iterator):
        yield "["
        for number, item in enumerate(value):
            yield f"{',' if number else ''}{_dumps(item, f'{path}[{number}]')}"
        yield "]"
    elif (members := _members(value)) is not None:
        yield "{"
        for number, (key, item) in enumerate(members.items()):
            yield f"{',' if number else ''}{_dumps(key, path)}:"
            yield from json_pieces(item, f"{path}.{key}".lstrip("."))
        yield "}"
    else:
        yield _dumps(value, path)


def _members(value: Any) -> dict[str, Any] | None:
    """The members of what JSON has as an object; None for other values."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    kind: type = type(value)
    declared = json_fields(kind)
    if declared is None:
        return None
    members: dict[str, Any] = {}
    for name in declared.names:
        item = getattr(value, name)
        if name in declared.optional and (item is None or item is False or item in ((), "", {})):
            continue
        if name in declared.digits and item is not None:
            item = round(item, declared.digits[name])
        members[declared.key(name)] = item
    return members


def _plain(value: Any) -> Any:
    """What `json.dumps` does not know, as a dictionary, a list or a number."""
    if (members := _members(value)) is not None:
        return members
    if isinstance(value, Iterator | Sequence):
        return list(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} declares no JSON fields")


def join_utf8(pieces: Iterable[str]) -> bytes:
    """The pieces of a text as one file."""
    file = io.BytesIO()
    file.writelines(piece.encode() for piece in pieces)
    return file.getvalue()  # not a copy, unlike the bytes of a bytearray


def _dumps(value: Any, path: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
    except ValueError as error:
        field = _not_finite(json.loads(json.dumps(value, default=_plain)), path)
        if field is None:
            raise
        raise ValueError(f"{field} is no finite number, and JSON has no other") from error


def _not_finite(value: Any, path: str) -> str | None:
    """The path of the first number in a plain value that is infinite or NaN."""
    if isinstance(value, float):
        return None if math.isfinite(value) else path
    if isinstance(value, dict):
        parts = [(f"{path}.{key}".lstrip("."), item) for key, item in value.items()]
    elif isinstance(value, list):
        parts = [(f"{path}[{i}]", item) for i, item in enumerate(value)]
    else:
        return None
    return next((field for at, item in parts if (field := _not_finite(item, at)) is not None), None)
