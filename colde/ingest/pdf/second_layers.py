"""Words of a page that repeat others: a layer of recognised text under or beside the letters that are seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from colde.ingest.pdf.word_splitter import RawWord

_BAND_POINTS = 20.0  # height of the bands in which words that may lie over a word are looked up
_MIN_COVERED_SHARE = 0.5  # of a word, by the word over it


class CoveringWords:
    """Finds words that lie over others.

    Args:
        words: that may lie over others.
    """

    def __init__(self, words: Sequence[RawWord]) -> None:
        self._bands: dict[int, list[RawWord]] = defaultdict(list)
        for word in words:
            for band in _bands(word):
                self._bands[band].append(word)

    def covers(self, word: RawWord) -> bool:
        """Whether one of the words lies over at least half of another word."""
        return any(_covers(other, word) for band in _bands(word) for other in self._bands.get(band, ()))


def repeated_share(words: Sequence[RawWord], others: Sequence[RawWord]) -> float:
    """Share of the pairs of neighbouring words that are pairs of neighbours among other words, too."""
    if len(words) == 1:
        return float(_letters(words[0]) in map(_letters, others))
    pairs, of_others = (Counter(pairwise(map(_letters, ws))) for ws in (words, others))
    return (pairs & of_others).total() / pairs.total()


def _bands(word: RawWord) -> range:
    return range(int(word.bottom // _BAND_POINTS), int(word.top // _BAND_POINTS) + 1)


def _covers(other: RawWord, word: RawWord) -> bool:
    across = min(other.right, word.right) - max(other.left, word.left)
    along = min(other.top, word.top) - max(other.bottom, word.bottom)
    area = (word.right - word.left) * (word.top - word.bottom)
    return across > 0.0 and along > 0.0 and across * along >= _MIN_COVERED_SHARE * area


def _letters(word: RawWord) -> str:
    return "".join(filter(str.isalnum, word.text.casefold())) or word.text
