"""Highlights lie where the passage is, on pages as they are, and say what they say."""

from __future__ import annotations

import io

import pypdfium2
import pytest

from colde.corpus.samples import sample_named
from colde.errors import ReadError
from colde.ingest import sandbox
from colde.ingest.pdf.pdf_highlights import Highlight, annotate
from colde.text.document import Box
from tests.pdf_annotations import annotations

SAMPLE = sample_named("lighthouse").a_pdf.read_bytes()
TEXT = "1 · verbatim\nB: Results, p. 4\n“Une phrase à 漢字.”"


def test_a_passage_is_highlighted_on_each_of_its_pages() -> None:
    box = Box(1, 72.0, 100.0, 300.0, 112.0)
    note = Highlight(
        (box, box._replace(y0=114.0, y1=126.0), Box(2, 72.0, 60.0, 200.0, 72.0)), (235, 120, 60), TEXT
    )
    written = annotate(SAMPLE, "a.pdf", [note])
    first, second = annotations(written)
    assert (first.page, second.page) == (1, 2)
    assert first.highlight
    assert first.text == second.text == TEXT
    document = pypdfium2.PdfDocument(SAMPLE)
    height = document[0].get_height()
    document.close()
    assert first.box == pytest.approx((72, height - 126, 300, height - 100), abs=0.1)


def test_a_page_turned_by_a_quarter_is_marked_where_it_is_seen() -> None:
    document = pypdfium2.PdfDocument(SAMPLE)
    across, down = document[0].get_size()
    document[0].set_rotation(90)
    turned = io.BytesIO()
    document.save(turned)
    document.close()
    written = annotate(
        turned.getvalue(), "a.pdf", [Highlight((Box(1, 10.0, 20.0, 60.0, 40.0),), (0, 0, 0), "x")]
    )
    (found,) = annotations(written)
    left, bottom, right, top = found.box
    assert (right - left, top - bottom) == pytest.approx((20, 50), abs=0.1)
    assert 0 <= left < right <= across
    assert 0 <= bottom < top <= down


def test_in_a_child_process_and_a_page_that_is_not_there_is_left_out() -> None:
    away = Highlight((Box(99, 0.0, 0.0, 1.0, 1.0),), (0, 0, 0), "nowhere")
    written = sandbox.annotate_in_sandbox(
        SAMPLE, "a.pdf", [away, Highlight((Box(1, 72.0, 100.0, 90.0, 112.0),), (1, 2, 3), TEXT)]
    )
    assert [a.text for a in annotations(written)] == [TEXT]


def test_what_is_no_pdf_is_an_error_of_reading() -> None:
    with pytest.raises(ReadError, match="annotated"):
        sandbox.annotate_in_sandbox(b"%PDF-1.7 broken", "a.pdf", [])
