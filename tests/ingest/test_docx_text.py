"""Text of Word documents that stands in other places than paragraphs of the body, or under unexpected styles."""

from __future__ import annotations

from typing import Any

import pytest

from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document
from tests.ingest.docx_samples import p, table, word

pytestmark = pytest.mark.usefixtures("in_process")

ICE = "The ferry waits in the north harbour until the ice has gone from the sound."
POLE = "Whoever walks over the ice carries a pole as long as the boat is wide."
BELL = "A bell is rung on the island when the fog is too thick to see the light."
BOLD = "<w:b/>"


def reading(data: bytes, name: str = "x.docx") -> Document:
    return read(data, name=name)


def body(document: Document) -> list[str]:
    """Paragraphs that are compared."""
    text = document.text
    return [text[q.start : q.end] for s in document.sections if s.role is None for q in s.paragraphs]


def headings(document: Document) -> list[str | None]:
    return [s.heading for s in document.sections if s.heading]


def aside(document: Document, role: str) -> list[str]:
    return [document.text[s.body : s.end] for s in document.sections if s.role == role]


def warned(document: Document, *words: str) -> bool:
    return any(all(word in str(w) for word in words) for w in document.warnings)


def style(name: str, based_on: str = "", letters: str = "", kind: str = "paragraph") -> str:
    base = f'<w:basedOn w:val="{based_on.replace(" ", "")}"/>' if based_on else ""
    return (
        f'<w:style w:type="{kind}" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/>{base}'
        f"<w:rPr>{letters}</w:rPr></w:style>"
    )


class TestEmbeddedFiles:
    MAIL = (
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=X\n\n--X\n"
        "Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"<html><body><h2>Caf=E9</h2><p>{BELL}</p></body></html>\n--X--\n"
    )

    @pytest.mark.parametrize(
        ("name", "data", "expected"),
        [
            ("a.html", f"<p>{BELL}</p>", [BELL]),
            ("a.xhtml", f"<html><body><h1>Fog</h1><p>{BELL}</p></body></html>", [BELL]),
            ("a.mht", MAIL, [BELL]),
            ("a.txt", f"{BELL}\n\n{POLE}\n", [BELL, POLE]),
        ],
    )
    def test_text(self, name: str, data: str, expected: list[str]) -> None:
        chunk = word(p(ICE) + '<w:altChunk r:id="r1"/>', parts={name: ("aFChunk", data.encode())})
        assert body(reading(chunk)) == [ICE, *expected]

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

    @pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0 old", b"\x89PNG"])
    def test_what_cannot_be_read_is_named(self, data: bytes) -> None:
        chunk = '<w:altChunk r:id="r1"/>'
        parts = {"part.bin": ("aFChunk", data)}
        assert warned(reading(word(p(ICE) + chunk, parts=parts)), "part.bin", "not read")
        with pytest.raises(ReadError, match=r"part\.bin"):
            reading(word(chunk, parts=parts))


