"""Pages of a PDF as images."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from app.pages import render
from colde.samples import samples


def test_a_page_is_a_webp_image_of_the_asked_width() -> None:
    data, width, height = render(samples()[0].a_pdf.read_bytes(), 1, width=300)
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "WEBP"
        assert image.size == (width, height)
    assert abs(width - 300) <= 1
    assert height > width


def test_pages_differ() -> None:
    pdf = samples()[0].a_pdf.read_bytes()
    assert render(pdf, 1, width=200)[0] != render(pdf, 2, width=200)[0]


@pytest.mark.parametrize("page", [0, -1, 10_000])
def test_a_page_that_is_not_there_is_an_error(page: int) -> None:
    with pytest.raises(IndexError, match="of a document of"):
        render(samples()[0].a_pdf.read_bytes(), page)
