"""Patents, contracts, reports and slides: no rule of the reader may be made for papers alone."""

from __future__ import annotations

from collections.abc import Callable

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples import kinds

Checked = Callable[[Document], Document]


def headings(document: Document) -> list[str | None]:
    return [s.heading for s in document.sections if s.heading]


def test_patent(checked: Checked) -> None:
    document = checked(convert(kinds.patent(), "patent.pdf", Reading()))
    assert document.title == "Apparatus for Measuring Flow"
    assert headings(document) == kinds.PATENT
    assert "0123456" not in document.text
    claims = next(s for s in document.sections if s.heading == "CLAIMS")
    starts = [document.text[p.start : p.start + 11] for p in claims.paragraphs]
    assert starts == [f"{n}. A device" for n in range(1, 5)]
    background = next(s for s in document.sections if s.heading == "BACKGROUND")
    assert [document.text[p.start : p.start + 6] for p in background.paragraphs] == [
        f"[{n:04d}]" for n in range(5, 9)
    ]


def test_contract(checked: Checked) -> None:
    document = checked(convert(kinds.contract(), "contract.pdf", Reading()))
    assert document.title == "MASTER SERVICES AGREEMENT"
    assert headings(document) == kinds.CONTRACT
    assert "CONFIDENTIAL" not in document.text
    fees = next(s for s in document.sections if s.heading == "3. Fees and Payment")
    starts = [document.text[p.start : p.end].split()[0] for p in fees.paragraphs]
    assert starts == ["3.1", "3.2", "3.3", "3.4", "(a)", "(b)"]


def test_report(checked: Checked) -> None:
    document = checked(convert(kinds.report(), "report.pdf", Reading()))
    assert document.title == "Annual Report on Rivers"
    assert [(s.heading, s.level) for s in document.sections if s.heading] == kinds.REPORT
    assert "....." not in document.text, "the table of contents is left out"
    roles = {s.role: document.text[s.start : s.end] for s in document.sections if s.role}
    assert roles["caption"] == "Table 1: Levels at the stations, in metres."
    assert roles["table"].split("\n")[:2] == ["Station Lowest Highest", "S1 1.25 5.75"]
    assert "Annual Report on Rivers" not in document.text, "the running head is left out on every page"


def test_slides(checked: Checked) -> None:
    document = checked(convert(kinds.slides(), "slides.pdf", Reading()))
    assert document.title == "Sensors in Rivers"
    assert headings(document) == kinds.SLIDES
    for section in document.sections[1:]:
        assert len(section.paragraphs) == 4, "each item is a paragraph"
    assert " / 6" not in document.text
