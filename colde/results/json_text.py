"""JSON text in pieces, so that a large result is never in memory as one text."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any


def json_pieces(value: Any) -> Iterator[str]:
    """Strict JSON of a value (no NaN): the pieces joined are what `json.dumps` writes.

    Args:
        value: as `json.dumps` takes it. An iterator becomes a list; its items are made when they are written.
    """
    if isinstance(value, dict):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield f"{', ' if number else ''}{_dumps(str(key))}: "
            yield from json_pieces(item)
        yield "}"
    elif isinstance(value, Iterator):
        yield "["
        for number, item in enumerate(value):
            yield f"{', ' if number else ''}{_dumps(item)}"
        yield "]"
    else:
        yield _dumps(value)


def join_utf8(pieces: Iterable[str]) -> bytes:
    """The pieces of a text as one file."""
    file = io.BytesIO()
    file.writelines(piece.encode() for piece in pieces)
    return file.getvalue()  # not a copy, unlike the bytes of a bytearray


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
