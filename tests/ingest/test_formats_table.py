"""What holds for each row of the table of formats. A new format needs an entry in EXAMPLES."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from colde.corpus.document_sources import DATA_SUFFIXES
from colde.errors import ReadError
from colde.ingest import Limits, formats, read
from colde.ingest.formats import FORMATS, Format, detect_format
from colde.ingest.parsing import parse
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document
from tests.ingest.docx_samples import saved
from tests.ingest.zipped_samples import epub, odt, page

pytestmark = pytest.mark.slow

Checked = Callable[[Document], Document]
PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children."
quick = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(72, 740, "Order")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(72, 700, PROSE)
    canvas.save()
    return file.getvalue()


def _docx() -> bytes:
    made = docx.Document()
    made.add_heading("Order", 1)
    made.add_paragraph(PROSE)
    made.add_table(2, 2)
    return saved(made)


EXAMPLES: dict[str, Callable[[], bytes]] = {
    "pdf": cache(_pdf),
    "docx": cache(_docx),
    "epub": cache(lambda: epub({"a.xhtml": page(f"<h1>Order</h1><p>{PROSE}</p>")})),
    "odt": cache(lambda: odt(f'<text:h text:outline-level="1">Order</text:h><text:p>{PROSE}</text:p>')),
    "rtf": lambda: (
        rf"{{\rtf1\ansi{{\fonttbl{{\f0 Arial;}}}}{{\stylesheet{{\s1 heading 1;}}}}"
        rf"\pard\s1 Order\par\pard {PROSE}\par}}".encode()
    ),
    "mhtml": lambda: (
        b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\n\n'
        + f"<h1>Order</h1><p>{PROSE}\n--b--\n".encode()
    ),
    "html": lambda: (
        f"<html><body><h1>Order</h1><table><tr><td>1</table><p>{PROSE}</p></body></html>".encode()
    ),
    "markdown": lambda: (
        f"# Order\n\n{PROSE}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA note.[^1]\n\n[^1]: 7\n".encode()
    ),
    "rst": lambda: (
        f"Order\n=====\n\n{PROSE}\n\n.. note:: Mind this.\n\n::\n\n    x = 1\n\n.. [1] A note.\n".encode()
    ),
    "latex": lambda: (
        rf"\documentclass{{article}}\begin{{document}}\section{{Order}} {PROSE}\end{{document}}".encode()
    ),
    "xml": lambda: (
        f'<?xml version="1.0"?><book><chapter><title>Order</title><para>{PROSE}</para></chapter></book>'.encode()
    ),
    "notebook": lambda: (
        f'{{"cells": [{{"cell_type": "markdown", "source": ["# Order\\n", "{PROSE}"]}}]}}'.encode()
    ),
    "subtitles": lambda: (
        f"1\n00:00:01,000 --> 00:00:02,000\n{PROSE}\n\n2\n00:00:03,000 --> 00:00:04,000\nA\n".encode()
    ),
    "text": lambda: f"Order\n=====\n\n{PROSE}\n\n- one item\n- another item\n".encode(),
}
"""A small file of each format, with the word "smallest" in it."""

PIECES = st.sampled_from(
    ["\n", "\n\n", "# ", "## A\n", "===\n", "---\n", "    ", "- ", "1. ", "| a | b |\n|--|--|\n",
     "```\n", ".. x:: y\n", "::\n", ":role:`t`", "[^1]", "[^1]: n\n", "[1]_", ".. [1] n\n", "`a`_",
     "|s|", "$$", "<p>", "</p>", "<h1>", "<table><tr><td>", "<pre>", "<aside class=footnote>", "<!--",
     "<script>", "&lt;", "&#0;", "&#xd800;", "A b c. D e.", "Contents\n", "References\n", "PEP: 1\n",
     "TITLE\n", "é", "。", "\x0c", "\t", "\u2028", "a-\nb", "***", "..", "=====  ====\na  b\n=====  ====\n"]
)  # fmt: skip
"""Pieces of markup of all formats that are text."""

FREE_TEXT = ("html", "markdown", "rst", "latex", "text")
"""Formats of which every text is a document."""

each_format = pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)


def test_every_row_has_an_example() -> None:
    assert EXAMPLES.keys() == {row.name for row in FORMATS}


@each_format
def test_the_example_is_detected_and_read(row: Format, checked: Checked) -> None:
    for suffix in row.suffixes:
        assert detect_format(EXAMPLES[row.name](), f"x{suffix}") is row
    document = checked(read(EXAMPLES[row.name](), name=f"x{row.suffixes[0]}", sandbox=True))
    assert document.format == row.name and "smallest" in document.text


@each_format
def test_the_libraries_can_be_imported(row: Format) -> None:
    assert all(import_module(library) for library in row.libraries)


def test_suffixes_belong_to_one_format_each_and_never_to_data() -> None:
    suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes) and not DATA_SUFFIXES.intersection(suffixes)


@pytest.mark.parametrize("row", [row for row in FORMATS if row.name in FREE_TEXT], ids=lambda row: row.name)
@settings(quick, max_examples=25)
@given(pieces=st.lists(PIECES, min_size=1, max_size=25))
def test_any_text_becomes_a_document(row: Format, pieces: list[str], checked: Checked) -> None:
    try:
        checked(parse("".join(pieces).encode(), f"x{row.suffixes[0]}", None, Limits()))
    except ReadError as error:
        assert error.reason == "empty", error


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n....", "x.docx", "a PNG picture"),
        (b"\x89PNG\r\n\x1a\n....", "x.html", "a PNG picture"),
        (b"PK\x03\x04 something", "x.html", "a zip archive"),
        (
            b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "x.ods",
            "an OpenDocument spreadsheet",
        ),
    ],
)
def test_a_foreign_file_is_named_whatever_it_is_called(data: bytes, name: str, kind: str) -> None:
    with pytest.raises(ReadError, match=f"{kind} .*save it as one of PDF, Word, EPUB") as caught:
        detect_format(data, name)
    assert caught.value.reason == "unsupported"


@pytest.fixture
def org_mode(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A new format, as a contributor adds it: a `convert` and a row."""

    def convert(data: bytes, name: str, reading: Reading) -> Document:
        lines = data.decode("utf-8").split("\n")
        blocks = [Block(x.lstrip("* "), len(x) - len(x.lstrip("*"))) for x in lines]
        return document_from_blocks(blocks, name=name, format="org")

    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, Format("org", "Org mode", (".org",), convert)))
    yield


def test_a_row_is_all_that_a_new_format_needs(org_mode: None, checked: Checked) -> None:
    document = checked(parse(f"* Order\n{PROSE}\n* Uses\n{PROSE}".encode(), "x.org", None, Limits()))
    assert document.format == "org"
    assert [section.heading for section in document.sections] == ["Order", "Uses"]
    assert formats.format_labels().endswith("plain text and Org mode")
