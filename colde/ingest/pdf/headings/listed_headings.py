"""Headings that the document itself names: in a table of contents, or in the bookmarks of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from colde.ingest.pdf.headings.table_of_contents import may_begin_title, title_beginning, title_keys
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.words.page import Page
from colde.text.document import Role

_MAX_LINES = 4  # of a heading
_MAX_WORDS = 14  # of one of its lines
_MAX_GAP = 3.0  # line heights between its lines: a number and a title below it stand apart
_APART = 1.15  # the distance from the line above, over the usual one


def listed_headings(
    lines: Sequence[Line],
    body: BodyStyle,
    roles: Sequence[Role | None],
    titles: frozenset[str],
    pages: Mapping[int, Page],
) -> Mapping[int, int]:
    """Where lines stand that are titles: the index of the first, and that behind the last.

    Args:
        titles: keys of those that tables of contents list.
        pages: by their keys; their bookmarks are titles, too.
    """
    bookmarks = {
        key: frozenset(k for title in page.bookmarks for k in title_keys(title))
        for key, page in pages.items()
        if page.bookmarks
    }
    if not titles and not bookmarks:
        return {}
    beginnings = {title_beginning(title) for title in titles.union(*bookmarks.values())}
    listed: dict[int, int] = {}
    i = 0
    while i < len(lines):
        end = i
        if roles[i] is None and _may_begin(lines, i, body) and may_begin_title(lines[i].text, beginnings):
            end = _end_of_title(lines, body, roles, i, titles | bookmarks.get(lines[i].page, frozenset()))
        if end > i:
            listed[i] = end
        i = max(end, i + 1)
    return listed


def _may_begin(lines: Sequence[Line], i: int, body: BodyStyle) -> bool:
    """Whether a line is short, begins like a title, and is set apart from the text above."""
    line = lines[i]
    apart = i == 0 or not line.same_column(lines[i - 1]) or line.gap > _APART * body.leading
    return apart and len(line.words) <= _MAX_WORDS and not line.text[:1].islower()


def _end_of_title(
    lines: Sequence[Line], body: BodyStyle, roles: Sequence[Role | None], begin: int, titles: Set[str]
) -> int:
    """Index behind the last line of the longest title that begins with a line; that of the line where none does."""
    end, text = begin, ""
    for i in range(begin, min(begin + _MAX_LINES, len(lines))):
        line = lines[i]
        if i > begin and (
            roles[i] is not None
            or not line.same_column(lines[i - 1])
            or line.gap > _MAX_GAP * body.leading
            or len(line.words) > _MAX_WORDS
        ):
            break
        text = f"{text} {line.text}"
        if not titles.isdisjoint(title_keys(text.strip())):
            end = i + 1
    return end
