"""Words set with spaces between their letters, as in "A B S T R A C T"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from colde.ingest.pdf.page_words import Word

_FEWEST_LETTERS = 4
_MAX_GAP = 1.0  # font sizes between two letters of a word
_WORD_GAP = 1.6  # gap between two words, over the usual one between letters


def join_spaced_letters(words: Sequence[Word]) -> list[Word]:
    """The words of a row, from left to right, with runs of single capitals as the words that they spell."""
    out: list[Word] = []
    begin = 0
    while begin < len(words):
        end = begin + 1
        while end < len(words) and _continues(words[end - 1], words[end]):
            end += 1
        run = words[begin:end]
        out.extend(_spelled(run) if len(run) >= _FEWEST_LETTERS and not _is_alphabet(run) else run)
        begin = end
    return out


def _continues(before: Word, word: Word) -> bool:
    return (
        _is_capital(before.text)
        and _is_capital(word.text)
        and word.size == before.size
        and word.font == before.font
        and 0.0 < word.x0 - before.x1 <= _MAX_GAP * word.size
    )


def _is_capital(text: str) -> bool:
    return len(text) == 1 and text.isupper()


def _is_alphabet(run: Sequence[Word]) -> bool:
    """Whether letters name columns or answers: A, B, C, D."""
    codes = [ord(w.text) for w in run]
    return all(b - a == 1 for a, b in pairwise(codes)) or len(set(codes)) == 1


def _spelled(run: Sequence[Word]) -> list[Word]:
    gaps = [b.x0 - a.x1 for a, b in pairwise(run)]
    usual = median(gaps)
    out = [replace(run[0])]
    for gap, word in zip(gaps, run[1:], strict=True):
        if gap > _WORD_GAP * usual:
            out.append(replace(word))
        else:
            out[-1] = replace(out[-1], text=out[-1].text + word.text, x1=word.x1)
    return out
