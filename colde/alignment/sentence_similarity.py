"""Similarity of the sentences of two documents, by meaning, by character n-grams and by shared rare words.

    x_ij = (2 (m_ij - 3/8 (u_i + u_j)) + 3 character n-grams + 3 rare words) / 8
    similarity = 2/3 x_ij + 1/3 of the mean of x around it, and 1 for the same sentence

m is the cosine of the sentence vectors; u is the self-similarity of a sentence in its document, less the mean. The mean
around a pair is over the neighbours of each sentence with the other one. Without u and neighbours, words of this weight
would miss paraphrases (docs/log/passages.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import prod

import numpy as np

from colde.alignment.self_similarity import self_similarity
from colde.encoders.vector_math import window_means
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks
from colde.text.sentences.citations import without_citations
from colde.text.word_weights.character_ngrams import character_ngrams
from colde.text.word_weights.term_weights import counts, dense_product, words_of

MOST_PAIRS = 4_000_000
"""Pairs of sentences of two texts; more are not compared, and there are no maps of them."""
MIN_DENOMINATOR = 1e-6
CELLS_PER_BLOCK = 2**19
"""Pairs of sentences whose words are counted together: 2 MB, and temporary arrays of a few times that."""

WORD_WEIGHT = 1.5
"""Weight of character n-grams, and of rare words, beside meaning; chosen with the two below by
studies/explanations/citances.py among those that miss no planted paraphrase
(studies/explanations/planted_sentences.py)."""
SELF_SIMILARITY_WEIGHT = 0.375
"""Weight of a sentence's self-similarity, which is subtracted."""
NEIGHBOUR_SHARE = 1 / 3
"""Share of the sentences around a pair."""
NEARBY = 3
"""Sentences of either text around a pair, itself included."""


def sentence_similarities(vectors_a: Array, vectors_b: Array, a: Sequence[str], b: Sequence[str]) -> Array:
    """Similarity of every pair of sentences, without the words of citations: [sentences a, sentences b], at most 1.

    Args:
        vectors_a, vectors_b: [sentences, dimension], of length one, less the mean of both documents.
        a, b: the sentences of two documents, in reading order; words are rare among these.
    """
    bare_a, bare_b = ([without_citations(text) for text in texts] for texts in (a, b))
    meaning = np.asarray(np.clip(vectors_a @ vectors_b.T, -1, 1), dtype=np.float32)
    words = character_ngram_cosines(bare_a, bare_b)
    words += rare_word_overlap(bare_a, bare_b)
    similarity = smooth_over_neighbours(
        base_similarities(
            meaning, words, excess_self_similarity(vectors_a), excess_self_similarity(vectors_b)
        )
    )
    _mark_the_same(similarity, a, b)
    return similarity


def few_sentences(*sentences: int) -> bool:
    """Whether the sentences of texts of so many are compared: at most `MOST_PAIRS` pairs."""
    return prod(sentences) <= MOST_PAIRS


def excess_self_similarity(vectors: Array) -> Array:
    """Self-similarity of each sentence less the mean of its document: [sentences]."""
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
    """x, before the mean around a pair: [sentences a, sentences b].

    Args:
        meaning, words: [sentences a, sentences b], cosines, and the sum of character n-grams and rare words.
        excess_a, excess_b: [sentences], `excess_self_similarity`.
        weight: of either kind of words; share: of the self-similarity.
    """
    usual = share * (excess_a[:, None] + excess_b[None])
    return np.asarray((meaning - usual + weight * words) / (1 + 2 * weight), dtype=np.float32)


def _mark_the_same(similarity: Array, a: Sequence[str], b: Sequence[str]) -> None:
    """Set the cells of equal sentences to 1, whatever their spaces; sentences without a word equal none."""
    places: dict[str, list[int]] = defaultdict(list)
    for j, text in enumerate(b):
        if words_of(text):
            places[" ".join(text.split())].append(j)
    for i, text in enumerate(a):
        similarity[i, places.get(" ".join(text.split()), [])] = 1


def smooth_over_neighbours(values: Array, share: float = NEIGHBOUR_SHARE) -> Array:
    """Mean of each pair and, with the weight `share`, the pairs around it, at most 1: [sentences a, sentences b]."""
    around = (window_means(values, NEARBY) + window_means(values.T, NEARBY).T) / 2
    return np.asarray(np.minimum((1 - share) * values + share * around, 1), dtype=np.float32)


def character_ngram_cosines(a: Sequence[str], b: Sequence[str]) -> Array:
    """TF-IDF cosines of two lists of sentences by character n-grams of 3 to 5: [sentences a, sentences b].

    N-grams match `parse` and `parsers`; they agree better than words with people's judgement of which sentence another
    one cites (docs/log/passages.md). Document frequencies are counted among these sentences.
    """
    weighted = character_ngrams([*a, *b])
    return dense_product(weighted[: len(a)], weighted[len(a) :])


def rare_word_overlap(a: Sequence[str], b: Sequence[str]) -> Array:
    """Overlap of two sentences' words, weighted by rarity: [sentences a, sentences b].

    With w(t) = ln((1 + sentences) / (½ + sentences with t)), s the sum of w over the words of both, d over those of one
    alone, and m the mean sum of a sentence of both documents,

        s / (s + d / 2 + min(d, m))

    from 0 to 1: Tversky's ratio (1977) with m, without which one shared word would suffice for a sentence of two words.
    """
    present = counts([*a, *b]).sign().tocsr()
    holding = np.bincount(present.indices, minlength=present.shape[1])
    weighed = present.copy()
    weighed.data = np.log((1 + len(a) + len(b)) / (0.5 + holding))[present.indices]
    weight_sums = np.asarray(weighed.sum(1), dtype=np.float32).ravel()
    of_a, of_b = weight_sums[: len(a)], weight_sums[len(a) :]
    overlap = dense_product(weighed[: len(a)], present[len(a) :])
    mean = (_mean(of_a) + _mean(of_b)) / 2
    for rows in row_blocks(len(a), len(b), CELLS_PER_BLOCK):
        both = overlap[rows]
        alone = np.maximum(of_a[rows, None] + of_b[None] - 2 * both, 0)
        overlap[rows] = both / np.maximum(both + alone / 2 + np.minimum(alone, mean), MIN_DENOMINATOR)
    return overlap


def _mean(weight_sums: Array) -> float:
    return float(weight_sums.mean()) if len(weight_sums) else 0.0
