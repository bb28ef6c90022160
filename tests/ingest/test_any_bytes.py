"""Whatever the bytes are, the answer is a Document whose spans are right, or a ReadError."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from colde.errors import ReadError
from colde.ingest import Limits, read
from colde.ingest.parsing import parse
from colde.text.document import Document

Checked = Callable[[Document], Document]
TEXT = """Heaps and their uses
====================

Abstract
--------

A heap keeps its *smallest* entry at the root, e.g. 7. Every parent is `no larger` than its children [1]_.

* one item
* another <b>item</b>

1. Order
~~~~~~~~

| a | b |
|---|---|
| 1 | 2 |

.. note:: Mind this.

::

    def f(x):
        return x

.. [1] A note.

<h2>Uses</h2><table><tr><td>x<td>y<tr><td>1<td>2</table><p>Grüße, これは文です。</p>
"""
PIECES = st.sampled_from(
    ["\n", "\n\n", "# ", "## A\n", "===\n", "---\n", "    ", "- ", "1. ", "| a | b |\n|--|--|\n",
     "```\n", ".. x:: y\n", "::\n", ":role:`t`", "[^1]", "[^1]: n\n", "[1]_", ".. [1] n\n", "`a`_",
     "|s|", "$$", "<p>", "</p>", "<h1>", "<table><tr><td>", "<pre>", "<aside class=footnote>", "<!--",
     "<script>", "&lt;", "&#0;", "&#xd800;", "A b c. D e.", "Contents\n", "References\n", "PEP: 1\n",
     "TITLE\n", "é", "。", "\x0c", "\t", "\u2028", "a-\nb", "***", "..", "=====  ====\na  b\n=====  ====\n"]
)  # fmt: skip
NAMES = ("x.txt", "x.md", "x.rst", "x.html")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, min_size=1, max_size=25), name=st.sampled_from(NAMES))
def test_any_text_becomes_a_document(pieces: list[str], name: str, checked: Checked) -> None:
    try:
        checked(parse("".join(pieces).encode(), name, None, Limits()))
    except ReadError as error:
        assert error.reason == "empty", error


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.integers(0, len(TEXT)),
    flips=st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=8),
    name=st.sampled_from(NAMES),
)
def test_damaged_text(cut: int, flips: list[tuple[int, int]], name: str, checked: Checked) -> None:
    try:
        checked(parse(_damaged(TEXT.encode(), cut, flips), name, None, Limits()))
    except ReadError as error:
        assert error.reason in ("empty", "not_text", "unsupported"), error


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300), name=st.sampled_from([*NAMES, "x.docx", "x.xyz", "x", ""]))
def test_random_bytes(data: bytes, name: str, checked: Checked) -> None:
    try:
        checked(parse(data, name, None, Limits()))
    except ReadError as error:
        assert "\n" not in str(error)


@lru_cache(maxsize=1)
def _docx() -> bytes:
    import docx

    made = docx.Document()
    made.add_heading("Order", 1)
    made.add_paragraph("A heap keeps its smallest entry at the root.")
    made.add_table(2, 2)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


@lru_cache(maxsize=1)
def _pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 720, "A heap keeps its smallest entry at the root, and so on.")
    canvas.save()
    return file.getvalue()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8))
def test_damaged_docx(share: float, flips: list[tuple[float, int]], checked: Checked) -> None:
    data = _docx()
    at = [(int(place * (len(data) - 1)), value) for place, value in flips]
    try:
        checked(parse(_damaged(data, int(share * len(data)), at), "x.docx", None, Limits()))
    except ReadError as error:
        assert error.reason in ("empty", "corrupt", "encrypted", "unsupported", "too_large"), error


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8))
def test_damaged_pdf(share: float, flips: list[tuple[float, int]], checked: Checked) -> None:
    data = _pdf()
    at = [(int(place * (len(data) - 1)), value) for place, value in flips]
    try:  # in a child process: PDFium is C++
        checked(read(_damaged(data, int((0.5 + share / 2) * len(data)), at), name="x.pdf", sandbox=True))
    except ReadError as error:
        assert error.reason in ("empty", "corrupt", "encrypted", "no_text", "garbled"), error


@pytest.mark.parametrize("name", ["x.md", "x.rst", "x.html", "x.txt", "x.docx"])
def test_undamaged_samples_are_read(name: str, checked: Checked) -> None:
    data = _docx() if name == "x.docx" else TEXT.encode()
    assert checked(parse(data, name, None, Limits())).words() > 5


def _damaged(data: bytes, cut: int, flips: list[tuple[int, int]]) -> bytes:
    damaged = bytearray(data)
    for place, value in flips:
        damaged[place % len(damaged)] = value
    return bytes(damaged[:cut])
