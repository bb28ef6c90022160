"""Step 12: text layers that are no text: fonts that do not say which letters they show."""

from __future__ import annotations

import re

from colde.ingest.language import detect_language

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_VOWELS = (0.25, 0.62)  # share of vowels among Latin letters; the languages of Europe lie between .36 and .50
_ENOUGH = 4000  # characters looked at
_LEAST = 200  # characters below which a page is not judged


def is_garbled(text: str) -> bool:
    """Whether the text of a page is signs without meaning.

    Private-use characters and replacement characters say so outright; Latin letters do where vowels are much too
    rare or too frequent and the common words of no language occur.
    """
    text = text[:_ENOUGH]
    solid = [c for c in text if not c.isspace()]
    if len(solid) < _LEAST:
        return False
    odd = sum(0xE000 <= ord(c) <= 0xF8FF or c == "\ufffd" or ord(c) < 32 or ord(c) >= 0xF0000 for c in solid)
    if odd > 0.2 * len(solid):
        return True
    letters = [c for c in solid if _LETTER.match(c)]
    latin = sum(c < "\u0250" for c in letters)
    if latin < 0.7 * len(letters) or len(letters) < 0.3 * len(solid):
        # Digits and signs alone are a table; signs where letters are missing altogether are no text.
        return len(letters) < 0.15 * len(solid) and sum(c.isdigit() for c in solid) < 0.2 * len(solid)
    words = _WORD.findall(text)
    if len(words) < 40 or detect_language(text, sure=False) is not None:
        return False
    spelled = "".join(words)
    return not _VOWELS[0] < len(_VOWEL.findall(spelled)) / len(spelled) < _VOWELS[1]
