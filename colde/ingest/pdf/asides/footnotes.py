"""Footnotes of a PDF: small lines at the foot of a column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from colde.ingest.pdf.asides.raised_marks import SIGNS, raised_marks
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.words.page import Page
from colde.text.document import Role

_MAX_SIZE = 0.94  # of a footnote, over that of the text
_TOP_SHARE = 0.35  # of the height of a page, where no footnote stands
_FOOTNOTE_MARK = re.compile(
    r"(?:\[?\d{1,3}[\].)]?|[*∗†‡§¶⋆‖]{1,3}|[a-z]\))(?:\s|(?=[A-Z“\"(h]))|[a-z]\s(?=[^\W_a-z])"
)


def mark_footnotes(
    lines: Sequence[Line],
    body: BodyStyle,
    pages: Mapping[int, Page],
    roles: list[Role | None],
    references: int,
) -> None:
    """Mark small lines at the foot of a column that stand below a rule, or whose mark stands in the text above.

    Args:
        references: index of the heading of the reference list; small print behind it is no footnote unless ruled off.
    """
    marks = raised_marks(lines)
    end = len(lines)
    for begin in range(len(lines) - 1, -1, -1):
        if begin == 0 or not lines[begin].same_column(lines[begin - 1]):
            column = _Column(lines, begin, end, body, pages[lines[begin].page], marks[lines[begin].page])
            start = column.footnotes_start(roles, references)
            roles[start:end] = ["footnote"] * (end - start)
            end = begin


@dataclass(frozen=True, slots=True)
class _Column:
    """The lines [begin, end) of a column of text.

    Attributes:
        marks: numbers and signs that stand raised behind words of its page.
    """

    lines: Sequence[Line]
    begin: int
    end: int
    body: BodyStyle
    page: Page
    marks: Set[str]

    def footnotes_start(self, roles: Sequence[Role | None], references: int) -> int:
        """Where its footnotes start; its end where it has none."""
        start = self.end
        while (
            start > self.begin
            and roles[start - 1] is None
            and self.lines[start - 1].size <= _MAX_SIZE * self.body.size
        ):
            start -= 1
        for i in range(start, self.end):
            line = self.lines[i]
            apart = i == self.begin or line.gap > 1.25 * line.size
            low = line.base > _TOP_SHARE * self.page.height
            if (
                low
                and apart
                and (_has_rule_above(line, self.page) or (i < references and self._is_marked(i)))
            ):
                return i
        return self.end

    def _is_marked(self, i: int) -> bool:
        """Whether a line begins with a mark that stands in the text above: raised, or a sign in the size of the text.

        A number in the size of the line is that of an item of a list, too, which is as large as the text above it.
        """
        line = self.lines[i]
        mark = _FOOTNOTE_MARK.match(line.text)
        is_raised = line.words[0].size < 0.85 * line.size
        if mark is None:
            return is_raised
        label = mark[0].strip("[]().: ")
        if label[:1] in SIGNS:
            return label in self.marks or self._stands_above(label, i)
        return is_raised or (label in self.marks and self._is_smaller_than_above(i))

    def _stands_above(self, sign: str, i: int) -> bool:
        """Whether a sign stands on the page behind a word of a line before line `i`."""
        page = self.lines[i].page
        k = i - 1
        while k >= 0 and self.lines[k].page == page:
            if sign in self.lines[k].text[1:]:
                return True
            k -= 1
        return False

    def _is_smaller_than_above(self, i: int) -> bool:
        return i == self.begin or self.lines[i].size <= _MAX_SIZE * self.lines[i - 1].size


def _has_rule_above(line: Line, page: Page) -> bool:
    """Whether a short rule stands above a line, as above the first footnote."""
    width = max(line.column_width, 1.0)
    return any(
        0.0 < line.base - r.y < 2.6 * line.size
        and abs(r.x0 - line.left) < 3.0 * line.size
        and r.x1 - r.x0 < 0.75 * width
        for r in page.rules
    )
