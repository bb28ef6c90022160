"""Warnings about pages, page numbers and lists of names in words, and the warnings of a document without repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from colde.text.document import ReadWarning
from colde.text.runs import runs

_MAX_WARNINGS = 20  # of a document; more are not read by anybody
_MAX_NAMES = 5  # that one sentence lists


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


def names_phrase(names: Iterable[str]) -> str:
    """Names in words, each once: "a, b, c, d, e and 195 others"."""
    distinct = sorted(set(names))
    listed = ", ".join(distinct[:_MAX_NAMES])
    others = len(distinct) - _MAX_NAMES
    return f"{listed} and {others} other{'s' * (others > 1)}" if others > 0 else listed


def counted_once(warnings: Iterable[ReadWarning]) -> tuple[ReadWarning, ...]:
    """The warnings of a document, equal ones as one with their number; of very many, the first and the last ones."""
    counts = Counter(warnings)
    distinct = [
        replace(warning, text=f"{warning.text} ({count} times)") if count > 1 else warning
        for warning, count in counts.items()
    ]
    left_out = len(distinct) - _MAX_WARNINGS
    if left_out <= 0:
        return tuple(distinct)
    first, last = distinct[: _MAX_WARNINGS // 2], distinct[-_MAX_WARNINGS // 2 :]
    return (*first, ReadWarning(f"{left_out} further warnings of such kinds"), *last)
