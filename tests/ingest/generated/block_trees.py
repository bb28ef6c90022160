"""A small tree of blocks that documents of all formats are made from, and the blocks that their readers must give."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from hypothesis import strategies as st

from colde.text.characters.text_normalisation import normalise_text
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import sentence

ADDRESS = "https://example.org/tides"
HEADINGS = [
    f"{first} {second}"
    for first in ("Wooden", "Distant", "Quiet", "Narrow", "Copper", "Winter")
    for second in ("Bridges", "Harbours", "Orchards", "Mills", "Gardens", "Lanterns")
]
"""Texts of headings, no two alike."""
CARRIED_BY_ALL = (
    "", "", "caf\u0065\u0301 ", "M\u0075\u0308ller ", "\u202bשלום\u202c ", "\u202e", "\u200b", "\ufeff", "a\u00a0b ",
    "ﬁ ", "\U0001f600 ", "漢字 ", "\U0010fffd ", "& < > \" ' ", "\u2066x\u2069 ",
)  # fmt: skip
"""Odd characters that every format can hold: combining marks, marks of direction, characters of markup."""
CONTROLS = ("\x00 ", "\x07 ", "\x01 ", "\x7f ", "\ufffe ")
"""Characters that XML cannot hold."""
SURROGATES = ("\ud800 ", "\udfff ")
"""Halves of characters, which only formats that write characters as numbers hold beside control characters."""


@dataclass(frozen=True, slots=True)
class Text:
    """Letters in a row."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Letters that lead to an address."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the text before it calls."""

    text: str


@dataclass(frozen=True, slots=True)
class Fraction:
    """A formula: one number over another."""

    above: str
    below: str


@dataclass(frozen=True, slots=True)
class Power:
    """A number with a raised exponent, outside formulas."""

    base: str
    exponent: str


Inline = Text | Link | Note | Fraction | Power


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the highest."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of running text."""

    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    texts: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data."""

    rows: tuple[tuple[str, ...], ...]


Node = Heading | Paragraph | Items | Table
Tree = Sequence[Node]

KINDS = ("plain", "link", "note", "fraction", "power", "bullets", "numbers", "table", "heading")
Shape = tuple[str, int, str]
"""What a tree holds next: a kind, a number that means something else for each kind, and odd characters."""


def shapes(
    odd: Sequence[str] = CARRIED_BY_ALL, kinds: Sequence[str] = KINDS
) -> st.SearchStrategy[list[Shape]]:
    """What a tree may hold, between its first section and its last one."""
    return st.lists(
        st.tuples(st.sampled_from(list(kinds)), st.integers(1, 3), st.sampled_from(list(odd))), max_size=9
    )


def tree_of(parts: Iterable[Shape]) -> list[Node]:
    """The tree of these parts, whose sentences are all different."""
    numbers = count(1)
    headings = iter(HEADINGS)

    def words(odd: str = "") -> str:
        return sentence(next(numbers)).replace(" that ", f" that {odd}", 1)

    def plain(odd: str = "") -> Paragraph:
        return Paragraph((Text(f"{words(odd)} {words()}"),))

    nodes: list[Node] = [Heading(next(headings), 1), plain()]
    level = 1
    for kind, number, odd in parts:
        match kind:
            case "heading":
                level = min(number, level + 1)
                nodes += [Heading(next(headings), level), plain(odd)]
            case "bullets" | "numbers":
                nodes += [
                    plain(),
                    Items(tuple(words(odd) for _ in range(number + 1)), kind == "numbers"),
                    plain(),
                ]
            case "table":
                cells = tuple((f"lamp {next(numbers)}", str(next(numbers))) for _ in range(number))
                nodes += [plain(), Table((("key", "place"), *cells)), plain()]
            case _:
                nodes.append(_paragraph(kind, number, words(odd), words()))
    return [*nodes, Heading(next(headings), 1), plain()]


def _paragraph(kind: str, number: int, first: str, second: str) -> Paragraph:
    """A paragraph of two sentences, with something in the second one."""
    inside: dict[str, tuple[Inline, ...]] = {
        "link": (Text("The tables are "), Link("in the log"), Text(" of the yard.")),
        "note": (Text("The tables are kept"), Note(second), Text(" in the log of the yard.")),
        "fraction": (
            Text("The share "),
            Fraction(str(number), "20"),
            Text(" went to the owner of the yard."),
        ),
        "power": (Text("The yard counted "), Power("10", str(number + 2)), Text(" grains of it that year.")),
    }
    return Paragraph((Text(f"{first} "), *inside.get(kind, (Text(second),))))


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a document: headings with levels and paragraphs in order, tables and notes apart."""

    body: tuple[tuple[int, str], ...]
    tables: tuple[str, ...]
    notes: tuple[str, ...]


def expected_blocks(tree: Tree) -> Blocks:
    """The blocks that a reader gives for a tree."""
    body: list[tuple[int, str]] = []
    tables, notes = [], []
    for node in tree:
        match node:
            case Heading(text, level):
                body.append((level, plain_form(text)))
            case Paragraph(parts):
                body.append((0, plain_form("".join(map(_written, parts)))))
                notes += [plain_form(part.text) for part in parts if isinstance(part, Note)]
            case Items(texts):
                body += [(0, plain_form(text)) for text in texts]
            case Table(rows):
                tables.append(plain_form(" ".join(" | ".join(row) for row in rows)))
    return Blocks(tuple(body), tuple(tables), tuple(notes))


def _written(part: Inline) -> str:
    match part:
        case Text(text) | Link(text):
            return text
        case Fraction(above, below):
            return f"{above}/{below}"
        case Power(base, exponent):
            return f"{base}^{exponent}"
    return ""


def blocks_of(document: Document) -> Blocks:
    """The blocks of a document in the form of `expected_blocks`."""
    body: list[tuple[int, str]] = []
    apart: dict[str, list[str]] = {"table": [], "footnote": []}
    for section in document.sections:
        if section.heading is not None:
            body.append((section.level, plain_form(section.heading)))
        texts = [plain_form(document.text[p.start : p.end]) for p in section.paragraphs]
        if section.role is None:
            body += [(0, text) for text in texts]
        else:
            apart.setdefault(section.role, []).extend(texts)
    others = {role: texts for role, texts in apart.items() if role not in ("table", "footnote")}
    assert not others, others
    return Blocks(tuple(body), tuple(apart["table"]), tuple(apart["footnote"]))


def plain_form(text: str) -> str:
    """A text in normal form on one line, without what may become of odd characters."""
    kept = (
        c
        for c in normalise_text(text).text
        if (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn", "Co")) or c.isspace()
    )
    return " ".join(re.sub(r"\s+", " ", "".join(kept)).split())


def all_sentences(tree: Tree) -> Iterator[str]:
    """The numbers of all sentences, by which a text that is lost can be named."""
    for text in expected_blocks(tree).body:
        yield from re.findall(r"Statement \d+", text[1])
