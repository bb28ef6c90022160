"""Notation of passages of two documents: `a:3,b:7-9`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from colde.text.document import Document, Span

if TYPE_CHECKING:
    from colde.results.similarity_map import Letter

Part = int | tuple[int, int] | Span
"""A section by its number in `Document.sections`, a chunk by the numbers of its section and of the chunk in it, from 0,
or a passage of the text."""
Parts = dict[str, list[Part]]

_PART = re.compile(r"(?:([ab]):)?(\d{1,6})(?:\.(\d{1,6}))?(?:-(\d{1,6}))?", re.IGNORECASE)
_STRETCH = re.compile(r"([ab])?@(\d{1,9})-(\d{1,9})", re.IGNORECASE)


def parse_parts(text: str) -> Parts:
    """Passages of both documents: `a:3,b:7-9` are section 3 of A and 7, 8, 9 of B, `a:3.2` a chunk of A, `a@120-245`
    its characters 120 to 244.

    A part without a letter belongs to the document named before it.

    Raises:
        ValueError: an entry is not in this notation.
    """
    parts: Parts = {"a": [], "b": []}
    letter = ""
    for entry in (e.strip() for e in text.split(",")):
        match = _PART.fullmatch(entry) or _STRETCH.fullmatch(entry)
        letter = ((match and match[1]) or letter).lower()
        if match is None or not letter:
            raise ValueError(
                f"{entry!r} names no sections; write a:3, b:7-9, a:3.2 for a chunk, or a@120-245 for characters"
            )
        parts[letter] += _parse_entry(entry, match)
    return parts


def _parse_entry(entry: str, match: re.Match[str]) -> list[Part]:
    if "@" in entry:
        start, end = int(match[2]), int(match[3])
        if end <= start:
            raise ValueError(f"{entry!r} ends before it begins")
        return [Span(start, end)]
    first = int(match[3] or match[2])
    last = int(match[4]) if match[4] else first
    if last < first:
        raise ValueError(f"{entry!r} ends before it begins")
    numbers = range(first, last + 1)
    return [(int(match[2]), n) for n in numbers] if match[3] else list(numbers)


def format_parts(documents: Mapping[Letter, Document], passages: Mapping[Letter, Iterable[Span]]) -> str:
    """The notation of passages: sections by number, neighbours as a range, other passages by their characters."""
    entries = []
    for letter, document in documents.items():
        numbers_of = {(s.start, s.end): i for i, s in enumerate(document.sections)}
        spans = list(passages[letter])
        numbers = sorted({numbers_of[s.start, s.end] for s in spans if (s.start, s.end) in numbers_of})
        for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0]):
            (_, first), *rest = run
            entries.append(f"{letter}:{first}-{rest[-1][1]}" if rest else f"{letter}:{first}")
        entries += [f"{letter}@{s.start}-{s.end}" for s in spans if (s.start, s.end) not in numbers_of]
    return ",".join(entries)
