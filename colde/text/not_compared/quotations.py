"""Quotations of a text, by the quotation marks of most languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from colde.text.document import Span

_MAX_CHARACTERS = 2_000  # of a quotation in one paragraph; a longer one has lost its closing mark

_PAIRS = (("“", "”"), ("„", "“”"), ("«", "»"), ("‹", "›"), ("「", "」"), ("『", "』"), ("＂", "＂"))
"""Opening mark and possible closing marks; none of them stands within a word."""
_REVERSED = (("»", "«»"), ("›", "‹›"), ("”", "”"))
"""Marks that point inwards as in German and Danish books, or one way as in Swedish and Finnish ones: they open after a
space and close before one."""
_AMBIGUOUS_MARKS = (('"', '"'), ("‘", "’"), ("‚", "‘’"), ("'", "'"))
"""Marks that also stand for an apostrophe or for inches: they open before a word and close behind one."""
_LOST_LETTERS = r"(?!(?:\d|(?i:tis|twas|twere|til|em|cause|bout|n)\b))"
"""Not after an apostrophe in place of letters, as in 'tis and '90s."""
_CODE_LINE = re.compile(r"^.*(?:[{};]|=>|[=!<>]=|\w\(.*\)[;:]?)$|^.*\w\s?=\s?[\"'].*$|^\s*[\"']\w+[\"']:.*$")
"""A line of a program or of data; its strings are no quotations."""
_BREAK = r"\n\s*\n\s*"


def _quotation(open_mark: str, character: str, end: str) -> str:
    """Pattern of a quotation. Of several paragraphs each begins with the opening mark, and the last is closed.

    Args:
        character: pattern of one character inside.
        end: pattern of the closing mark.
    """
    body = rf"(?:(?!{_BREAK}){character}){{1,{_MAX_CHARACTERS}}}?"
    return rf"{open_mark}{body}(?:{_BREAK}{open_mark}{body}){{0,40}}?{end}"


def _pattern() -> re.Pattern[str]:
    patterns = [_quotation(r"``(?=\S)", "(?!'')[^`]", "''")]
    patterns += [_quotation(o, f"[^{c}]", f"[{c}]") for o, c in _PAIRS]
    patterns += [_quotation(rf"(?<!\S){o}(?=\S)", f"[^{c}]", rf"[{c}](?!\w)") for o, c in _REVERSED]
    for o, c in _AMBIGUOUS_MARKS:
        open_mark, end = rf"(?<![\w.,!?)=])(?<!\w\(){o}(?=[^\s{c}])", rf"(?<=\S)[{c}](?!\w)"
        if o != '"':
            open_mark += _LOST_LETTERS
            # Behind an s the mark may be of a possessive: another one closes where there is one before the next opens.
            patterns.append(_quotation(open_mark, rf"(?!\s{o}\w).", rf"(?!(?<=s)[{c}] [a-z]){end}"))
        patterns.append(_quotation(open_mark, ".", end))
    return re.compile("|".join(patterns), re.DOTALL)


_QUOTATION = _pattern()


def quotations(text: str) -> Iterator[Span]:
    """Yield the passages in quotation marks, marks included, without strings in lines of code."""
    for match in _QUOTATION.finditer(text):
        if match[0][0] not in "\"'" or not _CODE_LINE.match(_line(text, match.start())):
            yield Span(match.start(), match.end())


def _line(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]
