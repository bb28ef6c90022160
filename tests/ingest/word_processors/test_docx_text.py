"""Text of Word documents beside their paragraphs: embedded files, boxes, diagrams, symbols; names of parts."""

from __future__ import annotations

from typing import Any

import pytest

from colde.errors import ReadError
from tests.ingest.docx_samples import (
    BELL,
    ICE,
    POLE,
    PREFIXES,
    aside,
    body,
    changed,
    headings,
    p,
    reading,
    table,
    warned,
    word,
)

pytestmark = pytest.mark.usefixtures("in_process")


class TestEmbeddedFiles:
    MAIL = (
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=X\n\n--X\n"
        "Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"<html><body><h2>Caf=E9</h2><p>{BELL}</p></body></html>\n--X--\n"
    )

    FLAT = (
        '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'
        '<pkg:part pkg:name="/word/document.xml"><pkg:xmlData>'
        f"<w:document {PREFIXES}><w:body>{p(BELL)}</w:body></w:document>"
        "</pkg:xmlData></pkg:part></pkg:package>"
    )

    @pytest.mark.parametrize(
        ("name", "data", "expected"),
        [
            ("a.html", f"<p>{BELL}</p>", [BELL]),
            ("a.xhtml", f"<html><body><h1>Fog</h1><p>{BELL}</p></body></html>", [BELL]),
            ("a.mht", MAIL, [BELL]),
            (
                "b.xhtml",
                f"<?xml version='1.0'?><html><head><title/></head><body><p>{BELL}</p></body></html>",
                [BELL],
            ),
            ("a.txt", f"{BELL}\n\n{POLE}\n", [BELL, POLE]),
            ("a.rtf", rf"{{\rtf1\ansi {BELL}\par {POLE}\par}}", [BELL, POLE]),
            ("a.xml", FLAT, [BELL]),
            ("a.dat", f"<p>{BELL}</p><p>{POLE}</p>", [BELL, POLE]),
        ],
    )
    def test_text(self, name: str, data: str, expected: list[str]) -> None:
        chunk = word(p(ICE) + '<w:altChunk r:id="r1"/>', parts={name: ("aFChunk", data.encode())})
        types = b'<Types><Default Extension="dat" ContentType="text/html"/></Types>'
        typed = changed(chunk, lambda part, content: types if part == "[Content_Types].xml" else content)
        assert body(reading(typed)) == [ICE, *expected]

    def test_word_documents_inside_each_other(self) -> None:
        inner = word(p("Fog", "Title") + p(BELL) + p("Signals", "Heading1") + p(POLE))
        document = reading(
            word(
                p("Ice", "Title") + p(ICE) + '<w:altChunk r:id="r1"/>', parts={"in.docx": ("aFChunk", inner)}
            )
        )
        assert document.title == "Ice"
        assert headings(document) == ["Fog", "Signals"] and body(document) == [ICE, BELL, POLE]

    def test_too_many_inside_each_other(self) -> None:
        data = word(p(BELL))
        for _ in range(7):
            data = word(p(ICE) + '<w:altChunk r:id="r1"/>', parts={"in.docx": ("aFChunk", data)})
        assert warned(reading(data), "in.docx", "not read")

    @pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0 old", b"\x89PNG", b"<?xml version='1.0'?><x/>"])
    def test_what_cannot_be_read_is_named(self, data: bytes) -> None:
        chunk = '<w:altChunk r:id="r1"/>'
        parts = {"part.bin": ("aFChunk", data)}
        assert warned(reading(word(p(ICE) + chunk, parts=parts)), "part.bin", "not read")
        with pytest.raises(ReadError, match=r"part\.bin"):
            reading(word(chunk, parts=parts))

    def test_equal_warnings_are_counted(self) -> None:
        chunk = '<w:altChunk r:id="r1"/>'
        document = reading(word(p(ICE) + chunk * 200, parts={"part.bin": ("aFChunk", b"\x89PNG")}))
        assert [str(w).count("(200 times)") for w in document.warnings] == [1]
        assert "times" not in str(
            reading(word(p(ICE) + chunk, parts={"part.bin": ("aFChunk", b"")})).warnings
        )

    def test_very_many_warnings_are_no_list(self) -> None:
        chunks = "".join(f'<w:altChunk r:id="r{i}"/>' for i in range(1, 301))
        files = {f"part{i}.bin": ("aFChunk", b"\x89PNG") for i in range(200)}
        document = reading(word(p(ICE) + chunks, parts=files))
        assert 10 < len(document.warnings) < 25
        assert warned(document, "relation", "and 95 others") and warned(document, "further warnings")


