"""SMITH: Siamese Multi-depth Transformer-based Hierarchical encoder (Yang, Zhang, Li, Bendersky, Najork 2020).

    document → sentences → blocks of 32 tokens, greedily filled (4.1.1)
             → sentence level Transformer → document level Transformer → cosine (4.1.2)
             → pre-training by masked words and masked blocks (4.2), then binary cross-entropy (4.3)

Blocks are in `sentence_blocks`, the network in `smith_network`, its pre-training in `smith_pretraining`. The variants
of 5.2.1 (without pre-training, masked words alone, a pretrained sentence encoder) are settings of the config, which the
training recipes name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from colde.encoders.vector_math import cosines
from colde.explain.contribution import default_units
from colde.explain.level_maps import level_map
from colde.models.shared.masked_pooling import pad
from colde.models.shared.network_input import DocumentTokens, VectorEncoding, as_float, coverage_of
from colde.models.shared.token_matcher import TokenBiEncoderMatcher
from colde.models.shared.unit_parts import UnitEncoding
from colde.models.smith.sentence_blocks import SPECIAL, Blocks, block_tokens
from colde.models.smith.smith_contribution import block_contributions, block_token_shares
from colde.models.smith.smith_network import Levels, SmithConfig, SmithNetwork
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Side, SimilarityMap, sides
from colde.text.document import Document, Span

FEWEST_TO_CENTRE = 4  # blocks of a document; the mean of fewer is not what all have in common

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
    "what each block of one or two sentences adds to the two vectors, by integrated Jacobians over the vectors of the "
    "blocks; the part of a block is spread evenly over its tokens. The parts are approximate; the residual states the "
    "error. The baseline is the score of two texts with as many blocks of zeros. A negative cell lowers the score."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SmithEncoding(UnitEncoding):
    """A document with its blocks, which are the pieces of its vector before it is scaled.

    Attributes:
        block_spans: [blocks].
        blocks: [blocks, width], vectors of the sentence level.
        attention: [blocks], of the first block in the last document layer.
    """

    block_spans: tuple[Span, ...]
    blocks: Array
    attention: Array


class Smith(TokenBiEncoderMatcher[SmithNetwork]):
    """SMITH as a Matcher."""

    network_class = SmithNetwork
    config_class = SmithConfig
    contribution_meaning = CONTRIBUTION_MEANING

    def run(self, prepared: Blocks) -> tuple[Array, Levels]:
        vectors, levels = self.network.levels([prepared])
        return as_float(vectors[0]), levels

    def coverage(self, document: Document, tokens: DocumentTokens, prepared: Blocks) -> Coverage:
        """Unread are the ends of sentences longer than a block, and the text after the last block."""
        config = self.network.config
        read = np.zeros(len(tokens), dtype=np.bool_)
        for positions in block_tokens(document, tokens, config.tokens - SPECIAL, config.blocks):
            read[positions] = True
        return coverage_of(tokens, read)

    def explained(self, encoding: VectorEncoding, tokens: DocumentTokens, states: Levels) -> Encoding:
        """Adds the vectors of sections and blocks, the attention, and the parts of the vector."""
        document, prepared = encoding.document, encoding.prepared
        assert isinstance(prepared, Blocks)
        spans = tuple(Span(int(s), int(e)) for s, e in zip(prepared.starts, prepared.ends, strict=True))
        h = states.blocks[0, : len(spans)]  # the one block of a text without words is not shown
        by_section = _blocks_by_section(document, prepared)
        sections = None
        if by_section:
            sections = as_float(self.network.read_blocks(*pad([h[rows] for _, rows in by_section]))[0])
        units = default_units(document)
        return encoding.extended(
            SmithEncoding,
            sections=sections,
            section_spans=tuple(span for span, _ in by_section),
            block_spans=spans,
            blocks=as_float(h),
            attention=as_float(states.attention[0, : len(spans)]),
            parts=block_contributions(self.network, h),
            units=units,
            shares=block_token_shares(self.network, document, tokens, units),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """`section`, `block` across and within the documents, the attention within each, and contributions."""
        left, right = require_encoding(a, SmithEncoding), require_encoding(b, SmithEncoding)
        maps = {"block": self._block_map(left, right, BLOCK_MEANING)}
        if a.sections is not None and b.sections is not None:
            maps["section"] = level_map("section", a, b, SECTION_MEANING, limits=(-1.0, 1.0))
        for side, e in sides(left, right):
            spans = e.block_spans
            weights = e.attention[None][: len(spans)]
            maps[f"{side}_block"] = self._block_map(e, e, WITHIN_MEANING, side)
            maps[f"{side}_block_attention"] = self.attention_map(
                "block", weights, spans[:1], spans, ATTENTION_MEANING, side
            )
        return maps | self.contributions(left, right, score)

    def _block_map(
        self, a: SmithEncoding, b: SmithEncoding, meaning: str, side: Side = "across"
    ) -> SimilarityMap:
        values = _similarity(a.blocks, b.blocks)
        return self.topic_map("block", values, a.block_spans, b.block_spans, meaning, side)


def _blocks_by_section(document: Document, blocks: Blocks) -> list[tuple[Span, list[int]]]:
    """Sections in which a block begins: their span, and the positions of these blocks."""
    by_section: dict[int, list[int]] = {}
    for i, start in enumerate(blocks.starts):
        section = document.section_at(int(start))
        assert section is not None
        by_section.setdefault(section, []).append(i)
    sections = document.sections
    return [(Span(sections[k].start, sections[k].end), rows) for k, rows in by_section.items()]


def _similarity(left: Array, right: Array) -> Array:
    """Cosines of all blocks, less the mean of the two documents' mean blocks: [blocks a, blocks b]."""
    if min(len(left), len(right)) >= FEWEST_TO_CENTRE:
        centre = (left.mean(0) + right.mean(0)) / 2
        left, right = left - centre, right - centre
    return cosines(left, right)
