"""How alike sentences of two documents are: by their meaning, by the parts of their words, by the rare words both have.

    x_ij = (2 (m_ij - 3/8 (u_i + u_j)) + 3 parts of words + 3 rare words) / 8
    likeness = 2/3 x_ij + 1/3 of the mean of x around it, and 1 for the same sentence

m is the cosine of their vectors, u how near a sentence is to others of its own document, less what is usual there: what
a document says everywhere is like much of any other. Around a pair stand the neighbours of each sentence beside the
other one. Without both, words at this weight would lose the sentences that say the same in other words
(docs/results.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from colde.encoders.vector_math import window_means
from colde.explain.self_similarity import self_similarity
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks
from colde.text.character_ngrams import character_ngrams
from colde.text.citations import without_citations
from colde.text.term_weights import counts, dense_product, words_of

MIN_DENOMINATOR = 1e-6
CELLS_PER_BLOCK = 2**19
"""Pairs of sentences whose words are counted together: 2 MB, and a few times that in passing."""

WORD_WEIGHT = 1.5
"""Weight of parts of words, and of rare words, beside meaning; chosen with the two below by
studies/explanations/citances.py among those that lose no planted paraphrase
(studies/explanations/planted_sentences.py)."""
SELF_SIMILARITY_WEIGHT = 0.375
"""How much nearness to the rest of its own document takes from a sentence's likeness to any other."""
NEIGHBOUR_SHARE = 1 / 3
"""Share of the sentences around a pair."""
NEARBY = 3
"""Sentences of either text around a pair: its own, the one before and the one after."""


def sentence_similarities(vectors_a: Array, vectors_b: Array, a: Sequence[str], b: Sequence[str]) -> Array:
    """Likeness of every pair of sentences, citations left out of their words: [sentences a, sentences b], at most 1.

    Args:
        vectors_a, vectors_b: [sentences, dimension], of length one, less what both documents are about.
        a, b: the sentences of two documents, in reading order; among these is counted what is rare.
    """
    bare_a, bare_b = ([without_citations(text) for text in own] for own in (a, b))
    meaning = np.asarray(np.clip(vectors_a @ vectors_b.T, -1, 1), dtype=np.float32)
    words = character_ngram_cosines(bare_a, bare_b)
    words += rare_word_overlap(bare_a, bare_b)
    found = smooth_over_neighbours(
        base_similarities(
            meaning, words, excess_self_similarity(vectors_a), excess_self_similarity(vectors_b)
        )
    )
    _mark_the_same(found, a, b)
    return found


def excess_self_similarity(vectors: Array) -> Array:
    """How much nearer than usual each sentence is to others of its document: [sentences], 0 in the mean."""
    near = self_similarity(vectors)
    return np.asarray(near - near.mean() if len(near) else near, dtype=np.float32)


def base_similarities(
    meaning: Array,
    words: Array,
    excess_a: Array,
    excess_b: Array,
    *,
    weight: float = WORD_WEIGHT,
    share: float = SELF_SIMILARITY_WEIGHT,
) -> Array:
    """x, before the sentences around a pair count: [sentences a, sentences b].

    Args:
        meaning, words: [sentences a, sentences b], cosines, and the sum of parts of words and rare words.
        repeated_a, repeated_b: [sentences], `excess_self_similarity`.
        weight: of either kind of words; share: of what is repeated.
    """
    usual = share * (excess_a[:, None] + excess_b[None])
    return np.asarray((meaning - usual + weight * words) / (1 + 2 * weight), dtype=np.float32)


def _mark_the_same(found: Array, a: Sequence[str], b: Sequence[str]) -> None:
    """Set the cells of equal sentences to 1, whatever their spaces; those without a word are equal to none."""
    places: dict[str, list[int]] = defaultdict(list)
    for j, text in enumerate(b):
        if words_of(text):
            places[" ".join(text.split())].append(j)
    for i, text in enumerate(a):
        found[i, places.get(" ".join(text.split()), [])] = 1


def smooth_over_neighbours(own: Array, share: float = NEIGHBOUR_SHARE) -> Array:
    """Each pair, and for a share of it the mean around it, at most 1: [sentences a, sentences b]."""
    around = (window_means(own, NEARBY) + window_means(own.T, NEARBY).T) / 2
    return np.asarray(np.minimum((1 - share) * own + share * around, 1), dtype=np.float32)


def character_ngram_cosines(a: Sequence[str], b: Sequence[str]) -> Array:
    """TF-IDF cosines of two lists of sentences by runs of 3 to 5 letters: [sentences a, sentences b].

    Letters find `parse` in `parsers`; people's judgement of which sentence another one cites is met better than
    with whole words (docs/results.md). What is rare or common is counted among these sentences.
    """
    weighted = character_ngrams([*a, *b])
    return dense_product(weighted[: len(a)], weighted[len(a) :])


def rare_word_overlap(a: Sequence[str], b: Sequence[str]) -> Array:
    """The words two sentences share, rare ones more, as a share of what they say: [sentences a, sentences b].

    With w(t) = ln((1 + sentences) / (½ + sentences with t)), s the sum of w over the words of both, d over those of one
    alone, and m what a sentence says in the mean, of both documents,

        s / (s + d / 2 + min(d, m))

    from 0 to 1: Tversky's ratio (1977) but for m, without which a sentence of two words need share one of them alone.
    """
    present = counts([*a, *b]).sign().tocsr()
    holding = np.bincount(present.indices, minlength=present.shape[1])
    weighed = present.copy()
    weighed.data = np.log((1 + len(a) + len(b)) / (0.5 + holding))[present.indices]
    weight_sums = np.asarray(weighed.sum(1), dtype=np.float32).ravel()
    of_a, of_b = weight_sums[: len(a)], weight_sums[len(a) :]
    found = dense_product(weighed[: len(a)], present[len(a) :])
    mean = (_mean(of_a) + _mean(of_b)) / 2
    for rows in row_blocks(len(a), len(b), CELLS_PER_BLOCK):
        both = found[rows]
        alone = np.maximum(of_a[rows, None] + of_b[None] - 2 * both, 0)
        found[rows] = both / np.maximum(both + alone / 2 + np.minimum(alone, mean), MIN_DENOMINATOR)
    return found


def _mean(weight_sums: Array) -> float:
    return float(weight_sums.mean()) if len(weight_sums) else 0.0
