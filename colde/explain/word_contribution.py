"""Contributions of pairs of words to one cell of a contribution map over sentences.

A passage is divided into words, each with the characters up to the next one, so that every token belongs to one word.
The weight of a hashed word is spread evenly over its places. A sentence vector is the mean of its token states, that of
the two special tokens spread evenly over all words' tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.explain.contribution import Float64Array, contribution_map
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import TextTokenizer
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import Counts, bucket

MAP_NAME = "contribution_word"
"""The name of the map."""

_WORD = re.compile(r"\w+")

TokenParts = Callable[[NDArray[np.int32]], Array]
"""Token ids of a text, special ones included → the term of each in its unit vector, [tokens, width]."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorByWord:
    """A sentence's unit vector as a sum over its words.

    Attributes:
        vectors: [words, width]; they sum to the vector. share: [words], the tokens of each as a share of all.
    """

    vectors: Float64Array
    share: Float64Array


def words_of_span(document: Document, passage: Span) -> tuple[Span, ...]:
    """The words of a passage; the passage itself where it has none."""
    text = document.text[passage.start : passage.end]
    words = tuple(Span(passage.start + m.start(), passage.start + m.end()) for m in _WORD.finditer(text))
    return words or (passage,)


def weights_by_word(document: Document, words: Sequence[Span], unit: Counts) -> Counts:
    """The weights of the hashed words of a unit, spread over their places: [1, BUCKETS] → [words, BUCKETS].

    Words are those of `colde.text.word_weights.term_weights.words_of`: two letters or more, in lower case.
    """
    names = [document.text[s.start : s.end].lower() for s in words]
    rows = [k for k, name in enumerate(names) if len(name) > 1]
    columns = [bucket(names[k]) for k in rows]
    held = dict(zip(unit.indices.tolist(), unit.data.tolist(), strict=True))
    often = np.bincount(np.unique(columns, return_inverse=True)[1]) if columns else np.zeros(0)
    times = dict(zip(np.unique(columns).tolist(), often.tolist(), strict=True)) if columns else {}
    values = [held.get(c, 0.0) / times[c] for c in columns]
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(words), unit.shape[1]))


def split_vector_by_word(
    document: Document,
    passage: Span,
    words: Sequence[Span],
    tokenizer: TextTokenizer,
    parts: TokenParts,
) -> VectorByWord:
    """The unit vector of a sentence as a sum over these words of it."""
    (tokens,) = tokenizer([document.text[passage.start : passage.end]])
    framed = np.concatenate(([tokenizer.first], tokens.ids, [tokenizer.last])).astype(np.int32)
    terms = parts(framed).astype(np.float64)
    starts = np.array([s.start for s in words])
    of = np.maximum(np.searchsorted(starts, passage.start + tokens.starts, side="right") - 1, 0)
    share = np.bincount(of, minlength=len(words)) / max(1, len(tokens))
    vectors = np.zeros((len(words), terms.shape[1]))
    np.add.at(vectors, of, terms[1:-1])
    return VectorByWord(vectors + share[:, None] * (terms[0] + terms[-1]), share)


def word_map(
    values: Float64Array, rows: Sequence[Span], columns: Sequence[Span], cell: float, meaning: str
) -> SimilarityMap:
    """The contributions to one cell of sentences; its residual is the rest of the cell."""
    return contribution_map(values, rows, columns, "word", cell, meaning)
