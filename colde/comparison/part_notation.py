"""Passages of two documents as people write them: `a:3,b:7-9`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from colde.results.similarity_map import Letter
from colde.text.document import Document, Span

Part = int | tuple[int, int] | Span
"""A section by its number in `Document.sections`, a chunk by its section's number and its own within it, from 0, or any
stretch of the text."""
Parts = dict[str, list[Part]]

_PART = re.compile(r"(?:([ab]):)?(\d{1,6})(?:\.(\d{1,6}))?(?:-(\d{1,6}))?", re.IGNORECASE)
_STRETCH = re.compile(r"([ab])?@(\d{1,9})-(\d{1,9})", re.IGNORECASE)


def parse_parts(text: str) -> Parts:
    """Passages of both documents: `a:3,b:7-9` are section 3 of A and 7, 8, 9 of B, `a:3.2` a chunk of A, `a@120-245`
    its characters 120 to 244, a sentence or any other stretch.

    A part without a letter belongs to the document named before it.

    Raises:
        ValueError: it is not written like that; the message says what is.
    """
    found: Parts = {"a": [], "b": []}
    letter = ""
    for entry in (e.strip() for e in text.split(",")):
        match = _PART.fullmatch(entry) or _STRETCH.fullmatch(entry)
        letter = ((match and match[1]) or letter).lower()
        if match is None or not letter:
            raise ValueError(
                f"{entry!r} names no sections; write a:3, b:7-9, a:3.2 for a chunk, or a@120-245 for characters"
            )
        if "@" in entry:
            first, end = int(match[2]), int(match[3])
            if end <= first:
                raise ValueError(f"{entry!r} ends before it begins")
            found[letter].append(Span(first, end))
            continue
        first = int(match[3] or match[2])
        last = int(match[4]) if match[4] else first
        if last < first:
            raise ValueError(f"{entry!r} ends before it begins")
        numbers = range(first, last + 1)
        found[letter] += [(int(match[2]), n) for n in numbers] if match[3] else list(numbers)
    return found


def format_parts(documents: Mapping[Letter, Document], passages: Mapping[Letter, Iterable[Span]]) -> str:
    """The opposite: whole sections by their numbers, neighbours as a range, everything else by its characters."""
    found = []
    for letter, document in documents.items():
        whole = {(s.start, s.end): i for i, s in enumerate(document.sections)}
        spans = list(passages[letter])
        numbers = sorted({whole[s.start, s.end] for s in spans if (s.start, s.end) in whole})
        for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0]):
            (_, first), *rest = run
            found.append(f"{letter}:{first}-{rest[-1][1]}" if rest else f"{letter}:{first}")
        found += [f"{letter}@{s.start}-{s.end}" for s in spans if (s.start, s.end) not in whole]
    return ",".join(found)
