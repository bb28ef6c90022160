"""Rows of a page: words on one baseline, with the raised and lowered words that belong to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from colde.ingest.pdf.lines.text_lines import line_size
from colde.ingest.pdf.words.page import MAX_RAISED_SIZE, Page, Word
from colde.ingest.pdf.words.right_to_left import join_pieces
from colde.text.runs import runs

_SAME_ROW_DISTANCE = 0.3  # words share a row where their baselines differ by less than this, in font sizes
_SMALL_WORD_SHARE = 0.8  # words below this share of the usual size are attached to a row of larger ones
_CLOSING_MARKS = frozenset(").,;:!?]}”’")
_PUNCTUATION_GAP = 0.35  # font sizes between a word and the punctuation behind it
_RAISED_GAP = 0.2  # font sizes between a word and a raised one that belongs to it
_RUN_GAP = 0.75  # a gap wider than this, in font sizes, ends a run of words
_FEWEST_LETTERS = 4
_MAX_LETTER_GAP = 1.0  # font sizes between two letters of a word
_WORD_GAP = 1.6  # gap between two words, over the usual one between letters


@dataclass(slots=True)
class Row:
    """Words on one baseline, left to right, over the whole width of a page."""

    words: list[Word]
    base: float
    size: float = 0.0


def text_rows(page: Page) -> list[Row]:
    """Words sharing a baseline, top to bottom; super- and subscripts join the row they touch."""
    if not page.words:
        return []
    usual = line_size(page.words)
    largest = max(w.size for w in page.words if w.size >= usual)
    large: list[Word] = []
    small: list[Word] = []
    before = page.words[0]
    for word in page.words:
        mark = word.size < _SMALL_WORD_SHARE * largest and len(word.text) <= 2 and not word.text.isalpha()
        off_line = word.joined_to_previous and (
            word.is_raised_behind(before) or word.is_lowered_behind(before)
        )
        (small if word.size < _SMALL_WORD_SHARE * usual or mark or off_line else large).append(word)
        before = word
    # Figures as large as the text first, for others may stand raised behind them.
    small.sort(key=lambda w: (w.size < _SMALL_WORD_SHARE * usual, w.base))
    rows = _merge_rows(_attach_small_words(_rows_of_large_words(large, usual), small))
    for row in rows:
        _order_words(row)
        if page.is_bidirectional:
            join_pieces(row.words)
    return sorted(rows, key=lambda r: r.base)


def _order_words(row: Row) -> None:
    """Put the words of a row from left to right, spaced letters as words, and closing marks to the words before."""
    row.words.sort(key=lambda w: w.x0)
    if sum(len(w.text) == 1 for w in row.words) >= 4:
        row.words = _join_spaced_letters(row.words)
    row.size = line_size(row.words)
    row.words[0].joined_to_previous = False
    for before, word in pairwise(row.words):
        gap = word.x0 - before.x1
        if word.text[0] in _CLOSING_MARKS and gap < _PUNCTUATION_GAP * word.size:
            word.joined_to_previous = True  # set apart in the file, not on the page
        elif gap <= _RAISED_GAP * before.size and word.is_raised_behind(before):
            word.joined_to_previous = True  # drawn after the line


def _rows_of_large_words(words: Sequence[Word], usual_size: float) -> list[Row]:
    """Words from top to bottom, those on about the same baseline in one row."""
    rows: list[Row] = []
    for word in sorted(words, key=lambda w: w.base):
        row = rows[-1] if rows else None
        if row is not None and word.base - row.base <= _SAME_ROW_DISTANCE * min(word.size, usual_size):
            row.words.append(word)
            row.base += (word.base - row.base) / len(row.words)
        else:
            rows.append(Row([word], word.base))
    return rows


def _attach_small_words(large: list[Row], small: list[Word]) -> list[Row]:
    """Raised and lowered words stand in the row of the larger word they touch; others in the row on their baseline.

    Small words that no row takes, such as those of notes, make rows of their own in the same way.
    """
    bases = [row.base for row in large]
    rest: list[Word] = []
    for word in small:
        row = _row_of_raised_word(
            word, large[bisect_left(bases, word.base - 40.0) : bisect_left(bases, word.base + 40.0)]
        )
        if row is None:
            at = bisect_left(bases, word.base)
            near = [
                r
                for r in large[max(0, at - 1) : at + 1]
                if abs(r.base - word.base) <= _SAME_ROW_DISTANCE * word.size
            ]
            row = min(near, key=lambda r: abs(r.base - word.base), default=None)
        if row is None:
            rest.append(word)
        else:
            row.words.append(word)
    if not rest:
        return large
    usual = line_size(rest)
    larger = [w for w in rest if w.size >= _SMALL_WORD_SHARE * usual]
    smaller = [w for w in rest if w.size < _SMALL_WORD_SHARE * usual]
    return large + _attach_small_words(_rows_of_large_words(larger, usual), smaller)


def _row_of_raised_word(word: Word, rows: Sequence[Row]) -> Row | None:
    """The row with the nearest larger word beside which this one is raised or lowered."""
    best, nearest = None, float("inf")
    for row in rows:
        for other in row.words:
            if not _may_belong_to(word, other):
                continue
            aside = max(word.x0 - other.x1, other.x0 - word.x1, 0.0)
            away = aside + abs(other.base - word.base)
            if aside <= 0.6 * other.size and away < nearest:
                best, nearest = row, away
    return best


def _may_belong_to(word: Word, other: Word) -> bool:
    """Whether a word is smaller than another one and only a little higher or lower."""
    rise = (other.base - word.base) / other.size
    if word.size <= _SMALL_WORD_SHARE * other.size:
        return -0.45 <= rise <= 0.75
    return word.joined_to_previous and word.size <= MAX_RAISED_SIZE * other.size and -0.6 <= rise <= 0.6


def _merge_rows(rows: list[Row]) -> list[Row]:
    """Rows on the same baseline are one."""
    out: list[Row] = []
    for row in sorted(rows, key=lambda r: r.base):
        if out and row.base - out[-1].base <= 0.15 * row.words[0].size:
            out[-1].words.extend(row.words)
        else:
            out.append(row)
    return out


def word_runs(row: Row, gap: float = _RUN_GAP) -> list[tuple[float, float]]:
    """Stretches of a row without a gap wider than `gap` font sizes."""
    runs: list[tuple[float, float]] = []
    for word in row.words:
        if runs and word.x0 - runs[-1][1] <= gap * word.size:
            runs[-1] = (runs[-1][0], max(runs[-1][1], word.x1))
        else:
            runs.append((word.x0, word.x1))
    return runs


def _join_spaced_letters(words: Sequence[Word]) -> list[Word]:
    """The words of a row, from left to right, with runs of single capitals as the words that they spell."""
    out: list[Word] = []
    for run in runs(words, _is_next_letter):
        out.extend(_spelled(run) if len(run) >= _FEWEST_LETTERS and not _is_alphabet(run) else run)
    return out


def _is_next_letter(before: Word, word: Word) -> bool:
    return (
        _is_capital(before.text)
        and _is_capital(word.text)
        and word.size == before.size
        and word.font == before.font
        and 0.0 < word.x0 - before.x1 <= _MAX_LETTER_GAP * word.size
    )


def _is_capital(text: str) -> bool:
    return len(text) == 1 and text.isupper()


def _is_alphabet(run: Sequence[Word]) -> bool:
    """Whether letters name columns or answers: A, B, C, D."""
    codes = [ord(w.text) for w in run]
    return all(b - a == 1 for a, b in pairwise(codes)) or len(set(codes)) == 1


def _spelled(run: Sequence[Word]) -> list[Word]:
    gaps = [b.x0 - a.x1 for a, b in pairwise(run)]
    usual = median(gaps)
    out = [replace(run[0])]
    for gap, word in zip(gaps, run[1:], strict=True):
        if gap > _WORD_GAP * usual:
            out.append(replace(word))
        else:
            out[-1] = replace(out[-1], text=out[-1].text + word.text, x1=word.x1)
    return out
