"""Parts of pages that stand by themselves: sideways text, notes in the margin, text typed on the page.

What hangs out of the text and belongs to its line is no note: numbers, bullets, terms that are explained, speakers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from colde.ingest.pdf.columns.columns import gutters
from colde.ingest.pdf.columns.reading_order import in_reading_order
from colde.ingest.pdf.lines.text_lines import Line, line_size
from colde.ingest.pdf.lines.text_rows import Row, text_rows, word_runs
from colde.ingest.pdf.words.page import Page, Word
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning, Role
from colde.text.runs import runs

_MIN_WORDS_IN_ROW = 8  # of a single sideways row of text
_MIN_WORDS_A_ROW = 4  # on average, of two rows or more; labels of figures have fewer
_MIN_WARNED_WORDS = 3  # of a row that is left out
_EDGE_SHARE = 0.08  # of the page: a single row this near to its edge is a running head or a stamp
_PARAGRAPH_GAP = 1.9  # font sizes from line to line beyond which another paragraph begins
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
class PagePart:
    """A paragraph of a part: its lines, and the page and the height on it where the part belongs."""

    page: int
    beside: float
    lines: list[Line]
    role: Role | None = None


def parts_of_pages(pages: Sequence[Page]) -> tuple[list[PagePart], list[ReadWarning]]:
    """The parts of all pages in reading order, and a warning about sideways text that is left out.

    Each part gets a `Page.key` of its own, after those of the pages.
    """
    parts: list[PagePart] = []
    left_out: list[int] = []
    key = len(pages)
    for page in pages:
        for part in sorted(page.parts, key=lambda p: p.beside):
            rows = text_rows(part)
            if part.quarter_turns != page.quarter_turns and not part.is_typed:
                kept = _blocks_of_text(part, rows)
                if any(_is_label(row, part) for row in rows if row not in kept):
                    left_out.append(page.number)
                rows = kept
            key += 1
            part.key = key
            if rows:
                lines = in_reading_order(part, rows, gutters(part, rows))
                parts.extend(PagePart(page.number, part.beside, p) for p in runs(lines, _is_in_paragraph))
    numbers = sorted(set(left_out))
    if not numbers:
        return parts, []
    text = f"short sideways text, such as labels of figures, was left out on {pages_phrase(numbers)}"
    return parts, [page_warning(numbers, text)]


def _blocks_of_text(part: Page, rows: Sequence[Row]) -> list[Row]:
    """The sideways rows that are text: several with several words each, or a long one within the page."""
    kept: list[Row] = []
    for group in runs(rows, lambda a, b: b.base - a.base <= _PARAGRAPH_GAP * 1.5 * b.size):
        while group and _is_apart_at_edge(group[0], group[1:2], part):
            del group[0]
        while group and _is_apart_at_edge(group[-1], group[-2:-1], part):
            del group[-1]
        words = sum(len(r.words) for r in group)
        if words >= (_MIN_WORDS_A_ROW * len(group) if len(group) > 1 else _MIN_WORDS_IN_ROW):
            kept.extend(group)
    return kept


def _is_apart_at_edge(row: Row, next_row: Sequence[Row], part: Page) -> bool:
    """Whether a row at the edge of the page is set apart from the row further in, as running heads and stamps are."""
    return _is_at_edge(row, part) and all(
        abs(row.base - r.base) > _PARAGRAPH_GAP * row.size for r in next_row
    )


def _is_at_edge(row: Row, part: Page) -> bool:
    return not _EDGE_SHARE * part.height < row.base < (1.0 - _EDGE_SHARE) * part.height


def _is_label(row: Row, part: Page) -> bool:
    """Whether a row that is left out is worth a warning; a running head or a stamp at the edge is not."""
    return len(row.words) >= _MIN_WARNED_WORDS and not _is_at_edge(row, part)


def _is_in_paragraph(above: Line, line: Line) -> bool:
    return line.same_column(above) and line.gap <= _PARAGRAPH_GAP * line.size


def parts_after_lines(parts: Sequence[PagePart], lines: Sequence[Line]) -> dict[int, list[PagePart]]:
    """For the index of a line, the parts that are written after the paragraph that holds it."""
    after: dict[int, list[PagePart]] = {}
    for part in parts:
        index = 0
        for i, line in enumerate(lines):
            if line.page > part.page or (line.page == part.page and line.base > part.beside + line.size):
                break
            index = i
        after.setdefault(index, []).append(part)
    return after


@dataclass(slots=True)
class _Block:
    left: float
    right: float
    size: float

    def is_beside(self, word: Word) -> bool:
        gap = _MIN_GAP * self.size
        return word.x1 <= self.left - gap or word.x0 >= self.right + gap


def take_out_side_notes(page: Page, rows: Sequence[Row]) -> list[Row]:
    """The rows of a page without its side notes, which become parts of the page."""
    block = _text_block(rows)
    if block is None:
        return list(rows)
    for is_left in (True, False):
        rows_of_side = [(r, _beside(r, block, is_left)) for r in rows]
        noted = [(r, words) for r, words in rows_of_side if words]
        if not noted or len(noted) > _MAX_ROWS_WITH_NOTES * len(rows):
            continue
        if not _is_margin([w for _, words in noted for w in words], rows, block, is_left):
            continue
        for note in runs(noted, _is_same_note):
            if _is_note(note, block, is_left):
                _take_out(page, note)
    return [r for r in rows if r.words]


def _text_block(rows: Sequence[Row]) -> _Block | None:
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


def _is_same_note(above: tuple[Row, list[Word]], row: tuple[Row, list[Word]]) -> bool:
    word = row[1][0]
    return word.base - above[1][0].base <= _NOTE_LEADING * word.size


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
