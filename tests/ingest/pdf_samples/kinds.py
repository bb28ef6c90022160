"""Documents that are no papers: a patent, a contract, a report with cover and contents, slides."""

from __future__ import annotations

import io

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, Spacer, Table

from .prose import paragraph
from .typeset import BODY, FLAT, HEADS, TITLE, Layout, render

_CAPITALS = ParagraphStyle("capitals", parent=FLAT, alignment=TA_CENTER, spaceBefore=12, spaceAfter=8)
_CLAUSE = ParagraphStyle("clause", parent=FLAT, fontName="Helvetica", leftIndent=24, bulletIndent=0)
_CLAUSE_HEAD = ParagraphStyle("clause head", parent=FLAT, fontName="Helvetica-Bold", spaceBefore=10)

PATENT = ["TECHNICAL FIELD", "BACKGROUND", "SUMMARY OF THE INVENTION", "BRIEF DESCRIPTION OF THE DRAWINGS",
          "DETAILED DESCRIPTION", "CLAIMS", "ABSTRACT"]  # fmt: skip
CONTRACT = ["1. Definitions", "2. Services", "3. Fees and Payment", "4. Confidential Information", "5. Termination",
            "6. Governing Law"]  # fmt: skip
REPORT = [("1 Executive Summary", 1), ("2 The State of the Rivers", 1), ("2.1 Water Levels", 2),
          ("2.2 Water Quality", 2), ("3 Measures Taken", 1), ("3.1 Dams", 2), ("4 Recommendations", 1),
          ("Appendix A Stations", 1), ("Appendix B Methods of Sampling", 1)]  # fmt: skip
SLIDES = ["Why We Measure", "How Sensors Work", "What Went Wrong", "Results of the First Year", "Next Steps"]


def patent() -> bytes:
    """Headings in capitals without bold, paragraphs with numbers in brackets, numbered claims."""
    story: list[Flowable] = [Paragraph("Apparatus for Measuring Flow", TITLE)]
    number = 1
    for heading in PATENT:
        story.append(Paragraph(heading, _CAPITALS))
        for k in range(4):
            mark = (
                f"{k + 1}. A device according to the above, wherein"
                if heading == "CLAIMS"
                else f"[{number:04d}]"
            )
            story.append(Paragraph(f"{mark} {paragraph(3 * number, 3)}", FLAT))
            number += 1
    return render(story, Layout(head="US 2031/0123456 A1"))


def contract() -> bytes:
    """Clauses 1.1, 1.2 … that are text; only their groups have headings. Blocks, not indents."""
    story: list[Flowable] = [Paragraph("MASTER SERVICES AGREEMENT", TITLE), Paragraph(paragraph(1, 2), FLAT)]
    number = 10
    for i, heading in enumerate(CONTRACT, 1):
        story.append(Paragraph(heading, _CLAUSE_HEAD))
        for k in range(1, 5):
            story.append(Paragraph(paragraph(number, 2), _CLAUSE, bulletText=f"{i}.{k}"))
            number += 2
        story.append(Paragraph(f"(a) {paragraph(number, 1)}", _CLAUSE))
        story.append(Paragraph(f"(b) {paragraph(number + 1, 1)}", _CLAUSE))
        number += 2
    return render(story, Layout(size=LETTER, head="CONFIDENTIAL"))


def report() -> bytes:
    """A cover page, a table of contents, chapters, appendices, a table with a caption."""
    story: list[Flowable] = [Spacer(1, 180), Paragraph("Annual Report on Rivers", TITLE)]
    story += [Paragraph("Office of Waters", _CAPITALS), Paragraph("March 2031", _CAPITALS), PageBreak()]
    story.append(Paragraph("Contents", HEADS[1]))
    for page, (heading, level) in enumerate(REPORT, 3):
        story.append(Paragraph(f"{heading} {'.' * (90 - 2 * len(heading) - 6 * level)} {page}", FLAT))
    number = 1
    for heading, level in REPORT:
        if level == 1:
            story.append(PageBreak())
        story.append(Paragraph(heading, HEADS[level]))
        for _ in range(3):
            story.append(Paragraph(paragraph(number, 4), FLAT))
            number += 4
        if heading == "2.1 Water Levels":
            rows = [
                ["Station", "Lowest", "Highest"],
                *([f"S{n}", f"{n}.25", f"{n + 4}.75"] for n in range(1, 7)),
            ]
            story += [
                Paragraph("Table 1: Levels at the stations, in metres.", BODY),
                Table(rows),
                Spacer(1, 8),
            ]
    return render(story, Layout(head="Annual Report on Rivers"))


def slides() -> bytes:
    """Wide pages, each with a large title and a list."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(720, 405), invariant=1)
    canvas.setFont("Helvetica-Bold", 36)
    canvas.drawCentredString(360, 240, "Sensors in Rivers")
    canvas.setFont("Helvetica", 20)
    canvas.drawCentredString(360, 190, "A short course")
    canvas.showPage()
    for page, title in enumerate(SLIDES, 2):
        canvas.setFont("Helvetica-Bold", 28)
        canvas.drawString(50, 345, title)
        canvas.setFont("Helvetica", 18)
        for k in range(4):
            canvas.drawString(70, 285 - 40 * k, f"• Point {page}-{k} is about one more thing")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(50, 20, "Sensors in Rivers")
        canvas.drawRightString(670, 20, f"{page} / {len(SLIDES) + 1}")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
