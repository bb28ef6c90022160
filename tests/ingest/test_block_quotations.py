"""Block quotations of every format are marked; lists, code and callouts are not."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pytest
from docx.shared import Cm

from colde import read
from colde.text.document import Document
from colde.text.not_compared.set_aside import set_aside

PROSE = "The ferry leaves at nine, and the keeper of the light writes it down in his book before he eats."
QUOTED = "No boat has ever waited for a man who counted the waves."
MORE = "It waits for the mail, which cannot swim."


def word(arrange: Callable[[docx.document.Document], None]) -> bytes:
    made = docx.Document()
    made.add_paragraph(PROSE)
    arrange(made)
    made.add_paragraph(PROSE)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def indented(made: docx.document.Document, *, right: float, text: str = QUOTED) -> None:
    style = made.add_paragraph(text).paragraph_format
    style.left_indent, style.right_indent = Cm(1), Cm(right)


def after_colon(made: docx.document.Document) -> None:
    made.add_paragraph("He wrote:")
    indented(made, right=0)


def clauses(made: docx.document.Document) -> None:
    made.add_paragraph("The keeper shall:")
    indented(made, right=0, text="(a) light the lamp at dusk and keep it burning until the sun is up; and")


def quoted(document: Document) -> list[str]:
    return [document.text[m.start : m.end] for m in document.marks if m.kind == "quotation"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.md", f"# A\n\n{PROSE}\n\n> {QUOTED}\n>\n> {MORE}\n\n{PROSE}\n".encode()),
        ("x.md", f"# A\n\n{PROSE}\n\n> {QUOTED}\n\n> {MORE}\n\n{PROSE}\n".encode()),
        (
            "x.html",
            f"<p>{PROSE}</p><blockquote><p>{QUOTED}</p><p>{MORE}</p></blockquote><p>{PROSE}</p>".encode(),
        ),
        ("x.rst", f"A\n=\n\n{PROSE}\n\n    {QUOTED}\n\n    {MORE}\n\n{PROSE}\n".encode()),
        ("x.txt", f"{PROSE} He wrote:\n\n    {QUOTED}\n\n    {MORE}\n\n{PROSE}\n".encode()),
    ],
)
def test_a_quotation_of_two_paragraphs(name: str, data: bytes) -> None:
    document = read(data, name=name)
    assert quoted(document) == [QUOTED, MORE]
    (item,) = (i for i in set_aside(document, ["quotes"]) if i.what == "quotations")
    assert item.words == sum(len(q.split()) for q in quoted(document))


@pytest.mark.parametrize(
    "arrange",
    [
        lambda made: made.add_paragraph(QUOTED, style="Quote"),
        lambda made: made.add_paragraph(QUOTED, style="Intense Quote"),
        lambda made: indented(made, right=1),
        after_colon,
    ],
)
def test_word(arrange: Callable[[docx.document.Document], None]) -> None:
    assert quoted(read(word(arrange), name="x.docx")) == [QUOTED]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.md", f"{PROSE}\n\n> [!NOTE]\n> {QUOTED}\n".encode()),
        ("x.md", f"# A\n\n- {PROSE}\n\n      {QUOTED}\n".encode()),
        ("x.txt", f"{PROSE}\n\n    {QUOTED}\n\n{PROSE}\n".encode()),
        (
            "x.txt",
            f"{PROSE} Type this:\n\n    make light && wait --until dusk --lamp 4 --oil 2\n\n{PROSE}\n".encode(),
        ),
        (
            "x.txt",
            f"{PROSE} The keeper shall:\n\n    a) light the lamp at dusk and keep it lit.\n\n{PROSE}\n".encode(),
        ),
    ],
)
def test_no_quotation(name: str, data: bytes) -> None:
    assert not quoted(read(data, name=name))


@pytest.mark.parametrize(
    "arrange",
    [
        lambda made: indented(made, right=0),
        clauses,
        lambda made: made.add_paragraph(QUOTED, style="List Bullet"),
    ],
)
def test_no_quotation_in_word(arrange: Callable[[docx.document.Document], None]) -> None:
    assert not quoted(read(word(arrange), name="x.docx"))


def test_the_element_q_has_quotation_marks() -> None:
    document = read(f"<p>He said <q>no boat waits</q>. {PROSE}</p>".encode(), name="x.html")
    assert "He said “no boat waits”." in document.text
