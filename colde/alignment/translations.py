"""Translations: sentences of two languages that say the same, by vectors of a multilingual encoder.

Each document is centred by its own mean, which takes out its language. Two sentences are translations where each is the
other's nearest, their cosine is high, and it is higher than those of their other near sentences (Artetxe and Schwenk
2019, "Margin-based parallel corpus mining"). Limits were chosen on chapters 3 to 5 of the Debian Reference in five
languages (docs/languages.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.alignment.sentence_similarity import few_sentences
from colde.encoders.vector_math import cosines, normalised
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.words import count_words

MIN_COSINE = 0.5
MIN_MARGIN = 0.05
NEAREST = 4
"""Sentences whose mean cosine the margin is measured from."""
MIN_WORDS = 4
"""Words of a sentence; in scripts without spaces two characters count as one."""
BACKGROUND_SENTENCES = 8
"""Sentences that the background counts as in the centre of a document; with few sentences its own mean says little."""


@dataclass(frozen=True, slots=True, eq=False)
class Translations:
    """Pairs of sentences that are translations of each other.

    Attributes:
        rows, columns: [pairs], positions of the sentences in their documents.
        cosine: [pairs].
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    cosine: Array


def in_two_languages(a: Document, b: Document) -> bool:
    """Whether the languages of both documents are known, and differ."""
    return None not in (a.language, b.language) and a.language != b.language


def centred_alone(vectors: Array, background: Array) -> Array:
    """Unit vectors less the mean of their document, unit again: [sentences, dimension].

    Args:
        background: [dimension], towards which the mean of a short document is drawn.
    """
    if not len(vectors):
        return vectors
    count = len(vectors)
    centre = (count * vectors.mean(0) + BACKGROUND_SENTENCES * background) / (count + BACKGROUND_SENTENCES)
    return normalised(vectors - centre)


def translated_sentences(a: Document, b: Document, left: Array, right: Array) -> Translations:
    """The translations in two documents of at most 4,000,000 pairs of sentences; none in longer ones.

    Args:
        left, right: [sentences, dimension], of all sentences of each document, as `centred_alone` gives them.
    """
    rows, columns = (np.flatnonzero(_long_enough(d)) for d in (a, b))
    if not len(rows) or not len(columns) or not few_sentences(len(left), len(right)):
        none = np.zeros(0, dtype=np.int64)
        return Translations(none, none, np.zeros(0, dtype=np.float32))
    cosine = cosines(left[rows], right[columns])
    nearest = cosine.argmax(1)
    mutual = np.flatnonzero(cosine.argmax(0)[nearest] == np.arange(len(rows)))
    partner = nearest[mutual]
    value = cosine[mutual, partner]
    margin = value - (_near(cosine)[mutual] + _near(cosine.T)[partner]) / 2
    kept = (value >= MIN_COSINE) & (margin >= MIN_MARGIN)
    return Translations(rows[mutual[kept]], columns[partner[kept]], value[kept])


def _near(cosine: Array) -> Array:
    """The mean of the `NEAREST` highest cosines of each row: [rows]."""
    count = min(NEAREST, cosine.shape[1])
    return np.asarray(np.partition(cosine, -count, axis=1)[:, -count:].mean(1), dtype=np.float32)


def _long_enough(document: Document) -> NDArray[np.bool_]:
    """Which sentences have `MIN_WORDS` words: [sentences]."""
    texts = (document.text[s.start : s.end] for _, s in document.sentences())
    return np.array([count_words(t) >= MIN_WORDS for t in texts], dtype=np.bool_)
