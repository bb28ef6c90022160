"""Short texts of many languages in their usual encodings, without a mark."""

from __future__ import annotations

import pytest

import colde
from colde.ingest.files.character_encoding import decode
from tests.ingest.passages import PASSAGES

CASES = [
    (language, encoding) for language, (encodings, _) in PASSAGES.items() for encoding in encodings.split()
]
LENGTHS = (60, 150, 300, 2_000)
SUBSTITUTES = str.maketrans("’‘„“”–œ", '\'\'"""-o')


def pieces(passage: str, length: int) -> list[str]:
    """Pieces of the passage, repeated, from four places."""
    gap = " " if " " in passage else ""
    text = gap.join([passage] * 20)
    starts = [i * len(passage) // 4 for i in range(4)]
    return [text[text.rfind(gap, 0, start + 1) + 1 if gap else start :][:length].strip() for start in starts]


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_short_texts_are_read_in_their_encoding(language: str, encoding: str) -> None:
    for length in LENGTHS:
        for piece in pieces(PASSAGES[language][1], length):
            try:
                data = piece.encode(encoding)
            except UnicodeEncodeError:  # Latin-1 and the like have no curved quotes
                piece = piece.translate(SUBSTITUTES)
                data = piece.encode(encoding)
            if encoding != "mac-roman" or length > LENGTHS[0]:  # a line has too few letters beyond ASCII
                assert decode(data, "x.txt").text == piece


@pytest.mark.parametrize(
    "text",
    [
        "Résumé\n\nLe café était fermé, et l’été aussi.",
        "Rafraîchir\n\nÀ côté, où la forêt commençait, rien n'était resté.",
        "The naïve curé of São Tomé wrote a résumé.",
        "Über\n\nDie Tür war zu.",
    ],
)
@pytest.mark.parametrize("repeated", [1, 5, 30])
def test_western_words_hold_no_letters_of_other_alphabets(text: str, repeated: int) -> None:
    text = "\n\n".join([text] * repeated)
    assert decode(text.encode("cp1252"), "x.txt").text == text


def test_a_doubtful_guess_names_the_encoding() -> None:
    document = colde.read("Kdy půjdeš ven?".encode("iso8859-2"), name="x.txt")
    assert "read as Windows-1250" in document.warnings[0].text or "read as ISO" in document.warnings[0].text
    clear = colde.read(PASSAGES["ru"][1].encode("cp1251"), name="x.txt")
    assert not any("encoded" in warning.text for warning in clear.warnings)
