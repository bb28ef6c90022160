"""Notes in the margin: words beside the block of text, taken out of its rows as parts that stand by themselves.

What hangs out of the text and belongs to its line stays there: numbers, bullets, terms that are explained, speakers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from colde.ingest.pdf.page_words import Page, Word
from colde.ingest.pdf.text_lines import line_size
from colde.ingest.pdf.text_rows import Row, word_runs

_MIN_WIDE_ROWS = 6
_MIN_WIDE_SHARE = 0.35  # of the rows of a page that run over most of the block of text
_WIDE = 0.55  # of the longest run of words
_MAX_NOTE_WIDTH = 0.5  # of the width of the block; beyond it the notes are a column
_MIN_GAP = 0.8  # font sizes between the block and its notes
_MAX_CROSSING_SHARE = 0.1  # of the rows: titles and the like may reach into the margin
_MAX_ROWS_WITH_NOTES = 0.7  # of the rows; beyond it the margin is a column of text
_MIN_LETTERS = 6  # of a note
_SAME_SIZE = 0.07
_SAME_BASELINE = 0.12  # font sizes
_NOTE_LEADING = 1.9  # font sizes from line to line of a note


@dataclass(slots=True)
class _Block:
    """The edges of the running text of a page, and its usual font size."""

    left: float
    right: float
    size: float

    def is_beside(self, word: Word) -> bool:
        gap = _MIN_GAP * self.size
        return word.x1 <= self.left - gap or word.x0 >= self.right + gap


def take_out_side_notes(page: Page, rows: Sequence[Row]) -> list[Row]:
    """The rows of a page without its side notes, which become parts of the page."""
    block = _text_block(page, rows)
    if block is None:
        return list(rows)
    for is_left in (True, False):
        rows_of_side = [(r, _beside(r, block, is_left)) for r in rows]
        noted = [(r, words) for r, words in rows_of_side if words]
        if not noted or len(noted) > _MAX_ROWS_WITH_NOTES * len(rows):
            continue
        if not _is_margin([w for _, words in noted for w in words], rows, block, is_left):
            continue
        for note in _notes(noted):
            if _is_note(note, block, is_left):
                _take_out(page, note)
    return [r for r in rows if r.words]


def _text_block(page: Page, rows: Sequence[Row]) -> _Block | None:
    """The block of running text; None on a page of tables, figures or short lines."""
    runs = [run for row in rows for run in word_runs(row)]
    longest = max((b - a for a, b in runs), default=0.0)
    wide = sorted((a, b) for a, b in runs if b - a >= _WIDE * longest)
    if len(wide) < max(_MIN_WIDE_ROWS, _MIN_WIDE_SHARE * len(rows)):
        return None
    rights = sorted(b for _, b in wide)
    tenth = len(wide) // 10
    return _Block(wide[tenth][0], rights[-1 - tenth], median(r.size for r in rows))


def _beside(row: Row, block: _Block, is_left: bool) -> list[Word]:
    middle = (block.left + block.right) / 2
    return [w for w in row.words if block.is_beside(w) and (w.x0 < middle) == is_left]


def _is_margin(words: Sequence[Word], rows: Sequence[Row], block: _Block, is_left: bool) -> bool:
    """Whether words beside the block stand in a margin: narrow, and with white space before the text."""
    left, right = min(w.x0 for w in words), max(w.x1 for w in words)
    if right - left > _MAX_NOTE_WIDTH * (block.right - block.left):
        return False
    edge = block.left - _MIN_GAP * block.size / 2 if is_left else block.right + _MIN_GAP * block.size / 2
    crossing = sum(any(a < edge < b for a, b in word_runs(row)) for row in rows)
    return crossing <= _MAX_CROSSING_SHARE * len(rows)


def _notes(noted: Sequence[tuple[Row, list[Word]]]) -> list[list[tuple[Row, list[Word]]]]:
    """The rows of notes, those of each together."""
    notes: list[list[tuple[Row, list[Word]]]] = []
    for row, words in noted:
        if notes and words[0].base - notes[-1][-1][1][0].base <= _NOTE_LEADING * words[0].size:
            notes[-1].append((row, words))
        else:
            notes.append([(row, words)])
    return notes


def _is_note(note: Sequence[tuple[Row, list[Word]]], block: _Block, is_left: bool) -> bool:
    """Whether words in the margin are a note rather than the label of the line that they stand in."""
    words = [w for _, of_row in note for w in of_row]
    if sum(c.isalpha() for w in words for c in w.text) < _MIN_LETTERS:
        return False
    size = line_size(words)
    if size > (1.0 + _SAME_SIZE) * block.size:
        return False
    if not is_left or len(note) > 1 or size < (1.0 - _SAME_SIZE) * block.size:
        return True
    row, of_row = note[0]
    others = [w for w in row.words if not block.is_beside(w)]
    return not others or abs(others[0].base - of_row[0].base) > _SAME_BASELINE * size


def _take_out(page: Page, note: Sequence[tuple[Row, list[Word]]]) -> None:
    words: list[Word] = []
    for row, of_row in note:
        gone = set(map(id, of_row))
        row.words = [w for w in row.words if id(w) not in gone]
        if row.words:
            row.size = line_size(row.words)
            row.base = median(w.base for w in row.words if w.size == row.size)
        words.extend(of_row)
    part = replace(page, words=words, rules=[], parts=[], beside=words[0].base)
    page.parts.append(part)
