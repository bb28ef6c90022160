"""Step 12: text layers that are no text: fonts without Unicode maps."""

from __future__ import annotations

import re

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_VOWELS = (0.25, 0.62)  # share of vowels among Latin letters; the languages of Europe lie between .36 and .50
_COMMON = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "is",
        "that",
        "for",
        "it",
        "as",
        "was",
        "with",
        "be",
        "by",
        "on",
        "not",
        "are",
        "this",
        "which",
        "from",
        "or",
        "at",
        "have",
        "an",
        "but",
        "we",
        "can",
        "our",
        "der",
        "die",
        "und",
        "das",
        "den",
        "von",
        "zu",
        "mit",
        "ist",
        "im",
        "ein",
        "eine",
        "de",
        "la",
        "le",
        "et",
        "les",
        "des",
        "en",
        "un",
        "du",
        "une",
        "que",
        "el",
        "los",
        "las",
        "por",
        "con",
        "no",
        "una",
        "il",
        "di",
        "che",
        "e",
        "o",
        "da",
    ]
)
_ENOUGH = 4000  # characters looked at
_LEAST = 200  # characters below which a page is not judged


def is_garbled(text: str) -> bool:
    """Whether the text of a page is signs without meaning.

    Private-use characters and replacement characters say so outright; Latin letters do where words lack vowels
    and none of the commonest words of the larger European languages occurs.
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
        # digits and signs alone are a table; signs where letters are missing altogether are no text
        return len(letters) < 0.15 * len(solid) and sum(c.isdigit() for c in solid) < 0.2 * len(solid)
    words = _WORD.findall(text)
    if len(words) < 40:
        return False
    common = sum(w.lower() in _COMMON for w in words) / len(words)
    spelled = "".join(words)
    vowels = len(_VOWEL.findall(spelled)) / len(spelled)
    return common < 0.02 and not _VOWELS[0] < vowels < _VOWELS[1]
