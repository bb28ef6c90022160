"""Hierarchical models, SMASH RNN and HAN, as matchers: the attention of each level, and what made the score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from colde.encoders.vector_math import cosines, normalised
from colde.explain.contribution import Units, default_units
from colde.explain.match_selection import cell_matches
from colde.explain.match_types import match_by_words
from colde.models.shared.bi_cross_encoder import BiEncoderMatcher, Explanation
from colde.models.shared.hierarchical_contribution import sentence_contributions, sentence_token_shares
from colde.models.shared.hierarchical_network import (
    DEPTHS,
    HierarchicalNetwork,
    HierarchyText,
    TokenSpans,
    coverage_up_to,
    token_spans,
)
from colde.models.shared.integrated_gradients import VectorParts
from colde.models.shared.network_input import (
    VectorEncoding,
    as_float,
    document_tokens,
    vector_encoding,
)
from colde.results.encoding import Encoding, require_encoding
from colde.results.match import Match
from colde.results.similarity_map import Array, Side, SimilarityMap, sides
from colde.text.document import Document, Span
from colde.text.term_weights import Counts

Unit = Literal["word", "sentence", "paragraph"]
UNITS: tuple[Unit, ...] = ("word", "sentence", "paragraph")
MOST_EVIDENCE = 10
SHORTEST = 5  # words; shorter sentences match anything

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
class HierarchyEncoding(VectorEncoding):
    """A document with the vectors and the attention of its levels.

    Attributes:
        places: the spans of all units.
        attention: by hierarchy and unit, [units read], shares of the whole document that sum to one.
        sentence_vectors: [sentences read, 2 · hidden].
        paragraph_vectors: [paragraphs read, 2 · hidden], or None without a paragraph hierarchy.
        parts: what each sentence read brings to the vector.
        units: the passages of the document, read or not.
        shares: [units, sentences read], how the sentences as they were read are spread over the units.
    """

    places: TokenSpans
    attention: Mapping[tuple[str, Unit], Array]
    sentence_vectors: Array
    parts: VectorParts
    units: Units
    shares: Counts
    paragraph_vectors: Array | None = None


H = TypeVar("H", bound=HierarchicalNetwork)


class HierarchicalMatcher(BiEncoderMatcher[H]):
    """Shows the attention of every level and the similarity of sentences and paragraphs.

    Attention is shown for each document by itself, as a map of one row (the whole text read) and a column a word,
    sentence or paragraph, which holds the weights as they are and opens level by level in the linked view. A product of
    both documents' weights would be a matrix of rank one: it says nothing of the pair that the two rows do not.
    """

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        text = self.network.prepare(document, tokens)
        levels = self.network.levels([text])
        raw = as_float(torch.cat([found[-1].vectors[0] for found in levels.values()]))
        coverage = coverage_up_to(document, text)
        if not explain:
            return vector_encoding(document, coverage, text, raw)
        places = token_spans(document, tokens, text)
        attention: dict[tuple[str, Unit], Array] = {}
        for name, found in levels.items():
            attention |= _attention(name, [as_float(level.weights) for level in found], text, places)
        by_sentence = levels["s" if "s" in levels else "p"]
        units = default_units(document)
        return HierarchyEncoding(
            document=document,
            coverage=coverage,
            vector=normalised(raw),
            prepared=text,
            raw=raw,
            places=places,
            attention=attention,
            sentence_vectors=as_float(by_sentence[0].vectors),
            paragraph_vectors=as_float(levels["p"][1].vectors) if "p" in levels else None,
            parts=sentence_contributions(self.network, text, levels),
            units=units,
            shares=sentence_token_shares(units, tokens, text),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> Explanation:
        """`sentence` and `paragraph` similarity, the attention within each document, and what made the score.

        Evidence: sentences that are close for the model, of those it attends to more than evenly; each sentence once.
        """
        left, right = require_encoding(a, HierarchyEncoding), require_encoding(b, HierarchyEncoding)
        maps: dict[str, SimilarityMap] = {}
        if left.places.sentences and right.places.sentences:
            maps["sentence"] = self._similarity_map(
                "sentence",
                centred_cosines(left.sentence_vectors, right.sentence_vectors),
                left.places.sentences,
                right.places.sentences,
                SENTENCE_MEANING,
            )
            if left.paragraph_vectors is not None and right.paragraph_vectors is not None:
                maps["paragraph"] = self._similarity_map(
                    "paragraph",
                    centred_cosines(left.paragraph_vectors, right.paragraph_vectors),
                    left.places.paragraphs,
                    right.places.paragraphs,
                    PARAGRAPH_MEANING,
                )
        parts = self.parts(a, b)
        for side, encoding in sides(left, right):
            if encoding.places.words:
                maps |= self._attention_maps(side, encoding, parts)
        maps |= self.contributions(left, right, score)
        evidence = self._evidence(left, right, maps["sentence"].values) if "sentence" in maps else []
        return maps, evidence

    def _similarity_map(
        self, level: Unit, values: Array, rows: tuple[Span, ...], columns: tuple[Span, ...], meaning: str
    ) -> SimilarityMap:
        return SimilarityMap(
            values,
            rows,
            columns,
            "cosine",
            meaning.format(title=self.card.title),
            role="topic",
            level=level,
            limits=(-1.0, 1.0),
        )

    def _attention_maps(
        self, side: Side, encoding: HierarchyEncoding, parts: Mapping[str, str]
    ) -> dict[str, SimilarityMap]:
        places = encoding.places
        whole = (Span(places.words[0].start, places.words[-1].end),)
        spans = {"word": places.words, "sentence": places.sentences, "paragraph": places.paragraphs}
        several = len(self.network.hierarchies) > 1
        found = {}
        for hierarchy in self.network.hierarchies:
            for unit in UNITS[: DEPTHS[hierarchy]]:
                weights = encoding.attention[hierarchy, unit]
                meaning = ATTENTION_MEANING.format(
                    title=self.card.title,
                    unit=unit,
                    hierarchy=HIERARCHIES[hierarchy],
                    part=parts.get(hierarchy, ""),
                )
                name = f"{side}_{unit}_attention" + (f"_{hierarchy}" if several else "")
                found[name] = SimilarityMap(
                    weights[None],
                    whole,
                    spans[unit][: len(weights)],
                    "attention",
                    meaning,
                    role="attention",
                    level=unit,
                    side=side,
                    form="weights",
                    label=f"{HIERARCHIES[hierarchy]} hierarchy" if several else "",
                    limits=(0.0, 1.0),
                )
        return found

    @abstractmethod
    def contributions(
        self, a: HierarchyEncoding, b: HierarchyEncoding, score: float
    ) -> dict[str, SimilarityMap]:
        """Maps of what made the score."""

    def parts(self, a: Encoding, b: Encoding) -> dict[str, str]:
        """Words on a hierarchy's part in the score, as the end of a sentence."""
        return {}

    def _evidence(self, a: HierarchyEncoding, b: HierarchyEncoding, cosine: Array) -> list[Match]:
        """Args: cosine: [sentences of a, sentences of b]."""
        rows, columns = _attended(a), _attended(b)
        return cell_matches(
            a,
            b,
            cosine[np.ix_(rows, columns)],
            [a.places.sentences[i] for i in rows],
            [b.places.sentences[j] for j in columns],
            model=self.card.name,
            kind=match_by_words(a.document, b.document),  # this cosine does not tell rewording
            most=MOST_EVIDENCE,
            above=-np.inf,  # less what both have in common, 0 is not the least
        )


