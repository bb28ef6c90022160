"""Faults of readers that damaged files showed (`test_mutated_files.py`), each with the smallest file that shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import docx
import pytest

from colde.errors import ReadError
from colde.ingest import Limits, read
from colde.text.document import Document
from tests.ingest.docx_samples import parts_of, saved, zipped

pytestmark = pytest.mark.slow

Checked = Callable[[Document], Document]
PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children. "


@lru_cache(maxsize=1)
def _parts() -> dict[str, bytes]:
    """The parts of a Word document."""
    made = docx.Document()
    made.add_heading("Order", 1)
    made.add_paragraph(PROSE)
    made.add_table(2, 2)
    return parts_of(saved(made))


def _pdf(*streams: bytes, media: bytes = b"0 0 612 792") -> bytes:
    """A PDF with a page for each stream of drawing commands; `media` is the size of the first."""
    kids = b" ".join(b"%d 0 R" % (3 + 2 * i) for i in range(len(streams)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(streams))]
    font = b"<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    for i, stream in enumerate(streams):
        box = media if i == 0 else b"0 0 612 792"
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources%s/Contents %d 0 R>>" % (
            box,
            font,
            4 + 2 * i,
        )
        objects += [page, b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (i, text) for i, text in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF" % (len(objects) + 1)


FINE = b"BT /F1 10 Tf 72 720 Td (Every parent is no larger than its children.) Tj ET"


def test_characters_at_no_place_do_not_cost_the_other_pages(checked: Checked) -> None:
    """Matrices that grow beyond every number give coordinates that are none."""
    nowhere = b"65535 65535 -65535 65535 0 0 cm " * 16 + FINE
    document = checked(read(_pdf(nowhere, FINE), name="x.pdf"))
    assert document.text.count("no larger than") == 1
    assert any("page 1" in str(warning) for warning in document.warnings)


def test_a_page_two_billion_points_wide_is_skipped(checked: Checked) -> None:
    """PDFium took seconds for it, and the search for columns eight gigabytes."""
    document = checked(read(_pdf(FINE, FINE, media=b"0 0 2147483000 792"), name="x.pdf"))
    assert document.text.count("no larger than") == 1
    assert [str(warning) for warning in document.warnings] == ["page 1 cannot be read and was skipped"]


@pytest.mark.parametrize("value", ["²", "-5", "", "9" * 30, "x"])
def test_outline_levels_that_are_no_numbers(value: str, checked: Checked) -> None:
    level = f'<w:p><w:pPr><w:outlineLvl w:val="{value}"/></w:pPr><w:r><w:t>Uses</w:t></w:r></w:p>'
    parts = dict(_parts())
    parts["word/document.xml"] = parts["word/document.xml"].replace(b"<w:body>", b"<w:body>" + level.encode())
    assert "Uses" in checked(read(zipped(parts), name="x.docx", sandbox=False)).text


@pytest.mark.parametrize(
    "text",
    [
        f"{PROSE}\n" * 5_000,  # a line a sentence, no blank line
        "order-\nless " * 40_000,  # a broken word in each line
        f"{PROSE}\f" + " \n" * 200_000 + PROSE,  # a page that begins with blank lines
        f"{PROSE}\n" * 30
        + f"{'. ' * 50_000}x\n{PROSE}",  # dots like those of a table of contents, and no page behind them
        f"{PROSE}\n" * 30 + f"{'a' * 100_000}1-\n{PROSE.lower()}",  # a broken word of such a length
    ],
)
def test_long_texts_take_time_by_their_length(text: str, checked: Checked) -> None:
    """Each would take half a minute if it took quadratic time; the limit is of processor time."""
    limits = Limits(base_seconds=2.0)
    assert checked(read(text.encode(), name="x.txt", sandbox=True, limits=limits)).words() > 15


def test_many_addresses_in_a_paragraph(checked: Checked) -> None:
    """docutils makes links of them, each inside the search for the next."""
    text = "See a@b.org and https://example.org/x for more. " * 1000
    assert checked(read(text.encode(), name="x.rst", sandbox=False)).text == text.strip()


def test_a_parser_that_takes_too_long_is_stopped_and_the_next_file_is_read() -> None:
    """docutils takes quadratic time for emphasis that never ends."""
    with pytest.raises(ReadError) as caught:
        read(b"*a " * 12_000, name="x.rst", sandbox=True, limits=Limits(base_seconds=0.2))
    assert caught.value.reason == "too_large" and "too long" in str(caught.value)
    assert read(PROSE.encode(), name="y.txt", sandbox=True).words() > 15


def test_processor_time_grows_with_size_and_pages_up_to_the_limit() -> None:
    limits = Limits(seconds=60.0, base_seconds=7.0)
    assert limits.processor_seconds(0, 4.0) == 7.0
    assert limits.processor_seconds(1_000_000, 4.0) > limits.processor_seconds(1_000_000, 1.0) > 7.0
    assert limits.processor_seconds(0, 1.0, pages=100) > limits.processor_seconds(0, 1.0, pages=10)
    assert limits.processor_seconds(10**9, 1.0, pages=1000) == 60.0
