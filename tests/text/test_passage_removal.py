"""Passages left out of long documents: the work grows with their number, not with its square."""

from __future__ import annotations

import colde
from colde.text.document import Document, Span
from colde.text.sections.passage_removal import leave_out
from tests.operation_counts import calls_of

GROWTH = 6
"""A task four times as large takes fewer than six times as many calls; one that grows by the square takes 16 times."""


def _sentences(count: int) -> Document:
    return colde.read_text("# Cats\n\n" + "The cat sat down. " * count)


def _sections(count: int) -> Document:
    return colde.read_text("".join(f"## Part {k}\n\nThe cat sat on mat {k}.\n\n" for k in range(count)))


def _work(document: Document) -> int:
    starts = range(0, len(document.text), 90)
    apart = [Span(start, start + 45) for start in starts]
    adjacent = [Span(start, start + 89) for start in starts]
    return calls_of(lambda: (leave_out(document, apart), leave_out(document, adjacent)))


def test_work_grows_with_sentences() -> None:
    assert _work(_sentences(1_200)) < GROWTH * _work(_sentences(300))


def test_work_grows_with_sections() -> None:
    assert _work(_sections(800)) < GROWTH * _work(_sections(200))


def test_overlapping_touching_and_empty_passages_are_one() -> None:
    document = colde.read_text("The cat sat down. The dog stood up. The bird flew off.")
    pieces = [Span(4, 11), Span(8, 17), Span(17, 20), Span(30, 30)]
    assert leave_out(document, pieces) == leave_out(document, [Span(4, 20)])
    assert leave_out(document, [Span(30, 30)]) is document
