"""The likeliest encoding of bytes that say nothing of it: chardet's candidates, checked by the words that they give.

A wrong encoding betrays itself inside words: letters of two alphabets, signs, capitals after small letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_SAMPLE_BYTES = 64_000  # enough to tell an encoding, little enough to be quick
_SHORT_BYTES = 400  # a shorter file says little about its encoding
_WINDOWS_1252_FACTOR = (
    1.25  # for the confidence in Windows-1252 of a short file: it is far more frequent than others
)
_RARE_FACTOR = 0.9  # for the confidence in a rare encoding
_GARBLED_FACTOR = 0.9  # of the confidence that is lost where all words are garbled
_MIN_SHARE = 0.4  # of the best confidence; less likely candidates are not checked
_CLEAR_LEAD = 1.2  # of the best candidate over the next one that gives another text
_MAX_GARBLED_SHARE = 0.3  # of the words in an encoding that is right without doubt
_MIN_DIFFERENCE = 0.25  # of the characters beyond ASCII, in which two readings of a text differ at least
_MAX_WORDS = 500  # with letters beyond ASCII, that are checked
_GUESSED = [
    "utf-8", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "cp866",
    "koi8-r", "koi8-u", "iso8859-2", "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8",
    "iso8859-10", "iso8859-13", "iso8859-14", "iso8859-15", "iso8859-16", "mac-roman", "mac-cyrillic", "cp437", "cp850",
    "cp852", "cp932", "shift_jis_2004", "euc_jis_2004", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_ext",
    "iso2022_kr", "cp949", "gb18030", "hz", "big5hkscs",
]  # fmt: skip
"""Encodings that chardet may answer with: those of the WHATWG's table and of DOS; rarer ones are errors for the most
part. The four factors above and the lead were chosen on the example sentences of spaCy in 35 languages, each in its
encodings: 49 of 873 pieces of one or two sentences are read wrongly, 203 with chardet's answer and a preference for
Windows-1252."""
_RARE = frozenset(("iso8859-3", "iso8859-4", "iso8859-10", "iso8859-14", "iso8859-16", "cp437"))
_SPECIAL_WORD = re.compile(r"\S*[^\s\x00-\x7f]\S*")
_ALPHABETS = frozenset(("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC"))
_SIGNS_IN_WORDS = frozenset("’‘´–—­·/")
_UNWRITTEN = frozenset(("Cc", "Cn", "Co"))  # controls, and code points without a character
_BOXES = range(0x2500, 0x25A0)
_READABLE_CHARACTERS = 4_000  # at the beginning


class Guess(NamedTuple):
    """An encoding, and one that is nearly as likely and gives quite another text; None where there is none."""

    codec: str
    rival: str | None


class _Candidate(NamedTuple):
    weight: float
    codec: str
    text: str
    garbled_share: float


def guess_encoding(data: bytes) -> Guess | None:
    """The likeliest encoding, as the superset that browsers use; None where it gives no readable text."""
    first = re.search(rb"[\x1b\x80-\xff]", data)
    start = max(0, first.start() - _SAMPLE_BYTES // 8) if first else 0
    candidates = _candidates(data[start : start + _SAMPLE_BYTES], is_short=len(data) < _SHORT_BYTES)
    if not candidates:
        return None
    best = max(candidates, key=lambda candidate: candidate.weight)
    if not is_readable(best.text[:_READABLE_CHARACTERS]):
        return None
    others = [c for c in candidates if _differ(c.text, best.text)]
    rival = max(others, key=lambda candidate: candidate.weight, default=None)
    clear = rival is None or best.weight >= _CLEAR_LEAD * rival.weight
    if rival is None or (clear and best.garbled_share <= _MAX_GARBLED_SHARE):
        return Guess(best.codec, None)
    return Guess(best.codec, rival.codec)


def _candidates(sample: bytes, *, is_short: bool) -> list[_Candidate]:
    import chardet

    guesses = chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=_GUESSED
    )
    confidence = {guess["encoding"]: guess["confidence"] for guess in guesses if guess["encoding"]}
    least = _MIN_SHARE * max(confidence.values(), default=0.0)
    candidates = []
    for encoding, weight in confidence.items():
        if weight < least:
            continue
        codec = codec_of_label(encoding) or encoding
        text = sample.decode(codec, errors="replace")
        garbled = _garbled_share(text)
        weight *= 1 - _GARBLED_FACTOR * garbled
        if encoding == "cp1252" and is_short:
            weight *= _WINDOWS_1252_FACTOR
        elif encoding in _RARE:
            weight *= _RARE_FACTOR
        candidates.append(_Candidate(weight, codec, text, garbled))
    return candidates


def _differ(reading: str, other: str) -> bool:
    """Whether two readings are different texts, and not nearly the same one in related encodings."""
    if len(reading) != len(other):
        return True
    special = sum(not c.isascii() for c in reading)
    return sum(map(str.__ne__, reading, other)) >= max(1, _MIN_DIFFERENCE * special)


def codec_of_label(label: str) -> str | None:
    """Python's name of the encoding that browsers use for a label: Windows-1252 for Latin-1 and ASCII, and so on.

    None for a label that is unknown, and for those of two bytes a letter, in which no label could be read.
    """
    import webencodings

    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name in ("replacement", "utf-16le", "utf-16be"):
        return None
    return "cp1252" if encoding.name == "x-user-defined" else encoding.codec_info.name


def is_readable(text: str) -> bool:
    """Whether most characters are letters, digits, marks, spaces or usual punctuation."""
    if not text:
        return False
    good = sum(unicodedata.category(c)[0] in "LMNZP" or c in "\n\r\t" for c in text)
    return good > 0.85 * len(text)


def _garbled_share(text: str) -> float:
    """The share of the words with characters beyond ASCII that no language has."""
    words = [match[0] for match, _ in zip(_SPECIAL_WORD.finditer(text), range(_MAX_WORDS), strict=False)]
    return sum(map(_is_garbled, words)) / max(1, len(words))


@lru_cache(10_000)
def _is_garbled(word: str) -> bool:
    word = word[:_SHORT_BYTES]
    if len({alphabet for c in word if (alphabet := _alphabet(c))}) > 1:
        return True
    if any(unicodedata.category(c) in _UNWRITTEN or ord(c) in _BOXES for c in word):
        return True
    return any(map(_is_out_of_place, word, word[1:], f"{word[2:]} "))


def _is_out_of_place(before: str, character: str, after: str) -> bool:
    """Whether a character beyond ASCII is a sign between letters, or a capital beside small letters inside a word."""
    if character.isascii() or not before.isalpha():
        return False
    if character.isupper():
        return before.islower() or after.islower()
    is_sign = unicodedata.category(character)[0] not in "LMN" and character not in _SIGNS_IN_WORDS
    return is_sign and after.isalpha()


def _alphabet(character: str) -> str:
    """The alphabet of a letter, of those that hardly mix within a word; "" for other characters."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "").partition(" ")[0]
    return name if name in _ALPHABETS else ""
