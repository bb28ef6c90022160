"""SMITH: Siamese Multi-depth Transformer-based Hierarchical encoder (Yang, Zhang, Li, Bendersky, Najork 2020).

    document → sentences → blocks of 32 tokens, greedily filled (4.1.1)
             → sentence level Transformer → document level Transformer → cosine (4.1.2)
             → pre-training by masked words and masked blocks (4.2), then binary cross-entropy (4.3)

Blocks are in `smith_blocks`, the network and its pre-training in `smith_network`. The variants of 5.2.1 (without
pre-training, masked words alone, a pretrained sentence encoder) are switches of the config; the recipes of training
name them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from colde.encoders.vector_math import cosines, normalised
from colde.explain.contribution import Units, contribution_maps, default_units
from colde.explain.level_maps import level_map
from colde.explain.match_selection import cell_matches
from colde.explain.match_types import match_by_words
from colde.explain.passage_matching import MIN_WORDS
from colde.models.shared.bi_cross_encoder import BiEncoderMatcher, Explanation
from colde.models.shared.integrated_gradients import VectorParts, product
from colde.models.shared.masked_pooling import pad
from colde.models.shared.network_input import (
    DocumentTokens,
    VectorEncoding,
    as_float,
    coverage_of,
    document_tokens,
    vector_encoding,
)
from colde.models.smith.sentence_blocks import SPECIAL, Blocks, block_tokens
from colde.models.smith.smith_contribution import block_contributions, block_token_shares
from colde.models.smith.smith_network import SmithConfig, SmithNetwork
from colde.results.encoding import Encoding, require_encoding
from colde.results.match import Match
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Side, SimilarityMap, sides
from colde.text.document import Document, Span
from colde.text.term_weights import Counts

MOST_EVIDENCE = 10
FEWEST_TO_CENTRE = 4  # blocks a document; the mean of fewer says what they are, not what they have in common

SECTION_MEANING = (
    "Sections: the cosine of the vectors SMITH's document level gives to the blocks that begin in each section, read "
    "by themselves. High where it finds two sections alike; it was trained on whole documents, not on sections."
)
BLOCK_MEANING = (
    "Blocks of a few sentences: the cosine of SMITH's sentence level vectors, less the mean of both documents' blocks "
    "(where each has at least four). High where two blocks are about the same matter; it does not say that they "
    "share words."
)
WITHIN_MEANING = (
    "The document compared with itself: which of its own blocks are about the same matter (cosine of SMITH's sentence "
    "level vectors, less the mean of its blocks where there are at least four; 1 on the diagonal)."
)
ATTENTION_MEANING = (
    "Where SMITH looks within the document: how the attention of the first block, whose state becomes the document's "
    "vector, spreads over all blocks in the last document layer (sums to 1, mean of the heads). It shows where the "
    "model looked, not what made the score."
)

CONTRIBUTION_MEANING = (
    "what each block of a sentence or two brings to the two vectors, by integrated Jacobians over the blocks' vectors, "
    "approximate by what the residual states, spread evenly over its tokens. The reference is what the network gives "
    "two texts of as many blocks of zeros; a negative cell speaks against likeness."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SmithEncoding(VectorEncoding):
    """A document with its blocks.

    Attributes:
        block_spans: [blocks].
        blocks: [blocks, width], vectors of the sentence level.
        attention: [blocks], of the first block in the last document layer.
        parts: what each block brings to the vector before it is scaled.
        units: the passages of the document, read or not.
        shares: [units, blocks], how the blocks are spread over the units.
    """

    block_spans: tuple[Span, ...]
    blocks: Array
    attention: Array
    parts: VectorParts
    units: Units
    shares: Counts


class Smith(BiEncoderMatcher[SmithNetwork]):
    """SMITH as a Matcher."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> SmithNetwork:
        return SmithNetwork(SmithConfig(**settings))

    def encoding(self, document: Document, explain: bool) -> Encoding:
        """The vector; with `explain` the vectors of sections and blocks, and the attention, of the same pass."""
        tokens = document_tokens(document)
        prepared = self.network.prepare(document, tokens)
        coverage = self._coverage(document, tokens)
        vectors, levels = self.network.levels([prepared])
        raw = as_float(vectors[0])
        if not explain:
            return vector_encoding(document, coverage, prepared, raw)
        count = len(prepared.starts)  # a text without words has a block that shows nothing
        h = levels.blocks[0, :count]
        held = _blocks_by_section(document, prepared)
        sections = None
        if held:
            sections = as_float(self.network.read_blocks(*pad([h[rows] for _, rows in held]))[0])
        units = default_units(document)
        return SmithEncoding(
            document=document,
            coverage=coverage,
            vector=normalised(raw),
            sections=sections,
            section_spans=tuple(span for span, _ in held),
            prepared=prepared,
            raw=raw,
            block_spans=tuple(
                Span(int(s), int(e)) for s, e in zip(prepared.starts, prepared.ends, strict=True)
            ),
            blocks=as_float(h),
            attention=as_float(levels.attention[0, :count]),
            parts=block_contributions(self.network, h),
            units=units,
            shares=block_token_shares(self.network, document, tokens, units),
        )

    def _coverage(self, document: Document, tokens: DocumentTokens) -> Coverage:
        """Unread are the ends of sentences longer than a block, and what comes after the last block."""
        config = self.network.config
        read = np.zeros(len(tokens), dtype=np.bool_)
        for positions in block_tokens(document, tokens, config.tokens - SPECIAL, config.blocks):
            read[positions] = True
        return coverage_of(tokens, read)

    def explanation(self, a: Encoding, b: Encoding, score: float) -> Explanation:
        """`section`, `block` across and within the documents, the attention within each, and what made the score.

        Evidence: the pairs of blocks that are closest on the `block` map, each block once; blocks of a few words are
        left out.
        """
        left, right = require_encoding(a, SmithEncoding), require_encoding(b, SmithEncoding)
        maps = {"block": _block_map(left, right, BLOCK_MEANING)}
        if a.sections is not None and b.sections is not None:
            maps["section"] = level_map("section", a, b, SECTION_MEANING, limits=(-1.0, 1.0))
        for side, e in sides(left, right):
            maps[f"{side}_block"] = _block_map(e, e, WITHIN_MEANING, side)
            maps[f"{side}_block_attention"] = SimilarityMap(
                e.attention[None][: len(e.block_spans)],
                e.block_spans[:1],
                e.block_spans,
                "attention",
                ATTENTION_MEANING,
                role="attention",
                level="block",
                side=side,
                form="weights",
                limits=(0.0, 1.0),
            )
        from_a, from_b, reference = product(left.parts, right.parts)
        maps |= contribution_maps(
            left.units,
            right.units,
            [(left.shares @ from_a, right.shares @ from_b)],
            score,
            CONTRIBUTION_MEANING,
            reference=reference,
        )
        return maps, self._evidence(left, right, maps["block"].values)

    def _evidence(self, a: SmithEncoding, b: SmithEncoding, cosine: Array) -> list[Match]:
        values = cosine.copy()
        values[[not _wordy(a.document, s) for s in a.block_spans]] = -np.inf
        values[:, [not _wordy(b.document, s) for s in b.block_spans]] = -np.inf

        by_words = match_by_words(a.document, b.document, otherwise="same topic")  # a cosine of its own scale
        return cell_matches(
            a,
            b,
            values,
            a.block_spans,
            b.block_spans,
            model=self.card.name,
            kind=by_words,
            most=MOST_EVIDENCE,
        )


