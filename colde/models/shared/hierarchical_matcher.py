"""Hierarchical models, SMASH RNN and HAN, as matchers: the attention of each level, and contributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import torch

from colde.encoders.vector_math import centred, cosines
from colde.explain.contribution import default_units
from colde.models.shared.gru_attention import LevelOutput
from colde.models.shared.hierarchical_contribution import sentence_contributions, sentence_token_shares
from colde.models.shared.hierarchical_network import (
    DEPTHS,
    HierarchicalNetwork,
    HierarchyText,
    TokenSpans,
    coverage_up_to,
    token_spans,
)
from colde.models.shared.network_input import DocumentTokens, VectorEncoding, as_float
from colde.models.shared.token_matcher import TokenBiEncoderMatcher
from colde.models.shared.unit_parts import UnitEncoding
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Side, SimilarityMap, sides
from colde.text.document import Document, Span

Unit = Literal["word", "sentence", "paragraph"]
UNITS: tuple[Unit, ...] = ("word", "sentence", "paragraph")

SENTENCE_MEANING = (
    "Sentences: the cosine of the vectors that {title} makes of single sentences, less what both documents have in "
    "common. High where it takes two sentences alike; the score itself is made of whole documents."
)
PARAGRAPH_MEANING = (
    "Paragraphs: the cosine of the vectors that {title} makes of single paragraphs, less what both documents have in "
    "common. High where it takes two paragraphs alike; the score itself is made of whole documents."
)
ATTENTION_MEANING = (
    "Attention of {title} over the {unit}s of one document, from its {hierarchy} hierarchy: the share of its attention "
    "that each {unit} gets (all {unit}s sum to 1). It shows where the model looked, not what made the score{part}."
)
HIERARCHIES = {"p": "paragraph", "s": "sentence", "w": "word"}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HierarchyEncoding(UnitEncoding):
    """A document with the vectors and the attention of its levels; the parts of its vector are those of sentences.

    Attributes:
        places: the spans of all words, sentences and paragraphs read.
        attention: by hierarchy and unit, [units read], shares of the document that sum to one.
        sentence_vectors: [sentences read, 2 · hidden].
        paragraph_vectors: [paragraphs read, 2 · hidden], or None without a paragraph hierarchy.
    """

    places: TokenSpans
    attention: Mapping[tuple[str, Unit], Array]
    sentence_vectors: Array
    paragraph_vectors: Array | None = None


H = TypeVar("H", bound=HierarchicalNetwork)


class HierarchicalMatcher(TokenBiEncoderMatcher[H]):
    """Shows the attention of every level and the similarity of sentences and paragraphs.

    Attention is shown for each document alone, as a map of one row (all that was read) and a column for each word,
    sentence or paragraph. A product of both documents' weights would be a matrix of rank one, which says no more about
    the pair than its two rows.
    """

    def run(self, prepared: HierarchyText) -> tuple[Array, dict[str, list[LevelOutput]]]:
        levels = self.network.levels([prepared])
        return as_float(torch.cat([outputs[-1].vectors[0] for outputs in levels.values()])), levels

    def coverage(self, document: Document, tokens: DocumentTokens, prepared: HierarchyText) -> Coverage:
        return coverage_up_to(document, prepared)

    def explained(
        self, encoding: VectorEncoding, tokens: DocumentTokens, states: dict[str, list[LevelOutput]]
    ) -> Encoding:
        text = encoding.prepared
        assert isinstance(text, HierarchyText)
        places = token_spans(encoding.document, tokens, text)
        attention: dict[tuple[str, Unit], Array] = {}
        for name, outputs in states.items():
            attention |= _attention(name, [as_float(level.weights) for level in outputs], text, places)
        units = default_units(encoding.document)
        return encoding.extended(
            HierarchyEncoding,
            places=places,
            attention=attention,
            sentence_vectors=as_float(states["s" if "s" in states else "p"][0].vectors),
            paragraph_vectors=as_float(states["p"][1].vectors) if "p" in states else None,
            parts=sentence_contributions(self.network, text, states),
            units=units,
            shares=sentence_token_shares(units, tokens, text),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """`sentence` and `paragraph` similarity, the attention within each document, and contributions."""
        left, right = require_encoding(a, HierarchyEncoding), require_encoding(b, HierarchyEncoding)
        maps: dict[str, SimilarityMap] = {}
        rows, columns = left.places.sentences, right.places.sentences
        if rows and columns:
            values = cosines(*centred(left.sentence_vectors, right.sentence_vectors))
            maps["sentence"] = self.topic_map("sentence", values, rows, columns, SENTENCE_MEANING)
            if left.paragraph_vectors is not None and right.paragraph_vectors is not None:
                values = cosines(*centred(left.paragraph_vectors, right.paragraph_vectors))
                rows, columns = left.places.paragraphs, right.places.paragraphs
                maps["paragraph"] = self.topic_map("paragraph", values, rows, columns, PARAGRAPH_MEANING)
        shares = self.hierarchy_shares(a, b)
        for side, encoding in sides(left, right):
            if encoding.places.words:
                maps |= self._attention_maps(side, encoding, shares)
        return maps | self.contributions(left, right, score)

    def hierarchy_shares(self, a: Encoding, b: Encoding) -> dict[str, str]:
        """The part of each hierarchy in the score, as the end of a sentence."""
        return {}

    def _attention_maps(
        self, side: Side, encoding: HierarchyEncoding, shares: Mapping[str, str]
    ) -> dict[str, SimilarityMap]:
        places = encoding.places
        read = (Span(places.words[0].start, places.words[-1].end),)
        spans = {"word": places.words, "sentence": places.sentences, "paragraph": places.paragraphs}
        several = len(self.network.hierarchies) > 1
        maps = {}
        for hierarchy in self.network.hierarchies:
            title, share = HIERARCHIES[hierarchy], shares.get(hierarchy, "")
            label = f"{title} hierarchy" if several else ""
            for unit in UNITS[: DEPTHS[hierarchy]]:
                weights = encoding.attention[hierarchy, unit]
                meaning = ATTENTION_MEANING.format(
                    title=self.card.title, unit=unit, hierarchy=title, part=share
                )
                shown = spans[unit][: len(weights)]
                name = f"{side}_{unit}_attention" + (f"_{hierarchy}" if several else "")
                maps[name] = self.attention_map(unit, weights[None], read, shown, meaning, side, label)
        return maps


def _attention(
    hierarchy: str, weights: Sequence[Array], text: HierarchyText, places: TokenSpans
) -> dict[tuple[str, Unit], Array]:
    """Attention by unit as shares of the document, which sum to one: weights times those of the units above."""
    if hierarchy == "w":
        words = places.word_of[: len(weights[0])]
        return {("w", "word"): np.bincount(words, weights[0]).astype(np.float32)}
    shares: dict[tuple[str, Unit], Array] = {}
    share = weights[-1]
    if hierarchy == "p":
        shares["p", "paragraph"] = share
        share = np.repeat(share, text.paragraphs) * weights[1]
    shares[hierarchy, "sentence"] = share
    pieces = np.repeat(share, text.sentences) * weights[0]
    shares[hierarchy, "word"] = np.bincount(places.word_of, pieces, len(places.words)).astype(np.float32)
    return shares
