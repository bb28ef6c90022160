"""Documents as this program knows them: one text, and spans that point into it.

All offsets are Unicode code points into `Document.text`; a span is half-open, so that
`text[start:end]` is the passage. Everything here is frozen: a Document is read once and
never changed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Literal, NamedTuple, TypeVar

from colde.serialise import Count, JsonFields, Offset
from colde.text.words import words_and_halves

Role = Literal[
    "references",
    "caption",
    "footnote",
    "table",
    "equation",
    "boilerplate",
    "template",
    "standard",
    "furniture",
]
EXCLUDED_ROLE: Role = "furniture"
"""The role of a section that the user has left out. Nothing includes it in a comparison again but the user."""


@dataclass(frozen=True, slots=True)
class Span:
    """A passage, as code points `[start, end)` of a document's text."""

    start: Offset
    end: Offset

    JSON: ClassVar = JsonFields("start end")

    def overlaps(self, other: Span) -> bool:
        """Whether the two passages share at least one character."""
        return self.start < other.end and other.start < self.end

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Replacement(Span):
    """A passage that stands in place of `source`, the text as written (`characters/text_normalisation.py`)."""

    source: str = ""


MarkKind = Literal["quotation", "template", "standard"]


@dataclass(frozen=True, slots=True)
class Mark(Span):
    """A passage that may be left out of the count of shared text, inside a section that is compared.

    `quotation` is a block quotation, as a format marks it; `template` stands in a template; `standard` stands in many
    documents of the reference.
    """

    kind: MarkKind = "quotation"


class Box(NamedTuple):
    """A rectangle on a page as displayed: page from 1, PDF points, origin top left."""

    page: Count
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Sentence(Span):
    """A sentence; `boxes` say where it stands on the pages (empty where there are no pages)."""

    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Section(Span):
    """A heading and the text up to the next heading.

    `start` is the first character of the heading (of the body where there is none), `body` the
    first character after the heading, `end` the end of the body; the body may be empty.
    `role` is set on what is shown but not compared (references, captions, tables …). `included_role` is the role that
    a section had before it was included in the comparison.
    """

    body: int = 0
    heading: str | None = None
    level: int = 1
    role: Role | None = None
    sentences: tuple[Sentence, ...] = ()
    paragraphs: tuple[Span, ...] = ()
    included_role: Role | None = None


def cut_section(section: Section, start: int, end: int, body: int) -> Section:
    """The part of a section in `[start, end)`, with sentences and paragraphs clipped to it."""
    part = Span(start, end)
    return replace(
        section,
        start=start,
        end=end,
        body=body,
        sentences=_clipped(section.sentences, part),
        paragraphs=_clipped(section.paragraphs, part),
    )


AnySpan = TypeVar("AnySpan", bound=Span)


def overlapping(spans: Sequence[AnySpan], part: Span) -> Sequence[AnySpan]:
    """Those of some spans that overlap a passage; they rise and do not overlap each other."""
    first = bisect_right(spans, part.start, key=lambda s: s.end)
    return spans[first : bisect_left(spans, part.end, lo=first, key=lambda s: s.start)]


def _clipped(spans: Sequence[AnySpan], part: Span) -> tuple[AnySpan, ...]:
    return tuple(
        replace(s, start=max(s.start, part.start), end=min(s.end, part.end)) for s in overlapping(spans, part)
    )


def joined(spans: Iterable[Span]) -> list[Span]:
    """The same passages in rising order, those that overlap or touch as one."""
    parts: list[Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        if parts and span.start <= parts[-1].end:
            parts[-1] = Span(parts[-1].start, max(parts[-1].end, span.end))
        else:
            parts.append(Span(span.start, span.end))
    return parts


@dataclass(frozen=True, slots=True)
class Chunk(Span):
    """At most 512 tokens of one section (CoLDE, section 3.1); `section` indexes `Document.sections`."""

    section: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """A sentence on what the reader of a file could not do, and the pages it is about.

    Attributes:
        text: the sentence, without a capital or a full stop.
        pages: first and last page, from 1, of each run of pages, in rising order; empty where it is about the whole.
    """

    text: str
    pages: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Document:
    """A document as read: text, sections in reading order, and what there is to know of the file.

    Attributes:
        file: SHA-256 of the file; empty where the text is from no file.
        templates: SHA-256 of the texts of the templates that were set aside in it.
        replacements: where the text differs from the text as written, in order of their place.

    Examples:
        >>> import colde
        >>> document = colde.read_text("# Tides\\n\\nThe moon pulls at the sea. The tide rises.")
        >>> [document.text[s.start : s.end] for s in document.sections[0].sentences]
        ['The moon pulls at the sea.', 'The tide rises.']
    """

    text: str
    sections: tuple[Section, ...]
    title: str = ""
    source: str = ""
    format: str = "text"
    pages: int | None = None
    page_sizes: tuple[tuple[float, float], ...] = ()  # width, height of each page as displayed, in points
    language: str | None = None
    warnings: tuple[ReadWarning, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    marks: tuple[Mark, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    file: str = field(default="", compare=False)
    templates: tuple[str, ...] = field(default=(), compare=False)

    def compared(self) -> Iterator[tuple[int, Section]]:
        """Index and section of everything that takes part in a comparison: no role, some text below its heading.

        A heading alone is left out, since two equal ones would be the most alike of all sections. Where no section has
        more, headings are all there is, and take part.
        """
        headed = [
            (i, section)
            for i, section in enumerate(self.sections)
            if section.role is None and self.text[section.start : section.end].strip()
        ]
        full = [(i, section) for i, section in headed if self.text[section.body : section.end].strip()]
        yield from full or headed

    def sentences(self) -> Iterator[tuple[int, Sentence]]:
        """Section index and sentence, in reading order, of the sections that are compared."""
        for i, section in self.compared():
            for sentence in section.sentences:
                yield i, sentence

    def words(self) -> int:
        """Words in the sections that are compared; in scripts without spaces two characters count as one."""
        return int(sum(words_and_halves(self.text[s.start : s.end]) for _, s in self.compared()))

    def section_at(self, offset: int) -> int | None:
        """Index of the section that holds this offset; None in the white space between two."""
        index = bisect_right(self.sections, offset, key=lambda s: s.end)
        return index if index < len(self.sections) and self.sections[index].start <= offset else None

    def page_at(self, offset: int) -> int | None:
        """Page, from 1, on which the sentence at this offset begins; None where there are no pages."""
        index = None if self.pages is None else self.section_at(offset)
        if index is None:
            return None
        sentences = self.sections[index].sentences
        rest = islice(sentences, bisect_right(sentences, offset, key=lambda s: s.end), None)
        return next((sentence.boxes[0].page for sentence in rest if sentence.boxes), None)