class TestTables:
    def test_frames_inside_each_other(self) -> None:
        inner = table((table((p(ICE),)) + p(POLE),))
        assert body(reading(word(table((p(BELL) + inner,))))) == [BELL, ICE, POLE]

    def test_data_inside_data(self) -> None:
        inside = table(("trout", "412"), ("eel", "77"))
        document = reading(word(p(ICE) + table(("Year", "Catch"), ("1790", p("all") + inside))))
        assert aside(document, "table") == ["Year | Catch\n1790 | all\n\ntrout | 412\neel | 77"]

    def test_text_in_columns(self) -> None:
        head = tuple(p(text, run=BOLD) for text in ("What", "Who"))
        rows = (p(f"{ICE} {POLE}"), "Anna"), (p(f"{BELL} {ICE}"), "Ole")
        document = reading(word(table(head, *rows)))
        assert not headings(document)
        assert body(document) == ["What", "Who", f"{ICE} {POLE}", "Anna", f"{BELL} {ICE}", "Ole"]

    def test_sentences_in_a_table_of_data_are_named(self) -> None:
        document = reading(word(p(ICE) + table(("No", "Remark"), ("1", POLE), ("2", BELL))))
        assert warned(document, "table") and POLE not in body(document)

    def test_notes_and_captions_in_cells(self) -> None:
        def call(kind: str, number: int) -> str:
            return f'<w:p><w:r><w:t>4{number}</w:t><w:{kind}Reference w:id="{number}"/></w:r></w:p>'

        def notes(kind: str, *numbers: int) -> tuple[str, bytes]:
            texts = "".join(f'<w:{kind} w:id="{n}">{p(f"Note {kind} {n}.")}</w:{kind}>' for n in numbers)
            space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            return f"{kind}s", f'<w:{kind}s xmlns:w="{space}">{texts}</w:{kind}s>'.encode()

        cells = (
            ("Catch", call("footnote", 2)),
            (p("Fish", "Caption") + call("footnote", 3), call("endnote", 2)),
        )
        parts = {"footnotes.xml": notes("footnote", 2, 3), "endnotes.xml": notes("endnote", 2)}
        document = reading(word(p(ICE) + table(*cells), parts=parts, styles=style("Caption")))
        assert aside(document, "footnote") == ["Note footnote 2.\n\nNote footnote 3.\n\nNote endnote 2."]
        assert aside(document, "table") == ["Catch | 42\n43 | 42"] and aside(document, "caption") == ["Fish"]


class TestStylesOfTheTitle:
    STYLES = (
        style("Title")
        + style("Date")
        + style("Author")
        + style("Chapter", "Title")
        + style("Speaker", "Author")
    )

    def test_chapters(self) -> None:
        chapters = p("The sound", "Title") + "".join(
            p(name, "Chapter") + p(text) + p(f"On {name.lower()}", "Heading1") + p(POLE)
            for name, text in (("Ice", ICE), ("Fog", BELL))
        )
        document = reading(word(chapters, styles=self.STYLES))
        assert document.title == "The sound"
        assert [(s.heading, s.level) for s in document.sections] == [
            ("Ice", 1), ("On ice", 2), ("Fog", 1), ("On fog", 2),
        ]  # fmt: skip

    def test_a_title_in_two_paragraphs(self) -> None:
        document = reading(
            word(p("The sound", "Title") + p("and the ferry", "Title") + p(ICE), styles=self.STYLES)
        )
        assert (document.title, body(document)) == ("The sound and the ferry", [ICE])

    def test_speakers_and_days(self) -> None:
        talk = (
            p("Anna Berg", "Speaker")
            + p(ICE)
            + p("3 May", "Date")
            + p(POLE)
            + p("Ole Vik", "Speaker")
            + p(BELL)
        )
        document = reading(word(talk, styles=self.STYLES))
        assert body(document) == ["Anna Berg", ICE, "3 May", POLE, "Ole Vik", BELL]

    def test_author_and_date_below_the_title(self) -> None:
        first = p("The sound", "Title") + p("Anna Berg", "Author") + p("3 May 1790", "Date")
        document = reading(word(first + p("Ice", "Heading1") + p(ICE), styles=self.STYLES))
        assert (document.title, headings(document), body(document)) == ("The sound", ["Ice"], [ICE])

    @pytest.mark.parametrize("style_name", ["Title", "Chapter", "Heading1"])
    def test_a_title_alone_is_text(self, style_name: str) -> None:
        notice = "No ferry on account of the ice"
        assert body(reading(word(p(notice, style_name), styles=self.STYLES))) == [notice]


