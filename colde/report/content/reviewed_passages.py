"""The shared passages of a comparison with the reviewer's decisions, and the passages that the reviewer left out.

The decisions are part of the comparison (`Comparison.review`), so that every output contains them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from colde.comparison.part_notation import format_parts
from colde.report.formatting import counted, plural
from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.results.saved.review_decisions import About, Decision, Decisions, Mark
from colde.results.shared_text import SharedPassage
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span


@dataclass(frozen=True, slots=True)
class ReviewedPassage:
    """A shared passage with its number in lists, texts and pages, and the reviewer's decision and note.

    Attributes:
        a, b: its two sides with their places.
    """

    number: int
    passage: SharedPassage
    a: Passage
    b: Passage
    decision: Decision
    note: str


def reviewed_passages(comparison: Comparison) -> tuple[ReviewedPassage, ...]:
    """The shared passages, numbered in their order, as in every output; none where they are not known."""
    marks = marks_by_passages(comparison)
    reviewed = []
    for number, passage in enumerate(_passages(comparison), 1):
        mark = marks.get((passage.a, passage.b), Mark(passage.a, passage.b))
        a, b = Passage.at(comparison.a, passage.a), Passage.at(comparison.b, passage.b)
        reviewed.append(ReviewedPassage(number, passage, a, b, mark.decision, mark.note))
    return tuple(reviewed)


def _passages(comparison: Comparison) -> tuple[SharedPassage, ...]:
    return () if comparison.shared is None else comparison.shared.passages


def unplaced_note(comparison: Comparison) -> str:
    """How many decisions are on passages that are not in the list; empty where there are none.

    Such decisions were made by an earlier version, which had other passages, or with other text left out.
    """
    if comparison.shared is None:
        return ""
    known = {(p.a, p.b) for p in comparison.shared.passages}
    unplaced = sum(spans not in known for spans in marks_by_passages(comparison))
    if not unplaced:
        return ""
    passages = plural(unplaced, "its passage is", "their passages are")
    return f"{counted(unplaced, 'decision')} of the review could not be placed: {passages} not in the list."


def marks_by_passages(
    comparison: Comparison, about: About = "passage"
) -> dict[tuple[Span | None, Span | None], Mark]:
    """The reviewer's marks on passages, or on changes or rows, by their spans in both texts."""
    review = comparison.review or Decisions()
    return {(mark.a, mark.b): mark for mark in review.marks if mark.about == about}


def passages_to_highlight(reviewed: Sequence[ReviewedPassage]) -> Iterator[ReviewedPassage]:
    """Yield the passages to highlight on pages: all but rejected ones, and those on the same topic without a mark."""
    for item in reviewed:
        if item.decision != "rejected" and (item.decision or item.note or item.passage.kind != "same topic"):
            yield item


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
