"""Matches of passages: windows of three sentences, completed by the most similar sentences.

The mean of both documents is subtracted from the vectors. The rarity of a match is that of its own sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from colde.encoders.vector_math import normalised
from colde.explain.background_corpus import rarity
from colde.explain.clause_numbers import clause_numbers
from colde.explain.match_selection import joined_matches, overlaps_both
from colde.explain.match_types import match_type
from colde.explain.passage_maps import passage_map, sentence_map
from colde.explain.passage_windows import (
    VALUES_AT_ONCE,
    WINDOW,
    Side,
    StrongestWindows,
    sentence_vectors,
    strongest_windows,
    window_similarity,
)
from colde.explain.sentence_pairs import SentencePairs, readable_sentences
from colde.explain.translations import in_two_languages, match_translations
from colde.results.encoding import Encoding
from colde.results.match import STANDS_OUT, VERBATIM, Match, Passage
from colde.results.similarity_map import Array, SimilarityMap
from colde.row_blocks import row_blocks
from colde.text.document import Document, Span

Positions = Sequence[int] | NDArray[np.int64]
MOST_SENTENCES = 2_000  # a side, for the sentence map
MAX_MATCHES = 50
LONG_MATCH = 0.45  # weight of a match of several sentences that is listed before single sentences

PASSAGES_MEANING = (
    "Passages: for each pair of chunks, the strongest passage that they share, in the same or in other words. "
    "Three sentences in a row are compared with three others. The value is lower if a document repeats itself, or "
    "if many unrelated documents have a similar passage (thanks, outlines, addresses). 1 is the same, unusual "
    "passage; from about 0.5 on a passage stands out. One shared passage is enough for a high value, however "
    "different the rest of the chunks is."
)
SENTENCE_MEANING = (
    "Sentences: how similar two sentences and their neighbours are in meaning, in spelling and in the words that "
    "they share. Meaning is measured by sentence vectors, less what both documents are about, and counts less if a "
    "sentence is like much of its document. Rare words count more, and citations do not count. Fragments, standard "
    "phrases and pairs without a distinctive shared word have lower values. 1 is the same sentence; about 0 is "
    "nothing in common."
)


class _PassagePair:
    """Two encodings whose windows are matched."""

    def __init__(self, a: Encoding, b: Encoding, packaged: bool) -> None:
        self.a, self.b = a, b
        self.vectors = centred(sentence_vectors(a), sentence_vectors(b))
        versions = _are_versions(a.document, b.document)
        self.left, self.right = (
            Side.of(e, v, versions, packaged) for e, v in zip((a, b), self.vectors, strict=True)
        )

    @cached_property
    def windows(self) -> StrongestWindows:
        """The strongest windows of each pair of chunks."""
        return strongest_windows(self.left, self.right, len(self.a.chunk_spans), len(self.b.chunk_spans))

    def matches(self, model: str, most: int) -> list[Match]:
        """The strongest passages that both documents share, best first; no two overlap on both sides.

        Passages of the same type that follow each other in both documents are one match.
        """
        matches: list[Match] = []
        taken: list[tuple[Passage, Passage]] = []
        for i, j in islice(self._candidates(), 20 * most):
            if len(matches) >= most:
                break
            pair, vectors = self._extent(i, j), (self.left.windows, self.right.windows)
            if overlaps_both(pair, taken):  # the two sentences alone
                pair, vectors = self._passages(i, i, j, j), (self.left.vectors, self.right.vectors)
            if overlaps_both(pair, taken):
                continue
            taken.append(pair)
            similarity, match_rarity = float(self._similarity([i], [j], *vectors)[0]), self._rarity(pair)
            weight = similarity if match_rarity is None else similarity * match_rarity
            matches.append(
                Match(model, *pair, weight, match_type(*self._texts(pair), similarity), match_rarity)
            )
        return joined_matches(self._completed(matches, model, most), self.a.document, self.b.document)

    def _completed(self, matches: list[Match], model: str, most: int) -> list[Match]:
        """The matches worth listing, and in place of the others the strongest pairs of sentences, `most` together.

        No pair of sentences weighs more than it is rare.
        """
        if self.sentence_pairs is None:
            return matches
        kept = [m for m in matches if m.kind in VERBATIM or m.weight >= STANDS_OUT or self._is_long(m)]
        taken = [(m.a, m.b) for m in kept]
        one, other = ([s for _, s in e.document.sentences()] for e in (self.a, self.b))
        for i, j, strength in self.sentence_pairs.strongest():
            if len(kept) >= most:
                break
            pair = Passage.at(self.a.document, one[i]), Passage.at(self.b.document, other[j])
            if not overlaps_both(pair, taken):
                match_rarity = self._rarity(pair)
                weight = strength if match_rarity is None else min(strength, match_rarity)
                kind = match_type(*self._texts(pair), weight)
                kept.append(Match(model, *pair, weight, kind, match_rarity))
        return kept

    def _is_long(self, match: Match) -> bool:
        """Whether several readable sentences of both documents are similar, nearly as much as what stands out."""
        inside = [
            [s for s in side.sentences if s.overlaps(p)]
            for side, p in ((self.left, match.a), (self.right, match.b))
        ]
        texts = (
            [document.text[s.start : s.end] for s in sentences]
            for document, sentences in zip((self.a.document, self.b.document), inside, strict=True)
        )
        return (
            match.weight >= LONG_MATCH
            and min(map(len, inside)) > 1
            and all(readable_sentences(side).all() for side in texts)
        )

    @cached_property
    def sentence_pairs(self) -> SentencePairs | None:
        """All pairs of sentences; None in long texts, and where a document has none."""
        texts = _texts(self.a.document), _texts(self.b.document)
        if not all(texts) or not few_sentences(*map(len, texts)):
            return None
        return SentencePairs.of(texts, self.vectors, (self.left.all_background, self.right.all_background))

    def _candidates(self) -> Iterator[tuple[int, int]]:
        """Rows and columns of the middle sentences of pairs of windows that may be matches, the strongest first.

        They are those of `windows`, and those around two sentences of which each is the other's most similar one.
        """
        known = self.windows.values > 0  # not NaN
        strongest = np.stack([self.windows.row[known], self.windows.column[known]])
        pairs = np.hstack([strongest, self.windows.mutual, self._mutual_sentences()]).astype(np.int64)
        width = int(pairs[1].max(initial=0)) + 1
        different = np.unique(pairs[0] * width + pairs[1])
        rows, columns = different // width, different % width
        values = self._similarity(rows, columns, self.left.windows, self.right.windows)
        one, other = self.left.window_background, self.right.window_background
        if one is not None and other is not None:
            values *= rarity(np.float32(0.5) * (one[rows] + other[columns]))
        for k in np.argsort(-values, kind="stable"):
            yield int(rows[k]), int(columns[k])

    def _mutual_sentences(self) -> NDArray[np.int64]:
        """Rows and columns of sentences of which each is the other's nearest: [2, pairs]; none in long texts."""
        left, right = self.left.vectors, self.right.vectors
        if not len(left) or not len(right) or not few_sentences(len(left), len(right)):
            return np.zeros((2, 0), dtype=np.int64)
        cosine = left @ right.T
        rows = cosine.argmax(axis=0)
        columns = np.flatnonzero(cosine.max(axis=0) >= cosine.max(axis=1)[rows])
        return np.stack([rows[columns], columns])

    def _similarity(self, rows: Positions, columns: Positions, left: Array, right: Array) -> Array:
        """The similarity of these rows of both arrays of vectors without their rarity: [pairs], in [0, 1]."""
        usual = self.left.self_similarity[rows] + self.right.self_similarity[columns]
        cosine = np.zeros(len(rows), dtype=np.float32)
        for part in row_blocks(len(rows), left.shape[1], VALUES_AT_ONCE):
            cosine[part] = (left[rows[part]] * right[columns[part]]).sum(axis=1)
        return window_similarity(cosine, usual)

    def _texts(self, pair: tuple[Passage, Passage]) -> tuple[str, str]:
        one, other = pair
        return self.a.document.text[one.start : one.end], self.b.document.text[other.start : other.end]

    def _rarity(self, pair: tuple[Passage, Passage]) -> float | None:
        """Rarity of the sentences in two passages, in [0, 1]; None where it is not known."""
        one, other = (s.background_of(p) for s, p in zip((self.left, self.right), pair, strict=True))
        if one is None or other is None:
            return None
        return float(rarity(np.array((one + other) / 2, dtype=np.float32)))

    def _extent(self, i: int, j: int) -> tuple[Passage, Passage]:
        """The windows around i and j, less outer sentences that are not similar to the other window.

        They end at a heading, unless both windows have one between their sentences, and nothing that was set aside.
        """
        rows, columns = _window(i, len(self.left.sentences)), _window(j, len(self.right.sentences))
        rows, columns = self._similar_sentences(rows, columns, i, j)
        below_a, below_b = self.left.headings[rows], self.right.headings[columns]
        over_heading = (below_a[0] != below_a[-1], below_b[0] != below_b[-1])
        pair = self._passages(int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1]))
        if any(over_heading) and not (all(over_heading) and self._all_compared(pair)):
            i, j = (min(max(k, int(kept[0])), int(kept[-1])) for k, kept in ((i, rows), (j, columns)))
            rows = rows[below_a == self.left.headings[i]]
            columns = columns[below_b == self.right.headings[j]]
            rows, columns = self._similar_sentences(rows, columns, i, j)
        return self._passages(int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1]))

    def _all_compared(self, pair: tuple[Passage, Passage]) -> bool:
        """Whether two passages have no section in them that was set aside, such as a table."""
        documents = self.a.document, self.b.document
        return not any(
            section.role is not None and section.overlaps(passage)
            for document, passage in zip(documents, pair, strict=True)
            for section in document.sections
        )

    def _similar_sentences(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], i: int, j: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The sentences of two windows without outer ones that are not similar to the other window."""
        cosine = self.left.vectors[rows] @ self.right.vectors[columns].T
        least = max(0.3, 0.5 * float(cosine.max()))
        from_a, to_a = _matched_range(cosine.max(1), least, i - int(rows[0]))
        from_b, to_b = _matched_range(cosine.max(0), least, j - int(columns[0]))
        return rows[from_a : to_a + 1], columns[from_b : to_b + 1]

    def _passages(self, i: int, last_i: int, j: int, last_j: int) -> tuple[Passage, Passage]:
        """The sentences i to last_i of a, and j to last_j of b."""
        one, other = self.left.sentences, self.right.sentences
        return (
            Passage.at(self.a.document, Span(one[i].start, one[last_i].end)),
            Passage.at(self.b.document, Span(other[j].start, other[last_j].end)),
        )


def match_passages(
    a: Encoding, b: Encoding, model: str, background: Array | None = None
) -> tuple[dict[str, SimilarityMap], list[Match]]:
    """The maps `passages` (chunk × chunk) and, up to 2,000 sentences a side, `sentence`; and the strongest matches.

    Args:
        a, b: encodings with `chunk_spans` and `sentences`.
        model: the name of the model in the matches.
        background: [dimension], the mean vector of another encoder than the packaged one, for unrelated texts; with it,
            documents in two languages are matched by `colde.explain.translations`.
    """
    if background is not None and in_two_languages(a.document, b.document):
        return match_translations(a, b, background, model)
    pair = _PassagePair(a, b, background is None)
    maps = {
        "passages": passage_map(
            pair.windows.values, a, b, PASSAGES_MEANING, unit="strength of the strongest passage"
        )
    }
    if pair.sentence_pairs is not None:
        maps["sentence"] = sentence_map(
            pair.sentence_pairs.similarity_map(),
            a.document,
            b.document,
            SENTENCE_MEANING,
            unit="sentence similarity (meaning, spelling, rare words)",
        )
    return maps, pair.matches(model, MAX_MATCHES)


def strongest_matches(
    a: Encoding, b: Encoding, model: str, most: int = MAX_MATCHES, background: Array | None = None
) -> list[Match]:
    """The matches of `match_passages` alone, without the maps."""
    if background is not None and in_two_languages(a.document, b.document):
        return match_translations(a, b, background, model)[1][:most]
    return _PassagePair(a, b, background is None).matches(model, most)


def few_sentences(*sentences: int) -> bool:
    """Whether texts of so many sentences get maps of sentences: at most `MOST_SENTENCES` each."""
    return max(sentences) <= MOST_SENTENCES


def _texts(document: Document) -> list[str]:
    return [document.text[s.start : s.end] for _, s in document.sentences()]


def centred(a: Array, b: Array) -> tuple[Array, Array]:
    """Unit vectors less the mean of the two documents' means, unit again."""
    if not len(a) or not len(b):
        return a, b
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return normalised(a - centre), normalised(b - centre)


def _are_versions(a: Document, b: Document) -> bool:
    """Whether at least half of the sentences of both documents are the same, but for the numbers of clauses."""
    one, other = (set(_without_numbers(d)) for d in (a, b))
    return 2 * len(one & other) >= max(len(one), len(other))


def _without_numbers(document: Document) -> Iterator[str]:
    sentences = [s for _, s in document.sentences()]
    numbers = clause_numbers(document, sentences)
    for s in sentences:
        yield document.text[s.start + len(numbers.get(s.start, "")) : s.end]


def _window(middle: int, count: int) -> NDArray[np.int64]:
    """Positions of the sentences of a window, of so many."""
    return np.arange(max(middle - WINDOW // 2, 0), min(middle + WINDOW // 2 + 1, count))


def _matched_range(best: Array, least: float, middle: int) -> tuple[int, int]:
    """First and last sentence of a window that is similar to the other window; the middle one where none is."""
    similar = np.flatnonzero(best >= least)
    return (int(similar[0]), int(similar[-1])) if len(similar) else (middle, middle)
