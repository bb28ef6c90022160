"""Footnotes of a PDF: small lines at the foot of a column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from colde.ingest.pdf.body_style import BodyStyle
from colde.ingest.pdf.page_words import Page
from colde.ingest.pdf.text_lines import Line
from colde.text.document import Role

_FOOTNOTE_MARK = re.compile(r"(?:\[?\d{1,3}[\].)]?|[*∗†‡§¶⋆‖]{1,3}|[a-z]\))(?:\s|(?=[A-Z“\"(h]))")


def mark_footnotes(
    lines: Sequence[Line],
    body: BodyStyle,
    pages: Mapping[int, Page],
    roles: list[Role | None],
    references: int,
) -> None:
    """Mark small lines at the foot of a column that start with a mark or stand below a rule.

    Args:
        references: index of the heading of the reference list; small print behind it is no footnote unless ruled off.
    """
    end = len(lines)
    for begin in range(len(lines) - 1, -1, -1):
        if begin == 0 or not lines[begin].same_column(lines[begin - 1]):
            start = _footnotes_start(lines, begin, end, body, pages[lines[begin].page], roles, references)
            roles[start:end] = ["footnote"] * (end - start)
            end = begin


def _footnotes_start(
    lines: Sequence[Line],
    begin: int,
    end: int,
    body: BodyStyle,
    page: Page,
    roles: Sequence[Role | None],
    references: int,
) -> int:
    """Where the footnotes of the column [begin, end) start; `end` where it has none."""
    start = end
    while start > begin and roles[start - 1] is None and lines[start - 1].size <= 0.94 * body.size:
        start -= 1
    for i in range(start, end):
        line = lines[i]
        apart = i == begin or line.gap > 1.25 * line.size
        marked = bool(_FOOTNOTE_MARK.match(line.text)) or line.words[0].size < 0.85 * line.size
        low = line.base > 0.35 * page.height
        if low and apart and (_has_rule_above(line, page) or (marked and i < references)):
            return i
    return end


def _has_rule_above(line: Line, page: Page) -> bool:
    """Whether a short rule stands above a line, as above the first footnote."""
    width = max(line.column_width, 1.0)
    return any(
        0.0 < line.base - r.y < 2.6 * line.size
        and abs(r.x0 - line.left) < 3.0 * line.size
        and r.x1 - r.x0 < 0.75 * width
        for r in page.rules
    )
