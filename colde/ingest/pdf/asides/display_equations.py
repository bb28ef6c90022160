"""Display equations of a PDF: lines of mathematics that stand apart from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.text.document import Role
from colde.text.word_lists.stop_words import words

_SYMBOLS = frozenset("=+−×÷∑∏∫√∞≤≥≠≈∈∉⊂⊆∪∩∀∃∂∇→←⇒⇔∧∨¬·∗|<>^~αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ{}")
_NUMBER = re.compile(r"\(\s?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)$")
_INDEX_SIZE = (
    0.75  # of a letter that stands above or below others, over the size of the text; small print is larger
)
_WORD_SHARE = 0.34  # of the characters of a formula in words, at most
_NUMBERED_WORD_SHARE = 0.5  # the same of one that ends with its number
_WORD = re.compile(r"[^\W\d_]{3,}")
FUNCTIONS = words("log exp max min arg argmax argmin sin cos tan lim sup inf det dim mod")
"""Names of functions, which are part of formulas."""


def mark_equations(lines: Sequence[Line], body: BodyStyle, roles: list[Role | None]) -> None:
    """Mark lines that are mathematics rather than words, and stand apart from the text's left edge.

    Letters without a sign between them, such as "or" and "N/A", are text, unless they stand beside a formula or are
    set like symbols.
    """
    for i, line in enumerate(lines):
        if roles[i] is None and is_equation(line):
            roles[i] = "equation"
    for i, line in enumerate(lines):
        if (
            roles[i] is None
            and _is_fragment(line)
            and (_are_symbols(line, body) or _is_beside_equation(lines, roles, i))
        ):
            roles[i] = "equation"


def is_equation(line: Line) -> bool:
    """Whether a line is mathematics: signs, and few words."""
    tokens = line.text.split()
    if not tokens or line.text[:1] in "•–-◦" or not any(c in _SYMBOLS for c in line.text):
        return False
    numbered = bool(_NUMBER.search(line.text)) and line.room < 2.0 * line.size
    if not numbered and line.indent <= 0.8 * line.size:
        return False
    return _word_share(tokens, line.text) < (_NUMBERED_WORD_SHARE if numbered else _WORD_SHARE)


def _is_fragment(line: Line) -> bool:
    """Whether an indented line is a few letters or signs, without a word or a figure."""
    tokens = line.text.split()
    if not tokens or line.indent <= 0.8 * line.size or line.text[:1] in "•–-◦":
        return False
    short = len(tokens) <= 8 and sum(map(len, tokens)) <= 12
    return short and not any(map(str.isdigit, line.text)) and _word_share(tokens, line.text) < 0.15


def _are_symbols(line: Line, body: BodyStyle) -> bool:
    """Whether letters are set like symbols of a formula: small like an index, or single ones in another font."""
    if not any(map(str.isalpha, line.text)) or line.size < _INDEX_SIZE * body.size:
        return True
    other_font = line.font.italic or line.font.family != body.family
    return other_font and all(sum(map(str.isalpha, token)) <= 1 for token in line.text.split())


def _is_beside_equation(lines: Sequence[Line], roles: Sequence[Role | None], i: int) -> bool:
    return any(
        0 <= k < len(lines) and roles[k] == "equation" and lines[k].same_column(lines[i])
        for k in (i - 1, i + 1)
    )


def _word_share(tokens: Sequence[str], text: str) -> float:
    """Share of the characters of a line in words."""
    return sum(map(len, _words(text))) / sum(map(len, tokens))


def _words(text: str) -> list[str]:
    """Words of three letters and more that are no names of functions."""
    return [w for w in _WORD.findall(text) if w.lower() not in FUNCTIONS]
