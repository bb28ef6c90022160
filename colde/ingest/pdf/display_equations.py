"""Display equations of a PDF: lines of mathematics that stand apart from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.outline import words
from colde.ingest.pdf.text_lines import Line
from colde.text.document import Role

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
    characters = sum(map(len, tokens))
    if not characters or line.text[:1] in "•–-◦":
        return False
    names = [w for w in _WORD.findall(line.text) if w.lower() not in _FUNCTIONS]
    word_share = sum(map(len, names)) / characters
    symbols = sum(c in _SYMBOLS for c in line.text)
    numbered = bool(_NUMBER.search(line.text)) and line.room < 2.0 * line.size
    if numbered and word_share < 0.5 and symbols:
        return True
    if not numbered and line.indent <= 0.8 * line.size:
        return False
    if word_share < 0.34 and symbols:
        return True
    return word_share < 0.15 and len(tokens) <= 8 and characters <= 12 and not _has_digit(line.text)


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)
