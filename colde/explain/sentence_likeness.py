"""How alike sentences of two documents are: by their meaning, by the parts of their words, by the rare words both have.

    likeness = (meaning + parts of words + rare words) / 3

With words at twice the weight people's judgement of what a citing sentence speaks of is met better still, but sentences
that say the same in other words are lost (docs/results.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.explain.greedy_pairs import row_blocks
from colde.results.maps import Array
from colde.text.citations import without_citations
from colde.text.letter_runs import letter_runs
from colde.text.term_weights import counts, dense_product

NOTHING = 1e-6
CELLS_AT_ONCE = 2**19
"""Pairs of sentences whose words are counted together: 2 MB, and a few times that in passing."""


def sentence_likeness(meaning: Array, a: Sequence[str], b: Sequence[str]) -> Array:
    """Likeness of every pair of sentences, citations left out of their words: [sentences a, sentences b], at most 1.

    Args:
        meaning: [sentences a, sentences b], cosines of their vectors.
        a, b: the sentences of two documents; among these is counted what is rare.
    """
    bare_a, bare_b = ([without_citations(text) for text in own] for own in (a, b))
    words = letter_cosines(bare_a, bare_b) + rare_words(bare_a, bare_b)
    return np.asarray((meaning + words) / 3, dtype=np.float32)


def letter_cosines(a: Sequence[str], b: Sequence[str]) -> Array:
    """TF-IDF cosines of two lists of sentences by runs of 3 to 5 letters: [sentences a, sentences b].

    Letters find `parse` in `parsers`; people's judgement of which sentence another one cites is met better than
    with whole words (docs/results.md). What is rare or common is counted among these sentences.
    """
    weighted = letter_runs([*a, *b])
    return dense_product(weighted[: len(a)], weighted[len(a) :])


def rare_words(a: Sequence[str], b: Sequence[str]) -> Array:
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
    said = np.asarray(weighed.sum(1), dtype=np.float32).ravel()
    of_a, of_b = said[: len(a)], said[len(a) :]
    found = dense_product(weighed[: len(a)], present[len(a) :])
    mean = (_mean(of_a) + _mean(of_b)) / 2
    for rows in row_blocks(len(a), len(b), CELLS_AT_ONCE):
        both = found[rows]
        alone = np.maximum(of_a[rows, None] + of_b[None] - 2 * both, 0)
        found[rows] = both / np.maximum(both + alone / 2 + np.minimum(alone, mean), NOTHING)
    return found


def _mean(said: Array) -> float:
    return float(said.mean()) if len(said) else 0.0
