"""Shared words with the largest contributions to a score, and the first sentence of each text that contains them."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from colde.results.model_score import WordPart
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import Counts, bucket, words_of

MOST = 12
"""Words that are named with their contributions; the reports name the first three."""


def word_parts(parts: Counts, a: Document, b: Document, most: int = MOST) -> tuple[WordPart, ...]:
    """The words with the largest contributions that are in sentences of both documents, largest first.

    Args:
        parts: [1, BUCKETS], contribution of each hashed word that both use. Of words with the same hash, the first is
            named.
    """
    order = np.argsort(-parts.data, kind="stable")[:most]
    wanted = {int(parts.indices[k]): float(parts.data[k]) for k in order if parts.data[k] > 0}
    first_a, first_b = (first_occurrences(d, wanted.keys()) for d in (a, b))
    return tuple(
        WordPart(first_a[column][0], part, first_a[column][1], first_b[column][1])
        for column, part in wanted.items()
        if column in first_a and column in first_b
    )


def first_occurrences(document: Document, columns: Set[int]) -> dict[int, tuple[str, Span]]:
    """For each wanted hash the word and the first sentence that contains it."""
    first: dict[int, tuple[str, Span]] = {}
    known: dict[str, int] = {}
    for _, sentence in document.sentences():
        for word in words_of(document.text[sentence.start : sentence.end]):
            if word not in known:
                known[word] = bucket(word)
            if known[word] in columns:
                first.setdefault(known[word], (word, Span(sentence.start, sentence.end)))
        if len(first) == len(columns):
            break
    return first
