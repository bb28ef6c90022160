"""Fractions with a bar in lines of a PDF: 1 over 20 is 1/20; underlined words and sums of columns are no fractions."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from tests.ingest.pdf_samples.prose import paragraph

FONT, SIZE, Y = "Times-Roman", 11.0, 600.0


def text(draw: Callable[[Canvas], None]) -> str:
    """What is read of a page with text above and below what a test draws."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont(FONT, SIZE)
    for i in range(5):
        canvas.drawString(60, 700 - 14 * i, paragraph(i + 1, 1)[:80])
        canvas.drawString(60, 520 - 14 * i, paragraph(i + 6, 1)[:80])
    draw(canvas)
    canvas.save()
    return " ".join(convert(buffer.getvalue(), "fractions.pdf", Reading()).text.split())


def put(canvas: Canvas, x: float, y: float, words: str, scale: float = 1.0) -> float:
    """Draw words; returns where they end."""
    canvas.setFont(FONT, scale * SIZE)
    canvas.drawString(x, y, words)
    return x + float(canvas.stringWidth(words, FONT, scale * SIZE))


def fraction(
    canvas: Canvas,
    x: float,
    above: str,
    below: str,
    *,
    scale: float,
    lines: tuple[float, float],
    bar: bool = True,
) -> float:
    width = max(canvas.stringWidth(part, FONT, scale * SIZE) for part in (above, below))
    for part, height in zip((above, below), lines, strict=True):
        put(
            canvas,
            x + (width - canvas.stringWidth(part, FONT, scale * SIZE)) / 2,
            Y + height * SIZE,
            part,
            scale,
        )
    if bar:
        canvas.setLineWidth(0.5)
        canvas.line(x, Y + 0.25 * SIZE, x + width, Y + 0.25 * SIZE)
    return x + float(width)


@pytest.mark.parametrize(("above", "below"), [("1", "20"), ("a", "b"), ("12.5", "100"), ("n", "2k")])
@pytest.mark.parametrize(
    ("scale", "lines"), [(0.6, (0.4, -0.3)), (0.7, (0.45, -0.4)), (0.8, (0.45, -0.4)), (1.0, (0.6, -0.7))]
)
def test_fractions_in_a_line(above: str, below: str, scale: float, lines: tuple[float, float]) -> None:
    def draw(canvas: Canvas) -> None:
        end = fraction(canvas, put(canvas, 60, Y, "The share "), above, below, scale=scale, lines=lines)
        put(canvas, end, Y, " must not grow.")

    assert f"The share {above}/{below} must not grow." in text(draw)


def test_a_number_and_a_fraction() -> None:
    def draw(canvas: Canvas) -> None:
        end = fraction(canvas, put(canvas, 60, Y, "He took 5"), "1", "2", scale=0.6, lines=(0.4, -0.3))
        put(canvas, end, Y, " pints.")

    assert "He took 5 1/2 pints." in text(draw)


def test_marks_above_each_other_without_a_bar_are_no_fraction() -> None:
    def draw(canvas: Canvas) -> None:
        end = fraction(
            canvas, put(canvas, 60, Y, "The ions SO"), "2", "4", scale=0.6, lines=(0.4, -0.2), bar=False
        )
        put(canvas, end, Y, " are there.")

    assert "/" not in text(draw)


def test_underlined_words_and_sums_are_no_fractions() -> None:
    def draw(canvas: Canvas) -> None:
        end = put(canvas, put(canvas, 60, Y, "They saw "), Y, "it")
        canvas.line(end - 8, Y - 1.5, end, Y - 1.5)
        put(canvas, end, Y, " there, and")
        put(canvas, end - 8, Y - 11, "so")
        for row, (name, number) in enumerate((("Salt", "12"), ("Peat", "34"), ("Both", "46"))):
            put(canvas, 60, Y - 30 - 11 * row, name)
            put(canvas, 160, Y - 30 - 11 * row, number)
        canvas.line(160, Y - 43, 171, Y - 43)

    assert "/" not in text(draw)
