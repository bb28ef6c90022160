"""Matches of passages: late interaction of windows of three sentences.

A chunk's vector represents 512 tokens, in which a passage of 60 words is lost. A window represents three sentences in
any order. The mean of both documents is subtracted from the vectors. The similarity of two windows counts as far as it
exceeds the self-similarity of both documents, and less where many documents of the background corpus contain similar
sentences, or where they are standard sentences (docs/results.md). The rarity of a match is that of its own sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from colde.encoders.vector_math import normalised, window_means
from colde.explain.background_corpus import background_sentences, rarity
from colde.explain.match_selection import joined_matches, overlaps_both
from colde.explain.match_types import lower_words, match_type
from colde.explain.self_similarity import self_similarity
from colde.explain.sentence_similarity import sentence_similarities
from colde.explain.standard_sentences import standard_similarity
from colde.results.encoding import Encoding
from colde.results.match import Match, Passage
from colde.results.similarity_map import Array, SimilarityMap
from colde.row_blocks import row_blocks
from colde.text.document import Document, Sentence, Span

Positions = Sequence[int] | NDArray[np.int64]
WINDOW = 3  # sentences
HUBNESS = 1.8  # factor on the mean self-similarity; chosen on one half of the passages (docs/results.md)
CLOSEST = 0.9  # upper limit of the self-similarity that is subtracted: the same sentences always stand out
MIN_WORDS = 5  # of a sentence; shorter ones match anything
MOST_SENTENCES = 2_000  # a side, for the sentence map
MAX_MATCHES = 50
CELLS_PER_BLOCK = 2**22  # cosines of windows by windows: 16 MB
VALUES_AT_ONCE = 2**19  # computed from them: 2 MB, and temporary arrays of a few times that

PASSAGES_MEANING = (
    "Passages: for each pair of chunks the strongest passage they share, in the same or in other words: how near three "
    "sentences are to three others, measured against how much each document repeats itself, and less where many "
    "unrelated documents say the like (thanks, outlines, addresses). 1 is the same passage, and an unusual one; "
    "from about 0.5 on a passage stands out. One makes a cell bright, however different the rest of the chunks may be."
)
SENTENCE_MEANING = (
    "Sentences: how alike they and their neighbours are by meaning (sentence vectors, less what both documents are "
    "about, and less where a sentence is like much of its own document), by parts of their words, and by the words "
    "both have, rare ones more; citations count for nothing. 1 is the same sentence; about 0 is nothing in common."
)


@dataclass(frozen=True, slots=True)
class _Side:
    """The sentences of one document that are long enough to compare.

    Attributes:
        sentences: [kept].
        chunk: [kept], the chunk each sentence begins in.
        vectors: [kept, dimension], unit, centred.
        windows: [kept, dimension], unit: the mean of a sentence and its two neighbours.
        self_similarity: [kept], of each window.
        background: [kept], similarity of the background corpus to each sentence; None where it is not known.
    """

    sentences: tuple[Sentence, ...]
    chunk: NDArray[np.int64]
    vectors: Array
    windows: Array
    self_similarity: Array
    background: Array | None

    @classmethod
    def of(cls, encoding: Encoding, vectors: Array, versions: bool) -> Self:
        """The sentences of an encoding, with centred vectors of all its sentences.

        Args:
            versions: whether the two documents are versions of one text, in which standard sentences are no background.
        """
        text = encoding.document.text
        sentences = [s for _, s in encoding.document.sentences()]
        kept = [i for i, s in enumerate(sentences) if len(lower_words(text[s.start : s.end])) >= MIN_WORDS]
        starts = np.array([c.start for c in encoding.chunk_spans], dtype=np.int64)
        begin = np.array([sentences[i].start for i in kept], dtype=np.int64)
        windows = normalised(window_means(vectors[kept], WINDOW))
        return cls(
            sentences=tuple(sentences[i] for i in kept),
            chunk=np.maximum(np.searchsorted(starts, begin, side="right") - 1, 0),
            vectors=vectors[kept],
            windows=windows,
            self_similarity=self_similarity(windows, WINDOW),
            background=_background_similarity(encoding, kept, versions),
        )

    @property
    def window_background(self) -> Array | None:
        """The mean background similarity of each window: [kept]; None where it is not known."""
        return None if self.background is None else window_means(self.background[:, None], WINDOW)[:, 0]

    def background_of(self, span: Span) -> float | None:
        """The mean background similarity of the sentences in a passage; None where it is not known."""
        inside = [k for k, s in enumerate(self.sentences) if s.overlaps(span)]
        return None if self.background is None else float(self.background[inside].mean())


@dataclass(frozen=True, slots=True)
class _Windows:
    """The strongest pair of windows of each pair of chunks, and the pairs of which each is the other's strongest.

    Attributes:
        values: [chunks a, chunks b], NaN where a chunk has no sentence that is compared.
        row, column: [chunks a, chunks b], the middle sentences, as positions among those kept of a and of b.
        mutual: [2, pairs], rows and columns of the mutual pairs.
    """

    values: Array
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    mutual: NDArray[np.int64]


class _PassagePair:
    """Two encodings whose windows are matched."""

    def __init__(self, a: Encoding, b: Encoding) -> None:
        self.a, self.b = a, b
        self.vectors = centred(sentence_vectors(a), sentence_vectors(b))
        versions = _are_versions(a.document, b.document)
        self.left, self.right = (_Side.of(e, v, versions) for e, v in zip((a, b), self.vectors, strict=True))

    @cached_property
    def windows(self) -> _Windows:
        """The strongest windows of each pair of chunks."""
        return _strongest_windows(self.left, self.right, len(self.a.chunk_spans), len(self.b.chunk_spans))

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
            one, other = (
                e.document.text[p.start : p.end] for e, p in zip((self.a, self.b), pair, strict=True)
            )
            matches.append(Match(model, *pair, weight, match_type(one, other, similarity), match_rarity))
        return joined_matches(matches, self.a.document, self.b.document)

    def _candidates(self) -> Iterator[tuple[int, int]]:
        """Rows and columns of the middle sentences of pairs of windows that may be matches, the strongest first.

        They are those of `windows`, and those around two sentences of which each is the other's most similar one.
        """
        known = self.windows.values > 0  # not NaN
        strongest = np.stack([self.windows.row[known], self.windows.column[known]])
        pairs = np.unique(np.hstack([strongest, self.windows.mutual, self._mutual_sentences()]), axis=1)
        rows, columns = pairs.astype(np.int64)
        values = self._similarity(rows, columns, self.left.windows, self.right.windows)
        one, other = self.left.window_background, self.right.window_background
        if one is not None and other is not None:
            values *= rarity((one[rows] + other[columns]) / 2)
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
        return _similarity(cosine, usual)

    def _rarity(self, pair: tuple[Passage, Passage]) -> float | None:
        """Rarity of the sentences in two passages, in [0, 1]; None where it is not known."""
        one, other = (s.background_of(p) for s, p in zip((self.left, self.right), pair, strict=True))
        if one is None or other is None:
            return None
        return float(rarity(np.array((one + other) / 2, dtype=np.float32)))

    def _extent(self, i: int, j: int) -> tuple[Passage, Passage]:
        """The windows around i and j, less outer sentences that are not similar to the other window."""
        left, right, reach = self.left, self.right, WINDOW // 2
        rows = np.arange(max(i - reach, 0), min(i + reach + 1, len(left.sentences)))
        columns = np.arange(max(j - reach, 0), min(j + reach + 1, len(right.sentences)))
        cosine = left.vectors[rows] @ right.vectors[columns].T
        least = max(0.3, 0.5 * float(cosine.max()))
        from_a, to_a = _matched_range(cosine.max(1), least, i - int(rows[0]))
        from_b, to_b = _matched_range(cosine.max(0), least, j - int(columns[0]))
        return self._passages(int(rows[from_a]), int(rows[to_a]), int(columns[from_b]), int(columns[to_b]))

    def _passages(self, i: int, last_i: int, j: int, last_j: int) -> tuple[Passage, Passage]:
        """The sentences i to last_i of a, and j to last_j of b."""
        one, other = self.left.sentences, self.right.sentences
        return (
            Passage.at(self.a.document, Span(one[i].start, one[last_i].end)),
            Passage.at(self.b.document, Span(other[j].start, other[last_j].end)),
        )


def match_passages(a: Encoding, b: Encoding, model: str) -> tuple[dict[str, SimilarityMap], list[Match]]:
    """The maps `passages` (chunk × chunk) and, up to 2,000 sentences a side, `sentence`; and the strongest matches.

    Args:
        a, b: encodings with `chunk_spans` and `sentences`.
        model: the name of the model in the matches.
    """
    pair = _PassagePair(a, b)
    maps = {
        "passages": SimilarityMap(
            pair.windows.values,
            a.chunk_spans,
            b.chunk_spans,
            "cosine",
            PASSAGES_MEANING,
            role="passages",
            level="chunk",
            unit="strength of the strongest passage",
            limits=(0.0, 1.0),
        )
    }
    rows = tuple(s for _, s in a.document.sentences())
    columns = tuple(s for _, s in b.document.sentences())
    if rows and columns and few_sentences(len(rows), len(columns)):
        maps["sentence"] = SimilarityMap(
            sentence_similarities(*pair.vectors, _texts(a.document), _texts(b.document)),
            rows,
            columns,
            "cosine",
            SENTENCE_MEANING,
            role="passages",
            level="sentence",
            unit="weighted mean of three likenesses",
        )
    return maps, pair.matches(model, MAX_MATCHES)


def strongest_matches(a: Encoding, b: Encoding, model: str, most: int = MAX_MATCHES) -> list[Match]:
    """The matches of `match_passages` alone, without the maps."""
    return _PassagePair(a, b).matches(model, most)


def few_sentences(*sentences: int) -> bool:
    """Whether texts of so many sentences get maps of sentences: at most `MOST_SENTENCES` each."""
    return max(sentences) <= MOST_SENTENCES


def _texts(document: Document) -> list[str]:
    return [document.text[s.start : s.end] for _, s in document.sentences()]


def sentence_vectors(encoding: Encoding) -> Array:
    """Vectors of the sentences of an encoding made with `explain`: [sentences, dimension]."""
    assert encoding.sentences is not None
    return encoding.sentences


def centred(a: Array, b: Array) -> tuple[Array, Array]:
    """Unit vectors less the mean of the two documents' means, unit again."""
    if not len(a) or not len(b):
        return a, b
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return normalised(a - centre), normalised(b - centre)


