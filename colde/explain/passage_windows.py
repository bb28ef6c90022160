"""Windows of three sentences of two documents, and how similar they are.

A chunk's vector represents 512 tokens, in which a passage of 60 words is lost. A window represents three sentences in
any order. The similarity of two windows counts as far as it exceeds the self-similarity of both documents, and less
where many documents of the background corpus contain similar sentences, or where they are standard sentences
(docs/log/passages.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from colde.alignment.self_similarity import self_similarity
from colde.encoders.vector_math import normalised, window_means
from colde.explain.background_corpus import background_sentences, rarity
from colde.explain.standard_sentences import standard_similarity
from colde.results.encoding import Encoding
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks
from colde.text.sentences.part_references import refers_to_parts

WINDOW = 3  # sentences
HUBNESS = 1.8  # factor on the mean self-similarity; chosen on one half of the passages (docs/log/passages.md)
CLOSEST = 0.9  # upper limit of the self-similarity that is subtracted: the same sentences always stand out
MIN_WORDS = 5  # of a sentence; shorter ones match anything
CELLS_PER_BLOCK = 2**22  # cosines of windows by windows: 16 MB
VALUES_AT_ONCE = 2**19  # computed from them: 2 MB, and temporary arrays of a few times that
REFERS_TO_PARTS = 0.66
"""Least background similarity of a sentence about the parts of its document, whatever they hold: that of the sentence
“The results are shown in Table 2”."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of one document that are long enough to compare.

    Attributes:
        positions: [kept], of each among all sentences of the document; count: of all.
        chunk: [kept], the chunk each sentence begins in.
        vectors: [kept, dimension], unit, centred.
        windows: [kept, dimension], unit: the mean of a sentence and its two neighbours.
        self_similarity: [kept], of each window.
        background: [kept], similarity of the background corpus to each sentence; None where it is not known.
    """

    positions: NDArray[np.int64]
    count: int
    chunk: NDArray[np.int64]
    vectors: Array
    windows: Array
    self_similarity: Array
    background: Array | None

    @classmethod
    def of(cls, encoding: Encoding, vectors: Array, versions: bool, packaged: bool = True) -> Self:
        """The sentences of an encoding, with centred vectors of all its sentences.

        Args:
            versions: whether the two documents are versions of one text, in which standard sentences are no background.
            packaged: whether the vectors are of the packaged encoder, for which the background corpus is known.
        """
        text = encoding.document.text
        sentences = [s for _, s in encoding.document.sentences()]
        kept = [i for i, s in enumerate(sentences) if len(_WORD.findall(text[s.start : s.end])) >= MIN_WORDS]
        starts = np.array([c.start for c in encoding.chunk_spans], dtype=np.int64)
        begin = np.array([sentences[i].start for i in kept], dtype=np.int64)
        windows = normalised(window_means(vectors[kept], WINDOW))
        return cls(
            positions=np.array(kept, dtype=np.int64),
            count=len(sentences),
            chunk=np.maximum(np.searchsorted(starts, begin, side="right") - 1, 0),
            vectors=vectors[kept],
            windows=windows,
            self_similarity=self_similarity(windows, WINDOW),
            background=_background_similarity(encoding, kept, versions) if packaged else None,
        )

    @property
    def all_background(self) -> Array:
        """The background similarity of all sentences: [count]; 0 where it is not known."""
        values = np.zeros(self.count, dtype=np.float32)
        if self.background is not None:
            values[self.positions] = self.background
        return values

    @property
    def window_background(self) -> Array | None:
        """The mean background similarity of each window: [kept]; None where it is not known."""
        return None if self.background is None else window_means(self.background[:, None], WINDOW)[:, 0]


def sentence_vectors(encoding: Encoding) -> Array:
    """Vectors of the sentences of an encoding made with `explain`: [sentences, dimension]."""
    assert encoding.sentences is not None
    return encoding.sentences


def _background_similarity(encoding: Encoding, kept: list[int], versions: bool) -> Array | None:
    """Similarity of the background corpus to each sentence: [kept]; None for vectors of another encoder."""
    known = background_sentences()
    vectors = sentence_vectors(encoding)[kept]
    if known is None or vectors.shape[1] != known.dimension:
        return None
    similarity = known.background_similarity(vectors)
    if versions:
        return similarity
    document, sentences = encoding.document, [s for _, s in encoding.document.sentences()]
    refers = np.array([refers_to_parts(document.text[sentences[i].start : sentences[i].end]) for i in kept])
    common = np.where(refers, np.float32(REFERS_TO_PARTS), np.float32(0))
    return np.asarray(np.maximum.reduce([similarity, standard_similarity(vectors), common]))


def window_similarity(cosine: Array, self_similarities: Array) -> Array:
    """Similarity of windows: 1 for the same sentences, 0.5 where they are as similar as is usual.

    With c the cosine of two windows and r the mean of their self-similarities times HUBNESS, it is
    0.5 ^ ((1 − c) / (1 − r)).
    """
    usual = np.clip(self_similarities * (HUBNESS / 2), 0.0, CLOSEST)
    return np.asarray(0.5 ** ((1 - np.minimum(cosine, 1)) / (1 - usual)), dtype=np.float32)


def _rows(left: Side, right: Side) -> Iterator[tuple[int, Array]]:
    """Window values, some rows at a time: their similarity times the rarity of the two."""
    one, other = (s.window_background for s in (left, right))
    for near in row_blocks(len(left.windows), len(right.windows), CELLS_PER_BLOCK):
        cosines = np.asarray(left.windows[near] @ right.windows.T)  # [rows, count b]
        for part in row_blocks(len(cosines), len(right.windows), VALUES_AT_ONCE):
            place = slice(near.start + part.start, near.start + part.stop)
            values = window_similarity(
                cosines[part], left.self_similarity[place, None] + right.self_similarity[None]
            )
            if one is not None and other is not None:
                values *= rarity(np.asarray((one[place, None] + other) / 2, dtype=np.float32))
            yield place.start, values


def strongest_windows(left: Side, right: Side, chunks_a: int, chunks_b: int) -> Array:
    """Value of the strongest pair of windows of each pair of chunks: [chunks a, chunks b].

    NaN where a chunk has no sentence that is compared.
    """
    values = np.full((chunks_a, chunks_b), np.nan, dtype=np.float32)
    if not len(left.vectors) or not len(right.vectors):
        return values
    present_b, first_b = np.unique(right.chunk, return_index=True)
    for at, block in _rows(left, right):
        best = np.minimum(np.maximum.reduceat(block, first_b, axis=1), 1.0)  # [rows, chunks of b present]
        chunks = left.chunk[at : at + len(block)]
        for c in np.unique(chunks):
            values[c, present_b] = np.fmax(values[c, present_b], best[chunks == c].max(0))
    return values
