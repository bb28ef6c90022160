"""A Document as the object that `colde read --json` prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from colde.serialise import Count, Offset, Seconds, Text, to_value
from colde.text.document import Box, Document, Role, Section, Sentence
from colde.text.reading_grade import ReadingGrade, reading_grade


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence.

    Attributes:
        boxes: where it stands: page from 1, then x0, y0, x1, y1 in PDF points from the top left of the page as shown.
    """

    text: Text
    start: Offset
    end: Count
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class ReadSection:
    """A section.

    Attributes:
        text: the body between this heading and the next; may be empty.
        start: the first character of the heading, of the body where there is none.
        end: the end of the body.
        role: why it is shown but not compared; None where it is compared.
    """

    heading: str | None
    level: Count
    text: str
    start: Offset
    end: Count
    role: Role | None
    sentences: tuple[ReadSentence, ...]


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as read.

    Attributes:
        source: the name of the file.
        language: ISO 639-1 code.
        warnings: what the reader of the file could not do; the sentences name the pages.
        reading: how well it was read.
        sections: in reading order.
    """

    title: str
    source: str
    format: Text
    pages: Count | None
    language: str | None
    warnings: tuple[str, ...]
    reading: ReadingGrade
    seconds: Seconds
    text: str
    sections: tuple[ReadSection, ...]


def to_dict(document: Document) -> dict[str, Any]:
    """Title, sections and sentences as plain values, with offsets into `text` and boxes on the pages."""
    read = ReadDocument(
        document.title,
        document.source,
        document.format,
        document.pages,
        document.language,
        tuple(map(str, document.warnings)),
        reading_grade(document),
        document.seconds,
        document.text,
        tuple(_section(document.text, s) for s in document.sections),
    )
    written: dict[str, Any] = to_value(read)
    return written


def _section(text: str, section: Section) -> ReadSection:
    return ReadSection(
        section.heading,
        section.level,
        text[section.body : section.end],
        section.start,
        section.end,
        section.role,
        tuple(_sentence(text, s) for s in section.sentences),
    )


def _sentence(text: str, sentence: Sentence) -> ReadSentence:
    return ReadSentence(text[sentence.start : sentence.end], sentence.start, sentence.end, sentence.boxes)
