"""A document as the JSON files of comparisons and collections have it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar

from msgspec import Meta

from colde.serialise import UNIQUE, Count, JsonFields, Offset, Text
from colde.text.document import Chunk, Document, Role, Section, Span
from colde.text.not_compared.set_aside import SetAside, reading_warnings


@dataclass(frozen=True, slots=True)
class SectionEntry:
    """A section.

    Attributes:
        role: why it is shown but not compared; None where it is compared.
        chunks: indices into the chunks of the document.
    """

    heading: str | None
    level: Count
    start: Offset
    end: Offset
    role: Role | None
    chunks: Annotated[tuple[Offset, ...], UNIQUE]


@dataclass(frozen=True, slots=True)
class ChunkEntry:
    """A passage of at most 512 tokens of the default model, within one section.

    Attributes:
        section: index into the sections of the document.
    """

    section: Offset
    start: Offset
    end: Offset
    tokens: Annotated[int, Meta(ge=1, le=512)]


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document of a comparison.

    Attributes:
        source: the name of the file, or of the text.
        sections: in reading order.
        chunks: in reading order; none in sections that are not compared.
        sentences: of the sections that are compared.
    """

    title: str
    source: str
    text: str
    sections: tuple[SectionEntry, ...]
    chunks: tuple[ChunkEntry, ...]
    sentences: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CollectedDocument(DocumentEntry):
    """A document of a collection; the file does not contain its text.

    Attributes:
        set_aside: text that was not compared, by kind.
        warnings: what was not read or not compared of it.
    """

    set_aside: tuple[SetAside, ...]
    warnings: tuple[Text, ...]

    JSON: ClassVar = JsonFields("title source sections chunks sentences set_aside warnings")


def document_entry(document: Document, chunks: Sequence[Chunk]) -> DocumentEntry:
    """The entry of a document in a comparison."""
    return DocumentEntry(
        document.title,
        document.source,
        document.text,
        tuple(_section_entries(document.sections, chunks)),
        tuple(ChunkEntry(c.section, c.start, c.end, c.tokens) for c in chunks),
        tuple(sentence for _, sentence in document.sentences()),
    )


def collected_document(
    document: Document, chunks: Sequence[Chunk], set_aside: tuple[SetAside, ...]
) -> CollectedDocument:
    """The entry of a document in a collection."""
    entry = document_entry(document, chunks)
    values = {f.name: getattr(entry, f.name) for f in fields(entry)}
    return CollectedDocument(**values, set_aside=set_aside, warnings=reading_warnings(document))


def _section_entries(sections: Sequence[Section], chunks: Sequence[Chunk]) -> Iterable[SectionEntry]:
    of_section: dict[int, list[int]] = {}
    for i, chunk in enumerate(chunks):
        of_section.setdefault(chunk.section, []).append(i)
    for i, s in enumerate(sections):
        yield SectionEntry(s.heading, s.level, s.start, s.end, s.role, tuple(of_section.get(i, ())))
