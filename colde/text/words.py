"""Words of a text: what the program takes for a word, and the one way in which it counts them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""A character of Thai, Lao, Khmer, Japanese or Chinese, which are written without spaces."""
UNSPACED_WEIGHT = 0.5
"""Words that a character of a script without spaces counts as."""
JOINERS = "\u200c\u200d"
"""Signs inside words of Persian and Indic scripts, which PDFs and some keyboards leave out."""
_NO_JOINERS = dict.fromkeys(map(ord, JOINERS))


def count_words(text: str) -> int:
    """Whole words of a text."""
    return int(words_and_halves(text))


def words_and_halves(text: str) -> float:
    """Words of a text: what stands between blanks, and half a word for each character of a script without spaces.

    Other letters beside such characters, with no blank between them, are one word.
    """
    between_blanks = text.split()
    if text.isascii() or not (unspaced := len(UNSPACED.findall(text))):
        return len(between_blanks)
    alone = sum(1 for word in between_blanks if UNSPACED.search(word) and not _has_other_letters(word))
    return len(between_blanks) - alone + UNSPACED_WEIGHT * unspaced


def _has_other_letters(word: str) -> bool:
    return any(plain_name(part) and not UNSPACED.match(part) for part in word_pattern().findall(word))


def plain_name(word: str) -> str:
    """A word in lower case and without joiners; empty where it is nothing else."""
    name = word.lower()
    return name if name.isascii() else name.translate(_NO_JOINERS)


def is_unspaced(name: str) -> bool:
    """Whether a word is a character of a script that is written without spaces."""
    return not name.isascii() and UNSPACED.match(name) is not None


@lru_cache(maxsize=1)
def word_pattern() -> re.Pattern[str]:
    """Letters, digits, marks and joiners that belong to them, or one character of a script without spaces."""
    marks = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c)).startswith("M"))
    return re.compile(f"{UNSPACED.pattern}|(?:(?!{UNSPACED.pattern})[\\w{marks}{JOINERS}])+")
