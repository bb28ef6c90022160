"""Large first letters over several lines: they begin the first of the lines beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

from colde.ingest.pdf.characters.letter_bigrams import is_unlikely_word
from colde.ingest.pdf.words.page import Word
from colde.text.word_lists.stop_words import stop_words

_MIN_SIZE = 1.7  # of a large first letter, in font sizes of the text
_CAPITAL_HEIGHT = 0.7  # of a font size
_MAX_GAP = 1.5  # font sizes between the letter and the lines beside it
_MAX_HIGHER = 0.6  # font sizes by which the letter may begin above the first line
_MAX_LOWER = 1.0  # font sizes by which it may begin below the first line
_SPACE = 0.12  # font sizes by which the first line begins further right where a space stands before it
_OPENING_QUOTES = "“\"'‘«„‚"
_WORDS_OF_ONE_LETTER = frozenset("AIOYÀÉEÓÚUK")
_VOWELS = frozenset("aeiouyàáâäãåæèéêëìíîïòóôöõøœùúûü")


def join_drop_caps(words: list[Word]) -> list[Word]:
    """The words of a page, in its reading frame, with each large first letter in front of the word that it begins."""
    if len(words) < 3:
        return words
    size = median_low(w.size for w in words)
    large = [w for w in words if w.size >= _MIN_SIZE * size and _is_capital(w.text)]
    for letter in large:
        first = _first_word(letter, words, size)
        if first is None:
            continue
        others = [w for w in words if w is not letter and w is not first]
        if _is_word_of_its_own(letter, first, others, size):
            first.joined_to_previous = False
            before = replace(first, text=letter.text, x0=first.x0 - 0.5 * size, x1=first.x0 - 0.25 * size)
            words[words.index(letter)] = before
        else:
            first.text = letter.text + first.text
            words.remove(letter)
    return words


def _is_capital(text: str) -> bool:
    letter = text.lstrip(_OPENING_QUOTES)
    return len(letter) == 1 and letter.isupper() and len(text) <= 2


def _first_word(letter: Word, words: Sequence[Word], size: float) -> Word | None:
    """The first word of two or more lines beside a large letter, as high as its top."""
    beside = [
        w
        for w in words
        if w.size < letter.size / _MIN_SIZE
        and -0.2 * size <= w.x0 - letter.x1 <= _MAX_GAP * size
        and letter.base - letter.size < w.base <= letter.base + _MAX_HIGHER * size
    ]
    if not beside:
        return None
    first = min(beside, key=lambda w: (round(w.base), w.x0))
    lower = (letter.base - _CAPITAL_HEIGHT * letter.size) - (first.base - _CAPITAL_HEIGHT * first.size)
    has_second_line = any(w.base > first.base + 0.8 * size for w in beside)
    return first if has_second_line and -_MAX_HIGHER * size <= lower <= _MAX_LOWER * size else None


def _is_word_of_its_own(letter: Word, first: Word, others: Sequence[Word], size: float) -> bool:
    """Whether a space stands between a large letter and the word beside it, as in “A house”."""
    text = letter.text.lstrip(_OPENING_QUOTES)
    rest = first.text.rstrip(".,;:!?").lower()
    if text not in _WORDS_OF_ONE_LETTER or not rest.isalpha():
        return False
    second = [
        w.x0
        for w in others
        if 0.8 * size < w.base - first.base < 2.0 * size and w.x0 > letter.x1 - 0.2 * size
    ]
    if second and first.x0 - min(second) >= _SPACE * size:
        return True
    known = {w.text.rstrip(".,;:!?").lower() for w in others} | stop_words("en")
    joined = text.lower() + rest
    if joined in known or rest in known:
        return joined not in known
    return bool(_VOWELS.intersection(rest)) and not is_unlikely_word(rest) and len(rest) >= 3
