"""Words below what is drawn later, or outside their clipping path, are left out; those on boxes and in windows stay."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.colors import white, yellow
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import paragraph

SECRET = "This sentence is one that nobody can see here."
Draw = Callable[[Canvas], None]
Change = Callable[[pikepdf.Pdf], None]


def page(draw: Draw, change: Change | None = None) -> Document:
    """A page with text, what a test draws below it, and what it changes of the file."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for i in range(8):
        canvas.drawString(60, 760 - 14 * i, paragraph(i + 1, 1)[:90])
    draw(canvas)
    canvas.save()
    if change is not None:
        with pikepdf.open(buffer) as pdf:
            change(pdf)
            buffer = io.BytesIO()
            pdf.save(buffer)
    return convert(buffer.getvalue(), "page.pdf", Reading())


def box(canvas: Canvas, grey: float, *, alpha: float = 1.0) -> None:
    canvas.saveState()
    canvas.setFillColorRGB(grey, grey, grey, alpha)
    canvas.rect(50, 490, 400, 30, stroke=0, fill=1)
    canvas.restoreState()


def secret(canvas: Canvas) -> None:
    canvas.setFillGray(0)
    canvas.drawString(60, 500, SECRET)


def picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("RGB", (40, 3), (90, 160, 60))), 50, 490, 400, 30)


def clip(canvas: Canvas, left: float, bottom: float, width: float, height: float) -> None:
    path = canvas.beginPath()
    path.rect(left, bottom, width, height)
    canvas.clipPath(path, stroke=0, fill=0)


def group(canvas: Canvas) -> None:
    canvas.beginForm("group")
    secret(canvas)
    box(canvas, 1.0)
    canvas.endForm()
    canvas.doForm("group")


def outside_of_a_window(canvas: Canvas) -> None:
    canvas.saveState()
    clip(canvas, 50, 600, 400, 30)
    secret(canvas)
    canvas.restoreState()


def group_outside_of_a_window(canvas: Canvas) -> None:
    canvas.beginForm("outside")
    secret(canvas)
    canvas.endForm()
    canvas.saveState()
    clip(canvas, 50, 600, 400, 30)
    canvas.doForm("outside")
    canvas.restoreState()


@pytest.mark.parametrize(
    "draw",
    [
        *(lambda c, g=g: (secret(c), box(c, g)) for g in (0.0, 0.4, 0.9, 1.0)),
        lambda c: (secret(c), box(c, 1.0), c.drawString(60, 500, "A label over it.")),
        lambda c: (secret(c), picture(c)),
        group,
        group_outside_of_a_window,
        outside_of_a_window,
    ],
)  # fmt: skip
def test_words_that_are_hidden(draw: Draw) -> None:
    document = page(draw)
    assert "nobody" not in document.text
    assert paragraph(8, 1)[:60] in document.text
    assert "hidden characters" in " ".join(map(str, document.warnings))


def in_a_window(canvas: Canvas) -> None:
    canvas.saveState()
    clip(canvas, 50, 480, 400, 60)
    secret(canvas)
    canvas.restoreState()


def group_in_a_window(canvas: Canvas) -> None:
    canvas.beginForm("inside", lowerx=0, lowery=0, upperx=400, uppery=100)
    canvas.drawString(10, 50, SECRET)
    canvas.endForm()
    canvas.saveState()
    clip(canvas, 50, 480, 400, 60)
    canvas.translate(50, 450)
    canvas.doForm("inside")
    canvas.restoreState()


def box_outside_its_window(canvas: Canvas) -> None:
    secret(canvas)
    canvas.saveState()
    clip(canvas, 50, 100, 400, 60)
    box(canvas, 1.0)
    canvas.restoreState()


def frame(canvas: Canvas) -> None:
    secret(canvas)
    canvas.rect(50, 490, 400, 30, stroke=1, fill=0)


@pytest.mark.parametrize(
    "draw",
    [
        *(lambda c, g=g: (box(c, g), secret(c)) for g in (0.6, 0.9, 1.0)),
        lambda c: (picture(c), secret(c)),
        lambda c: (secret(c), box(c, 0.9, alpha=0.4)),
        in_a_window,
        group_in_a_window,
        box_outside_its_window,
        frame,
    ],
)  # fmt: skip
def test_words_that_are_seen(draw: Draw) -> None:
    document = page(draw)
    assert SECRET in document.text
    assert not document.warnings


def over_secret(draw: Draw, grey: float = 1.0) -> Draw:
    """Draw in a grey over a sentence."""

    def draw_both(canvas: Canvas) -> None:
        secret(canvas)
        canvas.saveState()
        canvas.setFillGray(grey)
        canvas.setStrokeGray(grey)
        draw(canvas)
        canvas.restoreState()

    return draw_both


def outline(*points: tuple[float, float]) -> Draw:
    def draw(canvas: Canvas) -> None:
        path = canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)

    return draw


