"""The maps of passages and sentences of two documents in two languages, by vectors of a multilingual encoder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from colde.alignment.sentence_similarity import few_sentences
from colde.alignment.translations import centred_alone
from colde.encoders.vector_math import cosines, normalised, window_means
from colde.explain.level_maps import passage_map, sentence_map
from colde.results.encoding import Encoding
from colde.results.similarity_map import Array, SimilarityMap

WINDOW = 3  # sentences

SENTENCE_MEANING = (
    "Sentences of two languages: the cosine of their vectors, less the mean of each document. 1 is the same meaning; "
    "about 0 is nothing in common. Words are not compared."
)
PASSAGES_MEANING = (
    "Passages of two languages: for each pair of chunks, the highest cosine of three sentences of one and three of the "
    "other, less the mean of each document. Words are not compared."
)


def translation_maps(a: Encoding, b: Encoding, background: Array) -> dict[str, SimilarityMap]:
    """The maps `passages` and `sentence` of two documents in two languages; none for more than 4,000,000 pairs of them.

    Args:
        a, b: encodings with `chunk_spans` and `sentences`, unit vectors that are not centred.
        background: [dimension], as in `centred_alone`.
    """
    assert a.sentences is not None and b.sentences is not None
    counts = len(a.sentences), len(b.sentences)
    if not min(counts) or not few_sentences(*counts):
        return {}
    left, right = (centred_alone(normalised(v), background) for v in (a.sentences, b.sentences))
    return {
        "passages": passage_map(_strongest_windows(a, b, left, right), a, b, PASSAGES_MEANING),
        "sentence": sentence_map(cosines(left, right).clip(min=0), a.document, b.document, SENTENCE_MEANING),
    }


def _strongest_windows(a: Encoding, b: Encoding, left: Array, right: Array) -> Array:
    """The highest cosine of two windows of sentences in each pair of chunks: [chunks of a, of b]."""
    cosine = cosines(window_means(left, WINDOW), window_means(right, WINDOW))
    values = np.full((len(a.chunk_spans), len(b.chunk_spans)), np.nan, dtype=np.float32)
    np.fmax.at(values, (_chunk_of(a)[:, None], _chunk_of(b)[None]), cosine.clip(min=0))
    return values


def _chunk_of(encoding: Encoding) -> NDArray[np.int64]:
    """The chunk that each sentence begins in: [sentences]."""
    starts = np.array([c.start for c in encoding.chunk_spans], dtype=np.int64)
    begin = np.array([s.start for _, s in encoding.document.sentences()], dtype=np.int64)
    return np.maximum(np.searchsorted(starts, begin, side="right") - 1, 0)
