"""Tables, titles, headings, tracked changes and hidden text of Word documents, by what they hold."""

from __future__ import annotations

import pytest

from tests.ingest.docx_samples import (
    BELL,
    BOLD,
    ICE,
    POLE,
    aside,
    body,
    headings,
    p,
    reading,
    style,
    table,
    warned,
    word,
)

pytestmark = pytest.mark.usefixtures("in_process")


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
        remarks = "The ferry did not run on this day.", "The bell was rung for all of it."
        document = reading(word(p(ICE) + table(("No", "Remark"), ("1", remarks[0]), ("2", remarks[1]))))
        assert warned(document, "table") and body(document) == [ICE]
        document = reading(word(p(ICE) + table(("No", "Rule"), ("1", POLE), ("2", BELL))))
        assert not document.warnings and POLE in body(document)

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
        + style("Subtitle")
        + style("Part", "Subtitle")
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

    def test_sections_in_the_style_of_the_subtitle(self) -> None:
        first = p("The sound", "Title") + p("A reader", "Subtitle")
        sections = "".join(p(name, "Part") + p(text) for name, text in (("Ice", ICE), ("Fog", BELL)))
        document = reading(word(first + sections, styles=self.STYLES))
        assert (document.title, headings(document)) == ("The sound", ["Ice", "Fog"])
        assert body(document) == ["A reader", ICE, BELL]

    def test_sentences_in_the_style_of_the_title(self) -> None:
        entries = "".join(p(text, "Chapter") for text in (ICE, POLE, BELL))
        assert body(reading(word(entries, styles=self.STYLES))) == [ICE, POLE, BELL]

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

    def test_title_and_references_are_styled(self) -> None:
        last = p("References", "Heading1") + p("Vik, O. (1999). Ice. Bergen.")
        document = reading(word(p("The sound", "Heading1") + self.SECTIONS + last))
        assert document.title == "The sound"
        assert headings(document) == ["1 Ice", "2 Fog", "3 Poles", "References"]

    def test_a_bold_line_before_a_line_break(self) -> None:
        def section(name: str, text: str) -> str:
            return p(name, run=BOLD).replace("</w:p>", f"<w:r><w:br/><w:t>{text}</w:t></w:r></w:p>")

        document = reading(word(section("1. Ice.", ICE) + section("2. Fog.", BELL)))
        assert (headings(document), body(document)) == (["1. Ice.", "2. Fog."], [ICE, BELL])

    def test_captions_are_text(self) -> None:
        caption = p("Table 1 Catch by year", run=BOLD) + table(("Year", "Catch"), ("1790", "412"))
        assert headings(reading(word(self.SECTIONS + caption))) == ["1 Ice", "2 Fog", "3 Poles"]

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

    def test_a_space_after_punctuation(self) -> None:
        first, second = "Before the ice,", "the ferry waits."
        assert body(reading(word(p(first, properties=self.DELETED) + p(second)))) == [f"{first} {second}"]

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
