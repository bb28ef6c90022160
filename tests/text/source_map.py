"""The text as written, from a normalised text and its replacements: what the tests of the exact map compare with."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from colde.text.characters.text_normalisation import source_starts
from colde.text.document import Replacement


def to_source(replacements: Sequence[Replacement], offset: int) -> int:
    """The offset in the text as written for an offset in the normalised text."""
    i = bisect_right(replacements, offset, key=lambda r: r.start) - 1
    if i < 0:
        return offset
    last = replacements[i]
    start = source_starts(replacements[: i + 1])[i]
    if offset >= last.end:
        return start + len(last.source) + offset - last.end
    return start + (offset - last.start if len(last) == len(last.source) else 0)


def source_text(text: str, replacements: Sequence[Replacement]) -> str:
    """The text as written, from the normalised text."""
    ends = (0, *(r.end for r in replacements))
    kept = (text[end : r.start] + r.source for end, r in zip(ends, replacements, strict=False))
    return "".join(kept) + text[ends[-1] :]
