"""Reasons for the similarity of two documents of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from colde.results.collection import Reason
from colde.results.encoding import Encoding
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import word_weights, words_of

RUN = 5
"""Words of a run; two texts seldom share one by chance."""

WORDS = 5
MAX_HEADING = 60


class DocumentFacts:
    """Facts about one document, computed on demand."""

    def __init__(self, document: Document, encoding: Encoding | None) -> None:
        self.document = document
        self.encoding = encoding

    @cached_property
    def words(self) -> dict[str, float]:
        """Weights of its words, greatest first."""
        return word_weights(self.document)

    @cached_property
    def runs(self) -> frozenset[int]:
        """Hashes of its runs of five words, within sections."""
        hashes: set[int] = set()
        for _, section in self.document.compared():
            words = words_of(self.document.text[section.start : section.end])
            hashes.update(hash(tuple(words[i : i + RUN])) for i in range(len(words) - RUN + 1))
        return frozenset(hashes)


def run_overlap(a: DocumentFacts, b: DocumentFacts) -> float:
    """Share of the runs of five words of the shorter text that are also in the other, in [0, 1]."""
    fewer = min(len(a.runs), len(b.runs))
    return len(a.runs & b.runs) / fewer if fewer else 0.0


def reason(a: DocumentFacts, b: DocumentFacts) -> Reason:
    """Shared text, the most similar sections, and distinctive words of both."""
    both = sorted(a.words.keys() & b.words.keys(), key=lambda w: -a.words[w] * b.words[w])
    distinctive = (word for word in both if any(letter.isalpha() for letter in word))  # no mere numbers
    return Reason(run_overlap(a, b), _sections(a, b), tuple(islice(distinctive, WORDS)))


def _sections(a: DocumentFacts, b: DocumentFacts) -> tuple[str, str] | None:
    if a.encoding is None or b.encoding is None:
        return None
    one, other = a.encoding.sections, b.encoding.sections
    if one is None or other is None or not len(one) or not len(other):
        return None
    i, j = np.unravel_index(int(np.argmax(one @ other.T)), (len(one), len(other)))
    left = _heading(a.document, a.encoding.section_spans, int(i))
    right = _heading(b.document, b.encoding.section_spans, int(j))
    return (left, right) if left and right else None


def _heading(document: Document, spans: Sequence[Span], number: int) -> str:
    index = document.section_at(spans[number].start)
    heading = "" if index is None else " ".join((document.sections[index].heading or "").split())
    return heading if len(heading) <= MAX_HEADING else heading[: MAX_HEADING - 1].rstrip() + "…"
