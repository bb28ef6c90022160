"""JSON from outside (reviews, profiles, checkpoints, corpora, indexes), decoded strictly into the type it must have.

msgspec checks types, limits and lengths while it parses. It builds nothing that the type does not have, so the
memory that a file takes is bounded by its size. NaN, infinity, numbers beyond the range of a float and lone surrogates
are no JSON. Of equal keys the last one counts, as everywhere in Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, overload

import msgspec

Decoded = TypeVar("Decoded")
Data: TypeAlias = bytes | bytearray | memoryview | str

MAX_FILE_BYTES = 4 * 2**20
"""Bytes of a file of settings or thresholds, where the caller names no other limit; those that ship have 11,000."""
MAX_INTEGER = 2**53
"""Integers up to here are the same in every program that reads JSON."""

_PLACE = re.compile(r"(.*) - at (?:`key` in )?`\$?\.?(.*)`")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)")
_ERRORS = (msgspec.MsgspecError, ValueError, TypeError, RecursionError, OverflowError)


class JsonError(ValueError):
    """JSON that is damaged or of another form; the message is one line that names the field."""


@overload
def decode(data: Data, kind: type[Decoded]) -> Decoded: ...
@overload
def decode(data: Data, kind: Any) -> Any: ...
def decode(data: Data, kind: Any) -> Any:
    """The value that JSON text holds.

    Args:
        kind: its type, of those that msgspec knows: dataclasses, structs, collections, and plain values, with
            `msgspec.Meta` for limits.

    Raises:
        JsonError: the text is no JSON, or of another form.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except _ERRORS as error:
        raise JsonError(_message(error)) from None


@overload
def convert(value: object, kind: type[Decoded]) -> Decoded: ...
@overload
def convert(value: object, kind: Any) -> Any: ...
def convert(value: object, kind: Any) -> Any:
    """A value of this type from plain values.

    Raises:
        JsonError: they are of another form.
    """
    try:
        return msgspec.convert(value, type=kind)
    except _ERRORS as error:
        raise JsonError(_message(error)) from None


def decode_object(data: bytes | str) -> dict[str, Any]:
    """A JSON object of any plain values; its integers are at most `MAX_INTEGER`.

    Raises:
        JsonError: the text is no JSON object.
    """
    values: dict[str, Any] = decode(data, dict[str, Any])
    check_integers(values)
    return values


def without_lone_surrogates(text: str) -> str:
    """JSON text with U+FFFD for each escape of half a surrogate pair without the other half, as `\\ud800`."""
    return _ESCAPE.sub(lambda escape: "\\ufffd" if escape[1] else escape[0], text) if "\\u" in text else text


def read_file(path: Path, kind: type[Decoded], max_bytes: int = MAX_FILE_BYTES) -> Decoded:
    """The value that a JSON file holds, as `decode`.

    Raises:
        OSError: the file cannot be read.
        JsonError: it is larger than `max_bytes`, no JSON, or of another form.
    """
    return decode(read_limited(path, max_bytes), kind)


def read_limited(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of a file; raises JsonError where they are more than `max_bytes`, before they are read."""
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    check_size(data, max_bytes)
    return data


def check_size(data: Data, max_bytes: int) -> None:
    """Raise JsonError for more bytes than there may be."""
    if len(data) > max_bytes:
        raise JsonError(f"more than {max_bytes:,} bytes, which is the limit for this kind of file")


def check_integers(values: object, name: str = "") -> None:
    """Raise JsonError where plain values hold an integer beyond `MAX_INTEGER`."""
    for key, value in _items(values):
        place = f"{name}.{key}" if name else str(key)
        if isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise JsonError(f"{place}: an integer beyond {MAX_INTEGER:,}")
        check_integers(value, place)


def _items(values: object) -> Iterator[tuple[object, object]]:
    if isinstance(values, Mapping):
        yield from values.items()
    elif isinstance(values, list | tuple):
        yield from enumerate(values)


def _message(error: Exception) -> str:
    """What is wrong, after the field where that is known: `profiles.general.threshold: expected float, got str`."""
    if isinstance(error, RecursionError):
        return "lists or objects nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start}"
    text = " ".join(str(error).split())
    located = _PLACE.fullmatch(text)
    what, place = located.groups() if located else (text, "")
    what = what.replace("`", "")
    if not what.startswith("JSON"):
        what = what[:1].lower() + what[1:]
    return f"{place}: {what}" if place else what