def _background_similarity(encoding: Encoding, kept: list[int], versions: bool) -> Array | None:
    """Similarity of the background corpus to each sentence: [kept]; None for vectors of another encoder."""
    known = background_sentences()
    vectors = sentence_vectors(encoding)[kept]
    if known is None or vectors.shape[1] != known.dimension:
        return None
    similarity = known.background_similarity(vectors)
    return similarity if versions else np.maximum(similarity, standard_similarity(vectors))


def _are_versions(a: Document, b: Document) -> bool:
    """Whether at least half of the sentences of both documents are the same."""
    one, other = (set(_texts(d)) for d in (a, b))
    return 2 * len(one & other) >= max(len(one), len(other))


def _similarity(cosine: Array, self_similarities: Array) -> Array:
    """Similarity of windows: 1 for the same sentences, 0.5 where they are as similar as is usual.

    With c the cosine of two windows and r the mean of their self-similarities times HUBNESS, it is
    0.5 ^ ((1 − c) / (1 − r)).
    """
    usual = np.clip(self_similarities * (HUBNESS / 2), 0.0, CLOSEST)
    return np.asarray(0.5 ** ((1 - np.minimum(cosine, 1)) / (1 - usual)), dtype=np.float32)


def _rows(left: _Side, right: _Side) -> Iterator[tuple[int, Array]]:
    """Window values, some rows at a time: their similarity times the rarity of the two."""
    one, other = (s.window_background for s in (left, right))
    for near in row_blocks(len(left.windows), len(right.windows), CELLS_PER_BLOCK):
        cosines = np.asarray(left.windows[near] @ right.windows.T)  # [rows, count b]
        for part in row_blocks(len(cosines), len(right.windows), VALUES_AT_ONCE):
            place = slice(near.start + part.start, near.start + part.stop)
            values = _similarity(
                cosines[part], left.self_similarity[place, None] + right.self_similarity[None]
            )
            if one is not None and other is not None:
                values *= rarity(np.asarray((one[place, None] + other) / 2, dtype=np.float32))
            yield place.start, values


