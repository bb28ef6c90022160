"""The title of a PDF: the largest text near the top of its first page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.headings.heading_rules import letter_count
from colde.ingest.pdf.headings.known_headings import is_known_heading, strip_number
from colde.ingest.pdf.headings.section_numbers import possible_numbers
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.words.page import Page

_ADDRESS = re.compile(r"[\w})\]]@[\w({\[]")  # of an author: no line of a title, however large it is set


def find_title(lines: Sequence[Line], body: BodyStyle, page: Page) -> tuple[int, int]:
    """Lines [begin, end) of the title; (0, 0) where nothing on the first page is larger than the text."""
    first = [i for i, line in enumerate(lines) if line.page == lines[0].page]
    best = _largest_near_top(lines, first, page)
    if best is None or lines[best].size < 1.12 * body.size or _is_heading(lines, best):
        return 0, 0
    begin, end = best, best + 1
    while begin > 0 and _continues_title(lines[begin - 1], lines[begin], lines[best]):
        begin -= 1
    while end <= first[-1] and _continues_title(lines[end], lines[end], lines[best]):
        end += 1
    return begin, end


def _largest_near_top(lines: Sequence[Line], first: Sequence[int], page: Page) -> int | None:
    """The first of the largest lines of the first page; of a long page only the upper half counts."""
    near_top = [i for i in first if lines[i].base < 0.5 * page.height] if len(first) > 12 else first
    named = [i for i in near_top if letter_count(lines[i].text) >= 4 and not _ADDRESS.search(lines[i].text)]
    return max(named, key=lambda i: (round(lines[i].size, 1), -i), default=None)


def _continues_title(line: Line, lower: Line, title: Line) -> bool:
    """Whether a line belongs to a title; `lower` is the lower one of it and its neighbour in the title."""
    return (
        not _ADDRESS.search(line.text)
        and line.similar_size(title.size, 0.12)
        and line.font.bold == title.font.bold
        and 0 < lower.gap <= 2.0 * title.size
    )


def _is_heading(lines: Sequence[Line], i: int) -> bool:
    """Whether the largest line of the first page is the first of several headings: the file has no title."""
    line = lines[i]
    numbered = any(n.kind == "1" for n in possible_numbers(line.text))
    if not numbered and not is_known_heading(strip_number(line.text)):
        return False
    return any(n.similar_size(line.size, 0.02) and n.font == line.font for n in lines[i + 2 :])
