"""The shared words that add most to a score, and where each stands first in both texts."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from colde.results.model_score import WordPart
from colde.text.document import Document, Span
from colde.text.term_weights import Counts, bucket, words_of

MOST = 12
"""Words that are named with their parts; the reports name the first three."""


def word_parts(parts: Counts, a: Document, b: Document, most: int = MOST) -> tuple[WordPart, ...]:
    """The words of greatest parts that stand in sentences of both documents, the greatest first.

    Args:
        parts: [1, BUCKETS], what each hashed word that both use adds to the score. Words that share a place of the
            hash are one; the first of them is named.
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
    """For each wanted column of the hash the word and the first sentence that holds it."""
    found: dict[int, tuple[str, Span]] = {}
    known: dict[str, int] = {}
    for _, sentence in document.sentences():
        for word in words_of(document.text[sentence.start : sentence.end]):
            if word not in known:
                known[word] = bucket(word)
            if known[word] in columns:
                found.setdefault(known[word], (word, Span(sentence.start, sentence.end)))
        if len(found) == len(columns):
            break
    return found
