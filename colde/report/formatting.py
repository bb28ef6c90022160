"""Pieces of what the commands print.

Text of a document is only ever put into `rich.text.Text`, and cleaned before: it can neither style nor steer the
terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from colde.text.document import Document, Section

_STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def clean(text: str) -> str:
    """Text on one line, without control, bidirectional override and other characters that steer a terminal."""
    return " ".join("".join(" " if unicodedata.category(c) in _STEERING else c for c in text).split())


def shorten(text: str, length: int) -> str:
    """At most `length` characters, with an ellipsis where some are left out."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def size(document: Document) -> str:
    """Pages, words, sentences and sections of what is compared."""
    pages = f"{document.pages} p · " if document.pages else ""
    sentences = sum(1 for _ in document.sentences())
    sections = sum(1 for _ in document.compared())
    counts = ((document.words(), "word"), (sentences, "sentence"), (sections, "section"))
    return pages + " · ".join(counted(*some) for some in counts)


def share_percent(share: float) -> str:
    """A share of a count: `0 %` and `100 %` only where it is exactly that."""
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 < share < 1:
        return "over 99 %"
    return f"{round(100 * share)} %"


def counted(number: int, noun: str) -> str:
    """A number of things: 1 section, 2 sections."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(items: Sequence[str]) -> str:
    """Items as in a sentence: `A`, `A and B`, `A, B and C`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def print_warnings(warnings: Iterable[object], console: Console) -> None:
    """Print a line for each warning."""
    for warning in warnings:
        console.print(Text(f"warning: {clean(str(warning))}", style="yellow"))


def heading(section: Section) -> str:
    """A section's heading, or that it has none."""
    return clean(section.heading or "") or "(no heading)"


def count(number: int | None) -> str:
    """A number of parameters, short; a dash where there are none."""
    if not number:
        return "–"
    return f"{number / 1e6:.1f} M" if number >= 1e5 else f"{number:,}"


def format_weight(value: float) -> str:
    """A weight in as many digits as tell it from nothing: parts of a score are small."""
    return f"{value:.2f}" if abs(value) >= 0.095 or not value else f"{value:.2g}"


def plain_table() -> Table:
    """A table without lines."""
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
