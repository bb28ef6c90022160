"""Letters of PDFs as a reader sees them, however a file names, turns, doubles or places them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest
from pypdfium2 import raw
from reportlab.pdfbase.pdfmetrics import stringWidth

from colde.errors import ReadError
from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.symbol_fonts import symbol_character
from colde.text.document import Document
from tests.ingest.pdf_samples import letters
from tests.ingest.pdf_samples.letters import line


@pytest.fixture(scope="module", autouse=True)
def without_installed_fonts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """PDFium with an empty folder of fonts: what is installed on the machine is none of the tests'."""
    folder = str(tmp_path_factory.mktemp("fonts")).encode()
    _restart_pdfium((ctypes.c_char_p * 2)(folder, None))
    yield
    _restart_pdfium(None)


def _restart_pdfium(fonts: ctypes.Array[ctypes.c_char_p] | None) -> None:
    pointer = ctypes.cast(fonts, ctypes.POINTER(ctypes.POINTER(ctypes.c_char))) if fonts is not None else None
    raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=pointer))


SENTENCE = "The heap keeps its smallest entry at the root of the tree."


def read(data: bytes) -> Document:
    return convert(data, "sample.pdf", Reading())


def warnings(document: Document) -> str:
    return " ".join(map(str, document.warnings))


@pytest.mark.parametrize(
    ("code", "expected"),
    [("D835DC44", "Q"), ("D83DDE00", "\U0001f600"), ("D842DFB7", "\U00020bb7"), ("D835DFCF", "1")],
)
def test_letters_beyond_ffff(code: str, expected: str) -> None:
    fonts = {"M": letters.TIMES, "M letters": letters.letters({"Q": code})}
    content = (
        line("Let", 700) + line("Q", 700, x=90, font="M") + line("be the number of entries.", 700, x=104)
    )
    assert read(letters.page(content, fonts)).text == f"Let {expected} be the number of entries."


def test_half_of_a_pair_is_no_letter() -> None:
    fonts = {"M": letters.TIMES, "M letters": letters.letters({"Q": "D835"})}
    content = line(SENTENCE, 700) + line("QQ", 680, font="M")
    assert read(letters.page(content, fonts)).text == SENTENCE


@pytest.mark.parametrize(
    ("family", "code", "expected"),
    [
        ("Symbol", 0xF061, "α"), ("SymbolMT", 0xF0B3, "≥"), ("Symbol", 0xF0B7, "•"), ("Wingdings", 0xF0A7, "▪"),
        ("Wingdings", 0xF061, None), ("Symbol", 0xF081, None), ("Symbol", 0x61, None),
    ],
)  # fmt: skip
def test_symbol_fonts(family: str, code: int, expected: str | None) -> None:
    assert symbol_character(code, family) == expected


def test_greek_letters_of_the_font_symbol() -> None:
    symbol = b"<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"
    fonts = {"S": symbol, "S letters": letters.letters({"a": "F061", "<": "F03C", "p": "F070"})}
    content = line("Every angle", 700) + line("a < p", 700, x=128, font="S") + line("is sharp.", 700, x=160)
    assert read(letters.page(content, fonts)).text == "Every angle α < π is sharp."


@pytest.mark.parametrize(
    ("matrix", "size", "rotate"),
    [
        ("-1 0 0 -1 72 700", -11, 0), ("1 0 0 1 72 700", 11, 0), ("-1 0 0 -1 540 92", 11, 180),
        ("1 0 0 1 540 92", -11, 180), ("0 -1 1 0 300 100", -11, 0), ("0 1 -1 0 300 100", 11, 90),
    ],
)  # fmt: skip
def test_negative_font_sizes(matrix: str, size: int, rotate: int) -> None:
    content = f"BT /F {size} Tf {matrix} Tm ({SENTENCE}) Tj ET"
    assert read(letters.page(content, rotate=rotate)).text == SENTENCE


def shadowed(text: str, right: float, up: float, *, shadow_first: bool) -> str:
    """A line whose letters have a copy beside them, drawn one after the other."""
    content = []
    for i, letter in enumerate(text):
        x = 72 + stringWidth(text[:i], "Times-Roman", 14)
        both = [line(letter, 720 + up, x=x + right, size=14), line(letter, 720, x=x, size=14)]
        content += both if shadow_first else both[::-1]
    return "\n".join(content)


@pytest.mark.parametrize("shadow_first", [True, False])
@pytest.mark.parametrize(("right", "up"), [(1.2, -1.2), (-1.0, 1.0), (0.8, 0.0), (2.0, -2.0)])
def test_shadows_are_no_letters(right: float, up: float, shadow_first: bool) -> None:
    content = shadowed("illwoodoff", right, up, shadow_first=shadow_first) + line(SENTENCE, 690)
    assert read(letters.page(content)).title == "illwoodoff"


def test_double_letters_stay() -> None:
    text = "Hannah will tell all of them that the offer of fifty books is still too small."
    assert read(letters.page(line(text, 700, size=9) + line(SENTENCE, 680))).text.startswith(text)


