"""The words that say most of a document: used often in it, rare elsewhere."""

from __future__ import annotations

from collections import Counter

import numpy as np

from colde.text.document import Document
from colde.text.term_weights import counts, shipped_statistics, words_of


def word_weights(document: Document) -> dict[str, float]:
    """(1 + ln count) · idf of each word of what is compared, greatest first; words that say nothing are left out."""
    texts = (document.text[s.start : s.end] for _, s in document.compared())
    word_counts = Counter(word for text in texts for word in words_of(text))
    words = list(word_counts)
    rows = counts(words)
    idf = shipped_statistics().idf
    weights: dict[str, float] = {}
    for i, word in enumerate(words):
        columns = rows.indices[rows.indptr[i] : rows.indptr[i + 1]]
        weight = (1 + np.log(word_counts[word])) * float(idf[columns].max(initial=0.0))
        if weight > 0:
            weights[word] = float(weight)
    return dict(sorted(weights.items(), key=lambda item: -item[1]))
