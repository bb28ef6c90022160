"""Clauses of a document: each is a paragraph, together with the list that it introduces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from colde.text.document import Document, Span

_DECIMAL = re.compile(r"\W*\d+(?:\.\d+)*\.?\s")
"""Number of a clause of its own: `7`, `7.` or `7.2`."""
_ITEM = re.compile(r"\W*\(?(?:[a-z]{1,4}|\d{1,3})[.)]\s|[•▪◦–*-]\s", re.IGNORECASE)
"""Beginning of an item of a list: `(a)`, `iv.`, `•`."""
_INTRODUCES = re.compile(r"[:：]\W*$")
_CONTINUES = re.compile(r"(?:[;,]|[;,]\s*(?:and|or))\s*$", re.IGNORECASE)


def clauses(document: Document, sentences: Sequence[Span]) -> list[range]:
    """Positions of the sentences of each clause, in reading order; every sentence is in one.

    Args:
        sentences: of the document, in reading order.
    """
    parts: list[range] = []
    in_list = False
    for paragraph in _paragraphs(document, sentences):
        text = document.text[sentences[paragraph[0]].start : sentences[paragraph[-1]].end].strip()
        item = not _DECIMAL.match(text) and bool(_ITEM.match(text) or text[:1].islower())
        before = document.text[: sentences[paragraph[0]].start][-20:].rstrip()
        if parts and item and (in_list or _CONTINUES.search(before)):
            parts[-1] = range(parts[-1].start, paragraph.stop)
        else:
            parts.append(paragraph)
            in_list = False
        in_list = in_list or bool(_INTRODUCES.search(text))
    return parts


def _paragraphs(document: Document, sentences: Sequence[Span]) -> Iterator[range]:
    """Yield the positions of the sentences of each paragraph."""
    starts = sorted(p.start for section in document.sections for p in (section, *section.paragraphs))
    places = [(bisect_right(starts, s.start), k) for k, s in enumerate(sentences)]
    for _, group in groupby(places, key=lambda place: place[0]):
        positions = [k for _, k in group]
        yield range(positions[0], positions[-1] + 1)
