"""Titles of PDFs: whole, and no author's address."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading

Line = tuple[str, str, float]  # text, font, size


def titled(*lines: Line) -> bytes:
    """Some pages of text under these lines."""
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(612, 792))
    for number in range(3):
        if not number:
            for k, (text, font, size) in enumerate(lines):
                canvas.setFont(font, size)
                canvas.drawString(72, 730 - 28 * k, text)
        canvas.setFont("Helvetica", 10)
        for k in range(38):
            canvas.drawString(
                72, 600 - 13 * k, f"This proposal says what is to be done with the library {number}.{k}"
            )
        canvas.showPage()
    canvas.save()
    return data.getvalue()


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([("Require OpenSSL 1.1.1 or newer", "Helvetica-Bold", 20)], "Require OpenSSL 1.1.1 or newer"),
        (
            [("PEP 644 – Require OpenSSL", "Helvetica-Bold", 24), ("1.1.1 or newer", "Helvetica-Bold", 24)],
            "PEP 644 – Require OpenSSL 1.1.1 or newer",
        ),
        (
            [
                ("A Corrector for Typing Errors", "Helvetica-Bold", 14),
                ("{golding, schabes}@merl, com", "Helvetica", 16),
            ],
            "A Corrector for Typing Errors",
        ),
        (
            [("The Lamp and the Fog", "Helvetica", 16), ("keeper@example.org", "Helvetica", 16)],
            "The Lamp and the Fog",
        ),
        ([("LIMSI @ WMT11", "Helvetica", 16)], "LIMSI @ WMT11"),
    ],
)
def test_titles(lines: Sequence[Line], title: str) -> None:
    assert convert(titled(*lines), "x.pdf", Reading()).title == title
