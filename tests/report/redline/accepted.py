"""Word files with all tracked changes accepted or rejected, by a library that writes none of ours."""

from __future__ import annotations

import io

import docx
import jubarte_redlines

from colde.ingest import read


def accepted(data: bytes) -> bytes:
    return bytes(jubarte_redlines.accept_revisions(data))


def rejected(data: bytes) -> bytes:
    return bytes(jubarte_redlines.reject_revisions(data))


def words_of(data: bytes) -> list[str]:
    """The paragraphs of a Word file, notes and cells, as they are read."""
    return lines(read(data, name="x.docx").text)


def paragraphs_of(data: bytes) -> list[str]:
    """The paragraphs of a Word file without tables, blank ones aside."""
    return lines("\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(data)).paragraphs))


def lines(text: str) -> list[str]:
    """The lines of a text, blank ones aside, with single spaces."""
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]
