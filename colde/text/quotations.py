"""Quotations of a text, by the quotation marks of most languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from colde.text.document import Span

MAX_QUOTATION_CHARACTERS = 2_000
"""Characters of a quotation; a longer one has lost its closing mark."""

_BODY = rf"(?:(?!\n\s*\n)[^{{close}}]){{{{2,{MAX_QUOTATION_CHARACTERS}}}}}?"
_PAIRS = (
    ("“", "”"),
    ("„", "“”"),
    ("«", "»"),
    ("‹", "›"),
    ("「", "」"),
    ("『", "』"),
    ("＂", "＂"),
)
"""Opening mark and possible closing marks; none of them stands within a word."""
_REVERSED = (("»", "«"), ("›", "‹"))
"""Marks that point inwards, as in German and Danish books: they open after a space and close before one."""
_AMBIGUOUS_MARKS = (('"', '"'), ("‘", "’"), ("‚", "‘’"), ("'", "'"))
"""Marks that also stand for an apostrophe or for inches: they open before a word and close behind one."""


def _pattern() -> re.Pattern[str]:
    plain = [f"{o}{_BODY.format(close=c)}[{c}]" for o, c in _PAIRS]
    inward = [rf"(?<!\S){o}(?=\S){_BODY.format(close=c)}{c}(?!\w)" for o, c in _REVERSED]
    body = rf"(?:(?!\n\s*\n).){{1,{MAX_QUOTATION_CHARACTERS}}}?"
    around = [rf"(?<![\w.,!?)]){o}(?=[^\s{c}]){body}(?<=\S)[{c}](?!\w)" for o, c in _AMBIGUOUS_MARKS]
    return re.compile("|".join([*plain, *inward, *around]), re.DOTALL)


_QUOTATION = _pattern()


def quotations(text: str) -> Iterator[Span]:
    """Yield the passages in quotation marks, marks included; none reaches over the end of a paragraph."""
    for match in _QUOTATION.finditer(text):
        yield Span(match.start(), match.end())