def two_rectangles(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(50, 490, 400, 30)
    path.rect(50, 300, 100, 30)
    canvas.drawPath(path, stroke=0, fill=1)


def narrow_boxes(canvas: Canvas) -> None:
    for i in range(80):
        canvas.rect(50 + 5 * i, 490, 5.1, 30, stroke=0, fill=1)


def thick_line(canvas: Canvas) -> None:
    canvas.setLineWidth(30)
    canvas.line(50, 505, 450, 505)


def shading(canvas: Canvas) -> None:
    clip(canvas, 50, 490, 400, 30)
    canvas.linearGradient(50, 490, 450, 490, (white, yellow))


def picture_with_mask(canvas: Canvas, *, hole: bool) -> None:
    image = Image.new("RGBA", (40, 30), (200, 30, 30, 255))
    image.paste((0, 0, 0, 0), (0, 8, 40, 26) if hole else (0, 0, 40, 2))
    canvas.drawImage(ImageReader(image), 50, 480, 400, 60, mask="auto")


@pytest.mark.parametrize("grey", [0.0, 1.0])
@pytest.mark.parametrize(
    "cover",
    [
        lambda c: c.roundRect(50, 490, 400, 30, 12, stroke=0, fill=1),
        lambda c: c.ellipse(0, 460, 480, 545, stroke=0, fill=1),
        outline((50, 480), (40, 505), (50, 525), (450, 525), (460, 505), (450, 480)),
        two_rectangles,
        narrow_boxes,
        thick_line,
        shading,
        lambda c: picture_with_mask(c, hole=False),
        lambda c: box(c, 1.0, alpha=0.99),
    ],
)  # fmt: skip
def test_words_below_drawings_of_any_form(cover: Draw, grey: float) -> None:
    document = page(over_secret(cover, grey))
    assert "nobody" not in document.text
    assert paragraph(8, 1)[:60] in document.text
    assert "hidden characters" in " ".join(map(str, document.warnings))


def written_again(canvas: Canvas) -> None:
    over_secret(lambda c: box(c, 1.0))(canvas)
    secret(canvas)


def frame_with_a_hole(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(30, 470, 440, 70)
    path.rect(50, 490, 400, 30)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=0)


def coloured_words_of_the_same_luminance(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.5, 0.5, 0.5)
    canvas.rect(50, 490, 400, 30, stroke=0, fill=1)
    canvas.setFillColorRGB(1.0, 0.0, 0.0)
    canvas.drawString(60, 500, SECRET)
    canvas.setFillColorRGB(1.0, 1.0, 1.0, 0.5)
    canvas.rect(50, 490, 400, 30, stroke=0, fill=1)


def strips_of_a_scan(canvas: Canvas) -> None:
    secret(canvas)
    for i in range(5):
        canvas.drawImage(ImageReader(Image.new("RGB", (40, 30), (250, 250, 250))), 0, 170 * i, 600, 170)


@pytest.mark.parametrize(
    "draw",
    [
        over_secret(outline((30, 400), (30, 540), (40, 540), (40, 420), (500, 420), (500, 400))),
        over_secret(frame_with_a_hole, 0.5),
        over_secret(lambda c: picture_with_mask(c, hole=True)),
        over_secret(lambda c: (c.setLineWidth(6), c.roundRect(50, 490, 400, 30, 8, stroke=1, fill=0)), 0.0),
        over_secret(lambda c: c.line(50, 503, 450, 503), 0.0),
        over_secret(lambda c: box(c, 0.9, alpha=0.7)),
        coloured_words_of_the_same_luminance,
        written_again,
        strips_of_a_scan,
    ],
)  # fmt: skip
def test_words_that_are_seen_through_or_beside_drawings(draw: Draw) -> None:
    assert SECRET in page(draw).text


def test_invisible_words_of_a_scan_outside_a_window_are_read() -> None:
    """What text recognition leaves is read where a picture shows it, whatever path clips it."""

    def scan(canvas: Canvas) -> None:
        canvas.saveState()
        clip(canvas, 50, 600, 400, 30)
        text = canvas.beginText(60, 500)
        text.setTextRenderMode(3)
        text.textLine(SECRET)
        canvas.drawText(text)
        canvas.restoreState()
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 20), (250, 250, 250))), 0, 400, 612, 200)

    assert SECRET in page(scan).text


def test_words_below_a_multiplied_highlight_are_seen() -> None:
    def highlight(pdf: pikepdf.Pdf) -> None:
        multiply = pikepdf.Dictionary(BM=pikepdf.Name.Multiply)
        pdf.pages[0].Resources.ExtGState = pikepdf.Dictionary(Multiply=multiply)
        pdf.pages[0].contents_add(b"q /Multiply gs 1 1 0 rg 50 490 400 30 re f Q")

    assert SECRET in page(secret, highlight).text


def comment(kind: str, *, drawn: bool, flags: int = 4) -> Change:
    """A white comment over the sentence of a page; with `drawn` the file holds its appearance."""

    def add(pdf: pikepdf.Pdf) -> None:
        annotation = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), Rect=[50, 480, 450, 530], F=flags,
            C=[1, 1, 1], IC=[1, 1, 1], Contents=pikepdf.String(""),
        )  # fmt: skip
        if drawn:
            form = pdf.make_stream(b"1 1 1 rg 0 0 400 50 re f")
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = [0, 0, 400, 50]
            annotation.AP = pikepdf.Dictionary(N=form)
        pdf.pages[0].Annots = pikepdf.Array([pdf.make_indirect(annotation)])

    return add


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [
        ("Square", False), ("Square", True), ("Circle", True), ("Polygon", True), ("FreeText", True),
        ("Stamp", True), ("Redact", True),
    ],
)  # fmt: skip
def test_words_below_white_comments(kind: str, drawn: bool) -> None:
    document = page(secret, comment(kind, drawn=drawn))
    assert "nobody" not in document.text
    assert paragraph(8, 1)[:60] in document.text


@pytest.mark.parametrize(
    ("kind", "drawn", "flags"),
    [
        ("Text", True, 4), ("Link", False, 4), ("Highlight", False, 4), ("Redact", False, 4),
        ("Square", True, 2), ("Square", True, 32),
    ],
)  # fmt: skip
def test_words_below_comments_that_leave_them_in_sight(kind: str, drawn: bool, flags: int) -> None:
    assert SECRET in page(secret, comment(kind, drawn=drawn, flags=flags)).text
