"""Accents that a PDF draws as characters of their own (TeX's older fonts): put on the letter that they stand over."""

from __future__ import annotations

import unicodedata

from colde.ingest.pdf.characters.character_boxes import CharacterReader

_COMBINING = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
_CODES = {ord(accent): combining for accent, combining in _COMBINING.items()}
# Between an accent and its letter; pdfium sorts what is drawn separately by its place in the line.
_MAX_CHARACTERS_APART = 40
_MAX_ACCENTS = 1000  # on a page; what has more has them for something else
_MAX_HEIGHT_SHARE = 0.8  # of a letter's height, by which an accent may stand too high or too low


def accented(letter: str, combining: str) -> str | None:
    """The letter with a combining accent as one character; None where there is none."""
    if not letter.isalpha():
        return None
    composed = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + combining)
    return composed if len(composed) == 1 else None


def resolve_accents(reader: CharacterReader) -> dict[int, str]:
    """The characters of a page that are not what their codes say: a letter with its accent, and "" for the accent."""
    codes = reader.codes
    accents = [i for i, code in enumerate(codes) if code in _CODES]
    resolved: dict[int, str] = {}
    for i in accents if len(accents) <= _MAX_ACCENTS else ():
        along = reader.axis(i)
        accent_box = reader.box(i)
        middle, level = (accent_box[along] + accent_box[along + 2]) / 2, reader.origin(i)[1 - along]
        near = range(max(0, i - _MAX_CHARACTERS_APART), min(len(codes), i + _MAX_CHARACTERS_APART + 1))
        for j in sorted(near, key=lambda j: (abs(j - i), -j)):
            if not 0x40 < codes[j] < 0x2000 or j in resolved:
                continue
            accented_letter = accented(chr(codes[j]), _CODES[codes[i]])
            if accented_letter is not None and _stands_under(reader, j, along, middle, level):
                resolved[i], resolved[j] = "", accented_letter
                break
    return resolved


def _stands_under(reader: CharacterReader, letter: int, along: int, middle: float, level: float) -> bool:
    """Whether a letter stands under an accent with this middle along the line and this level of its baseline."""
    shape, across = reader.box(letter), 1 - along
    height = shape[across + 2] - shape[across]
    return shape[along] < middle < shape[along + 2] and (
        abs(level - reader.origin(letter)[across]) <= _MAX_HEIGHT_SHARE * height
    )
