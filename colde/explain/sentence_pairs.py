"""Pairs of sentences of two documents: how strong each is.

The strength is the similarity of `sentence_similarity` times a factor. The factor is less than 1 where a sentence is a
fragment (a row of a table, a formula, a few words), where the two share no subject word (one that few documents have),
and where many unrelated documents have similar sentences: "The results are shown in Table 2".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from colde.alignment.sentence_similarity import sentence_similarities
from colde.alignment.shared_runs import words_as_compared
from colde.explain.background_corpus import rarity
from colde.results.similarity_map import Array
from colde.text.sentences.citations import without_citations
from colde.text.word_weights.term_weights import Counts, counts, dense_product, shipped_statistics

FRAGMENT_WEIGHT = 0.5

NO_WORD_WEIGHT = 0.85

COMMON = 0.4
"""Rarity below which a pair is common; its factor is (rarity / COMMON)².

The three agree with people's judgement of which sentence another one speaks of (MRR 0.353, and 0.349 without them), and
keep planted paraphrases (hit@5 0.51, and 0.49): studies/explanations/citances.py and planted_sentences.py."""

MIN_LETTERS = 0.7
"""Share of letters among the characters of a sentence without its spaces; rows of tables and formulas have fewer."""

MIN_DISTINCT_WORDS = 5
"""Words of a sentence that differ from each other."""

MAX_SYMBOLS = 0.3
"""Share of words that are a single Latin letter, of which formulas are made."""

_SYMBOL = re.compile(r"(?<![\w'’])[A-Za-z](?![\w'’])")


def sentence_strengths(
    texts: tuple[Sequence[str], Sequence[str]], vectors: tuple[Array, Array], background: tuple[Array, Array]
) -> Array:
    """The strength of each pair of sentences, and 1 for the same sentence: [sentences a, sentences b].

    Args:
        texts: the sentences of each document.
        vectors: of each, [sentences, dimension], unit, centred.
        background: of each, the similarity of the background corpus: [sentences]; 0 where it is not known.
    """
    similarity = sentence_similarities(*vectors, *texts)
    return np.where(similarity >= 1, np.float32(1), similarity * pair_weights(*texts, *background))


def pair_weights(a: Sequence[str], b: Sequence[str], background_a: Array, background_b: Array) -> Array:
    """The factor between similarity and strength of sentences, in [0, 1]: [sentences a, sentences b].

    Args:
        a, b: the sentences of two documents.
        background_a, background_b: [sentences], similarity of the background corpus.
    """
    one, other = (readable_sentences(side) for side in (a, b))
    fragments = np.where(one[:, None] & other[None], 1, FRAGMENT_WEIGHT)
    words = np.where(dense_product(_subject_words(a), _subject_words(b)) > 0, 1, NO_WORD_WEIGHT)
    rare = rarity(np.asarray((background_a[:, None] + background_b[None]) / 2, dtype=np.float32))
    return np.asarray(fragments * words * np.minimum(1, rare / COMMON) ** 2, dtype=np.float32)


def _subject_words(sentences: Sequence[str]) -> Counts:
    """Which words that few documents have stand in each sentence: [sentences, buckets]."""
    present = counts([without_citations(s) for s in sentences]).sign()
    return present.multiply(shipped_statistics().idf > 0).tocsr()


def readable_sentences(sentences: Sequence[str]) -> NDArray[np.bool_]:
    """Which sentences are no fragments: [sentences]."""
    return np.array([_is_readable(text) for text in sentences], dtype=np.bool_)


def _is_readable(sentence: str) -> bool:
    """Whether a sentence can be read by itself: enough different words, and few figures, signs and symbols."""
    characters = [c for c in sentence if not c.isspace()]
    names = [w for w in words_as_compared(sentence) if not w.isdigit()]
    letters = sum(c.isalpha() for c in characters)
    return (
        len(set(names)) >= MIN_DISTINCT_WORDS
        and letters >= MIN_LETTERS * len(characters)
        and len(_SYMBOL.findall(sentence)) <= MAX_SYMBOLS * len(names)
    )
