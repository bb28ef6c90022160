"""Documents as JSON values: between programs and reading processes, in the rows of an index, in saved reviews.

JSON never runs code when it is read, as pickle does. Lists without names keep an index small.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from colde.text.document import Document
from colde.text.text_normalisation import without_surrogates

ANSWER_END = struct.Struct("<iQ")
"""What follows the last piece of an answer: exit status of the fork (negative: a signal) and its peak of memory."""

OUT_OF_MEMORY_STATUS = 77
"""Exit status of a fork that has no memory left to send an error."""

_FIELDS = {name: kind for name, kind in get_type_hints(Document).items() if name != "seconds"}
_OPTIONAL = frozenset(["replacements", "marks"])  # reviews and indexes of version 0.2 do not have them


def pack(document: Document) -> dict[str, Any]:
    """The Document as JSON values, without the time that reading it took."""
    return {name: to_lists(getattr(document, name)) for name in _FIELDS}


def unpack(values: dict[str, Any]) -> Document:
    """The Document that `pack` was given.

    Raises:
        KeyError, TypeError, ValueError: the values are not of that form, or a span lies outside its text.
    """
    names = [name for name in _FIELDS if name in values or name not in _OPTIONAL]
    document = Document(**{name: from_lists(_FIELDS[name], values[name]) for name in names})
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
    """The value of this type that `to_lists` was given.

    Raises:
        TypeError, ValueError: the values are not of that type.
    """
    return _reader(kind)(values)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """The function that makes a value of this type from JSON values."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return lambda value: arguments[arguments.index(value)]
    if origin is UnionType or type(None) in arguments:
        inner = _reader(arguments[0])
        return lambda value: None if value is None else inner(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = _reader(arguments[0])
        return lambda values: tuple(item(value) for value in values)
    if origin is tuple:
        return _fields_reader(lambda *items: items, arguments)
    if is_dataclass(kind):
        make: Any = kind
        hints = get_type_hints(kind)
        return _fields_reader(make, tuple(hints[field.name] for field in fields(kind)))
    if hasattr(kind, "_fields"):
        return _fields_reader(kind, tuple(get_type_hints(kind).values()))
    return lambda value: _scalar(kind, value)


def _fields_reader(make: Callable[..., Any], kinds: tuple[Any, ...]) -> Callable[[list[Any]], Any]:
    readers = [_reader(kind) for kind in kinds]
    return lambda values: make(*(read(value) for read, value in zip(readers, values, strict=True)))


def _scalar(kind: type, value: Any) -> Any:
    if type(value) is kind:
        return without_surrogates(value) if isinstance(value, str) else value
    if kind is float and type(value) is int:
        return float(value)
    raise TypeError(f"{value!r} is no {kind.__name__}")


def _check_spans(document: Document) -> None:
    """Raise ValueError where a section lies outside the text, or a part of it outside the section."""
    if any(not 0 <= r.start <= r.end <= len(document.text) for r in document.replacements):
        raise ValueError("a replacement outside the text")
    for section in document.sections:
        if not 0 <= section.start <= section.body <= section.end <= len(document.text):
            raise ValueError("a section outside the text")
        parts = (*section.sentences, *section.paragraphs)
        if any(not section.body <= part.start <= part.end <= section.end for part in parts):
            raise ValueError("a sentence outside its section")
    if any(not 0 <= mark.start <= mark.end <= len(document.text) for mark in document.marks):
        raise ValueError("a mark outside the text")
