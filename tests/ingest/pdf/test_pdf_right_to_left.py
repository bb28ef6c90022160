"""Hebrew, Arabic and Persian in PDFs, in the order in which they are read."""

from __future__ import annotations

import re

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from colde.ingest.pdf import convert
from colde.ingest.pdf.lines.text_lines import join_words
from colde.ingest.pdf.words.page import Word
from colde.ingest.pdf.words.right_to_left import in_reading_order, join_pieces
from colde.ingest.pdf.words.word_splitter import Font
from colde.ingest.reading_limits import Reading
from tests.ingest.pdf_samples import letters

PLAIN = Font("Times", bold=False, italic=False, mono=False)
HEBREW = dict(zip("abcdefghijklmnopqrstuvw", "אבגדהוזחטיכלמנסעפצקרשתן", strict=True))
ARABIC = {"a": "ا", "b": "ب", "c": "ل", "d": "م", "e": "ر", "f": "ك", "g": "ت", "k": "َ", "z": "لا"}
FONTS = {
    "H": letters.TIMES,
    "H letters": letters.letters({k: f"{ord(v):04X}" for k, v in HEBREW.items()}),
    "A": letters.TIMES,
    "A letters": letters.letters({k: "".join(f"{ord(c):04X}" for c in v) for k, v in ARABIC.items()}),
}


def shown(pieces: str, y: float, *, font: str = "H", one_by_one: bool = False) -> str:
    """Pieces as they stand on the page from left to right; those in <…> are in the font F."""
    x, content = 72.0, ""
    for n, piece in enumerate(pieces.replace(">", "<").split("<")):
        for part in re.findall(r"\\?.", piece) if one_by_one else [piece]:
            if part.strip():
                content += letters.line(part, y, x=x, font="F" if n % 2 else font)
            x += stringWidth(part.replace("\\", ""), "Times-Roman", 11)
    return content


def read(content: str) -> str:
    return convert(letters.page(content, FONTS), "sample.pdf", Reading()).text


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ("<.>fe dcb a", "א בגד הו."),
        ("fe <1995> dcb a", "א בגד 1995 הו"),
        ("fe <12.5>-<> cb a", "א בג -12.5 הו"),
        ("fe <Boat Builder> dcb a", "א בגד Boat Builder הו"),
        ("<\\(>fed<\\)> cb a", "א בג (דהו)"),
        ("<25%> fed cba", "אבג דהו 25%"),
    ],
)
def test_lines_are_read_from_the_right(pieces: str, expected: str, one_by_one: bool) -> None:
    content = shown(pieces, 700, one_by_one=one_by_one) + shown("hgfe dcba lkji", 685)
    assert expected in read(content)


def test_ligatures_and_marks() -> None:
    assert read(shown("fed gcb za eee", 700, font="A")) == "ررر الا بلت مرك"
    x = 72 + stringWidth("dc", "Times-Roman", 11)  # the letter "b" stands there
    mark = letters.line("k", 700, x=x, font="A")
    assert read(shown("dcb eee ddd", 700, font="A") + mark) == "ممم ررر بَلم"


def test_a_phrase_in_a_line_from_the_left() -> None:
    content = letters.line("The word", 700) + letters.line("fed cba", 700, x=120, font="H")
    content += letters.line("stands on the old stone over the gate.", 700, x=165)
    assert read(content) == "The word אבג דהו stands on the old stone over the gate."


def words(*places: tuple[str, float]) -> list[Word]:
    """Words of letters that are 5 points wide, in the reading frame."""
    row = [Word(text, x, x + 5.0 * len(text), 100.0, 10.0, PLAIN) for text, x in places]
    join_pieces(row)
    return row


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        # the frame is mirrored: what stands further to the right on the page comes first
        ([("שנת", 0), ("XP", 20), ("Windows", 35), ("בית", 75)], "שנת Windows XP בית"),
        ([("10", 0), ("20", 15), ("בית", 30)], "10 20 בית"),
        ([("ל", 0), ("-", 5), ("2010", 10), ("-", 30), ("2004", 35), ("בית", 60)], "ל-2004-2010 בית"),
        ([("%", 0), ("25", 5), ("בית", 20)], "25% בית"),
        ([("قيمة", 0), ("25", 25), ("%", 35), (".", 40)], "قيمة 25%."),
        ([("mill", 0), ("old", 25), ("The", 45)], "The old mill"),
    ],
)
def test_reading_order_of_a_mirrored_line(places: list[tuple[str, float]], expected: str) -> None:
    assert join_words(in_reading_order(words(*places), mirrored=True)) == expected


def test_lines_without_such_letters_stay() -> None:
    line = words(("The", 0), ("old", 20), ("mill", 40))
    assert in_reading_order(line, mirrored=False) == line