def _attention(
    hierarchy: str, weights: Sequence[Array], text: HierarchyText, places: TokenSpans
) -> dict[tuple[str, Unit], Array]:
    """Shares of the whole document by unit, each summing to one: weights times those of the units above."""
    if hierarchy == "w":
        words = places.word_of[: len(weights[0])]
        return {("w", "word"): np.bincount(words, weights[0]).astype(np.float32)}
    found: dict[tuple[str, Unit], Array] = {}
    share = weights[-1]
    if hierarchy == "p":
        found["p", "paragraph"] = share
        share = np.repeat(share, text.paragraphs) * weights[1]
    found[hierarchy, "sentence"] = share
    pieces = np.repeat(share, text.sentences) * weights[0]
    found[hierarchy, "word"] = np.bincount(places.word_of, pieces, len(places.words)).astype(np.float32)
    return found


def centred_cosines(a: Array, b: Array) -> Array:
    """Cosines of unit vectors less the mean of the two documents' means: [rows of a, rows of b]."""
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return cosines(a - centre, b - centre)


def _attended(encoding: HierarchyEncoding) -> NDArray[np.int64]:
    """Positions of sentences of some length that get at least an even share of the attention; all where none does."""
    attention = encoding.attention
    weights = attention["s", "sentence"] if ("s", "sentence") in attention else attention["p", "sentence"]
    text = encoding.document.text
    words = np.array([len(text[s.start : s.end].split()) for s in encoding.places.sentences])
    long_enough = words >= SHORTEST if (words >= SHORTEST).any() else words > 0
    kept = np.flatnonzero(long_enough & (weights * len(weights) >= 1))
    return kept if len(kept) else np.flatnonzero(long_enough)
