"""Reports in DOCX and PDF: everything a report says, decisions and notes, and texts of any script as text."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import docx
import pypdfium2
import pytest

from colde.errors import MissingExtraError
from colde.ingest.shared.blocks import Block, assemble
from colde.report.content.report_content import MAX_PASSAGE, report_content
from colde.report.formatting import is_right_to_left, printable
from colde.report.maps.matrix_drawing import draw_matrix
from colde.report.printed.docx_report import to_docx
from colde.report.printed.pdf_report import to_pdf, to_png
from colde.report.printed.typesetting import can_typeset, missing_characters
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.results.shared_text import Part, SharedPassage
from colde.text.document import Document, Span
from tests.printed_text import W, docx_text, pdf_text
from tests.report.example import example
from tests.report.versions import KINDS, versions

MADE = date(2026, 11, 26)
HOSTILE = (
    '#let x = 1 </w:t></w:r> *b* $x^2$ @ref <label> <script>alert(1)</script> =HYPERLINK("x") \\u{41} #import'
)
SCRIPTS = {
    "Greek": "Η παλιά πόλη στις όχθες του ποταμού",
    "Cyrillic": "Старый город на берегу реки",
    "Chinese": "这座古老的城市位于大河岸边",
    "Arabic": "المدينة القديمة على ضفاف النهر",
}
NOTE = "Checked – ملاحظة #let y = 2"


FORMS = pytest.mark.parametrize(
    ("make", "read"), [(to_docx, docx_text), (to_pdf, pdf_text)], ids=["docx", "pdf"]
)
Make = Callable[..., bytes]
Read = Callable[[bytes], str]


def reviewed() -> Comparison:
    """An example with an accepted passage, a rejected one, and a section left out."""
    comparison = example()
    assert comparison.shared is not None
    first, second, *_ = comparison.shared.passages
    marks = (Mark(first.a, first.b, "accepted", NOTE), Mark(second.a, second.b, "rejected", ""))
    section = comparison.a.sections[1]
    return replace(comparison, review=Decisions(marks, (Span(section.start, section.end),)))


@FORMS
def test_a_report_says_what_was_compared_judged_decided_and_left_out(make: Make, read: Read) -> None:
    comparison = reviewed()
    text = read(make(comparison, MADE))
    content = report_content(comparison)
    for expected in (
        content.title_a,
        content.title_b,
        "26 November 2026",
        content.verdict.headline,
        content.verdict.related,
        "Of 10 shared passages 1 were accepted and 1 rejected; 8 are open.",
        "Checked –",
        "#let y = 2",
        "Left out with What if",
        comparison.a.sections[1].heading or "",
        "CoLDE",
        "450 of 900 tokens; all",
        "Not compared",
        "How each number was made",
    ):
        assert expected in text, expected
    assert text.index("accepted") < text.index("Other shared passages") < text.index("Scores of the models")


@FORMS
def test_changes_come_before_the_passages(make: Make, read: Read) -> None:
    text = read(make(versions(), MADE))
    positions = [text.index(kind) for kind in KINDS]
    assert positions == sorted(positions)
    assert positions[0] < text.index("Shared passages")
    assert "Payment is due within 60 days" in text


@FORMS
def test_a_report_without_a_passage_says_so(make: Make, read: Read) -> None:
    comparison = example()
    assert comparison.shared is not None
    text = read(make(replace(comparison, shared=replace(comparison.shared, passages=())), MADE))
    assert "The two texts share no passage." in text and "Closest other sentences" in text
    assert "Review" not in text


def document(texts: list[str]) -> Document:
    """A section for each text, which is also its heading."""
    blocks = [block for text in texts for block in (Block(text, level=1), Block(f"{text}. {text}."))]
    return assemble(blocks, source="a.txt", format="text", title=HOSTILE)


def of_texts(texts: list[str]) -> Comparison:
    """The example with other documents, which share each sentence."""
    a = document(texts)
    return with_passages(a, [Span(s.start, s.end) for _, s in a.sentences()])


def with_passages(a: Document, spans: list[Span]) -> Comparison:
    """The example with two equal documents that share these passages."""
    words = {"a": 2, "b": 2}
    passages = tuple(
        SharedPassage("identical", s, s, words, 0.9, parts=(Part("identical", s, s),)) for s in spans
    )
    comparison = example()
    assert comparison.shared is not None
    shared = replace(comparison.shared, passages=passages, closest=())
    return replace(comparison, a=a, b=a, chunks_a=(), chunks_b=(), maps={}, shared=shared)


@FORMS
def test_hostile_text_stays_text(make: Make, read: Read) -> None:
    file = make(of_texts([HOSTILE, "\x07\x1b[31mred\ufffe\u202e right " + "w" * 300]), MADE)
    text = read(file)
    unbroken = re.sub(r"\s|\u200b", "", text)
    assert unbroken.count(re.sub(r"\s", "", HOSTILE)) >= 4, "title, documents, place and passage"
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\u202e]", text)
    assert "w" * 300 in unbroken


def test_a_word_document_has_no_fields_and_no_macros() -> None:
    with zipfile.ZipFile(io.BytesIO(to_docx(of_texts([HOSTILE]), MADE))) as packed:
        assert not [name for name in packed.namelist() if "vba" in name.lower()]
        for name in packed.namelist():
            if name.endswith(".xml"):
                assert not re.search(rb"<w:(fldChar|fldSimple|instrText|object)\b", packed.read(name)), name


@FORMS
@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_printed_as_they_are(make: Make, read: Read, script: str) -> None:
    sentence = SCRIPTS[script]
    words = read(make(of_texts([sentence]), MADE))
    assert sentence in words or sentence in words.replace(" ", ""), words[:800]
    assert "shown as □" not in words


def test_text_from_right_to_left_is_marked_in_a_word_document() -> None:
    body = docx.Document(io.BytesIO(to_docx(of_texts([SCRIPTS["Arabic"]]), MADE))).element.body
    directed = [p for p in body.iter(f"{W}p") if p.find(f"{W}pPr/{W}bidi") is not None]
    assert directed and all(p.find(f".//{W}rPr/{W}rtl") is not None for p in directed)


@pytest.mark.parametrize(
    ("text", "answer"), [("abc עברית", False), ("12 «مرحبا» abc", True), ("", False), ("12 34", False)]
)
def test_the_first_letter_decides_about_the_direction(text: str, answer: bool) -> None:
    assert is_right_to_left(text) is answer


def test_joiners_of_persian_are_printed_and_overrides_are_not() -> None:
    assert printable("می\u200cخواهم\u202e \x00a\ufdd0") == "می\u200cخواهم a"


def test_characters_without_a_glyph_are_named_in_the_pdf() -> None:
    assert missing_characters({"text": ["Runes ᚠ", {"more": "𓀀 中 α 𝒜 é"}]}) == {"ᚠ", "𓀀"}
    text = pdf_text(to_pdf(of_texts(["Signs 𓀀 of old"]), MADE))
    assert "1 character of the texts is shown as □" in text
    assert "U+13000" in text
    assert "Signs □ of old" in text


def test_a_very_long_passage_is_shortened() -> None:
    a = document(["The tide came in. " * 2_000])
    first, *_, last = (s for _, s in a.sentences())
    long = with_passages(a, [Span(first.start, last.end)])
    (passage,) = report_content(long).passages
    assert passage.a is not None and len(passage.a.text) == MAX_PASSAGE and passage.a.text.endswith("…")
    assert len(pypdfium2.PdfDocument(to_pdf(long, MADE))) < 8


@pytest.fixture
def without_typst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)


@pytest.mark.usefixtures("without_typst")
def test_without_the_extra_a_message_names_the_command_that_installs_it() -> None:
    assert not can_typeset()
    comparison = example()
    for make in (lambda: to_pdf(comparison), lambda: to_png(draw_matrix(comparison))):
        with pytest.raises(MissingExtraError, match=r"pip install 'colde-explorer\[reports\]'"):
            make()
    assert "The matrix is not shown." in docx_text(to_docx(comparison, MADE))
