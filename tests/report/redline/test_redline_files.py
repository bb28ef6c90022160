"""Redlines as files: another library accepts all changes and finds B, rejects all and finds A."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from hypothesis import given
from lxml import etree

import colde
from colde.alignment.document_alignment import align
from colde.errors import MissingExtraError
from colde.ingest.docx.names import WORD_NAMESPACE
from colde.report.redline import docxodus, redline_files
from colde.report.redline.docxodus import is_word_file, track_changes
from colde.report.redline.redline_files import NOT_VERSIONS, redline_docx, redline_pdf
from colde.report.redline.redline_pieces import redline_paragraphs
from colde.report.redline.tracked_text import tracked_text
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Document, Span
from tests.alignment.made_versions import made_versions
from tests.ingest.docx_samples import PREFIXES, p, parts_of, saved, zipped
from tests.printed_text import pdf_text
from tests.report.redline.accepted import accepted, lines, paragraphs_of, rejected, words_of
from tests.report.redline.edited_word_files import edited

MADE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
REPORTS = (
    "81-docx-note-in-table/notes.docx",
    "22-docx-layout-table/two-columns.docx",
    "22-docx-layout-table/numbers.docx",
    "80-docx-mixed-headings/refs-h1.docx",
    "91-same-in-formats/a.docx",
    "21-docx-nested-tables/nested-data.docx",
    "27-docx-text-boxes/boxes.docx",
)


def rules() -> bytes:
    """A Word file with headings, two kinds of lists, a table and formatted words."""
    document = docx.Document()
    document.add_heading("Rules of the harbour", 1)
    paragraph = document.add_paragraph("The keeper opens the gate at ")
    paragraph.add_run("dawn").bold = True
    paragraph.add_run(" and shuts it at dusk.")
    for text in (
        "No boat may pass without a lamp.",
        "A rower pays 4.70 for each night.",
        "The pilot goes first.",
    ):
        document.add_paragraph(text, style="List Number")
    document.add_heading("Fees", 2)
    made = document.add_table(3, 2)
    for row, texts in zip(made.rows, (("Boat", "Fee"), ("Ferry", "12"), ("Barge", "30")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    for text in ("Fees are due in advance.", "Nobody pays twice.", "The clerk keeps the ledger of all fees."):
        document.add_paragraph(text, style="List Bullet")
    return saved(document)


NOTE = '<w:footnote w:id="{0}">{1}</w:footnote>'
CALL = '<w:r xmlns:w="{0}"><w:footnoteReference w:id="{1}"/></w:r>'
NOTES_TYPE = (
    b'<Override PartName="/word/footnotes.xml" ContentType='
    b'"application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>'
)
NOTES_RELATION = (
    b'<Relationship Id="rNotes" Target="footnotes.xml" Type='
    b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"/></Relationships>'
)


def with_notes() -> bytes:
    """The rules with two notes."""
    document = docx.Document(io.BytesIO(rules()))
    for number, paragraph in zip((2, 3), document.paragraphs[1:3], strict=True):
        paragraph._p.append(parse_xml(CALL.format(WORD_NAMESPACE, number)))
    parts = parts_of(saved(document))
    notes = "".join(NOTE.format(k, p(f"Note {k} tells of the old tide table.")) for k in (2, 3))
    parts["word/footnotes.xml"] = f"<w:footnotes {PREFIXES}>{notes}</w:footnotes>".encode()
    for name, end, row in (
        ("[Content_Types].xml", b"</Types>", NOTES_TYPE),
        ("word/_rels/document.xml.rels", b"</Relationships>", NOTES_RELATION),
    ):
        parts[name] = parts[name].replace(end, row)
    return zipped(parts)


def checked_redline(a: bytes, b: bytes) -> bytes:
    """The redline of two Word files, which Docxodus takes a second to start for."""
    redline = track_changes(a, b, "x", MADE)
    assert words_of(accepted(redline)) == words_of(b)
    assert words_of(rejected(redline)) == words_of(a)
    return redline


@pytest.mark.slow
def test_of_two_word_files_accepted_is_b_and_rejected_is_a() -> None:
    checked_redline(rules(), edited(rules(), 0, 16))


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_of_the_word_files_of_the_reports_accepted_is_b_and_rejected_is_a(
    name: str, shared: Callable[[str], Path]
) -> None:
    data = shared(f"reports/{name}").read_bytes()
    checked_redline(data, edited(data, 1, 12))


@pytest.mark.slow
def test_notes_are_tracked_and_the_newer_file_keeps_its_formatting() -> None:
    parts = parts_of(edited(with_notes(), 4, 10))
    parts["word/styles.xml"] = parts["word/styles.xml"].replace(b"4F81BD", b"0A5F3C")
    written = parts_of(checked_redline(with_notes(), zipped(parts)))
    assert written["word/styles.xml"].count(b"0A5F3C") == parts["word/styles.xml"].count(b"0A5F3C") > 0
    assert b"<w:ins " in written["word/footnotes.xml"] or b"<w:del " in written["word/footnotes.xml"]


@given(made_versions())
def test_of_other_formats_accepted_is_b_and_rejected_is_a(pair: tuple[Document, Document]) -> None:
    data = tracked_text(redline_paragraphs(align(*pair)), (), "x", MADE)
    for resolved, document in ((accepted(data), pair[1]), (rejected(data), pair[0])):
        assert paragraphs_of(resolved) == lines(document.text)


A = "The keeper opens the gate at dawn. No boat may pass without a lamp. The clerk keeps a ledger of the fees."
B = "The keeper opens the gate at noon. No boat may pass without a lamp. The clerk keeps a ledger of the fees."


@pytest.fixture(scope="module")
def reviewed() -> Comparison:
    """A comparison with a decision on its change, and a note on its passage in A alone."""
    comparison = colde.compare(colde.read_text(A), colde.read_text(B), models="tfidf")
    (change,) = comparison.changes
    assert change.a is not None and change.b is not None
    marks = (
        Mark(
            Span(change.a.start, change.a.end),
            Span(change.b.start, change.b.end),
            "accepted",
            "As agreed.",
            True,
        ),
        Mark(Span(0, 10), None, "", "Who is it?", True),
    )
    return replace(comparison, review=Decisions(marks))


def comments(data: bytes) -> list[str]:
    return [comment.text for comment in docx.Document(io.BytesIO(data)).comments]


COMMENTS = ["wording: accepted. As agreed.", "note: Who is it?"]


def test_the_review_becomes_comments_that_begin_with_the_kind(reviewed: Comparison) -> None:
    file = redline_docx(reviewed, made=MADE)
    assert comments(file.data) == COMMENTS
    body = parts_of(file.data)["word/document.xml"].decode()
    places = [
        body.index(word)
        for word in ('commentRangeStart w:id="0"', "dawn", "noon", 'commentRangeEnd w:id="0"')
    ]
    assert places == sorted(places)
    printed = " ".join(pdf_text(redline_pdf(reviewed, MADE)).split())
    assert "[1] wording: accepted. As agreed." in printed and "[2] note: Who is it?" in printed
    assert "dawn" in printed and "noon" in printed


@pytest.mark.slow
def test_comments_stand_in_a_redline_of_two_word_files(reviewed: Comparison) -> None:
    files = tuple(saved(_document(text)) for text in (A, B))
    file = redline_docx(reviewed, (files[0], files[1]), MADE)
    assert comments(file.data) == COMMENTS
    assert words_of(accepted(file.data)) == [B] and words_of(rejected(file.data)) == [A]


def commented(data: bytes, part: str) -> str:
    """The text between the ends of the first comment in a part."""
    between, found = False, []
    for element in etree.fromstring(parts_of(data)[part]).iter(etree.Element):
        name = element.tag.rpartition("}")[2]
        between = (between or name == "commentRangeStart") and name != "commentRangeEnd"
        if between and name in ("t", "delText"):
            found.append(element.text or "")
    return "".join(found)


@pytest.mark.slow
def test_a_comment_on_a_passage_of_a_note_stands_in_the_note() -> None:
    parts = parts_of(with_notes())
    parts["word/footnotes.xml"] = parts["word/footnotes.xml"].replace(b"Note 3 tells", b"Note 3 speaks")
    files = with_notes(), zipped(parts)
    a, b = (colde.read(data, name="rules.docx") for data in files)
    spans = [
        Span(at, at + len(text))
        for document, text in (
            (a, "Note 3 tells of the old tide table."),
            (b, "Note 3 speaks of the old tide table."),
        )
        for at in [document.text.index(text)]
    ]
    review = Decisions((Mark(spans[0], spans[1], "", "Which table?", True),))
    comparison = replace(colde.compare(a, b, models="tfidf"), review=review)
    file = redline_docx(comparison, files, MADE)
    (comment,) = comments(file.data)
    assert comment.endswith(": Which table?")
    assert commented(file.data, "word/footnotes.xml") == "Note 3 tellsspeaks of the old tide table."
    assert commented(file.data, "word/document.xml") == ""
    assert words_of(accepted(file.data)) == words_of(files[1])
    assert words_of(rejected(file.data)) == words_of(files[0])


def _document(text: str) -> object:
    document = docx.Document()
    document.add_paragraph(text)
    return document


def test_word_files_are_told_from_others() -> None:
    data = rules()
    parts = parts_of(data)
    types = parts["[Content_Types].xml"].replace(b"document.main+xml", b"template.main+xml")
    assert is_word_file(data)
    for other in (zipped({**parts, "[Content_Types].xml": types}), b"PK", b"", zipped({"a": b"b"})):
        assert not is_word_file(other)


def test_a_redline_fetches_nothing_when_it_is_opened_and_keeps_its_links() -> None:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    elsewhere = "".join(
        f'<Relationship Id="far{kind}" Type="{office}/{kind}" TargetMode="External" '
        f'Target="http://evil.example/{kind}"/>'
        for kind in ("attachedTemplate", "image", "hyperlink")
    ).encode()
    name = "word/_rels/document.xml.rels"
    old, new = (
        zipped({**parts, name: parts[name].replace(b"</Relationships>", elsewhere + b"</Relationships>")})
        for parts in (parts_of(saved(_document(text))) for text in (A, B))
    )
    redline = parts_of(track_changes(old, new, "CoLDE", MADE))
    targets = re.findall(rb'Target="(http://evil[^"]*|NULL)"', b"".join(redline.values()))
    assert sorted(targets) == [b"NULL", b"NULL", b"http://evil.example/hyperlink"]


def test_files_that_docxodus_cannot_compare_give_a_clean_document(
    reviewed: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docxodus, "_program", lambda: "/bin/false")
    files = saved(_document(A)), saved(_document(B))
    file = redline_docx(reviewed, files, MADE)
    assert "cannot compare" in file.note and comments(file.data) == COMMENTS


def test_without_the_extra_the_error_names_the_command(
    reviewed: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docxodus, "can_track_changes", lambda: False)
    files = saved(_document(A)), saved(_document(B))
    with pytest.raises(MissingExtraError, match=r"pip install 'colde-explorer\[redline\]'"):
        redline_docx(reviewed, files, MADE)


def test_texts_that_are_no_versions_are_named() -> None:
    other = (
        "Snow fell all night on the pass. The mule found the way home. Nobody had lit the stove for a week."
    )
    comparison = colde.compare(colde.read_text(A), colde.read_text(other), models="tfidf")
    assert redline_docx(comparison, made=MADE).note == NOT_VERSIONS == redline_files.redline_note(comparison)