class TestDrawings:
    NEW = "<mc:Choice Requires='wps'><w:drawing><w:txbxContent>{}</w:txbxContent></w:drawing></mc:Choice>"
    OLD = "<mc:Fallback><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></mc:Fallback>"

    def box(self, text: str, forms: str) -> str:
        inside = forms.replace("{}", p(text))
        return f"<w:p><w:r><mc:AlternateContent>{inside}</mc:AlternateContent></w:r></w:p>"

    @pytest.mark.parametrize("forms", [NEW + OLD, NEW, OLD])
    def test_text_boxes_are_read_once(self, forms: str) -> None:
        boxes = self.box(ICE, forms) + self.box(POLE, forms)
        for place in (boxes, table((boxes, "412"), ("1790", "419")), table((p(BELL) + boxes,))):
            text = reading(word(p(BELL) + place)).text
            assert text.count(ICE) == text.count(POLE) == 1

    def test_diagrams(self) -> None:
        points = "".join(
            f'<dgm:pt modelId="{i}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
            for i, text in ((3, BELL), (2, POLE), (1, ICE))
        )
        links = "".join(f'<dgm:cxn srcId="0" destId="{i}" srcOrd="{i}"/>' for i in (1, 2, 3))
        spaces = (
            'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
            'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        )
        data = (
            f'<dgm:dataModel {spaces}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>{points}</dgm:ptLst>'
            f"<dgm:cxnLst>{links}</dgm:cxnLst></dgm:dataModel>"
        ).encode()
        drawing = '<w:p><w:r><w:drawing><dgm:relIds r:dm="r1"/></w:drawing></w:r></w:p>'
        diagram = word(drawing, parts={"diagrams/data1.xml": ("diagramData", data)})
        assert body(reading(diagram)) == [ICE, POLE, BELL]
        missing = word(p(ICE) + drawing, parts={"diagrams/data1.xml": ("diagramData", b"")})
        assert warned(reading(missing), "diagrams/data1.xml")

    def test_charts(self) -> None:
        def points(*texts: str) -> str:
            return "".join(f'<c:pt idx="{i}"><c:v>{t}</c:v></c:pt>' for i, t in enumerate(texts))

        series = "".join(
            f"<c:ser><c:tx>{points(name)}</c:tx><c:cat>{points('1790', '1791')}</c:cat>"
            f"<c:val>{points(*figures)}</c:val></c:ser>"
            for name, figures in (("trout", ("412", "419")), ("eel", ("77",)))
        )
        spaces = (
            'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
            'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        )
        title = "<c:title><a:p><a:r><a:t>Catch of the island</a:t></a:r></a:p></c:title>"
        part = f"<c:chartSpace {spaces}>{title}{series}</c:chartSpace>".encode()
        drawing = '<w:p><w:r><w:drawing><c:chart r:id="r1"/></w:drawing></w:r></w:p>'
        document = reading(word(p(ICE) + drawing, parts={"charts/chart1.xml": ("chart", part)}))
        assert aside(document, "caption") == ["Catch of the island"]
        assert aside(document, "table") == ["| trout | eel\n1790 | 412 | 77\n1791 | 419 |"]

    def test_charts_of_word_2016(self) -> None:
        space = "http://schemas.microsoft.com/office/drawing/2014/chartex"
        columns = ("1790", "1791"), ("412", "419")
        levels = "".join(
            "<cx:lvl>" + "".join(f"<cx:pt>{t}</cx:pt>" for t in column) + "</cx:lvl>" for column in columns
        )
        part = f'<cx:chartSpace xmlns:cx="{space}">{levels}</cx:chartSpace>'.encode()
        drawing = f'<w:p><w:r><w:drawing><cx:chart xmlns:cx="{space}" r:id="r1"/></w:drawing></w:r></w:p>'
        document = reading(word(p(ICE) + drawing, parts={"charts/chartEx1.xml": ("chartEx", part)}))
        assert aside(document, "table") == ["1790 | 412\n1791 | 419"]

    def test_word_art(self) -> None:
        letters = '<v:textpath xmlns:v="urn:schemas-microsoft-com:vml" string="No ferry"/>'
        art = f"<w:p><w:r><w:pict>{letters}</w:pict></w:r></w:p>"
        assert body(reading(word(p(ICE) + art))) == [ICE, "No ferry"]


def test_letters_of_symbol_fonts() -> None:
    font = '<w:rFonts w:ascii="Symbol"/>'
    symbols = (
        '<w:sym w:font="Symbol" w:char="F062"/><w:sym w:font="Symbol" w:char="0067"/><w:sym w:char="2264"/>'
    )
    run = f"<w:r>{symbols}</w:r>"
    assert reading(word(p("\uf061", run=font).replace("</w:p>", f"{run}</w:p>"))).text == "αβγ≤"


def test_ruby_is_left_out() -> None:
    ruby = (
        "<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>ふゆ</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>冬</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>の海(うみ)は寒い。</w:t></w:r></w:p>"
    )
    assert reading(word(ruby)).text == "冬の海(うみ)は寒い。"


@pytest.mark.parametrize("name", ["x.docx", "x.docm", "x.dotx", "x.dotm", ""])
@pytest.mark.parametrize(
    ("main", "target"),
    [
        ("word/document.xml", ""),
        ("word/document2.xml", "/word/document2.xml"),
        ("text/Main.xml", "./text/../text/main.xml"),
        ("main.xml", "main.xml"),
    ],
)
def test_names_of_parts(name: str, main: str, target: str) -> None:
    missing: dict[str, Any] = {
        "media/a.png": ("image", b""),
        "NULL": ("theme", b""),
        "header1.xml": ("header", b""),
    }
    types = b'<Types><Override ContentType="application/vnd.ms-word.template.macroEnabledTemplate.main+xml"/></Types>'
    data = word(p(ICE), main=main, target=target, parts=missing, extra={"[Content_Types].xml": types})
    document = reading(data, name)
    assert (document.format, document.text, document.warnings) == ("docx", ICE, ())


def test_without_a_main_part() -> None:
    with pytest.raises(ReadError, match="without a Word document"):
        reading(word("", main="xl/book.xml", target="xl/other.xml"))
    workbook = {"xl/book.xml": b"<x:workbook xmlns:x='urn:x'/>"}
    with pytest.raises(ReadError, match="without a Word document"):
        reading(word("", main="xl/other.xml", target="xl/book.xml", extra=workbook))


def test_lines_of_one_paragraph() -> None:
    lines = "<w:r><w:br/></w:r>".join(f"<w:r><w:t>{t}</w:t></w:r>" for t in ("Pole", "Bell", "Two lamps"))
    page = f'<w:p><w:r><w:t>{ICE}</w:t><w:br w:type="page"/><w:t>{BELL}</w:t></w:r></w:p>'
    assert body(reading(word(f"<w:p>{lines}</w:p>{page}"))) == ["Pole", "Bell", "Two lamps", ICE, BELL]