def _strongest_windows(left: _Side, right: _Side, chunks_a: int, chunks_b: int) -> _Windows:
    values = np.full((chunks_a, chunks_b), np.nan, dtype=np.float32)
    row = np.zeros((chunks_a, chunks_b), dtype=np.int32)
    column = np.zeros((chunks_a, chunks_b), dtype=np.int32)
    if not len(left.sentences) or not len(right.sentences):
        return _Windows(values, row, column, np.zeros((2, 0), dtype=np.int64))
    best_of_row = np.zeros(len(left.sentences), dtype=np.float32)
    best_of_column = np.zeros(len(right.sentences), dtype=np.float32)
    row_of_column = np.zeros(len(right.sentences), dtype=np.int64)
    present_b, first_b, of_b = np.unique(right.chunk, return_index=True, return_inverse=True)
    every = np.arange(len(of_b))
    for at, block in _rows(left, right):
        best = np.maximum.reduceat(block, first_b, axis=1)  # [rows, chunks of b present]
        best_of_row[at : at + len(block)] = best.max(axis=1)
        nearest = block.argmax(axis=0)
        higher = np.flatnonzero(block[nearest, every] > best_of_column)
        best_of_column[higher] = block[nearest[higher], higher]
        row_of_column[higher] = at + nearest[higher]
        for c in np.unique(left.chunk[at : at + len(block)]):
            rows = np.flatnonzero(left.chunk[at : at + len(block)] == c)
            strongest = rows[best[rows].argmax(0)]  # [chunks of b present]
            value = best[strongest, np.arange(len(present_b))]
            new = ~(values[c, present_b] >= value)  # NaN or smaller
            reached = np.flatnonzero(block[strongest[of_b], every] == value[of_b])[::-1]
            where = np.zeros(len(present_b), dtype=np.int32)
            where[of_b[reached]] = reached  # the first of each chunk is written last
            values[c, present_b[new]] = np.minimum(value[new], 1.0)
            row[c, present_b[new]] = at + strongest[new]
            column[c, present_b[new]] = where[new]
    mutual = np.flatnonzero((best_of_column > 0) & (best_of_column >= best_of_row[row_of_column]))
    return _Windows(values, row, column, np.stack([row_of_column[mutual], mutual]))


def _matched_range(best: Array, least: float, middle: int) -> tuple[int, int]:
    """First and last sentence of a window that is similar to the other window; the middle one where none is."""
    similar = np.flatnonzero(best >= least)
    return (int(similar[0]), int(similar[-1])) if len(similar) else (middle, middle)
