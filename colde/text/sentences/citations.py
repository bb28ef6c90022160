"""A text less its citations: names and years say who is cited, not what is said of it."""

from __future__ import annotations

import re

_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_CITATION = re.compile(
    r"\(([^()]{1,200})\)"
    r"|\[[^\[\]]{1,30}\]"
    r"|\b[A-Z]\w{1,30} (?:et al\.?|and [A-Z]\w{1,30})?,? ?\(?(?:19|20)\d\d[a-z]?\b\)?"
)
"""Bounded, so that hostile texts take no more than linear time."""


def without_citations(text: str) -> str:
    """`(Brown et al., 1993)`, `[12]` and `Collins and Duffy (2002)` become a space; brackets without a year stay."""
    return _CITATION.sub(lambda m: m[0] if m[1] is not None and not _YEAR.search(m[1]) else " ", text)
