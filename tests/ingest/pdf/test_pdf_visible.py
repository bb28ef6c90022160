"""A page as a reader sees it: no watermarks, line numbers, hidden words or second layers; side notes apart."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.pdf.furniture.watermarks import drop_watermarks
from colde.ingest.pdf.words.page import Page, Word
from colde.ingest.pdf.words.word_splitter import Font
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.manuscript import HEADINGS, Manuscript

BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
Colour = tuple[float, float, float]


def read(manuscript: Manuscript) -> Document:
    return convert(manuscript.pdf(), "manuscript.pdf", Reading())


def expect_text(document: Document, manuscript: Manuscript) -> None:
    """Every sentence is whole, in its order, and nothing stands between them."""
    text = " ".join(" ".join(document.text[s.start : s.end].split()) for s in document.sections)
    for heading in HEADINGS[1 : manuscript.sections]:
        text = text.replace(f" {heading} ", " ")
    assert " ".join(manuscript.sentences) in text


def draw(
    canvas: Canvas, x: float, y: float, text: str, size: float = 11, colour: Colour = BLACK, *, mode: int = 0,
    font: str = "Helvetica", angle: float = 0, opacity: float = 1,
) -> None:  # fmt: skip
    canvas.saveState()
    canvas.setFillColorRGB(*colour)
    canvas.setFillAlpha(opacity)
    canvas.translate(x, y)
    canvas.rotate(angle)
    piece = canvas.beginText(0, 0)
    piece.setFont(font, size)
    piece.setTextRenderMode(mode)
    piece.textOut(text)
    canvas.drawText(piece)
    canvas.restoreState()


@pytest.mark.parametrize("angle", [0, 7, 38, 90, -55, 180])
@pytest.mark.parametrize(("size", "colour", "opacity"), [(70, (0.8, 0.8, 0.8), 1), (44, (0.9, 0, 0), 0.25)])
def test_watermarks(angle: float, size: float, colour: Colour, opacity: float) -> None:
    def mark(canvas: Canvas, page: int) -> None:
        draw(canvas, 300, 500, "PROOF", size, colour, angle=angle, opacity=opacity)

    manuscript = Manuscript(on_page=mark)
    document = read(manuscript)
    expect_text(document, manuscript)
    assert any("PROOF" in "".join(str(w).split()) for w in document.warnings)


def test_a_pale_title_is_no_watermark() -> None:
    manuscript = Manuscript(
        sections=2,
        on_page=lambda canvas, page: draw(canvas, 90, 790, "On Mills", 24, (0.7, 0.7, 0.7)),
    )
    assert read(manuscript).title == "On Mills"


def test_words_over_a_large_one_in_a_part_of_a_page_without_other_words() -> None:
    font = Font("Helvetica", bold=False, italic=False, mono=False)
    places = [("Approved", 100, 250, 30), ("by", 105, 115, 10), ("everyone", 120, 165, 10)]
    words = [Word(text, x0, x1, 400, size, font) for text, x0, x1, size in places]
    part = Page(1, words, [], (595, 842), 1)
    assert drop_watermarks([Page(1, [], [], (595, 842), 0, parts=[part])]) == []
    assert len(part.words) == len(places)


@pytest.mark.parametrize(
    ("x", "step", "size", "digits"), [(60, 1, 8, 1), (530, 1, 11, 1), (40, 5, 8, 1), (535, 2, 7, 3)]
)
@pytest.mark.parametrize("restarting", [True, False])
def test_line_numbers(x: float, step: int, size: float, digits: int, restarting: bool) -> None:
    numbers = iter(range(1, 1000))

    def begin_page(canvas: Canvas, page: int) -> None:
        nonlocal numbers
        if restarting:
            numbers = iter(range(1, 1000))

    def number(canvas: Canvas, y: float, line: int, text: str) -> None:
        value = next(numbers)
        if value % step == 0:
            draw(canvas, x, y, str(value).zfill(digits), size)

    manuscript = Manuscript(on_page=begin_page, on_line=number)
    document = read(manuscript)
    expect_text(document, manuscript)
    assert [s.heading for s in document.sections if s.heading] == HEADINGS[1:]


def test_numbers_of_paragraphs_stay() -> None:
    numbers = iter(range(1, 100))

    def number(canvas: Canvas, y: float, line: int, text: str) -> None:
        if text.startswith("Statement"):
            draw(canvas, 60, y, str(next(numbers)), 11, font="Times-Roman")

    document = read(Manuscript(on_line=number))
    assert "1 Statement 0 says" in document.text


@pytest.mark.parametrize(
    ("shift", "scale", "mode", "colour", "font"),
    [
        (0, 1.0, 3, BLACK, "Times-Roman"),
        (1, 0.95, 3, BLACK, "Helvetica"),
        (6, 0.8, 3, BLACK, "Courier"),
        (40, 1.1, 7, BLACK, "Helvetica"),
        (1.5, 0.95, 0, WHITE, "Helvetica"),
    ],
)
def test_a_second_layer_is_not_read(shift: float, scale: float, mode: int, colour: Colour, font: str) -> None:
    def copy(canvas: Canvas, y: float, line: int, text: str) -> None:
        text = text.replace("m", "rn") if line % 3 == 0 else text
        draw(canvas, 90 + shift, y + shift / 2, text, 11 * scale, colour, mode=mode, font=font)

    manuscript = Manuscript(on_line=copy)
    expect_text(read(manuscript), manuscript)


@pytest.mark.parametrize(
    ("size", "colour", "mode"), [(11, WHITE, 0), (11, (0.97, 0.97, 0.96), 0), (0.8, BLACK, 0), (11, BLACK, 3)]
)
def test_hidden_words_are_left_out_with_a_warning(size: float, colour: Colour, mode: int) -> None:
    secret = "This praise of the work is meant for programs alone."
    manuscript = Manuscript(
        sections=2, on_page=lambda canvas, page: draw(canvas, 90, 50, secret, size, colour, mode=mode)
    )
    document = read(manuscript)
    expect_text(document, manuscript)
    assert "praise" not in document.text
    assert ["hidden characters" in str(w) and "page 1" in str(w) for w in document.warnings] == [True]


@pytest.mark.parametrize(
    ("box", "letters", "seen"),
    [
        (BLACK, WHITE, True),
        ((0.1, 0.2, 0.6), WHITE, True),
        ((1, 0.6, 0.1), WHITE, True),
        (BLACK, BLACK, False),
        ((0.1, 0.2, 0.6), (0.1, 0.2, 0.6), False),
    ],
)
def test_letters_on_a_box(box: Colour, letters: Colour, seen: bool) -> None:
    def notice(canvas: Canvas, page: int) -> None:
        canvas.saveState()
        canvas.setFillColorRGB(*box)
        canvas.rect(80, 40, 440, 26, fill=1, stroke=0)
        canvas.restoreState()
        draw(canvas, 90, 50, "The mill is open to all on the last Sunday of May.", 11, letters)

    assert ("last Sunday of May" in read(Manuscript(sections=2, on_page=notice)).text) is seen


def test_the_only_text_of_a_file_is_read_though_it_is_invisible() -> None:
    class Invisible(Manuscript):
        def _line(self, text: str, font: str, size: float) -> None:
            self._y -= self.leading
            draw(self.canvas, self.left, self._y, text, size, mode=3, font=font)

    manuscript = Invisible(sections=1)
    assert manuscript.pdf() and manuscript.sentences[3] in " ".join(read(Invisible(sections=1)).text.split())


@pytest.mark.parametrize(
    ("x", "size", "font", "rows"),
    [(30, 8, "Helvetica", 2), (30, 8, "Helvetica-Bold", 1), (512, 9, "Times-Italic", 3), (512, 11, "Times-Roman", 1)],
)  # fmt: skip
def test_side_notes_stand_apart(x: float, size: float, font: str, rows: int) -> None:
    rows_of_note = ["Margin note", "on the mill", "and its pond"]

    def note(canvas: Canvas, y: float, line: int, text: str) -> None:
        if line % 12 == 3:
            for row in range(rows):
                draw(
                    canvas,
                    x,
                    y - row * 1.2 * size,
                    rows_of_note[row],
                    size,
                    font=font,
                )

    manuscript = Manuscript(left=130, on_line=note)
    document = read(manuscript)
    text = document.text
    assert all(s in " ".join(text.split()) for s in manuscript.sentences)
    assert "Margin note" in text
    assert [s.heading for s in document.sections if s.heading] == HEADINGS[1:]


@pytest.mark.parametrize(("angle", "x"), [(90, 300), (-90, 340)])
@pytest.mark.parametrize("rows", [3, 12])
def test_sideways_blocks_are_read(angle: float, x: float, rows: int) -> None:
    def block(canvas: Canvas, page: int) -> None:
        for row in range(rows if page == 2 else 0):
            shift = 13 * row * (1 if angle > 0 else -1)
            y = 90 if angle > 0 else 420
            text = f"Sideways line {row} of the table of levels at the mill."
            draw(canvas, x + shift, y, text, 9, angle=angle, font="Times-Roman")

    manuscript = Manuscript(on_page=block)
    text = " ".join(read(manuscript).text.split())
    assert all(s in text for s in manuscript.sentences)
    assert "Sideways line 0 of the table of levels at the mill. Sideways line 1" in text


def test_short_sideways_labels_are_named_or_left_out() -> None:
    def label(canvas: Canvas, page: int) -> None:
        draw(canvas, 520, 400, "Level of the pond", 9, angle=90)

    document = read(Manuscript(sections=2, on_page=label))
    assert "Level of the pond" not in document.text
    assert ["sideways" in str(w) for w in document.warnings] == [True]


def test_numbers_of_lines_far_apart() -> None:
    numbers = iter(range(1, 1000))
    manuscript = Manuscript(
        leading=24, on_line=lambda canvas, y, line, text: draw(canvas, 530, y, str(next(numbers)), 12)
    )
    document = read(manuscript)
    expect_text(document, manuscript)
    assert [s.heading for s in document.sections if s.heading] == HEADINGS[1:]


def test_a_slanted_mark_again_and_again_on_short_pages() -> None:
    def marks(canvas: Canvas, page: int) -> None:
        for y in range(0, 850, 60):
            for x in range(0, 600, 100):
                draw(canvas, x, y, "COPY 2041", 10, (0.8, 0.8, 0.8), angle=30)

    manuscript = Manuscript(sections=1, on_page=marks)
    expect_text(read(manuscript), manuscript)


def test_a_dark_label_that_touches_other_words_is_read() -> None:
    manuscript = Manuscript(
        sections=1,
        on_line=lambda canvas, y, line, text: (
            draw(canvas, 120, y - 6, "Frequency", 16) if line == 4 else None
        ),
    )
    document = read(manuscript)
    assert "Frequency" in document.title + document.text


def slides(*pages: list[str]) -> Document:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(400, 300))
    for number, lines in enumerate(pages, 1):
        for line, text in enumerate(lines):
            draw(canvas, 40, 240 - 40 * line, text, 20 if line == 0 else 12)
        draw(canvas, 370, 10, str(number), 8)
        canvas.showPage()
    canvas.save()
    return convert(data.getvalue(), "slides.pdf", Reading())


def test_steps_of_a_slide_are_read_once() -> None:
    first, second = "The ladder is made of ash.", "It is oiled twice a year."
    document = slides(
        ["Ladders", first],
        ["Ladders", first, second],
        ["Ropes", "They are tarred."],
        ["Ropes", "They are long."],
    )
    assert document.text.count(first) == document.text.count(second) == 1
    assert "tarred" in document.text
    assert [str(w) for w in document.warnings] == [
        "page 1 was left out, because the next page repeats its text"
    ]


def test_a_title_that_goes_on_is_read_once() -> None:
    document = slides(["Ladders", "They are made of ash."], ["Ladders (cont.)", "They are oiled."])
    assert "cont." not in document.text
