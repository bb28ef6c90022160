"""OpenDocument and RTF: headings, notes, tables, boxes, and what nobody sees."""

from __future__ import annotations

import pytest

from colde.errors import ReadError
from colde.ingest import Limits, read
from colde.text.document import Document
from tests.ingest.zipped_samples import flat_odt, odt

PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children."
OTHER = "Queues of tasks are the most common use of heaps in programs that must answer quickly."


def parts(document: Document) -> list[tuple[str | None, str | None, str]]:
    """Heading, role and text of each section."""
    return [(s.heading, s.role, document.text[s.body : s.end]) for s in document.sections]


def headings(document: Document) -> list[tuple[str, int]]:
    return [(s.heading, s.level) for s in document.sections if s.heading]


ODT_BODY = (
    "<text:tracked-changes><text:changed-region><text:deletion><text:p>Deleted.</text:p></text:deletion>"
    "</text:changed-region></text:tracked-changes>"
    "<text:table-of-content><text:index-body><text:p>Order 1</text:p></text:index-body></text:table-of-content>"
    f'<text:h text:outline-level="1">Order</text:h><text:p>{PROSE}<text:note text:note-class="footnote">'
    "<text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>"
    " More<text:s/>here."
    "<office:annotation><text:p>A remark.</text:p></office:annotation>"
    "<draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame></text:p>"
    "<text:list><text:list-item><text:p>First item.</text:p></text:list-item></text:list>"
    '<text:h text:outline-level="1">Uses</text:h><text:p text:style-name="H">Hidden.</text:p>'
    f'<text:p>{OTHER} <text:span text:style-name="W">White letters.</text:span></text:p>'
    "<table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell>"
    "<text:p>2</text:p></table:table-cell></table:table-row></table:table>"
)
ODT_STYLES = (
    '<style:style style:name="H" style:family="paragraph"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="W" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>'
)


def test_an_opendocument_text_gives_what_a_reader_sees() -> None:
    document = read(odt(ODT_BODY, styles=ODT_STYLES), name="x.odt")
    assert parts(document) == [
        ("Order", None, f"{PROSE} More here.\n\nIn a box.\n\nFirst item."),
        (None, "footnote", "A note."),
        ("Uses", None, OTHER),
        (None, "table", "1 | 2"),
    ]
    assert "12 hidden characters" in str(document.warnings[0]) or "13 hidden" in str(document.warnings[0])


def test_a_flat_document_is_read_whatever_it_is_called() -> None:
    for name in ("x.fodt", "x.xml", "x"):
        document = read(
            flat_odt(f'<text:h text:outline-level="1">Order</text:h><text:p>{PROSE}</text:p>'), name=name
        )
        assert document.format == "odt" and PROSE in document.text


def test_paragraphs_of_cells_are_text_in_a_table_that_places_text() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = f"<table:table-row>{cell.format(PROSE)}{cell.format(OTHER)}</table:table-row>"
    document = read(odt(f"<table:table>{row * 2}</table:table>"), name="x.odt")
    assert document.sections[0].role is None and PROSE in document.text


def test_a_formula_is_read_where_it_stands() -> None:
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><annotation>x over</annotation></math>'
    )
    body = f'<text:p>{PROSE} Let <draw:frame><draw:object href="./Object 1"/></draw:frame> be small.</text:p>'
    document = read(odt(body, more={"Object 1/content.xml": formula}), name="x.odt")
    assert document.text == f"{PROSE} Let x be small."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (odt("", more={"META-INF/manifest.xml": "<m><encryption-data/></m>"}), "encrypted"),
        (odt("<text:p>x</text:p>")[:200], "corrupt"),
        (odt(f"<text:p>{'a' * 2**23}</text:p>"), "too_large"),
    ],
    ids=["encrypted", "cut", "bomb"],
)
def test_damaged_documents_bombs_and_encrypted_ones_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(data, name="x.odt", limits=Limits(zip_ratio=50))
    assert caught.value.reason == reason


RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"
    r"{\colortbl;\red255\green255\blue255;}{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}{\s2\sbasedon1 Mine;}}"
    r"{\info{\title The Heap}{\author Ann}}{\header Running head\par}"
)


def rtf(body: str) -> Document:
    return read(f"{RTF}{body}}}".encode("latin-1"), name="x.rtf")


