"""What is read from Word documents, and which are refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import docx
import pytest

from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document
from tests.ingest.docx_samples import changed, paragraphs, saved, xml

pytestmark = pytest.mark.usefixtures("in_process")
PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children. "
DOCTYPE = '<!DOCTYPE x [<!ENTITY lamp "swallowed">]>'


def heap() -> bytes:
    """A document with a title, headings, a list, a table, a caption, a frame, a text box and deleted words."""
    made = docx.Document()
    made.core_properties.title = "A template"
    made.sections[0].header.paragraphs[0].text = "Running head"
    made.add_paragraph("On heaps", style="Title")
    made.add_heading("Order", 1)
    paragraph = made.add_paragraph(PROSE)
    paragraph.add_run("It is ").add_break()
    paragraph.add_run("stable.")
    paragraph._p.append(xml("<w:del><w:r><w:delText>Deleted words</w:delText></w:r></w:del>"))
    made.add_paragraph("First item", style="List Bullet")
    table = made.add_table(2, 2)
    for i, value in enumerate(("key", "place", "7", "root")):
        table.cell(i // 2, i % 2).text = value
    made.add_paragraph("Table 1: Places", style="Caption")
    made.add_heading("Uses", 2)
    made.add_table(1, 1).cell(0, 0).text = "Only a frame."
    box = "<w:txbxContent><w:p><w:r><w:t>Text in a box.</w:t></w:r></w:p></w:txbxContent>"
    made.add_paragraph("Beside a box.")._p.append(xml(f"<w:r><w:pict>{box}</w:pict></w:r>"))
    outlined = made.add_paragraph("Own outline level")
    outlined._p.get_or_add_pPr().append(xml('<w:outlineLvl w:val="0"/>'))
    made.add_paragraph("Last words.")
    made.add_heading("References", 1)
    made.add_paragraph("Williams 1964")
    return saved(made)


def test_structure(
    checked: Callable[[Document], Document], expect_heap: Callable[..., Callable[[str], str]]
) -> None:
    document = checked(read(heap(), name="heap.docx"))
    body = expect_heap(document, "docx", more=[(1, "Own outline level", None)])
    assert "It is stable." in body("Order") and "First item" in body("Order")
    assert body("Uses").split("\n\n") == ["Only a frame.", "Beside a box.", "Text in a box."]
    captions = [document.text[s.start : s.end] for s in document.sections if s.role == "caption"]
    assert captions == ["Table 1: Places"]
    assert "Deleted" not in document.text and "Running head" not in document.text


def test_strict_open_xml() -> None:
    def strict(name: str, part: bytes) -> bytes:
        for family in (b"officeDocument", b"wordprocessingml"):
            usual = b"http://schemas.openxmlformats.org/" + family + b"/2006/"
            part = part.replace(usual, b"http://purl.oclc.org/ooxml/" + family + b"/")
        return part

    assert read(changed(heap(), strict), name="x.docx") == read(heap(), name="x.docx")


def test_drop_cap() -> None:
    made = docx.Document()
    made.add_paragraph("D")._p.get_or_add_pPr().append(xml('<w:framePr w:dropCap="drop"/>'))
    made.add_paragraph("rop caps are joined.")
    assert read(saved(made), name="x.docx").text == "Drop caps are joined."


def test_hidden_text_is_left_out() -> None:
    made = docx.Document()
    paragraph = made.add_paragraph("Shown, ")
    paragraph.add_run("hidden, ").font.hidden = True
    paragraph.add_run("shown again.").font.hidden = False
    assert read(saved(made), name="x.docx").text == "Shown, shown again."


def test_the_title_is_among_the_properties_or_there_is_none() -> None:
    titled = paragraphs("Heaps keep order.", title="Heaps")
    assert read(titled, name="x.docx").title == "Heaps"
    properties = rb"<Relationship [^>]*core-properties[^>]*/>"
    without = changed(
        titled, lambda name, part: re.sub(properties, b"", part) if name == "_rels/.rels" else part
    )
    assert read(without, name="x.docx").title == ""


def test_bold_lines_are_headings_where_no_style_is(checked: Callable[[Document], Document]) -> None:
    made = docx.Document()
    for heading in ("Order", "Uses"):
        made.add_paragraph().add_run(heading).bold = True
        made.add_paragraph(PROSE)
    assert [s.heading for s in checked(read(saved(made), name="x.docx")).sections] == ["Order", "Uses"]


def with_prolog(prolog: str, encoding: str) -> bytes:
    """A document whose main part begins with `prolog`."""

    def begin(name: str, part: bytes) -> bytes:
        if name != "word/document.xml":
            return part
        body = part.decode("utf-8").partition("?>")[2]
        return f'<?xml version="1.0" encoding="{encoding}"?>{prolog}{body}'.encode(encoding)

    return changed(paragraphs("The keeper trimmed the lamp before the fog came in."), begin)


@pytest.mark.parametrize(
    "prolog", [DOCTYPE, f"<!--{'long ' * 4_000}-->{DOCTYPE}", f"<?note {'x' * 9_000}?>{DOCTYPE}"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_declared_entities_are_refused(prolog: str, encoding: str) -> None:
    """Wherever in the part, and in whatever encoding."""
    with pytest.raises(ReadError, match=r"declares XML entities|corrupt"):
        read(with_prolog(prolog, encoding), name="x.docx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_comment_is_no_declaration(encoding: str) -> None:
    data = with_prolog(f"<!-- {DOCTYPE.replace('--', '')} {'long ' * 4_000} -->", encoding)
    assert "trimmed the lamp" in read(data, name="x.docx").text
