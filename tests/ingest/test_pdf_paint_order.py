"""Words below what is drawn later, or outside their clipping path, are left out; those on boxes and in windows stay."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import paragraph

SECRET = "This sentence is one that nobody can see here."
Draw = Callable[[Canvas], None]


def page(draw: Draw) -> Document:
    """A page with text, and what a test draws below it."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for i in range(8):
        canvas.drawString(60, 760 - 14 * i, paragraph(i + 1, 1)[:90])
    draw(canvas)
    canvas.save()
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
