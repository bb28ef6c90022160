"""Page furniture: running heads and feet, and page numbers, in the outer bands of pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.furniture.running_heads import RepeatedLines, UsualStyle, usual_style
from colde.ingest.pdf.lines.text_lines import join_words
from colde.ingest.pdf.lines.text_rows import Row
from colde.ingest.pdf.words.page import Page

_BAND_SHARE = 0.14  # of the page's height, at the top and at the bottom
_SLIDE_TITLE_SHARE = 0.25  # of the height of a page that is wider than high, at the top
_APART_DISTANCE = 1.35  # distance of baselines, in font sizes, from which a row is apart from the next
_MAX_ROWS = 5  # rows looked at from each edge
_PAGE_NUMBER = re.compile(
    r"[\[(\-–—|·•~\s]*(?:page|p\.|seite|s\.|slide|folio)?\s*"
    r"(?:[A-Z]{0,2}[-‐–.]?\d{1,4}(?:[-–.]\d{1,3})?|[ivxlc]{1,6}|[IVXLC]{1,6})"
    r"(?:\s*(?:/|of|von|de|out of)\s*\d{1,4})?[\])\-–—|·•~.\s]*",
    re.IGNORECASE,
)
_IMPRINT = re.compile(
    r"©|\bc?\s*\(?c\)?\s*(?:19|20)\d\d\b|c⃝|copyright|all rights reserved|(?<!(?-i:In ))proceedings of|\bISBN\b|"
    r"\bISSN\b|permission to (?:make|copy)|"
    r"\bdoi\b|https?://doi|licen[cs]ed under|published by|submitted to|preprint",
    re.IGNORECASE,
)


def find_furniture(pages: Sequence[Page], rows: Sequence[Sequence[Row]]) -> list[set[int]]:
    """For each page the indices of its rows that are furniture.

    Rows are looked at from each edge of the page inwards. Furniture are page numbers, running heads and feet, and a
    row that stands further out than these; on a page without them (a first page), also an imprint: a small,
    separate line at the foot with a copyright note or the name of the volume. So is a title that the page before has.
    """
    furniture: list[set[int]] = [set() for _ in pages]
    style = usual_style(rows)
    for at_top in (True, False):
        bands = [_band(p, r, at_top) for p, r in zip(pages, rows, strict=True)]
        lines = RepeatedLines(bands, rows, style)
        repeated = lines.running_heads()
        for page, depth in lines.repeated_titles() if at_top else ():
            furniture[page].add(bands[page][depth][0])
        for number, band in enumerate(bands):
            heads = {depth for depth in range(len(band)) if (number, depth) in repeated}
            last = _innermost(band, heads, rows[number], style, at_top=at_top)
            if not at_top:
                last = max(last, _imprint(rows[number], band, last))
            furniture[number].update(index for index, _ in band[: last + 1])
    return furniture


def _innermost(
    band: Sequence[tuple[int, Row]], heads: set[int], rows: Sequence[Row], style: UsualStyle, *, at_top: bool
) -> int:
    """Depth of the innermost row of a band that is furniture; -1 where there is none. `heads` are depths, too."""
    last = -1
    apart = _last_separate_depth(band)
    for depth, (index, row) in enumerate(band):
        outer = [r for _, r in band[last + 1 : depth]]
        may_be_text = len(outer) > 1 or any(map(style.is_heading, outer))
        if may_be_text and not _IMPRINT.search(" ".join(join_words(r.words) for r in outer)):
            break
        if (depth in heads and depth <= apart) or _page_number(row, _next_row_inwards(rows, index, at_top)):
            last = depth
    return last


def _band(page: Page, rows: Sequence[Row], at_top: bool) -> list[tuple[int, Row]]:
    if at_top:
        share = _SLIDE_TITLE_SHARE if page.width > page.height else _BAND_SHARE
        near = [(i, r) for i, r in enumerate(rows) if r.base <= share * page.height]
    else:
        near = [(i, r) for i, r in enumerate(rows) if r.base >= (1.0 - _BAND_SHARE) * page.height][::-1]
    return near[:_MAX_ROWS]


def _last_separate_depth(band: Sequence[tuple[int, Row]]) -> int:
    """Depth of the innermost row that is set apart from the text further in; text itself is not."""
    for depth in range(len(band) - 1, -1, -1):
        row = band[depth][1]
        inner = band[depth + 1][1] if depth + 1 < len(band) else None
        if inner is not None and abs(inner.base - row.base) > _APART_DISTANCE * max(row.size, inner.size):
            return depth
    return len(band) - 1 if len(band) <= 2 else -1


def _next_row_inwards(rows: Sequence[Row], index: int, at_top: bool) -> Row | None:
    """The row next further in, in the band or not; None where the page has no other."""
    at = index + (1 if at_top else -1)
    return rows[at] if 0 <= at < len(rows) else None


def _page_number(row: Row, inner: Row | None) -> bool:
    """A number alone in its row, apart from the text."""
    text = join_words(row.words)
    if (
        len(text) > 24
        or not _PAGE_NUMBER.fullmatch(text)
        or not any(c.isdigit() or c in "ivxlcIVXLC" for c in text)
    ):
        return False
    return inner is None or abs(inner.base - row.base) >= 1.3 * row.size


def _imprint(rows: Sequence[Row], band: Sequence[tuple[int, Row]], last: int) -> int:
    """Depth of the innermost row of a copyright note at the foot, set apart from the text above it; else −1.

    A note that reaches the inner edge of the band is one only where the row above, outside of it, is apart.
    """
    for depth in range(last + 1, len(band)):
        index, row = band[depth]
        inner = _next_row_inwards(rows, index, at_top=False)
        if inner is None or row.base - inner.base > 1.7 * row.size:
            text = " ".join(join_words(r.words) for _, r in band[last + 1 : depth + 1])
            return depth if _IMPRINT.search(text) and len(text) < 400 else -1
    return -1
