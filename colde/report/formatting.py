"""Text, numbers, names of sections and tables as the reports print them.

Text of a document reaches the terminal only cleaned and inside `rich.text.Text`: it can neither style nor steer the
terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from colde.results.passage import Passage
from colde.text.document import Document, Span
from colde.text.not_compared.set_aside import SetAside
from colde.text.places import heading_above, name_section

_STEERING_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
"""Part of the spelling of Persian and of Indic scripts, and of emoji."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def clean(text: str) -> str:
    """Text on one line, without control, bidirectional override and other characters that steer a terminal."""
    kept = (" " if unicodedata.category(c) in _STEERING_CATEGORIES else c for c in text)
    return " ".join("".join(kept).split())


def printable(text: str) -> str:
    """Text on one line for a report that is printed: without characters that no font draws or no XML file may hold.

    Joiners stay, since words of Persian and of Indic scripts are spelled with them.
    """
    return " ".join(drawable(text).split())


def drawable(text: str) -> str:
    """Text with a space for each character that no font draws or no XML file may hold."""
    return "".join(c if _is_printed(c) else " " for c in text)


def _is_printed(character: str) -> bool:
    """Whether a character may stand in a printed report; the noncharacters of Unicode are not allowed in XML."""
    if character in _JOINERS:
        return True
    code = ord(character)
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return not is_noncharacter and unicodedata.category(character) not in _STEERING_CATEGORIES


def marked_pieces(text: str, marks: Iterable[tuple[int, int]], longest: int) -> tuple[tuple[str, bool], ...]:
    """A printable text of at most so many characters in pieces, and of each whether it lies in a mark.

    >>> marked_pieces("He may\\nnot pay.", [(7, 10)], 99)
    (('He may ', False), ('not', True), (' pay.', False))
    """
    marked = bytearray(len(text))
    for start, end in marks:
        marked[start:end] = b"\1" * (end - start)
    kept: list[tuple[str, bool]] = []
    for character, inside in zip(text, marked, strict=True):
        shown = character if _is_printed(character) and not character.isspace() else " "
        if shown != " " or (kept and kept[-1][0] != " "):
            kept.append((shown, bool(inside)))
    size = len(kept) - (bool(kept) and kept[-1][0] == " ")
    if size > longest:
        size = longest - 1 - (kept[longest - 2][0] == " ")
        kept[size:] = [("…", False)]
        size += 1
    groups = groupby(kept[:size], key=lambda piece: piece[1])
    return tuple(("".join(character for character, _ in pieces), inside) for inside, pieces in groups)


def is_right_to_left(text: str) -> bool:
    """Whether the first letter of a text with a direction belongs to a script written from right to left."""
    for character in text:
        if (direction := unicodedata.bidirectional(character)) in ("L", "R", "AL"):
            return direction != "L"
    return False


