"""Parts of pages that stand by themselves: sideways text, side notes, text typed on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from colde.ingest.page_warnings import page_warning, pages_phrase
from colde.ingest.pdf.columns import gutters
from colde.ingest.pdf.page_words import Page
from colde.ingest.pdf.reading_order import in_reading_order
from colde.ingest.pdf.text_lines import Line
from colde.ingest.pdf.text_rows import Row, text_rows
from colde.text.document import ReadWarning, Role

_MIN_WORDS_IN_ROW = 8  # of a single sideways row of text
_MIN_WORDS_A_ROW = 4  # on average, of two rows or more; labels of figures have fewer
_MIN_WARNED_WORDS = 3  # of a row that is left out
_EDGE_SHARE = 0.08  # of the page: a single row this near to its edge is a running head or a stamp
_PARAGRAPH_GAP = 1.9  # font sizes from line to line beyond which another paragraph begins


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
                parts.extend(PagePart(page.number, part.beside, p) for p in _paragraphs(lines))
    numbers = sorted(set(left_out))
    if not numbers:
        return parts, []
    text = f"short sideways text, such as labels of figures, was left out on {pages_phrase(numbers)}"
    return parts, [page_warning(numbers, text)]


def _blocks_of_text(part: Page, rows: Sequence[Row]) -> list[Row]:
    """The sideways rows that are text: several with several words each, or a long one within the page."""
    kept: list[Row] = []
    for group in _groups(rows):
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


def _groups(rows: Sequence[Row]) -> Iterator[list[Row]]:
    group: list[Row] = []
    for row in rows:
        if group and row.base - group[-1].base > _PARAGRAPH_GAP * 1.5 * row.size:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _is_label(row: Row, part: Page) -> bool:
    """Whether a row that is left out is worth a warning; a running head or a stamp at the edge is not."""
    return len(row.words) >= _MIN_WARNED_WORDS and not _is_at_edge(row, part)


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in lines:
        if paragraph and (not line.same_column(paragraph[-1]) or line.gap > _PARAGRAPH_GAP * line.size):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


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
