"""Rows of tables and the text of drawings in a PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from colde.ingest.pdf.headings.section_numbers import possible_numbers
from colde.ingest.pdf.lines.body_style import BodyStyle, is_row_of_numbers
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.lines.weighted_rules import Rule, add_up
from colde.text.document import Role

_MAX_LABEL_LINES = 2  # lines of a row's name, where the row is set in several
_WORD = re.compile(r"[^\W\d_]{3,}")
_MIN_SCORE = 4.0  # sum over the rows of a table
_MIN_SCORE_BESIDE_CAPTION = 1.0


@dataclass(frozen=True, slots=True)
class RowCandidate:
    """A line that may be a row of a table or a label in a drawing."""

    line: Line
    body: BodyStyle

    @property
    def gaps(self) -> int:
        return len(self.line.gaps())

    @property
    def is_text(self) -> bool:
        """Whether the line fills most of its column with words."""
        line = self.line
        wide = line.width > 0.6 * max(line.column_width, 1.0)
        return self.gaps == 0 and wide and len(_WORD.findall(line.text)) >= 5

    @property
    def mostly_digits(self) -> bool:
        digits = sum(c.isdigit() for c in self.line.text)
        return digits > 0.35 * len(self.line.text.replace(" ", ""))

    @property
    def other_family(self) -> bool:
        return self.line.font.family != self.body.family


ROW_RULES: tuple[Rule[RowCandidate], ...] = (
    Rule("gap", 1.0, lambda c, _: c.gaps >= 1, "cells stand apart"),
    Rule("second_gap", 1.0, lambda c, _: c.gaps >= 2, "text that is set wide has one such gap at most"),
    Rule("third_gap", 1.0, lambda c, _: c.gaps >= 3, "four cells and more are always a table"),
    Rule("digits", 1.0, lambda c, _: c.mostly_digits, "rows hold numbers"),
    Rule("small", 0.75, lambda c, _: c.line.size < 0.88 * c.body.size, "tables are set smaller than text"),
    Rule(
        "stray_letters", 1.0,
        lambda c, _: sum(x.isalnum() for x in c.line.text) <= 3
        and (c.line.size > 1.6 * c.body.size or c.other_family),
        "a letter or two in another font label the axes of a drawing",
    ),
    Rule("text", -9.0, lambda c, _: c.is_text, "a wide line of five words is text, whatever else it is like"),
    Rule(
        "label", 0.5,
        lambda c, score: score == 0.0 and c.other_family and len(c.line.words) <= 4 and not c.line.font.bold,
        "a few words in another font label a drawing",
    ),
)  # fmt: skip
"""What speaks for a row of a table; a sum of 0 or less is text."""


def mark_tables(
    lines: Sequence[Line], body: BodyStyle, running: Sequence[bool], roles: list[Role | None]
) -> None:
    """Mark runs of rows with wide gaps, and the scattered words of drawings, as tables; never `running` text."""
    finder = _TableFinder(lines, body, running, roles)
    i = 0
    while i < len(lines):
        end, score = finder.row_run(i)
        beside_caption = "caption" in (*roles[max(i - 1, 0) : i], *roles[end : end + 1])
        if end > i and score >= (_MIN_SCORE_BESIDE_CAPTION if beside_caption else _MIN_SCORE):
            roles[i:end] = ["table"] * (end - i)
        i = max(end, i + 1)
    for i, role in enumerate(list(roles)):
        if role == "caption":
            for k in (*finder.cells(i, -1), *finder.cells_below(i)):
                roles[k] = "table"


@dataclass(frozen=True, slots=True)
class _TableFinder:
    lines: Sequence[Line]
    body: BodyStyle
    running: Sequence[bool]
    roles: Sequence[Role | None]

    def is_free(self, i: int, column: int) -> bool:
        """Whether line `i` is neither running text nor anything else, and stands in the column of line `column`."""
        return (
            i < len(self.lines)
            and self.roles[i] is None
            and not self.running[i]
            and self.lines[i].same_column(self.lines[column])
        )

    def row_run(self, begin: int) -> tuple[int, float]:
        """Index behind the last of the rows that begin at a line, and the sum of their scores."""
        end, score = begin, 0.0
        while self.is_free(end, begin):
            row_score = _row_score(self.lines[end], self.body)
            if row_score <= 0 and (end == begin or not self.is_row_label(end)):
                break
            score += row_score
            end += 1
        return end, score

    def is_row_label(self, i: int) -> bool:
        """Whether a line is one or two labels of a table's rows: another row follows."""
        for j in range(i, i + _MAX_LABEL_LINES + 1):
            if not self.is_free(j, i):
                return False
            line = self.lines[j]
            if _row_score(line, self.body) > 0:
                return j > i
            short = len(line.words) <= 4 and line.width < 0.5 * line.column_width
            if (
                not short
                or line.font.bold
                or possible_numbers(line.text)
                or line.gap > 1.5 * self.body.leading
            ):
                return False
        return False

    def cells_below(self, caption: int) -> list[int]:
        """The cells below a caption; what may be the heading of the running text that follows is left out."""
        cells = self.cells(caption, 1)
        while cells and self._may_be_heading(cells[-1]):
            cells.pop()
        return cells

    def cells(self, caption: int, step: int) -> list[int]:
        """The lines between a caption and the running text above (-1) or below it (1) that belong to nothing else."""
        cells = []
        i = caption + step
        while (
            0 <= i < len(self.lines)
            and self.lines[i].same_column(self.lines[caption])
            and self.roles[i] in (None, "table", "equation")
        ):
            if self.roles[i] is None:
                if self.running[i] or not _is_label_or_cell(self.lines[i], self.body):
                    break
                cells.append(i)
            i += step
        return cells

    def _may_be_heading(self, i: int) -> bool:
        """Whether a line stands right above running text and may be its heading."""
        line, body = self.lines[i], self.body
        if i + 1 >= len(self.lines) or not self.running[i + 1]:
            return False
        if line.size < 0.94 * body.size or line.gaps() or line.gap < 1.2 * body.leading:
            return False
        return bool(possible_numbers(line.text)) or line.text.isupper() or line.size > 1.04 * body.size


def _row_score(line: Line, body: BodyStyle) -> float:
    """How much a line looks like a row of a table or a label in a drawing; 0 or less for text."""
    if line.font.mono:
        return float(is_row_of_numbers(line))
    return add_up(ROW_RULES, RowCandidate(line, body))


def _is_label_or_cell(line: Line, body: BodyStyle) -> bool:
    """Whether a line is small, in another font, or short, and nothing like a heading in the font of body text."""
    if line.size < 0.94 * body.size or line.gaps():
        return True
    if line.font.family != body.family and not line.font.bold and not line.font.mono:
        return True
    short = len(line.words) <= 4 and line.width < 0.5 * line.column_width
    return short and not line.font.bold and line.size < 1.06 * body.size
