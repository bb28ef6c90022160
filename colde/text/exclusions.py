"""Passages that a reader can leave out of the count of shared text: quotations, citations, boilerplate."""

from __future__ import annotations

import re
from collections.abc import Collection

from colde.text.boilerplate import find_boilerplate
from colde.text.document import Document, Span
from colde.text.quotations import quotations

_CITED = re.compile(
    r"\((?:[^()]{0,120}?\b(?:1[5-9]|20)\d\d[a-z]?[^()]{0,40})\)|\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
)


def excluded_spans(document: Document, leave_out: Collection[str]) -> list[Span]:
    """The passages of a text that are not counted; they may overlap.

    Args:
        leave_out: `quotes`, `references` (lists of works and citations), `boilerplate`; other names have no passages.
    """
    excluded: list[Span] = []
    if "quotes" in leave_out:
        excluded += quotations(document.text)
    if "references" in leave_out:
        excluded += [Span(m.start(), m.end()) for m in _CITED.finditer(document.text)]
        excluded += [Span(s.start, s.end) for s in document.sections if s.role == "references"]
    if "boilerplate" in leave_out:
        excluded += [Span(s.start, s.end) for s in find_boilerplate(document)]
    return excluded
