"""Matchers around bi-encoders that read word pieces: encoding in one pass, and the maps that several of them show."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from colde.models.shared.bi_cross_encoder import BiEncoderMatcher, S
from colde.models.shared.network_input import (
    DocumentTokens,
    VectorEncoding,
    document_tokens,
    vector_encoding,
)
from colde.models.shared.unit_parts import UnitEncoding, unit_contributions
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Level, Side, SimilarityMap
from colde.text.document import Document, Span


class TokenBiEncoderMatcher(BiEncoderMatcher[S]):
    """A matcher around a bi-encoder that reads word pieces.

    Attributes:
        contribution_meaning: of the contribution maps; `{title}` is the model's.
    """

    contribution_meaning: ClassVar[str]

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        prepared = self.network.prepare(document, tokens)
        raw, states = self.run(prepared)
        coverage = self.coverage(document, tokens, prepared)
        encoding = vector_encoding(document, coverage, prepared, raw)
        return self.explained(encoding, tokens, states) if explain else encoding

    @abstractmethod
    def run(self, prepared: Any) -> tuple[Array, Any]:
        """Run the network over a document: its vector [d], and the states that `explained` needs."""

    @abstractmethod
    def coverage(self, document: Document, tokens: DocumentTokens, prepared: Any) -> Coverage:
        """How much of the document the network read."""

    @abstractmethod
    def explained(self, encoding: VectorEncoding, tokens: DocumentTokens, states: Any) -> Encoding:
        """The encoding with all that an explanation needs."""

    def contributions(self, a: UnitEncoding, b: UnitEncoding, score: float) -> dict[str, SimilarityMap]:
        """Contribution maps: the score as a sum over pairs of passages."""
        return unit_contributions(a, b, score, self.contribution_meaning.format(title=self.card.title))

    def topic_map(
        self,
        level: Level,
        values: Array,
        rows: Sequence[Span],
        columns: Sequence[Span],
        meaning: str,
        side: Side = "across",
    ) -> SimilarityMap:
        """Cosines of pieces of the documents: [rows, columns]."""
        meaning, limits = meaning.format(title=self.card.title), (-1.0, 1.0)
        return SimilarityMap(
            values,
            tuple(rows),
            tuple(columns),
            "cosine",
            meaning,
            role="topic",
            level=level,
            side=side,
            limits=limits,
        )

    def attention_map(
        self,
        level: Level,
        weights: Array,
        read: Sequence[Span],
        spans: Sequence[Span],
        meaning: str,
        side: Side,
        label: str = "",
    ) -> SimilarityMap:
        """Attention over pieces of one document, as one row for what was read: [1, pieces]."""
        return SimilarityMap(
            weights,
            tuple(read),
            tuple(spans),
            "attention",
            meaning,
            role="attention",
            level=level,
            side=side,
            form="weights",
            label=label,
            limits=(0.0, 1.0),
        )