def test_rtf_gives_headings_notes_tables_and_characters() -> None:
    document = rtf(
        rf"\pard\plain\s1 Order\par\pard\plain {PROSE}{{\super\chftn}}{{\footnote\pard {{\super\chftn}} A note.}} "
        r"\b0 Caf\'e9 "
        r"\u8220\'93quoted\u8221\'94 {\f1\'cf\'f0} \u-10179?\u-8704?.{\*\unknown gone}{\v hidden}{\deleted gone}"
        r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}\line\par"
        r"\pard\plain\s2 Uses\par\pard\plain {\listtext 1.\tab}First item.\par"
        r"\trowd\pard\intbl 1\cell\pard\intbl 2\cell\row\pard End.\par"
    )
    assert document.title == "The Heap"
    assert parts(document) == [
        ("Order", None, f"{PROSE} Café “quoted” Пр 😀.link"),
        (None, "footnote", "A note."),
        ("Uses", None, "First item.\n\nEnd."),
        (None, "table", "1 | 2"),
    ]


def test_rtf_tables_in_cells_and_notes_of_cells() -> None:
    row = r"{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}"
    inner = "".join(
        rf"\pard\intbl\itap2 {a}\nestcell {b}\nestcell{row}" for a, b in (("Year", "Sum"), ("1811", "7"))
    )
    document = rtf(
        rf"\pard\intbl {PROSE}\par{inner}\pard\intbl {OTHER}"
        r"{\footnote \pard A note.}\cell\row\pard\par"
    )
    assert parts(document) == [
        (None, None, f"{PROSE}\n\n{OTHER}"),
        (None, "table", "Year | Sum\n1811 | 7"),
        (None, "footnote", "A note."),
    ]


def test_letters_that_are_shown_in_a_hidden_style_are_read() -> None:
    shown = '<style:style style:name="S" style:family="text"><style:text-properties text:display="true"/></style:style>'
    span = '<text:span text:style-name="S">Seen.</text:span>'
    body = f'<text:p>{PROSE}</text:p><text:p text:style-name="H">Gone. {span}</text:p>'
    assert read(odt(body, styles=ODT_STYLES + shown), name="x.odt").text == f"{PROSE}\n\nSeen."
    styles = r"{\stylesheet{\s5\v Hidden;}{\s6\sbasedon5\v0 Shown;}}"
    document = rtf(
        rf"{styles}\pard {PROSE}\lbr3\line More.\par\pard\plain\s5 Gone. {{\v0 Seen.}}\par\pard\plain\s6 Open.\par"
    )
    assert document.text == f"{PROSE}\n\nMore.\n\nSeen.\n\nOpen."


def test_a_style_that_is_not_defined_counts_by_its_name() -> None:
    document = read(
        odt(f'<text:p text:style-name="Title">The Heap</text:p><text:p>{PROSE}</text:p>'), name="x.odt"
    )
    assert (document.title, document.text) == ("The Heap", PROSE)


def test_rtf_headings_by_outline_level_or_by_look() -> None:
    outline = rtf(
        rf"\pard\outlinelevel0 Order\par\pard {PROSE}\par\pard\outlinelevel1 Uses\par\pard {OTHER}\par"
        rf"\pard\outlinelevel0 End\par\pard {OTHER}\par"
    )
    assert headings(outline) == [("Order", 1), ("Uses", 2), ("End", 1)]
    look = rtf(rf"\fs36 Order\par\fs24 {PROSE}\par\b Uses\b0\par {OTHER}\par\b More\b0\par {PROSE}\par")
    assert headings(look) == [("Uses", 1), ("More", 1)] and look.title == "Order"


def test_rtf_braces_are_text_and_lines_in_typewriter_letters_are_code() -> None:
    document = read(
        rf"{{\rtf1{{\fonttbl{{\f0 Arial;}}{{\f1\fmodern Courier;}}}}\pard {PROSE} \{{a\}} c:\\d\par"
        rf"\pard{{\f1 x = 1\line   y = 2}}\par\pard {OTHER}\par}}".encode(),
        name="x.rtf",
    )
    assert document.text == f"{PROSE} {{a}} c:\\d\n\nx = 1\n  y = 2\n\n{OTHER}"


def test_rtf_text_boxes_are_read_once_and_white_letters_not() -> None:
    document = rtf(
        rf"\pard {PROSE}{{\shp{{\*\shpinst{{\sp{{\sn x}}{{\sv y}}}}{{\shptxt\pard In a box.\par}}}}"
        r"{\shprslt In a box.}}\par"
        r"{\cf1 White letters.}\par"
    )
    assert document.text == f"{PROSE}\n\nIn a box."
    assert "hidden characters" in str(document.warnings[0])
