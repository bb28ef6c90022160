"""Exchanged and hidden letters in files of every format: the text that a reader sees, and the warnings."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace

import docx
import pytest
from docx.shared import Pt, RGBColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate

from colde.alignment.shared_runs import compared_words
from colde.ingest import read, read_text
from colde.ingest.sandbox.protocol import pack, unpack
from colde.text.document import Document
from tests.text.source_map import source_text

pytestmark = pytest.mark.usefixtures("in_process")
TEXT = (
    "The dredger lay at the quay for most of the winter, and nobody in the office could say why. Its crew had been "
    "sent home before the first frost. When the ice broke, the harbour master found that the hull had been patched "
    "with tar and old sails, and he refused to let it leave."
)
LATIN, CYRILLIC = "aeopc", "аеорс"
LOOK_ALIKE = TEXT.translate(str.maketrans(LATIN, CYRILLIC))
SEEN = "The keeper trimmed the wick."


def as_docx(text: str) -> bytes:
    made = docx.Document()
    made.add_paragraph(text)
    return saved(made)


def saved(document: object) -> bytes:
    file = io.BytesIO()
    document.save(file)  # type: ignore[attr-defined]
    return file.getvalue()


def as_pdf(text: str) -> bytes:
    """A PDF in a font whose Cyrillic letters have the shapes of Latin ones, and that has a zero-width space."""
    font = TTFont("Exchanged", "Vera.ttf")
    face = font.face
    for latin, other in zip((*LATIN, " "), (*CYRILLIC, "\u200b"), strict=True):
        face.charToGlyph[ord(other)] = face.charToGlyph[ord(latin)]
        face.charWidths[ord(other)] = 0 if other == "\u200b" else face.charWidths[ord(latin)]
    pdfmetrics.registerFont(font)
    file = io.BytesIO()
    style = ParagraphStyle("body", fontName="Exchanged", fontSize=10, leading=13)
    SimpleDocTemplate(file).build([Paragraph(text, style)])
    return file.getvalue()


FORMATS: dict[str, Callable[[str], bytes]] = {
    "x.txt": str.encode,
    "x.md": lambda text: f"# Harbour\n\n{text}\n".encode(),
    "x.rst": lambda text: f"Harbour\n=======\n\n{text}\n".encode(),
    "x.html": lambda text: f"<!doctype html><p>{text}</p>".encode(),
    "x.docx": as_docx,
    "x.pdf": as_pdf,
}


def page(body: str, head: str = "") -> Document:
    return read(
        f"<!doctype html><html><head>{head}</head><body><p>{SEEN}</p>{body}</body></html>".encode(),
        name="p.html",
    )


@pytest.mark.parametrize("name", FORMATS)
def test_exchanged_letters_in_every_format(name: str) -> None:
    document = read(FORMATS[name](LOOK_ALIKE), name=name)
    assert TEXT in document.text
    assert compared_words(document).names == compared_words(read(FORMATS[name](TEXT), name=name)).names
    [warning] = document.warnings
    assert (
        "Cyrillic letters that look like Latin ones were read as Latin, first in “The dredger" in warning.text
    )
    assert "The dredger" not in source_text(document.text, document.replacements)


@pytest.mark.parametrize("name", FORMATS)
def test_zero_width_characters_in_every_format(name: str) -> None:
    written = TEXT.replace("e", "\u200be")
    document = read(FORMATS[name](written), name=name)
    assert TEXT in document.text
    [warning] = document.warnings
    assert "invisible characters inside words were left out" in warning.text


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("r", "r\u00ad"),
        TEXT.replace("ff", "ﬀ"),
        TEXT.replace(" ", "\u00a0"),
        TEXT + " Zoë naïve cafe\u0301",
        TEXT + " The vοte",
    ],
)
def test_harmless_characters_give_no_warning(text: str) -> None:
    assert not read_text(text).warnings


def test_the_warning_names_section_and_page() -> None:
    document = read_text(f"# Boats\n\n## Plan\n\n{TEXT}\n\n## Winter\n\n{LOOK_ALIKE}\n")
    assert "(section Winter)" in document.warnings[0].text
    [warning] = read(as_pdf(LOOK_ALIKE), name="x.pdf").warnings
    assert "(page 1)" in warning.text
    assert warning.pages == ((1, 1),)


def test_a_heading_with_exchanged_letters_keeps_its_role() -> None:
    document = read_text(
        f"# Boats\n\n## Plan\n\n{TEXT}\n\n## Rеfеrеnсеs\n\n- Orr, J.: Tar and sails. 1988.\n"
    )
    assert document.sections[-1].heading == "References"
    assert document.sections[-1].role == "references"


def test_sentences_and_replacements_survive_the_way_between_processes() -> None:
    document = read_text(LOOK_ALIKE)
    values = pack(document)
    assert unpack(json.dumps(values).encode()) == replace(document, seconds=0.0)
    del values["replacements"]
    assert unpack(json.dumps(values).encode()).replacements == ()


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ('<p>We<span style="color:#ffffff">q</span>met<font color="#fefefe">xxxx</font>here</p>', ""),
        ('<p>We<i style="color: rgba(0,0,0,0)">q</i>met<i style="color:transparent">xxxx</i>here</p>', ""),
        (
            '<p>We<b class="w">q</b>met<b class="w">xxxx</b>here</p>',
            "<style>.w{color:White!important}</style>",
        ),
        ('<p>We<i style="opacity:0">q</i>met<i style="opacity: 0.0">xxxx</i>here</p>', ""),
        ('<p>We m<i style="font-size:0">qq</i>et he<i style="font-size: 1px">xxx</i>re</p>', ""),
        ('<p>We m<i style="position:absolute;left:-9999px">qq xxx</i>et here</p>', ""),
        (
            '<div style="background:#123"><p style="color:#fff">We<i style="color:#124">xxxxx</i>met here</p></div>',
            "",
        ),
        (
            '<table bgcolor="navy"><tr><td style="color:white">We<u style="color:#000080">qqqqq</u>met here</table>',
            "",
        ),
    ],
)
def test_letters_of_a_page_that_nobody_sees(body: str, head: str) -> None:
    document = page(body, head)
    assert "We met here" in document.text
    assert "q" not in document.text
    [warning] = document.warnings
    assert "5 hidden characters, invisible by their colour, size or place, were left out" in warning.text


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ('<div style="background:#123"><p style="color:#fff">We met here</p></div>', ""),
        ('<p style="color:#ccc">We met here</p>', ""),
        (
            '<div class="dark"><p style="color:#fff">We met here</p></div>',
            '<link rel="stylesheet" href="x.css">',
        ),
        ('<div style="background-image:url(x.png)"><p style="color:white">We met here</p></div>', ""),
        (
            '<p style="color:transparent;background-clip:text;background:linear-gradient(red,tan)">We met here</p>',
            "",
        ),
        ('<ul style="font-size:0"><li style="font-size:1rem">We met here</li></ul>', ""),
        ('<div style="opacity:0"><p>We met here</p></div>', ""),
        ("<p>We met here</p>", "<style>@media print{p{color:#fff}} p:hover{color:#fff}</style>"),
        ('<p class="k">We met here</p>', "<style>body{background:#111;color:#eee}</style>"),
    ],
)
def test_letters_of_a_page_that_are_seen(body: str, head: str) -> None:
    document = page(body, head)
    assert "We met here" in document.text
    assert not document.warnings


def test_white_and_tiny_letters_in_word() -> None:
    made = docx.Document()
    line = made.add_paragraph()
    for word in ("We", "met", "here"):
        line.add_run(word)
        line.add_run("qq").font.color.rgb = RGBColor(255, 255, 255)
    line.add_run("tiny").font.size = Pt(1)
    line.add_run("again")
    cell = made.add_table(2, 2).cell(0, 0).paragraphs[0].add_run("White in a table")
    cell.font.color.rgb = RGBColor(255, 255, 255)
    document = read(saved(made), name="x.docx")
    assert "We met here again" in document.text
    assert "White in a table" in document.text  # which may have a dark style
    assert "10 hidden characters" in document.warnings[0].text
