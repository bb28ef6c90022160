"""Raised figures, letters and signs behind words: marks of notes are taken out, powers keep their figures apart.

A mark behind a word or a full stop is told by what it stands behind. Behind a figure it can be either. There it is a
mark where a note with its number stands on the page, or where it continues the marks before and after it, and a power
elsewhere: "^" keeps 10 and 6 of 10⁶ apart. A raised letter may belong to a word, too (1ᵃ, Nᵒ, 2ⁿ): it is a mark where
a note begins with it, and behind an amount (12.4ᵃ).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from colde.ingest.formulas.raised_figures import lowered_text, raised_text
from colde.ingest.pdf.asides.display_equations import FUNCTIONS, is_equation
from colde.ingest.pdf.lines.text_lines import Line, join_words
from colde.ingest.pdf.words.page import Word
from colde.text.document import Role
from colde.text.word_lists.stop_words import stop_words, words

SIGNS = "*∗†‡§¶⋆‖"
"""Signs that point at notes."""

_NUMBERS = re.compile(r"[\[(]?\d{1,3}[\])]?(?:[,;–-][\[(]?\d{1,3}[\])]?)*")
_SIGNS = re.compile(rf"[{re.escape(SIGNS)}]{{1,3}}")
_LETTERS = re.compile(r"[a-z](?:,[a-z])*")
_LETTERS_OF_NOTES = frozenset("abcdefgh")  # where no note is on the page; others are exponents, too
_ORDINAL_ENDINGS = ("a", "o", "e")
_NUMBER_LABEL = re.compile(r"\[?(\d{1,3})(?!\d)")
_LABEL = re.compile(rf"([{re.escape(SIGNS)}]{{1,3}})|([a-z])[).:]?\s+(?=[^\W_a-z])")
_INNER_SIGNS = re.compile(r"[’'\-–]")
_ENDS_OF_CLAUSES = frozenset('.,;:!?…”"»')
_TIMES = frozenset("×·∙⋅xX*")
_RAISED_SIGNS = frozenset("-−–+")
_UNITS = words("km cm mm dm nm µm ft yd mi sec kg rad")
_UNITS_BEHIND_FIGURES = words("in ha ms metres meters miles feet yards inches")
_AMOUNT = re.compile(r"[$£€¥]|[\d.,]*[.,]\d|\d{3,}|.*%")
_MAX_LOST_MARKS = 3  # marks behind figures between two marks behind words


@dataclass(slots=True)
class _Raised:
    """A raised word, and the word that it stands behind."""

    line: int
    position: int
    page: int
    word: Word
    stem: Word
    before_stem: str  # text of the word before that
    following: Word | None  # the word behind it in the line
    is_in_cell: bool

    @property
    def labels(self) -> list[str]:
        """The numbers, the letters or the sign of notes that the word may point at; empty for something else."""
        return [self.word.text] if _SIGNS.fullmatch(self.word.text) else self.numbers or self.letters

    @property
    def numbers(self) -> list[str]:
        return re.findall(r"\d+", self.word.text) if _NUMBERS.fullmatch(self.word.text) else []

    @property
    def letters(self) -> list[str]:
        return self.word.text.split(",") if _LETTERS.fullmatch(self.word.text) else []

    @property
    def is_behind_figure(self) -> bool:
        return self.stem.text[-1:].isdigit() or self.stem.text[-1:] == "%"


def raised_marks(lines: Sequence[Line]) -> Mapping[int, set[str]]:
    """For each page the numbers, letters and signs that stand raised behind a word on it."""
    marks: dict[int, set[str]] = defaultdict(set)
    for raised in _all_raised(lines):
        marks[raised.page].update(raised.labels)
    return marks


def resolve_raised_words(lines: Sequence[Line], roles: Sequence[Role | None]) -> None:
    """Take the marks of notes out of the lines, and put "^" before powers of figures."""
    for line in lines:
        if _has_small_words(line) and not is_equation(line):
            _set_lowered_apart(line)
            line.text = join_words(line.words)
    candidates = list(_all_raised(lines))
    marks = _note_marks(candidates, _labels_of_notes(lines, roles))
    gone: dict[int, set[int]] = defaultdict(set)
    for raised in candidates:
        if id(raised) in marks:
            gone[raised.line].add(raised.position)
        else:
            _set_apart(raised)
    for i in {raised.line for raised in candidates}:
        lines[i].words = [w for k, w in enumerate(lines[i].words) if k not in gone[i]]
        lines[i].text = join_words(lines[i].words)


def _note_marks(candidates: Sequence[_Raised], notes: Mapping[int, Set[str]]) -> set[int]:
    """Ids of the raised words that point at notes: first those that are certain, then those that a note has left."""
    marks = {id(r) for r in candidates if _is_sure_mark(r)}
    marks |= _in_sequence(candidates, marks)
    pointed_at: dict[int, set[str]] = defaultdict(set)
    for raised in candidates:
        if id(raised) in marks:
            pointed_at[raised.page].update(raised.numbers)
    for may_point in (_may_share_note, _is_behind_other, _is_behind_ten):
        for raised in candidates:
            if (
                id(raised) not in marks
                and not _is_power(raised)
                and may_point(raised)
                and notes.get(raised.page, frozenset()) >= set(raised.labels)
                and (may_point is _may_share_note or pointed_at[raised.page].isdisjoint(raised.labels))
            ):
                marks.add(id(raised))
                pointed_at[raised.page].update(raised.labels)
    return marks


def _may_share_note(raised: _Raised) -> bool:
    """Whether several marks like it may point at one note.

    These stand behind figures of a table, amounts of money, shares and years; letters also behind words and clauses.
    """
    stem = raised.stem.text
    if raised.is_in_cell or _AMOUNT.match(stem):
        return True
    behind_word = stem[-1:] in _ENDS_OF_CLAUSES or (len(stem) >= 3 and stem[-1:].isalpha())
    behind_figure = stem.isdigit() and not _may_be_ordinal(raised)
    return bool(raised.letters) and (behind_word or behind_figure)


def _is_behind_other(raised: _Raised) -> bool:
    return raised.stem.text != "10"


def _is_behind_ten(raised: _Raised) -> bool:
    return raised.stem.text == "10"


def _set_apart(raised: _Raised) -> None:
    """Keep a raised figure apart from the figure before it: the numerator of 5½ by a space, a power by "^"."""
    stem, word, following = raised.stem, raised.word, raised.following
    if (
        stem.text[-1:] in _RAISED_SIGNS and stem.text[-2:-1].isdigit()
    ):  # the sign stands at the height of the text
        stem.text = f"{stem.text[:-1]}^{stem.text[-1]}"
        return
    text = raised_text(word.text, stem.text, following.text if following is not None else "")
    if text.startswith(" "):
        word.joined_to_previous = False
    if following is not None and following.text[0] in "/⁄":
        following.joined_to_previous = True
    word.text = text.strip()


def _set_lowered_apart(line: Line) -> None:
    """Keep a lowered figure apart from the figure before it: 101 in base 2."""
    for before, word in pairwise(line.words):
        if word.joined_to_previous and word.is_lowered_behind(before):
            word.text = lowered_text(word.text, before.text)


def _all_raised(lines: Sequence[Line]) -> Iterator[_Raised]:
    for i, line in enumerate(lines):
        if _has_small_words(line) and not is_equation(line):
            yield from _raised_in_line(i, line, lines[i - 1].words[-1].text if i else "")


def _has_small_words(line: Line) -> bool:
    return min([w.size for w in line.words]) < line.size


def _raised_in_line(i: int, line: Line, before_stem: str) -> Iterator[_Raised]:
    """The raised words of a line, given the last word of the line above."""
    stem = line.words[0]
    for k, word in enumerate(line.words[1:], 1):
        if word.joined_to_previous and word.is_raised_behind(stem):
            following = line.words[k + 1] if k + 1 < len(line.words) else None
            yield _Raised(i, k, line.page, word, stem, before_stem, following, bool(line.gaps()))
        else:
            before_stem, stem = stem.text, word


def _labels_of_notes(lines: Sequence[Line], roles: Sequence[Role | None]) -> Mapping[int, set[str]]:
    """For each page the numbers, letters and signs with which its notes begin, below tables, too."""
    labels: dict[int, set[str]] = defaultdict(set)
    for line, role in zip(lines, roles, strict=True):
        label, *rest = line.words
        if rest and label.is_raised_behind(rest[0]):
            labels[line.page].add(label.text.strip("[]().: "))
        elif m := _LABEL.match(line.text) or (role == "footnote" and _NUMBER_LABEL.match(line.text)):
            labels[line.page].add(m[m.lastindex or 0])
    return labels


def _is_sure_mark(raised: _Raised) -> bool:
    """Whether a raised number or sign stands behind a full stop or the like, or behind a word that has no powers."""
    if raised.letters:
        return _is_letter_behind_amount(raised)
    if not raised.labels:
        return False
    text = raised.stem.text
    if text[-1:] in _ENDS_OF_CLAUSES:
        return True
    word = _INNER_SIGNS.sub("", text.strip("()[]{}“”‘’«»\"'"))
    if not word.isalpha() or word.lower() in FUNCTIONS or _is_power(raised):
        return False
    return len(word) >= 3 or (
        len(word) == 2 and not raised.stem.font.italic and word.lower() in stop_words("en")
    )


def _is_letter_behind_amount(raised: _Raised) -> bool:
    """Whether a letter that is no exponent stands behind an amount."""
    amount = _AMOUNT.match(raised.stem.text) is not None
    return amount and not _may_be_ordinal(raised) and _LETTERS_OF_NOTES.issuperset(raised.letters)


def _may_be_ordinal(raised: _Raised) -> bool:
    return raised.stem.text.isdigit() and raised.word.text in _ORDINAL_ENDINGS


def _is_power(raised: _Raised) -> bool:
    """Whether a raised word can only be a power: of a factor, of a unit, or with a sign before it."""
    stem, before = raised.stem.text, raised.before_stem
    if not raised.labels or stem[-1:] in _RAISED_SIGNS:
        return True
    if stem[-1:].isdigit():
        return raised.word.text not in SIGNS and before[-1:] in _TIMES and bool(before)
    return (
        len(stem.strip("()")) == 1
        or stem in _UNITS
        or (stem in _UNITS_BEHIND_FIGURES and before[-1:].isdigit())
    )


def _in_sequence(candidates: Sequence[_Raised], sure: set[int]) -> set[int]:
    """Ids of the raised numbers that continue the marks before them, where the marks behind them go on from there."""
    following: list[int] = [0] * len(candidates)  # number of the next sure mark; 0 where there is none
    number = 0
    for i in range(len(candidates) - 1, -1, -1):
        following[i] = number
        if id(candidates[i]) in sure and candidates[i].numbers:
            number = int(candidates[i].numbers[0])
    continuing: set[int] = set()
    last = 0
    for i, raised in enumerate(candidates):
        if not raised.numbers:
            continue
        first = int(raised.numbers[0])
        if id(raised) in sure:
            last = int(raised.numbers[-1])
        elif (
            raised.is_behind_figure
            and not _is_power(raised)
            and _is_behind_other(raised)
            and (first == last + 1 or first == 1)
            and (
                first < following[i] <= first + _MAX_LOST_MARKS
                or (not following[i] and _AMOUNT.match(raised.stem.text))
            )
        ):
            continuing.add(id(raised))
            last = int(raised.numbers[-1])
    return continuing
