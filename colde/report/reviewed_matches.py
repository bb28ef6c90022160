"""The matches of a comparison with the reviewer's decisions, and the passages that the reviewer left out.

The decisions are part of the comparison (`Comparison.review`), so that every output contains them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from colde.comparison.part_notation import format_parts
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.review_decisions import Decision, Decisions, Mark
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span


@dataclass(frozen=True, slots=True)
class ReviewedMatch:
    """A match with its number in lists, texts and pages, and the reviewer's decision and note."""

    number: int
    evidence: Match
    decision: Decision
    note: str


def matches(comparison: Comparison, model: str | None = None) -> tuple[ReviewedMatch, ...]:
    """The matches of a model, by default of the first, numbered as in every output: significant ones come first."""
    name = model or (comparison.results[0].name if comparison.results else None)
    marks = marks_by_passages(comparison)
    of_model = (match for match in comparison.evidence if match.model == name)
    reviewed = []
    for number, match in enumerate(sorted(of_model, key=lambda m: m.stands_out, reverse=True), 1):
        a, b = Span(match.a.start, match.a.end), Span(match.b.start, match.b.end)
        mark = marks.get((a, b), Mark(a, b))
        reviewed.append(ReviewedMatch(number, match, mark.decision, mark.note))
    return tuple(reviewed)


def marks_by_passages(
    comparison: Comparison, *, changes: bool = False
) -> dict[tuple[Span | None, Span | None], Mark]:
    """The reviewer's marks on matches, or on changes, by the passages of both texts."""
    review = comparison.review or Decisions()
    return {(mark.a, mark.b): mark for mark in review.marks if mark.change == changes}


def matches_to_highlight(reviewed: Sequence[ReviewedMatch]) -> Iterator[ReviewedMatch]:
    """Yield the matches to highlight on pages: accepted, noted or significant ones that were not rejected."""
    for match in reviewed:
        if match.decision != "rejected" and (match.decision or match.note or match.evidence.stands_out):
            yield match


def excluded_passages(comparison: Comparison) -> Iterator[tuple[Letter, Document, Passage]]:
    """Yield each passage that the reviewer left out, with its document."""
    left_out = (comparison.review or Decisions()).left_out
    sides: tuple[tuple[Letter, Document], ...] = (("a", comparison.a), ("b", comparison.b))
    for side, document in sides:
        for span in left_out[side]:
            yield side, document, Passage.at(document, span)


def format_excluded(comparison: Comparison) -> str:
    """What was left out as the linked view and `colde what-if --without` take it: `a:3,b@120-245`."""
    left_out = (comparison.review or Decisions()).left_out
    return format_parts({"a": comparison.a, "b": comparison.b}, left_out)
