"""Reports carry what they were made from; a check notices other files, other weights and every edit of a report."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import docx
import pytest

import colde
from colde.report.content.report_record import ReportError, carried_text, find_record
from colde.report.html.html_report import to_html
from colde.report.printed.docx_report import to_docx
from colde.report.printed.pdf_report import to_pdf
from colde.report.verification.report_check import check_content, check_record
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark

A = "The keeper opens the gate at dawn. No boat may pass without a lamp. The clerk keeps a ledger of all the fees."
B = A.replace("dawn", "noon")
MADE = date(2026, 1, 2)


def compared(a: str = A, b: str = B) -> Comparison:
    files = (colde.read(a.encode(), name="a.txt"), colde.read(b.encode(), name="b.txt"))
    return colde.compare(*files, models="tfidf")


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    first = compared()
    assert first.shared is not None
    passage = first.shared.passages[0]
    return replace(first, review=Decisions((Mark(passage.a, passage.b, "accepted", "Seen twice."),)))


@pytest.fixture(scope="module")
def reports(comparison: Comparison) -> dict[str, bytes]:
    return {
        "json": comparison.to_json().encode(),
        "html": to_html(comparison, made=MADE).encode(),
        "docx": to_docx(comparison, MADE),
        "pdf": to_pdf(comparison, MADE),
    }


FORMATS = ("json", "html", "docx", "pdf")


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_agrees_with_its_own_files(form: str, reports: dict[str, bytes]) -> None:
    carried = find_record(reports[form])
    again = compared()
    assert all(check.agrees for check in check_record(carried, again.record, ()))
    assert check_content(reports[form], carried, again).agrees


def edited_docx(data: bytes) -> bytes:
    document = docx.Document(io.BytesIO(data))
    for paragraph in document.paragraphs:
        for run in paragraph.runs:
            run.text = run.text.replace("Two versions", "Unrelated texts")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


EDITS: dict[str, Callable[[bytes, Comparison], bytes]] = {
    "json": lambda data, _: data.replace(b'"kind":"identical"', b'"kind":"same topic"', 1),
    "html": lambda data, _: data.replace(b"Two versions", b"Unrelated texts", 1),
    "docx": lambda data, _: edited_docx(data),
    "pdf": lambda _, c: pdf_of_another(c),
}


def pdf_of_another(comparison: Comparison) -> bytes:
    """The report of another pair with the record of this one."""
    other = to_pdf(replace(compared(b=B.replace("lamp", "bell")), review=comparison.review), MADE)
    written = carried_text(comparison, MADE).encode()
    return re.sub(rb"colde-record:[A-Za-z0-9_=-]+", b"colde-record:" + written, other)


@pytest.mark.parametrize("form", FORMATS)
def test_an_edited_report_is_noticed(form: str, reports: dict[str, bytes], comparison: Comparison) -> None:
    edited = EDITS[form](reports[form], comparison)
    assert edited != reports[form]
    check = check_content(edited, find_record(edited), compared())
    assert check.agrees is False and check.detail


SAYS = "the report says “Unrelated texts: "
HIDDEN = b'"text":"The keeper opens the gate at noon'
FIELD = "the field payload.documents.b.text is “The keeper opens the gate at nine."
SAID_OF_EDITS = {
    "a sentence": ("html", b"Two versions", b"Unrelated texts", SAYS),
    "a mark": (
        "html",
        b'class="verdict"',
        b'class="verdicts"',
        "the markup, a style or a script of the page",
    ),
    "hidden text": (
        "html",
        b'"text":"The keeper opens the gate at noon',
        b'"text":"The keeper opens the gate at nine',
        FIELD,
    ),
    "a value": (
        "json",
        b'"kind":"identical"',
        b'"kind":"same topic"',
        "the field shared.kinds[0].kind is",
    ),
}


@pytest.mark.parametrize(("form", "old", "new", "says"), SAID_OF_EDITS.values(), ids=SAID_OF_EDITS)
def test_what_was_edited_is_named_in_words(
    form: str, old: bytes, new: bytes, says: str, reports: dict[str, bytes]
) -> None:
    assert old in reports[form]
    edited = reports[form].replace(old, new, 1)
    detail = check_content(edited, find_record(edited), compared()).detail
    assert detail.startswith(says) and not set("<>") & set(detail)


def test_a_sentence_with_marked_words_is_one_sentence(reports: dict[str, bytes]) -> None:
    assert b"the gate at <mark>noon</mark>." in reports["html"]
    again = compared(b=B.replace("noon", "nine"))
    detail = check_content(reports["html"], find_record(reports["html"]), again).detail
    assert (
        "the report says “The keeper opens the gate at noon.”, the new one “The keeper opens the gate at nine.”"
        in detail
    )


def test_a_second_script_of_data_is_no_data_of_the_report(reports: dict[str, bytes]) -> None:
    script = b'<script type="application/json" id="payload">'
    edited = reports["html"].replace(script, script + b"{}</script>" + script, 1)
    assert check_content(edited, find_record(edited), compared()).agrees is False


@pytest.mark.parametrize("form", FORMATS)
def test_a_changed_character_in_a_file_is_noticed(form: str, reports: dict[str, bytes]) -> None:
    differing = check_record(find_record(reports[form]), compared(b=f"{B} ").record, ())
    assert [check.what for check in differing if not check.agrees] == ["file B"]
    differing = check_record(find_record(reports[form]), compared(a=A.replace("fees", "feet")).record, ())
    assert [check.what for check in differing if not check.agrees] == ["file A", "text of A"]


def test_other_weights_another_version_and_templates_are_noticed(reports: dict[str, bytes]) -> None:
    carried, again = find_record(reports["json"]), compared()
    weights = {**again.weights, "tfidf": "0" * 64}
    record = replace(again, weights=weights).record
    assert [c.what for c in check_record(carried, record, ()) if not c.agrees] == [
        "weights and settings of tfidf"
    ]
    record = replace(again.record, version="9.9")
    assert [c.what for c in check_record(carried, record, ()) if not c.agrees] == ["version of the program"]
    assert [c.what for c in check_record(carried, again.record, ("0" * 64,)) if not c.agrees] == ["templates"]


def test_an_edited_decision_is_noticed(reports: dict[str, bytes]) -> None:
    edited = reports["json"].replace(b'"decision":"accepted"', b'"decision":"rejected"', 1)
    checks = check_record(find_record(edited), compared().record, ())
    assert [check.what for check in checks if not check.agrees] == ["review"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a text",
        b'{"version": 2}',
        b'{"record": {}, "models": []}',
        b"<!DOCTYPE html><title>x</title>",
        b"%PDF-1.7",
        b"%PDF-1.7 colde-record:AAAA",
        b"PK\x03\x04",
        b'{"record": 1, "models": 3}',
    ],
)
def test_what_is_no_report_is_named(data: bytes) -> None:
    with pytest.raises(ReportError):
        find_record(data)


def test_a_record_that_unpacks_to_too_much_is_damaged(
    monkeypatch: pytest.MonkeyPatch, reports: dict[str, bytes]
) -> None:
    monkeypatch.setattr("colde.report.content.report_record.MAX_RECORD_BYTES", 100)
    with pytest.raises(ReportError):
        find_record(reports["pdf"])


def test_the_record_names_template_review_and_settings(comparison: Comparison) -> None:
    template = colde.read_text(
        "No boat may pass without a lamp. All boats wait for the tide. The end of the form is here."
    )
    a, b = (colde.read(text.encode(), name="x.txt") for text in (A, B))
    record = colde.compare(a, b, models="tfidf", templates=[template]).record.to_dict()
    assert len(record["templates"]) == 1 and record["weights"].keys() == {"tfidf", "encoder"}
    assert record["documents"]["a"]["file"] and record["settings"]["profile"] == "auto"
    assert comparison.record.review and not compared().record.review
    pasted = colde.compare(colde.read_text(A), colde.read_text(B), models="tfidf").record.to_dict()
    assert pasted["documents"]["a"]["file"] is None


def test_word_keeps_the_record_as_a_custom_part(reports: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(reports["docx"])) as archive:
        relations = archive.read("word/_rels/document.xml.rels").decode()
    assert "relationships/customXml" in relations and "colde-record.xml" in relations