def shorten(text: str, length: int) -> str:
    """At most `length` characters, with an ellipsis where some are left out."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def shorten_apart(names: Sequence[str], length: int) -> list[str]:
    """Names of at most `length` characters of which those that differ still differ: `…corporate-terms.md`.

    Where names would look the same, what they begin with in common is left out.
    """
    short = {name: shorten(name, length) for name in names}
    for shown in set(short.values()):
        alike = [name for name in short if short[name] == shown]
        start = _first_difference(alike, length // 2) if len(alike) > 1 else 0
        if start > 0:
            rests = shorten_apart([name[start:] for name in alike], length - 1)
            short.update(
                {name: f"…{rest.removeprefix('…')}" for name, rest in zip(alike, rests, strict=True)}
            )
    return [short[name] for name in names]


def _first_difference(names: Sequence[str], longest: int) -> int:
    """Where names begin to differ: at the beginning of the word, if that is not far before the first difference."""
    letters = enumerate(zip(*names, strict=False))
    common = next((i for i, at in letters if len(set(at)) > 1), min(map(len, names)))
    word = max((i for i in range(common) if not names[0][i].isalnum()), default=-1) + 1
    return word if word and common - word < longest else common - 1


def sentence_case(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def quote(document: Document, span: Span) -> str:
    """The text of a passage on one line."""
    return " ".join(document.text[span.start : span.end].split())


def section_name(document: Document, span: Span) -> str:
    """The heading over a section or another span, else its pages, else its position."""
    return clean(name_section(document, span))


def quoted_section(document: Document, span: Span, longest: int) -> str:
    """The same, with at most so many characters; a heading is in quotation marks."""
    name = shorten(section_name(document, span), longest)
    return f"“{name}”" if heading_above(document, span.start) else name


def passage_place(passage: Passage, longest: int | None = None) -> str:
    """Heading and page of a passage, `Methods, p. 3`; without both its position, `paragraph 12 of 14`.

    Args:
        longest: characters of the heading.
    """
    page = "" if passage.page is None else f"p. {passage.page}"
    title = clean(passage.section or "") or ("" if page else passage.position)
    title = title if longest is None else shorten(title, longest)
    return ", ".join(filter(None, (title, page)))


def size(document: Document) -> str:
    """Pages, words, sentences and sections of the compared text."""
    pages = f"{document.pages} p · " if document.pages else ""
    sentences = sum(1 for _ in document.sentences())
    sections = sum(1 for _ in document.compared())
    counts = ((document.words(), "word"), (sentences, "sentence"), (sections, "section"))
    return pages + " · ".join(counted(number, noun) for number, noun in counts)


def share_percent(share: float) -> str:
    """A share of a count: `0 %` and `100 %` only where it is exactly that."""
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 < share < 1:
        return "over 99 %"
    return f"{round(100 * share)} %"


def precise_percent(share: float) -> str:
    """A share with one decimal below 10 %: `39 %`, `5.9 %`, `0.1 %`."""
    return f"{100 * share:.{0 if abs(share) >= 0.0995 else 1}f} %"


def share_or_dash(share: float | None) -> str:
    """A share of a count; a dash where there is none."""
    return "–" if share is None else share_percent(share)


def number_or_dash(value: float | None, digits: int = 2) -> str:
    """A number with a fixed number of decimals; a dash where there is none."""
    return "–" if value is None else f"{value:z.{digits}f}"  # z: no minus before 0.00


def apart(*values: float | None, most: int = 4) -> tuple[str, ...]:
    """Numbers with two decimals, or with as many more as tell apart those that differ: `0.2497` and `0.2500`."""
    known = [value for value in values if value is not None]
    digits = 2
    while digits < most and len({f"{value:.{digits}f}" for value in known}) < len(set(known)):
        digits += 1
    return tuple(number_or_dash(value, digits) for value in values)


def counted(number: int, noun: str, several: str | None = None) -> str:
    """A number of things: 1 section, 2 sections; `several` is the plural where it is not noun + s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def hanging(indent: int, label: str | Text, text: str | Text) -> Table:
    """A text behind its label, on the terminal; further lines stand below the text."""
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(Text.assemble(" " * indent, label), text if isinstance(text, Text) else Text(text))
    return table


def plural(count: int, one: str, several: str) -> str:
    """The form of a verb or noun that agrees with a count."""
    return one if count == 1 else several


def listed(items: Sequence[str]) -> str:
    """Items as in a sentence: `A`, `A and B`, `A, B and C`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def words_not_compared(items: Iterable[SetAside]) -> int:
    """The words of a document that no model compared."""
    return sum(item.words for item in items if item.model is None)


def print_warnings(warnings: Iterable[object], console: Console) -> None:
    """Print a line for each warning."""
    for warning in warnings:
        console.print(Text(f"warning: {clean(str(warning))}", style="yellow"))


def count(number: int | None) -> str:
    """A number of parameters, short; a dash where there are none."""
    if not number:
        return "–"
    return f"{number / 1e6:.1f} M" if number >= 1e5 else f"{number:,}"


def plain_table(*columns: str | Column) -> Table:
    """A table without lines; a column whose title begins with # is aligned to the right."""
    made = (_column(c) if isinstance(c, str) else c for c in columns)
    return Table(*made, box=None, pad_edge=False, padding=(0, 2, 0, 0))


def _column(title: str) -> Column:
    return Column(title.removeprefix("#"), justify="right" if title.startswith("#") else "left")


def long_date(day: date) -> str:
    """A date in words: 26 November 2026."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def document_title(document: Document) -> str:
    """Title of a document, else the name of its file."""
    return clean(document.title) or clean(document.source) or "Untitled"