MILL = "磨坊在河边已经两百年了"


def one_by_one(text: str, encoding: str) -> str:
    return "".join(
        f"BT /C 12 Tf {72 + 12 * i} 700 Td <{letter.encode(encoding).hex()}> Tj ET\n"
        for i, letter in enumerate(text)
    )


@pytest.mark.parametrize(
    ("font", "encoding"),
    [
        (letters.east_asian(b"SimSun", b"GBK-EUC-H", b"GB1"), "gbk"),
        (letters.east_asian(b"Song", b"UniGB-UCS2-H", b"GB1"), "utf-16-be"),
    ],
)
def test_letters_without_font_are_named(font: bytes, encoding: str) -> None:
    content = one_by_one(MILL, encoding)
    document = read(letters.page(content + line(SENTENCE, 650), {"C": font}))
    assert document.text == SENTENCE
    assert "letters of page 1 could not be read" in warnings(document)
    with pytest.raises(ReadError, match="neither in the file nor installed") as refused:
        read(letters.page(content, {"C": font}))
    assert refused.value.reason == "garbled"


def test_spaces_and_letters_with_a_font_give_no_warning() -> None:
    words = " ".join(line(w, 700, x=72 + 40 * i) for i, w in enumerate(["Heaps", " ", "are", " ", "small."]))
    font = letters.east_asian(b"SimSun", b"GBK-EUC-H", b"GB1")
    document = read(
        letters.page(
            words + line(SENTENCE, 650) + f"BT /C 12 Tf 72 600 Td <{MILL.encode('gbk').hex()}> Tj ET",
            {"C": font},
        )
    )
    assert MILL in document.text
    assert "could not be read" not in warnings(document)


def test_vertical_lines_are_read_from_the_right() -> None:
    font = letters.east_asian(b"HeiseiMin-W3", b"UniJIS-UCS2-V", b"Japan1")
    columns = ["川のそばに水車小屋がある。主人は", "水門を開ける。夏は朝だけ働く。"]
    content = "\n".join(
        f"BT /C 12 Tf {500 - 20 * i} 740 Td <{column.encode('utf-16-be').hex()}> Tj ET"
        for i, column in enumerate(columns)
    )
    document = read(letters.page(content, {"C": font}))
    assert document.text == "".join(columns)
    assert "page 1 has vertical lines" in warnings(document)


def shifted(text: str) -> tuple[str, dict[str, bytes]]:
    """Lines in a font that names every letter as the third one behind it, and that font."""
    small = "abcdefghijklmnopqrstuvwxyz"
    codes = {c: f"{ord(small[(i + 3) % 26]):04X}" for i, c in enumerate(small)}
    pieces = [text[i : i + 70] for i in range(0, len(text), 70)]
    content = "".join(line(piece, 500 - 14 * n, font="G") for n, piece in enumerate(pieces))
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    return content, {"G": font, "G letters": letters.letters(codes)}


BOX = (
    "carts go round by the upper ford while the water is low and letters are brought by the boy of the miller who"
    " takes nothing for it but likes an apple and whoever needs the doctor rings the bell of the school at any hour"
)


def test_a_garbled_font_is_skipped_and_the_others_are_read() -> None:
    content, fonts = shifted(f"{BOX} {BOX}")
    good = "".join(line(SENTENCE, 700 - 14 * n) for n in range(4))
    document = read(letters.page(good + content, fonts))
    assert document.text == " ".join([SENTENCE] * 4)
    assert "text on page 1 is garbled and was skipped: the font Helvetica" in warnings(document)
    with pytest.raises(ReadError, match="garbled"):
        read(letters.page(line("The box", 700) + content, fonts))


@pytest.mark.parametrize("lines", [2, 3, 4])
@pytest.mark.parametrize(
    ("letter", "first", "expected"),
    [
        ("T", "he heap keeps its smallest entry at the root.", "The heap keeps"),
        ("I", "n the tree every entry has two others below it.", "In the tree"),
        ("A", "colony of bees keeps its entries in a heap, too.", "A colony of bees"),
    ],
)
def test_large_first_letters_begin_their_sentence(letter: str, first: str, expected: str, lines: int) -> None:
    size = ((lines - 1) * 13 + 7.5) / 0.68
    content = line(letter, 700 - 13 * (lines - 1), size=size)
    indent = stringWidth(letter, "Times-Roman", size) + 3
    for n, text in enumerate([first, *[SENTENCE] * 6]):
        content += line(text, 700 - 13 * n, x=72 + (indent if n < lines else 0))
    assert read(letters.page(content)).text.startswith(expected)


def test_letters_with_spaces_between_them_are_words() -> None:
    content = line("R E S U L T S   A N D   L I M I T S", 700, size=9)
    content += "".join(line(SENTENCE, 680 - 13 * n) for n in range(6))
    document = read(letters.page(content))
    assert document.text.startswith("RESULTS AND LIMITS")
    assert "A B C D" in read(letters.page(line("A B C D", 720) + content)).text
