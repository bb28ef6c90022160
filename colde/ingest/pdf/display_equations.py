"""Display equations of a PDF: lines of mathematics that stand apart from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.text_lines import Line
from colde.text.document import Role
from colde.text.stop_words import words

_SYMBOLS = frozenset("=+−×÷∑∏∫√∞≤≥≠≈∈∉⊂⊆∪∩∀∃∂∇→←⇒⇔∧∨¬·∗|<>^~αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ{}")
_NUMBER = re.compile(r"\(\s?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_FUNCTIONS = words("log exp max min arg argmax argmin sin cos tan lim sup inf det dim mod")


def mark_equations(lines: Sequence[Line], roles: list[Role | None]) -> None:
    """Mark lines that are mathematics rather than words, and stand apart from the text's left edge."""
    for i, line in enumerate(lines):
        if roles[i] is None and _is_equation(line):
            roles[i] = "equation"


def _is_equation(line: Line) -> bool:
    tokens = line.text.split()
    if not tokens or line.text[:1] in "•–-◦":
        return False
    characters = sum(map(len, tokens))
    word_share = sum(map(len, _words(line.text))) / characters
    symbols = any(c in _SYMBOLS for c in line.text)
    numbered = bool(_NUMBER.search(line.text)) and line.room < 2.0 * line.size
    if numbered and word_share < 0.5 and symbols:
        return True
    if not numbered and line.indent <= 0.8 * line.size:
        return False
    if word_share < 0.34 and symbols:
        return True
    short = len(tokens) <= 8 and characters <= 12
    return word_share < 0.15 and short and not any(map(str.isdigit, line.text))


def _words(text: str) -> list[str]:
    """Words of three letters and more that are no names of functions."""
    return [w for w in _WORD.findall(text) if w.lower() not in _FUNCTIONS]