class TestBoldHeadings:
    SECTIONS = (
        p("1 Ice", run=BOLD) + p(ICE) + p("2 Fog", run=BOLD) + p(BELL) + p("3 Poles", run=BOLD) + p(POLE)
    )

    @pytest.mark.parametrize(
        "around",
        [
            ("", ""),
            (p("The sound", "Heading1"), ""),
            ("", p("References", "Heading1") + p("Vik, O. (1999). Ice. Bergen.")),
        ],
    )
    def test_few_styled_headings(self, around: tuple[str, str]) -> None:
        read_headings = headings(reading(word(around[0] + self.SECTIONS + around[1])))
        assert read_headings[:3] == ["1 Ice", "2 Fog", "3 Poles"]

    def test_bold_by_styles(self) -> None:
        styles = style("Head", letters=BOLD) + style("Strong", letters=BOLD, kind="character")
        strong = '<w:rStyle w:val="Strong"/>'
        document = reading(word(p("Ice", "Head") + p(ICE) + p("Fog", run=strong) + p(BELL), styles=styles))
        assert headings(document) == ["Ice", "Fog"]
        not_bold = p("Ice", "Head", run=strong) + p(ICE)
        assert headings(reading(word(not_bold, styles=styles))) == []

    def test_bold_lines_among_styled_headings_are_text(self) -> None:
        chapters = "".join(p(name, "Heading1") + p("Note", run=BOLD) + p(ICE) for name in ("A", "B", "C"))
        assert "Note" not in headings(reading(word(chapters)))

    def test_bold_lists_are_text(self) -> None:
        names = "".join(p(name, run=BOLD) for name in ("Anna Berg", "Ole Vik", "Per Dahl", "Ida Moe"))
        assert not headings(reading(word(p(ICE) + names + p(BELL))))


class TestTrackedChanges:
    DELETED = "<w:rPr><w:del/></w:rPr>"
    INSERTED = "<w:rPr><w:ins/></w:rPr>"

    def test_deleted_ends_in_a_row(self) -> None:
        first, second, third = "The ferry waits ", "in the harbour ", "until the ice has gone."
        pieces = p(first, properties=self.DELETED) + p(second, properties=self.DELETED) + p(third)
        assert body(reading(word(pieces + p(BELL)))) == [first + second + third, BELL]

    def test_inserted_ends_stay(self) -> None:
        assert body(reading(word(p(ICE, properties=self.INSERTED) + p(BELL)))) == [ICE, BELL]

    def test_nothing_is_joined_across_a_table_or_a_cell(self) -> None:
        open_end = p(ICE, properties=self.DELETED)
        assert body(reading(word(table((open_end,)) + p(BELL)))) == [ICE, BELL]
        assert body(reading(word(open_end + table((p(POLE),)) + p(BELL)))) == [ICE, POLE, BELL]

    def test_deleted_rows_and_cells(self) -> None:
        data = table(("Year", "Catch"), ("1790", "412"), ("1791", "419"))
        data = data.replace("<w:tr><w:tc>" + p("1790"), "<w:tr><w:trPr><w:del/></w:trPr><w:tc>" + p("1790"))
        assert aside(reading(word(p(ICE) + data)), "table") == ["Year | Catch\n1791 | 419"]


class TestHiddenByStyles:
    STYLES = (
        style("Note", letters="<w:vanish/>")
        + style("Note to the author", "Note")
        + style("Printed note", "Note", letters='<w:vanish w:val="0"/>')
        + style("Secret", letters="<w:vanish/>", kind="character")
        + style("Pale", letters='<w:color w:val="FFFFFF"/>')
        + style("Grain", letters='<w:sz w:val="2"/>', kind="character")
    )
    SECRET = '<w:rStyle w:val="Secret"/>'

    @pytest.mark.parametrize(
        ("hidden", "seen"),
        [
            (p(BELL, "Note"), False),
            (p(BELL, "Notetotheauthor"), False),
            (p(BELL, "Printednote"), True),
            (p(BELL, "Note", run='<w:vanish w:val="false"/>'), True),
            (p(BELL, "Note", run=SECRET), True),
            (p(BELL, run=SECRET), False),
            (p(BELL, "Pale"), False),
            (p(BELL, "Pale", run='<w:color w:val="000000"/>'), True),
            (p(BELL, run='<w:rStyle w:val="Grain"/>'), False),
        ],
    )
    def test_paragraphs(self, hidden: str, seen: bool) -> None:
        assert body(reading(word(p(ICE) + hidden + p(POLE), styles=self.STYLES))) == [
            ICE,
            *[BELL] * seen,
            POLE,
        ]


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
