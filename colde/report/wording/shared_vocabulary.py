"""Words, names and numbers that two texts share, described for pairs without a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator

from colde.report.formatting import counted, listed, share_percent
from colde.results.comparison import Comparison
from colde.text.document import Document

_WORD = re.compile(r"[^\W_]+(?:[.,:/][^\W_]+)*")
_MIN_LETTERS = 4  # shorter words are the same in many languages by chance
_UNSPACED_LANGUAGES = frozenset(["zh", "ja", "th", "lo", "km", "my"])
"""Languages without spaces between words: their words are not counted."""
_CAPITALISED_NOUN_LANGUAGES = frozenset(["de", "lb"])
"""Languages with a capital letter at every noun: their names are not counted."""


def describe_shared_vocabulary(comparison: Comparison) -> str:
    """Sentences on what both texts contain word for word: passages, words, names and numbers."""
    if comparison.a.text.split() == comparison.b.text.split():
        return "The two texts are identical."
    return " ".join(filter(None, (_identical_shares(comparison), _counts(comparison.a, comparison.b))))


def _identical_shares(comparison: Comparison) -> str:
    shared = comparison.shared
    if shared is None or not shared.a["identical"]:
        return ""
    shares = [
        f"{share_percent(side['identical'])} of {name}" for name, side in (("A", shared.a), ("B", shared.b))
    ]
    return f"{listed(shares)} are in the other text word for word."


def _counts(a: Document, b: Document) -> str:
    languages = {a.language, b.language}
    words, names, numbers = (
        one & other for one, other in zip(_words_names_numbers(a), _words_names_numbers(b), strict=True)
    )
    if languages <= _CAPITALISED_NOUN_LANGUAGES:
        words, names = words | names, frozenset()
    if languages & _UNSPACED_LANGUAGES:
        words = frozenset()
    counts = [
        counted(len(c), noun) for c, noun in ((words, "word"), (names, "name"), (numbers, "number")) if c
    ]
    return f"Common to both texts: {listed(counts)} (each counted once)." if counts else ""


def _words_names_numbers(document: Document) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Different words, names and numbers of the compared text. Names have a capital letter inside a sentence."""
    words, names, numbers = set(), set(), set()
    for word, first in _words(document):
        if any(map(str.isdigit, word)):
            numbers.add(word)
        elif word[0].isupper() and not first and len(word) > 1:
            names.add(word.casefold())
        elif len(word) >= _MIN_LETTERS:
            words.add(word.casefold())
    return frozenset(words - names), frozenset(names), frozenset(numbers)


def _words(document: Document) -> Iterator[tuple[str, bool]]:
    """Each word of the sentences that are compared, and whether it is the first of its sentence."""
    for _, sentence in document.sentences():
        for number, match in enumerate(_WORD.finditer(document.text, sentence.start, sentence.end)):
            yield match[0], number == 0
