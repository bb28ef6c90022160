"""Warnings about pages, and page numbers in words."""

from __future__ import annotations

from collections.abc import Sequence

from colde.text.document import ReadWarning
from colde.text.runs import runs


def page_warning(numbers: Sequence[int], text: str) -> ReadWarning:
    """A warning about these pages, in rising order."""
    return ReadWarning(text, page_runs(numbers))


def page_runs(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """First and last page of each run of rising page numbers: (3, 5) and (8, 8) of 3, 4, 5 and 8."""
    return tuple((run[0], run[-1]) for run in runs(numbers, lambda a, b: b == a + 1))


def pages_phrase(numbers: Sequence[int]) -> str:
    """Page numbers in words: "page 3", "pages 3–5 and 8"."""
    parts = [f"{first}–{last}" if last > first else str(first) for first, last in page_runs(numbers)]
    listed = ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
    return f"{'page' if len(numbers) == 1 else 'pages'} {listed}"
