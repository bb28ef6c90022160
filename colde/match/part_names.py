"""Sections and chunks of two documents as people write them: `a:3,b:7-9`."""

from __future__ import annotations

import re

Parts = dict[str, list[int | tuple[int, int]]]
_PART = re.compile(r"(?:([ab]):)?(\d{1,6})(?:\.(\d{1,6}))?(?:-(\d{1,6}))?", re.IGNORECASE)


def read_parts(text: str) -> Parts:
    """Sections and chunks of both documents: `a:3,b:7-9` are section 3 of A and 7, 8, 9 of B, `a:3.2` a chunk of A.

    A part without a letter belongs to the document named before it.

    Raises:
        ValueError: it is not written like that; the message says what is.
    """
    found: Parts = {"a": [], "b": []}
    letter = ""
    for entry in (e.strip() for e in text.split(",")):
        match = _PART.fullmatch(entry)
        letter = ((match and match[1]) or letter).lower()
        if match is None or not letter:
            raise ValueError(f"{entry!r} names no sections; write a:3, b:7-9, or a:3.2 for a chunk")
        first = int(match[3] or match[2])
        last = int(match[4]) if match[4] else first
        if last < first:
            raise ValueError(f"{entry!r} ends before it begins")
        numbers = range(first, last + 1)
        found[letter] += [(int(match[2]), n) for n in numbers] if match[3] else list(numbers)
    return found
