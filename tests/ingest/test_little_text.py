"""A warning says where a document has much less text than its file promises."""

from __future__ import annotations

import io
import zipfile

import pytest

from colde.ingest.shared.little_text import with_little_text_warning
from colde.text.document import Document, ReadWarning, Section

PROSE = "The pilot waits for the tide before he takes a ship over the bar at dawn. "


def document(text: str, format: str, **values: object) -> Document:
    return Document(text, (Section(0, len(text), 0),), format=format, **values)  # type: ignore[arg-type]


def warnings(read: Document, data: bytes) -> list[str]:
    return [str(w) for w in with_little_text_warning(read, data).warnings]


def page(prose: int, links: int = 0) -> bytes:
    menu = f"<a href='x'>{PROSE}</a>" * links
    return f"<html><head><style>{PROSE * 90}</style></head><body>{menu}<p>{PROSE * prose}</p></body></html>".encode()


def word_file(prose: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document><w:t>{PROSE * prose}</w:t></w:document>")
        archive.writestr("word/styles.xml", f"<w:styles>{PROSE * 500}</w:styles>")
    return buffer.getvalue()


@pytest.mark.parametrize("format", ["html", "docx", "text"])
def test_lost_text_is_told(format: str) -> None:
    data = {"html": page(60), "docx": word_file(60), "text": PROSE.encode() * 60}[format]
    (warning,) = warnings(document(PROSE * 6, format), data)
    assert warning == "only about 10 % of the text in the file was read"
    assert warnings(document(PROSE * 55, format), data) == []


def test_menus_and_hidden_parts_are_not_promised() -> None:
    assert warnings(document(PROSE * 4, "html"), page(4, links=200)) == []


def test_pages_with_hardly_any_words_are_told() -> None:
    assert warnings(document(PROSE, "pdf", pages=30), b"") == [
        "only 16 words were found on 30 pages; the other pages may be pictures"
    ]
    assert warnings(document(PROSE * 30, "pdf", pages=30), b"") == []
    known = (ReadWarning("pages 2–30 have no text", ((2, 30),)),)
    assert warnings(document(PROSE, "pdf", pages=30, warnings=known), b"") == ["pages 2–30 have no text"]


@pytest.mark.parametrize("unit", ["<a ", "<", "<script>", "PK"])
def test_hostile_files_cost_linear_time(unit: str) -> None:
    for format in ("html", "docx"):
        warnings(document(PROSE, format), unit.encode() * 200_000)
