"""A report as a sequence of blocks, in the order in which it is printed. DOCX and PDF are made of the same blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from colde.report.content.report_content import PassagePair, ReportContent
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import long_date, printable
from colde.report.maps.matrix_drawing import Drawing, draw_matrix
from colde.results.comparison import Comparison
from colde.version import VERSION

Style = Literal["plain", "muted", "strong", "warning"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the report."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text in one style."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Shared passages or changes, each with both sides next to each other."""

    items: tuple[PassagePair, ...]


WIDEST_COLUMN = 40
"""Characters of the longest cell of a column above which it gets no wider."""

Block = Heading | Paragraph | ReportTable | Pairs | Drawing


def column_lengths(table: ReportTable) -> tuple[int, ...]:
    """Characters of the longest cell of each column, at most `WIDEST_COLUMN`."""
    columns = zip(table.columns, *table.rows, strict=True)
    return tuple(min(WIDEST_COLUMN, max(map(len, column))) for column in columns)


def report_title(content: ReportContent) -> str:
    """The names of both documents."""
    return f"{printable(content.title_a)} ↔ {printable(content.title_b)}"


def printed_blocks(content: ReportContent, comparison: Comparison) -> Iterator[Block]:
    """The blocks of a report, from its title to how its numbers were made."""
    yield Heading(report_title(content), level=1)
    yield Paragraph(f"Report of {long_date(content.made)}, made by CoLDE Explorer {VERSION}", "muted")
    yield content.documents
    yield from _verdict(content)
    yield from _split(content)
    if content.are_versions:
        yield from _changes(content)
    yield from _contributions(content)
    yield from _review(content)
    yield Heading(content.passages_heading)
    yield Paragraph(content.passages_summary, "muted")
    yield Pairs(content.passages)
    if content.closest.rows:
        yield Heading("Closest other sentences")
        yield content.closest
    if (content.changes or content.form_changes) and not content.are_versions:
        yield from _changes(content)
    yield from _matrix(comparison)
    yield Heading("Scores of the models")
    yield content.scores
    yield from map(Paragraph, content.disagreement)
    yield from content.parts
    yield from _set_aside(content)
    yield from _methods(content, comparison.models[0].profile or comparison.profile)


def _verdict(content: ReportContent) -> Iterator[Block]:
    judged = content.verdict
    yield Heading("Verdict")
    yield Paragraph(judged.headline, "strong")
    yield from map(
        Paragraph, _texts((judged.related, judged.detail, judged.strongest, judged.means, judged.basis))
    )
    yield Paragraph(judged.caution, "muted")
    for letter, warning in content.warnings:
        yield Paragraph(f"{letter}: {warning}", "warning")


def _texts(texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if text)


def _split(content: ReportContent) -> Iterator[Block]:
    if not content.split:
        return
    yield Heading("How much is shared")
    rows = tuple(
        (row.kind, row.a, row.b, "" if row.kind == "rest" else f"{len(row.passages):,}", row.means)
        for row in content.split
    )
    yield ReportTable(("Shared", "#Of A", "#Of B", "#Passages", "What it is"), rows)
    yield Paragraph(content.split_note, "muted")


def _contributions(content: ReportContent) -> Iterator[Block]:
    if content.contributions.rows:
        yield Heading("Contribution to score")
        yield Paragraph(content.contribution_summary)
        yield content.contributions
        yield Paragraph(content.contribution_note, "muted")


def _changes(content: ReportContent) -> Iterator[Block]:
    yield Heading("Changes")
    yield Paragraph(content.changes_summary, "muted")
    yield Pairs(content.changes)
    if content.form_changes:
        yield Heading("Differences of form", level=3)
        yield Pairs(content.form_changes)


def _review(content: ReportContent) -> Iterator[Block]:
    if not content.review_summary:
        return
    yield Heading("Review")
    yield Paragraph(content.review_summary)
    yield Pairs(content.reviewed)
    if content.left_out:
        rows = tuple((letter, part.place, part.text) for letter, part in content.left_out)
        yield ReportTable(("Text", "Place", "Left out with What if"), rows)


def _matrix(comparison: Comparison) -> Iterator[Block]:
    try:
        drawing = draw_matrix(comparison)
    except KeyError:  # no model has one
        return
    yield Heading("Matrix")
    yield drawing


def _set_aside(content: ReportContent) -> Iterator[Block]:
    if content.set_aside.rows:
        yield Heading("Not compared")
        yield content.set_aside


def _methods(content: ReportContent, profile: str) -> Iterator[Block]:
    yield Heading("How each number was made")
    yield Paragraph(
        f"Profile {profile}. A score is computed from the two texts alone; its threshold, probability and percentile "
        "come from the profile."
    )
    for title, method in content.methods:
        yield Heading(title, level=3)
        yield Paragraph(method)
