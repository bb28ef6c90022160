"""Cut sentences of more than 120 words into readable pieces: texts without full stops, transcripts, endless sentences.

Where a piece ends depends on the words around it alone, so that a passage that two texts share is cut alike in both,
whatever stands before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from zlib import crc32

from colde.text.document import Span
from colde.text.word_lists.stop_words import stop_words
from colde.text.words import UNSPACED

MAX_WORDS = 120
"""Words of a sentence; in scripts without spaces two characters count as one word."""
_REACHES = (15, 7, 3)
"""Words before and behind the first word of a piece among which it is the best. What stays too long is cut again."""
_FEWEST = 5
"""Units of a piece."""
_LAST_RESORT = 60
"""Words of a piece in which all words are alike."""
_UNIT = re.compile(rf"{UNSPACED.pattern}|[^\s{UNSPACED.pattern[1:-1]}]+")
"""A word, or a character of a script without spaces."""
_LINE_END = 4
_MARKS = dict.fromkeys(";；؛", 4) | dict.fromkeys(":：", 3) | dict.fromkeys(",，、،–—", 2)
"""How well a piece ends with these marks."""
_QUOTES = "\"'“”‘’«»„([{"
_OPENING = "([{“‘«„「『（《〈【"
_CLAUSE_WORDS = {
    "en": "and but so because then now well okay ok when while although though if since until after before however "
    "therefore meanwhile finally also anyway which who where he she it we they i you there this these",
    "de": "und aber denn dann also weil wenn als obwohl während nachdem bevor doch jedoch deshalb danach nun "
    "er sie es wir ich",
    "fr": "et mais donc car alors puis ensuite quand lorsque parce comme si bien enfin or "
    "il elle on nous ils elles je vous",
    "es": "y pero porque entonces luego cuando aunque mientras si como así después él ella nosotros ellos yo usted",
    "it": "e ma perché allora poi quando anche se mentre quindi dopo però lui lei noi loro io",
    "pt": "e mas porque então depois quando embora enquanto se como assim ele ela nós eles eu você",
    "nl": "en maar want dus dan toen omdat als terwijl hoewel daarna hij zij het wij we ik",
    "ru": "и но а потому затем потом когда если хотя пока поэтому также он она мы они я это",
    "pl": "i ale bo więc potem gdy kiedy jeśli chociaż ponieważ on ona my oni ja to",
    "sv": "och men för så sedan då när om eftersom medan han hon det vi de jag",
}
"""Words with which a clause often begins."""


def cut_long_sentences(text: str, spans: Iterable[Span], language: str) -> Iterator[Span]:
    """The sentences, those of more than `MAX_WORDS` words in pieces without surrounding white space.

    Pieces end at line ends, semicolons, commas and before words that begin clauses, where there are any.

    Args:
        language: ISO 639-1 code.
    """
    for span in spans:
        units = (
            [m.span() for m in _UNIT.finditer(text, span.start, span.end)] if len(span) > MAX_WORDS else []
        )
        scale = 2 if 2 * len(UNSPACED.findall(text, span.start, span.end)) > len(units) else 1
        if len(units) <= MAX_WORDS * scale:
            yield span
            continue
        starts = _starts(_weights(text, units, language, scale), scale)
        for first, last in pairwise([*starts, len(units)]):
            yield Span(units[first][0], units[last - 1][1])


def _weights(text: str, units: Sequence[tuple[int, int]], language: str, scale: int) -> list[float]:
    """How well a piece begins with each unit; among equal ones a hash of the words on both sides decides."""
    clause_words = _clause_words(language)
    weights = [0.0]
    for (before, end), (start, until) in pairwise(units):
        word = text[start:until].casefold()
        gap = text[end:start]
        weight = _LINE_END if "\n" in gap else _MARKS.get(text[end - 1], 2 if gap and scale > 1 else 0)
        weight += word.strip(_QUOTES) in clause_words
        if not gap and not _may_begin(word):
            weight = -1
        words = f"{text[before:end].casefold()} {word}"
        weights.append(weight + crc32(words.encode("utf-8", "surrogatepass")) / 2**32)
    return weights


def _may_begin(word: str) -> bool:
    """Whether a piece may begin with a character where there is no space: no mark, no vowel of the one before."""
    return word[0] in _OPENING or unicodedata.category(word[0])[0] in "LN"


@lru_cache(maxsize=8)
def _clause_words(language: str) -> frozenset[str]:
    """Words that begin clauses; the stop words of a language without a list."""
    listed = _CLAUSE_WORDS.get(language)
    return frozenset(listed.split()) if listed else stop_words(language)


def _starts(weights: Sequence[float], scale: int) -> list[int]:
    starts = [0]
    for reach in _REACHES:
        starts = _cut(starts, len(weights), scale, partial(_is_best, weights, reach * scale))
    return _cut(starts, len(weights), scale, lambda i: i % (_LAST_RESORT * scale) == 0)


def _cut(starts: Sequence[int], count: int, scale: int, begins: Callable[[int], bool]) -> list[int]:
    """The starts, and those that begin a piece within pieces that are too long."""
    cut: list[int] = []
    for first, last in pairwise([*starts, count]):
        cut.append(first)
        if last - first > MAX_WORDS * scale:
            cut.extend(i for i in range(first + _FEWEST, last - _FEWEST + 1) if begins(i))
    return cut


def _is_best(weights: Sequence[float], reach: int, at: int) -> bool:
    """Whether this unit is better than those before, and as good as those behind."""
    if weights[at - 1] >= weights[at]:
        return False
    return weights[at] > max(weights[max(0, at - reach) : at]) and weights[at] >= max(
        weights[at : at + reach + 1]
    )
