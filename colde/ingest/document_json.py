"""A Document as the object that `colde read --json` prints."""

from __future__ import annotations

from typing import Any

from colde.text.document import Document, Section, Sentence


def to_dict(document: Document) -> dict[str, Any]:
    """Title, sections and sentences as plain values, with offsets into `text` and boxes on the pages."""
    return {
        "title": document.title,
        "source": document.source,
        "format": document.format,
        "pages": document.pages,
        "language": document.language,
        "warnings": [str(w) for w in document.warnings],
        "seconds": document.seconds,
        "text": document.text,
        "sections": [_section(document, s) for s in document.sections],
    }


def _section(document: Document, section: Section) -> dict[str, Any]:
    return {
        "heading": section.heading,
        "level": section.level,
        "text": document.text[section.body : section.end],
        "start": section.start,
        "end": section.end,
        "role": section.role,
        "sentences": [_sentence(document, s) for s in section.sentences],
    }


def _sentence(document: Document, sentence: Sentence) -> dict[str, Any]:
    return {
        "text": document.text[sentence.start : sentence.end],
        "start": sentence.start,
        "end": sentence.end,
        "boxes": [list(box) for box in sentence.boxes],
    }
