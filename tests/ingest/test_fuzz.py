"""Hostile files: whatever is done to them, the answer is a Document or a ReadError, and the next file is read.

Below the properties stand the faults that fuzzing found, each with the smallest file that showed it.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from colde.errors import ReadError
from colde.ingest import Limits, read
from colde.text.document import Document
from tests.ingest.docx_samples import parts_of, saved, zipped
from tests.ingest.pdf_samples import kinds

pytestmark = pytest.mark.slow

Checked = Callable[[Document], Document]
SAMPLES = Path(__file__).resolve().parents[2] / "assets" / "samples"
PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children. "
NUMBERS = (b"0", b"-1", b"65536", b"2147483647", b"-2147483648", b"9" * 20, b"0.0000001", b"null", b"1 0 R")
NAMES = (b"/Page", b"/Pages", b"/Kids", b"/Contents", b"/Font", b"/Length", b"/Filter", b"/Root", b"BT", b"Tm",
         b"Tf", b"TJ", b"cm", b"q", b"<<", b">>", b"[", b"endobj", b"stream", b"endstream", b"xref")  # fmt: skip
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from(["flip", "cut", "repeat", "number", "name"]), st.integers(0, 255)),
    max_size=12,
)  # fmt: skip
quick = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@lru_cache(maxsize=1)
def _pdfs() -> list[bytes]:
    """Our own PDFs, and the same with their streams unpacked, so that changes reach what pages are made of."""
    files = [path.read_bytes() for path in sorted(SAMPLES.glob("*.pdf"))[:2]] + [
        kinds.slides(),
        kinds.patent(),
    ]
    return files + [
        re.sub(rb"(<<[^<>]*)(>>\s*)stream\r?\n(.*?)endstream", _unpacked, f, flags=re.S) for f in files
    ]


def _unpacked(match: re.Match[bytes]) -> bytes:
    try:
        import base64

        body = match[3].strip()
        if b"ASCII85" in match[1]:
            body = base64.a85decode(body.removesuffix(b"~>"))
        body = zlib.decompress(body)
    except (ValueError, zlib.error):
        return match[0]
    head = re.sub(rb"/Filter\s*(?:\[[^\]]*\]|/\w+)", b"", match[1])
    return (
        re.sub(rb"/Length \d+", b"/Length %d" % len(body), head)
        + match[2]
        + b"stream\n"
        + body
        + b"\nendstream"
    )


def _changed(data: bytes, changes: list[tuple[float, str, int]]) -> bytes:
    for place, kind, value in changes:
        at = int(place * max(0, len(data) - 1))
        match kind:
            case "flip":
                data = data[:at] + bytes([value]) + data[at + 1 :]
            case "cut":
                data = data[:at] + data[at + value :]
            case "repeat":
                data = data[: at + value] + data[at:]
            case "number":
                data = _put(data, at, rb"-?\d+\.?\d*", NUMBERS[value % len(NUMBERS)])
            case _:
                data = _put(data, at, rb"/[A-Za-z]+|\b[A-Za-z]{2}\b", NAMES[value % len(NAMES)])
    return data


def _put(data: bytes, at: int, what: bytes, new: bytes) -> bytes:
    found = re.compile(what).search(data, at, at + 400)
    return data[: found.start()] + new + data[found.end() :] if found else data


def _read(data: bytes, name: str, checked: Checked, *, sandbox: bool = True) -> None:
    try:
        checked(read(data, name=name, sandbox=sandbox))
    except ReadError as error:
        assert "\n" not in str(error)


@settings(quick, max_examples=30)
@given(index=st.integers(0, 7), share=st.floats(0, 1))
def test_any_prefix_of_a_pdf(index: int, share: float, checked: Checked) -> None:
    data = _pdfs()[index]
    _read(data[: int(share * len(data))], "x.pdf", checked)


@settings(quick, max_examples=60)
@given(index=st.integers(0, 7), changes=CHANGES)
def test_any_changes_to_a_pdf(index: int, changes: list[tuple[float, str, int]], checked: Checked) -> None:
    _read(_changed(_pdfs()[index], changes), "x.pdf", checked)


@lru_cache(maxsize=1)
def _parts() -> dict[str, bytes]:
    """The parts of a Word document."""
    made = docx.Document()
    made.add_heading("Order", 1)
    made.add_paragraph(PROSE)
    made.add_table(2, 2)
    return parts_of(saved(made))


@settings(quick, max_examples=60)
@given(
    part=st.integers(0, 20),
    what=st.sampled_from(["rename", "drop", "change", "empty", "nest", "pack"]),
    name=st.sampled_from(["word/document.xml", "../../x", "/x", "_rels/.rels", "word/footnotes.xml", "x"]),
    changes=CHANGES,
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]),
)
def test_any_zip(
    part: int, what: str, name: str, changes: list[tuple[float, str, int]], method: int, checked: Checked
) -> None:
    parts = dict(_parts())
    chosen = ["word/document.xml", *parts][part % (len(parts) + 1)]
    data = parts[chosen]
    match what:
        case "rename":
            parts[name] = parts.pop(chosen)
        case "drop":
            del parts[chosen]
        case "change":
            parts[chosen] = _changed(data, changes)
        case "empty":
            parts[chosen] = b""
        case "nest":
            deep = b"<w:sdt><w:sdtContent>" * 400 + b"<w:p/>" + b"</w:sdtContent></w:sdt>" * 400
            parts[chosen] = data.replace(b"<w:body>", b"<w:body>" + deep)
        case _:
            parts[chosen] = zipped(parts)
    _read(zipped(parts, method), "x.docx", checked, sandbox=False)


@settings(quick, max_examples=30)
@given(changes=CHANGES, name=st.sampled_from(["x.docx", "x.zip", "x"]))
def test_any_changes_to_azipped(changes: list[tuple[float, str, int]], name: str, checked: Checked) -> None:
    _read(_changed(zipped(_parts()), changes), name, checked, sandbox=False)


# --- what was found ---


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
        f"{PROSE}\n" * 10_000,  # a line a sentence, no blank line
        "order-\nless " * 80_000,  # a broken word in each line
        f"{PROSE}\f" + " \n" * 400_000 + PROSE,  # a page that begins with blank lines
        f"{PROSE}\n" * 30
        + f"{'. ' * 100_000}x\n{PROSE}",  # dots like those of a table of contents, and no page behind them
        f"{PROSE}\n" * 30 + f"{'a' * 200_000}1-\n{PROSE.lower()}",  # a broken word of such a length
    ],
)
def test_long_texts_take_time_by_their_length(text: str, checked: Checked) -> None:
    """Each would take quadratic time, minutes, if it took more than linear time; the limit is of processor time."""
    assert checked(read(text.encode(), name="x.txt", sandbox=True)).words() > 15


def test_many_addresses_in_a_paragraph(checked: Checked) -> None:
    """docutils makes links of them, each inside the search for the next."""
    text = "See a@b.org and https://example.org/x for more. " * 1000
    assert checked(read(text.encode(), name="x.rst", sandbox=False)).text == text.strip()


def test_a_parser_that_takes_too_long_is_stopped_and_the_next_file_is_read() -> None:
    """docutils takes quadratic time for emphasis that never ends."""
    with pytest.raises(ReadError) as caught:
        read(b"*a " * 60_000, name="x.rst", sandbox=True, limits=Limits(base_seconds=0.2))
    assert caught.value.reason == "too_large" and "too long" in str(caught.value)
    assert read(PROSE.encode(), name="y.txt", sandbox=True).words() > 15


def test_processor_time_grows_with_size_and_pages_up_to_the_limit() -> None:
    limits = Limits(seconds=60.0, base_seconds=7.0)
    assert limits.processor_seconds(0, 4.0) == 7.0
    assert limits.processor_seconds(1_000_000, 4.0) > limits.processor_seconds(1_000_000, 1.0) > 7.0
    assert limits.processor_seconds(0, 1.0, pages=100) > limits.processor_seconds(0, 1.0, pages=10)
    assert limits.processor_seconds(10**9, 1.0, pages=1000) == 60.0
