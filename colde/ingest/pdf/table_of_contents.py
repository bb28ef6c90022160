"""Tables of contents: they say what follows, and are left out as in every other format."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.text_lines import Line

_HEADING = re.compile(
    r"(?:table of |list of )?(?:contents|figures|tables)|inhalt(?:sverzeichnis)?|table des matières|sommaire|"
    r"índice|indice",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:[.·…_]\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,6})$")
_PAGE_NUMBER_END = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,6})$")
_MAX_LINES_BETWEEN = 3  # lines without a page number between entries: long entries take several


def contents(lines: Sequence[Line]) -> set[int]:
    """Indices of the lines of tables of contents: entries with leaders, and entries under their heading."""
    entry_lines = {i for i, line in enumerate(lines) if _LEADER.search(line.text)}
    for i, line in enumerate(lines):
        if not _HEADING.fullmatch(line.text.strip().rstrip(":")):
            continue
        last = i
        for j in range(i + 1, len(lines)):
            if j - last > _MAX_LINES_BETWEEN:
                break
            if j in entry_lines or _is_entry(lines[j]):
                last = j
        if last > i + 1:
            entry_lines.update(range(i, last + 1))
    return entry_lines


def _is_entry(line: Line) -> bool:
    """A title and the number of its page at the far right."""
    if not _PAGE_NUMBER_END.search(line.text) or len(line.words) < 2:
        return False
    gap = line.words[-1].x0 - line.words[-2].x1
    return gap > 1.5 * line.size and line.room < 3.0 * line.size
