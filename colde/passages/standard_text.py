"""Standard text in the search for passages: it is searched like all other text, and its passages are marked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from colde.passages.sentence_words import SentenceWords
from colde.results.seeds import Seeds
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import BOILERPLATE


def standard_spans(document: Document) -> tuple[Span, ...]:
    """The sections of standard text that a comparison sets aside."""
    return tuple(Span(s.start, s.end) for s in document.sections if s.role == BOILERPLATE)


def standard_seeds(
    seeds: Seeds,
    texts: tuple[SentenceWords, SentenceWords],
    standard: tuple[tuple[Span, ...], tuple[Span, ...]],
) -> NDArray[np.bool_]:
    """Which pairs have a sentence in standard text: [pairs]."""
    rows, columns = (
        np.array([any(span.overlaps(s) for span in spans) for s in words.sentences], dtype=bool)
        for words, spans in zip(texts, standard, strict=True)
    )
    return np.asarray(rows[seeds.rows] | columns[seeds.columns])
