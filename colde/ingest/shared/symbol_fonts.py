"""Letters and signs of the fonts Symbol and Wingdings, which a text layer often gives as U+F020 to U+F0FF.

These codes are of private use: the character is the one that the font has at the last two hexadecimal digits.
"""

from __future__ import annotations

_FIRST, _LAST = 0xF020, 0xF0FF
# Bullets and arrows of Wingdings, and of fonts that do not tell their name:
_DINGBATS = {
    0xF0B7: "•", 0xF0A7: "▪", 0xF06C: "●", 0xF06E: "■", 0xF06F: "□", 0xF071: "❑", 0xF0A8: "◻", 0xF075: "◆",
    0xF076: "❖", 0xF0D8: "➢", 0xF0FC: "✓", 0xF0FB: "✗", 0xF0FE: "☑", 0xF0DF: "←", 0xF0E0: "→", 0xF0E8: "➔",
    0xF0F0: "⇨", 0xF04A: "☺", 0xF028: "☎", 0xF02A: "✉",
}  # fmt: skip
_NO_CHARACTER = "\ufffd"
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
    + _NO_CHARACTER * 33
    + "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"
    + _NO_CHARACTER
    + "⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
    + _NO_CHARACTER
)
"""Adobe's encoding of the font Symbol, from 0x20 to 0xFF."""


def symbol_character(code: int, family: str) -> str | None:
    """The character of a code from U+F020 to U+F0FF in a font of this family; None where it is not known."""
    if not _FIRST <= code <= _LAST:
        return None
    name = family.lower()
    if "symbol" in name:
        character = _SYMBOL[code - _FIRST]
        return None if character == _NO_CHARACTER else character
    return _DINGBATS.get(code)
