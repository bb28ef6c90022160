"""Documents as JSON values: between programs and reading processes, in the rows of an index, in saved reviews.

JSON never runs code when it is read, as pickle does. Lists without names keep an index small.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from colde import strict_json
from colde.errors import Reason
from colde.text.document import Document

ANSWER_END = struct.Struct("<iQ")
"""What follows the last piece of an answer: exit status of the fork (negative: a signal) and its peak of memory."""

OUT_OF_MEMORY_STATUS = 77
"""Exit status of a fork that has no memory left to send an error."""

_NOT_PACKED = ("seconds", "file", "templates")
"""Fields that are not what the file holds."""
_FIELDS = {name: kind for name, kind in get_type_hints(Document).items() if name not in _NOT_PACKED}
_OPTIONAL = frozenset(["replacements", "marks"])  # reviews and indexes of version 0.2 do not have them
_NATURAL = Annotated[int, msgspec.Meta(ge=0, le=strict_json.MAX_INTEGER)]


class Answer(msgspec.Struct):
    """What a fork answers: the result of its task, or why there is none.

    Attributes:
        document: what `pack` gives, as JSON that `unpack` decodes.
        image, width, height: of a page that was drawn.
        pdf: the file with its highlights.
        error: source, reason, what happened and what to do, as in a `ReadError`.
        missing: a library that is not installed.
    """

    document: msgspec.Raw = msgspec.Raw()
    image: bytes | None = None
    width: int = 0
    height: int = 0
    pdf: bytes | None = None
    error: tuple[str, Reason, str, str] | None = None
    missing: str | None = None


def pack(document: Document) -> dict[str, Any]:
    """The Document as JSON values, without what is not in its file."""
    return {name: to_lists(getattr(document, name)) for name in _FIELDS}


def unpack(data: strict_json.Data) -> Document:
    """The Document whose `pack` was written as JSON.

    Raises:
        JsonError: the values are not of that form, or a span lies outside its text.
    """
    packed = strict_json.decode(data, _packed_document())
    document = Document(
        **{
            name: _builder(kind)(value)
            for name, kind in _FIELDS.items()
            if (value := getattr(packed, name)) is not msgspec.UNSET
        }
    )
    _check_spans(document)
    return document


def to_lists(value: Any) -> Any:
    """A value as JSON values: a dataclass becomes the list of its fields, a tuple a list."""
    if is_dataclass(value):
        return [to_lists(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [to_lists(item) for item in value]
    return value


def from_lists(kind: Any, values: Any) -> Any:
    """The value of this type that `to_lists` was given; raises JsonError for values of another type."""
    return _builder(kind)(strict_json.convert(values, _packed_type(kind)))


@cache
def _packed_document() -> type[msgspec.Struct]:
    """The form of a packed document: an object, in which every dataclass is the list of its fields."""
    listed: list[Any] = []
    for name, kind in _FIELDS.items():
        packed = _packed_type(kind)
        listed.append(
            (name, packed | msgspec.UnsetType, msgspec.UNSET) if name in _OPTIONAL else (name, packed)
        )
    return msgspec.defstruct("PackedDocument", listed, kw_only=True, forbid_unknown_fields=True)


@cache
def _packed_type(kind: Any) -> Any:
    """The type of `to_lists` of a value of this type: a tuple in place of each dataclass, integers from 0 on."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return Union[tuple(_packed_type(argument) for argument in arguments)]  # noqa: UP007 (of a list)
    if origin is tuple:
        return tuple[tuple(a if a is Ellipsis else _packed_type(a) for a in arguments)]  # type: ignore[misc]
    if _has_fields(kind):
        return tuple[tuple(map(_packed_type, _field_types(kind)))]  # type: ignore[misc]
    return _NATURAL if kind is int else kind


@cache
def _builder(kind: Any) -> Callable[[Any], Any]:
    """The function that makes a value of this type from one of its `_packed_type`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType) and type(None) in arguments:
        inner = _builder(arguments[0])
        return lambda value: None if value is None else inner(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = _builder(arguments[0])
        return lambda values: tuple(map(item, values))
    if _has_fields(kind):
        builders = [_builder(hint) for hint in _field_types(kind)]
        make: Any = kind
        return lambda values: make(*(build(value) for build, value in zip(builders, values, strict=True)))
    return lambda value: value


def _has_fields(kind: Any) -> bool:
    """Whether a type is a dataclass or a named tuple."""
    return is_dataclass(kind) or hasattr(kind, "_fields")


def _field_types(kind: Any) -> list[Any]:
    hints = get_type_hints(kind)
    return [hints[f.name] for f in fields(kind)] if is_dataclass(kind) else list(hints.values())


def _check_spans(document: Document) -> None:
    """Raise JsonError where a section lies outside the text, or a part of it outside the section."""
    if any(not 0 <= r.start <= r.end <= len(document.text) for r in document.replacements):
        raise strict_json.JsonError("a replacement outside the text")
    for section in document.sections:
        if not 0 <= section.start <= section.body <= section.end <= len(document.text):
            raise strict_json.JsonError("a section outside the text")
        parts = (*section.sentences, *section.paragraphs)
        if any(not section.body <= part.start <= part.end <= section.end for part in parts):
            raise strict_json.JsonError("a sentence outside its section")
    if any(not 0 <= mark.start <= mark.end <= len(document.text) for mark in document.marks):
        raise strict_json.JsonError("a mark outside the text")
