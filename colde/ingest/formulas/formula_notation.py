"""The parts of a formula on one line: fractions, roots, powers, indices, matrices. Readers of all formats share them.

Each function makes a `Term`; `join_terms` puts terms behind each other, with a space where two would be read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SINGLE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]\w*|[^\w\s]")
_PRODUCT = re.compile(r"\d*(?:[.,]\d+)*\w*")
_EXPONENT = re.compile(r"[-+−]?(?:\d+(?:[.,]\d+)*|[^\W\d_])")
_LETTER_OR_NUMBER = re.compile(r"\d+|[^\W\d_]")
_ONE_BASE = re.compile(r"[\w.,′∑∏∫⋃⋂)\]}|!]*(?:_\([^()]*\))?")
_MARK_ABOVE = re.compile(r"[′″‴'*∗†‡⋆°]+")
_RAISED_CIRCLE = ("∘", "o", "○")  # written for a degree behind a figure
_CHARGE = re.compile(r"\d*[-+−]")
_ENDINGS_OF_ORDINALS = ("st", "nd", "rd", "th")
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a formula on one line.

    Attributes:
        space_before: whether a letter or figure right before it would be read as a part of it.
        space_after: the same for one right behind it.
    """

    text: str
    space_before: bool = False
    space_after: bool = False


def join_terms(terms: Iterable[Term]) -> Term:
    """Terms behind each other: `2x`, but `sin x`, and `2 1/2` for two and a half."""
    present = [term for term in terms if term.text]
    if len(present) < 2:
        return present[0] if present else Term("")
    parts = [present[0].text]
    for before, term in pairwise(present):
        if _needs_space(before, term):
            parts.append(" ")
        parts.append(term.text)
    return Term("".join(parts), present[0].space_before, present[-1].space_after)


def _needs_space(before: Term, term: Term) -> bool:
    last, first = before.text[-1], term.text[0]
    if not (last.isalnum() and (first.isalnum() or first in "√∛∜")):
        return False
    if before.space_after or term.space_before:
        return True
    return len(before.text) + len(term.text) > 2 and before.text.isalpha() and term.text.isalpha()


def fraction(numerator: str, denominator: str) -> Term:
    """A fraction: `1/20`, `(a+b)/c`."""
    above, below = numerator.strip(), denominator.strip()
    return Term(f"{_bracketed(above, _PRODUCT)}/{_bracketed(below, _SINGLE)}", True, True)


def root(radicand: str, degree: str = "") -> Term:
    """A root: `√2`, `∛x`, `√(a+b)`; other degrees stand before it, `n√x`."""
    sign = _ROOTS.get(degree.strip())
    text = f"{sign or degree.strip() + '√'}{_bracketed(radicand.strip(), _SINGLE)}"
    return Term(text, sign is None, True)


def power(base: str, exponent: str) -> Term:
    """A power: `10^6`, `x^(n+1)`. Primes, stars, charges and the sign of degrees are no exponents.

    Without a base the exponent belongs to the text before the formula, `^6`; see `raised_figures.formula_behind`.
    """
    base, exponent = base.strip(), exponent.strip()
    behind_figure = base[-1:].isdigit()
    if exponent in _RAISED_CIRCLE and behind_figure:
        return Term(f"{base}°")
    if not exponent or _MARK_ABOVE.fullmatch(exponent):
        return Term(base + exponent)
    if (behind_figure and exponent in _ENDINGS_OF_ORDINALS) or (
        base[-1:].isalpha() and _CHARGE.fullmatch(exponent)
    ):
        return Term(base + exponent, False, True)
    written = exponent.replace("−", "-") if _EXPONENT.fullmatch(exponent) else _bracketed(exponent, _EXPONENT)
    return Term(f"{_base(base)}^{written}", False, bool(base))


def index(base: str, lowered: str) -> Term:
    """An index: `xi`, `H2`, `n_max`, `101_2`."""
    base, lowered = base.strip(), lowered.strip()
    if not lowered or not base:
        return Term(base + lowered)
    behind_letter = base[-1:].isalpha() and len(base) <= 3
    if behind_letter and _LETTER_OR_NUMBER.fullmatch(lowered):
        return Term(base + lowered, False, lowered.isdigit())
    return Term(f"{base}_{_bracketed(lowered, _SINGLE)}", False, True)


def matrix(rows: Iterable[Sequence[str]]) -> Term:
    """The cells of a matrix, or of lines below each other: `1 0; 0 1`."""
    lines = (" ".join(filter(None, (cell.strip() for cell in row))) for row in rows)
    return Term("; ".join(filter(None, lines)), True, True)


def _base(text: str) -> str:
    """The base of a power; what consists of several parts stands in brackets."""
    return text if _is_enclosed(text) or _ONE_BASE.fullmatch(text) else f"({text})"


def _bracketed(text: str, simple: re.Pattern[str]) -> str:
    return text if simple.fullmatch(text) or _is_enclosed(text) else f"({text})"


def _is_enclosed(text: str) -> bool:
    """Whether the first character is a bracket that the last one closes."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and i < len(text) - 1:
            return False
    return depth == 0
