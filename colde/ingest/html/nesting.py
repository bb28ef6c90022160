"""How deeply blocks stand in each other, told before a page is parsed."""

from __future__ import annotations

import re

MAX_DEPTH = 20_000
"""Blocks in each other: lexbor looks through all that are open wherever one begins, so that a nest takes quadratic
time. One of 20,000 takes two seconds, one of 100,000 half a minute."""
_BLOCKS = (
    "address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption|figure|footer|form|header|"
    "hgroup|main|menu|nav|ol|section|summary|ul"
)
"""Elements that only their own end tag, or that of an element around them, ends."""
_TAG = re.compile(rf"<(/?)(?:{_BLOCKS})(?=[\s/>])", re.IGNORECASE)


def check_nesting(text: str) -> None:
    """Raise RecursionError for HTML in which more than `MAX_DEPTH` blocks are open at once."""
    if text.count("<") <= MAX_DEPTH:
        return
    depth = 0
    for tag in _TAG.finditer(text):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > MAX_DEPTH:
            raise RecursionError