def _block_map(a: SmithEncoding, b: SmithEncoding, meaning: str, side: Side = "across") -> SimilarityMap:
    return SimilarityMap(
        _similarity(a.blocks, b.blocks),
        a.block_spans,
        b.block_spans,
        "cosine",
        meaning,
        role="topic",
        level="block",
        side=side,
        limits=(-1.0, 1.0),
    )


def _blocks_by_section(document: Document, blocks: Blocks) -> list[tuple[Span, list[int]]]:
    """Sections in which a block begins: their span, and the positions of these blocks."""
    held: dict[int, list[int]] = {}
    for i, start in enumerate(blocks.starts):
        section = document.section_at(int(start))
        assert section is not None
        held.setdefault(section, []).append(i)
    return [(Span(document.sections[k].start, document.sections[k].end), rows) for k, rows in held.items()]


def _similarity(left: Array, right: Array) -> Array:
    """Cosines of all blocks, less the mean of the two documents' mean blocks: [blocks a, blocks b]."""
    if min(len(left), len(right)) >= FEWEST_TO_CENTRE:
        centre = (left.mean(0) + right.mean(0)) / 2
        left, right = left - centre, right - centre
    return cosines(left, right)


def _wordy(document: Document, span: Span) -> bool:
    return len(re.findall(r"\w+", document.text[span.start : span.end])) >= MIN_WORDS
