"""What TF-IDF and BM25 have in common: weights from the shipped statistics, no training, everything read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from colde.document import Document, Span
from colde.models.base import Card, OnProgress, Profile, Progress
from colde.models.untrained import Untrained
from colde.similarity import Encoding, Evidence, Reading, SimilarityMap
from colde.words import Counts, Statistics, packed, shipped_statistics, unpacked, words_of


class Lexical(Untrained, ABC):
    """A score over words. A subclass turns texts into weighted rows and says how two rows compare."""

    def __init__(
        self, card: Card, profiles: Mapping[str, Profile] | None = None, statistics: Statistics | None = None
    ) -> None:
        super().__init__(card, profiles)
        self.statistics = statistics or shipped_statistics()

    @abstractmethod
    def weigh(self, texts: Sequence[str]) -> Counts:
        """Weighted words: [texts, BUCKETS]."""

    @abstractmethod
    def compare(self, a: Encoding, b: Encoding) -> float:
        """The score of two encodings."""

    @abstractmethod
    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Every map of the model."""

    @abstractmethod
    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Words or sentences that carry the score."""

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Weighted words of the document, and with `explain` of its sections and sentences."""
        found = []
        for i, document in enumerate(documents):
            sections = [Span(s.start, s.end) for _, s in document.compared()]
            texts = [document.text[s.start : s.end] for s in sections]
            arrays = packed("document", self.weigh(["\n".join(texts)]))
            if explain:
                sentences = [document.text[s.start : s.end] for _, s in document.sentences()]
                arrays |= packed("section", self.weigh(texts)) | packed("sentence", self.weigh(sentences))
            words = sum(len(words_of(t)) for t in texts)
            found.append(
                Encoding(document, Reading(words, words), section_spans=tuple(sections), arrays=arrays)
            )
            if on_progress is not None:
                on_progress(Progress("words", i + 1, len(documents)))
        return found


def rows(encoding: Encoding, name: str) -> Counts:
    """The weighted words of an encoding's `document`, `section` or `sentence` parts: [parts, BUCKETS]."""
    return unpacked(name, encoding.arrays)
