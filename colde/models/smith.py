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
from typing import Any

import numpy as np
import torch

from colde.document import Document, Span
from colde.models.masked import pad
from colde.models.reading import Prepared, ReadEncoding, as_float, document_tokens, reading_of
from colde.models.siamese import SiameseMatcher, prepared_of
from colde.models.smith_blocks import SPECIAL, Blocks, block_tokens
from colde.models.smith_network import SmithConfig, SmithNetwork
from colde.models.strongest import cell_evidence
from colde.passages import SHORTEST, likeness
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import cosines

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


class Smith(SiameseMatcher[SmithNetwork]):
    """SMITH as a Matcher."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> SmithNetwork:
        return SmithNetwork(SmithConfig(**settings))

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        """Unread are the ends of sentences longer than a block, and what comes after the last block."""
        tokens = document_tokens(document)
        config = self.network.config
        read = np.zeros(len(tokens), dtype=np.bool_)
        for positions in block_tokens(document, tokens, config.tokens - SPECIAL, config.blocks):
            read[positions] = True
        return reading_of(tokens, read)

    @torch.inference_mode()
    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        """With `explain` section vectors, and the arrays `blocks` [blocks, width] and `attention` [blocks], too."""
        if not explain:
            return super().encoding(document, prepared, explain)
        vectors, levels = self.network.levels([prepared])
        vector = as_float(vectors[0])
        assert isinstance(prepared, Blocks)
        count = len(prepared.starts)  # a text without words has a block that shows nothing
        h = levels.blocks[0, :count]
        held = _blocks_by_section(document, prepared)
        sections = None
        if held:
            sections = as_float(self.network.read_blocks(*pad([h[rows] for _, rows in held]))[0])
        return ReadEncoding(
            document=document,
            reading=self.reading(document, prepared),
            vector=vector,
            sections=sections,
            section_spans=tuple(span for span, _ in held),
            arrays={
                "vector": vector,
                "blocks": as_float(h),
                "attention": as_float(levels.attention[0, :count]),
            },
            prepared=prepared,
        )

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`, `block` across and within the documents, the attention that makes each document's vector."""
        found = {"block": SimilarityMap(_similarity(a, b), _spans(a), _spans(b), "cosine", BLOCK_MEANING)}
        if a.sections is not None and b.sections is not None:
            found["section"] = SimilarityMap(
                cosines(a.sections, b.sections), a.section_spans, b.section_spans, "cosine", SECTION_MEANING
            )
        for side, e in (("a", a), ("b", b)):
            spans = _spans(e)
            found[f"within_{side}_block"] = SimilarityMap(
                _similarity(e, e), spans, spans, "cosine", WITHIN_MEANING
            )
            found[f"within_{side}_block_attention"] = SimilarityMap(
                e.arrays["attention"][None][: len(spans)], spans[:1], spans, "attention", ATTENTION_MEANING
            )
        return found

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The pairs of blocks that are closest on the `block` map, each block once; blocks of a few words left out."""
        values = _similarity(a, b)
        rows, columns = _spans(a), _spans(b)
        values[[not _wordy(a.document, s) for s in rows]] = -np.inf
        values[:, [not _wordy(b.document, s) for s in columns]] = -np.inf

        def kind(left: Span, right: Span, weight: float) -> str:
            one, other = a.document.text[left.start : left.end], b.document.text[right.start : right.end]
            return likeness(one, other, weight)

        return cell_evidence(a, b, values, rows, columns, model=self.card.name, kind=kind, most=MOST_EVIDENCE)


def _spans(encoding: Encoding) -> tuple[Span, ...]:
    prepared = prepared_of(encoding)
    assert isinstance(prepared, Blocks)
    return tuple(Span(int(s), int(e)) for s, e in zip(prepared.starts, prepared.ends, strict=True))


def _blocks_by_section(document: Document, blocks: Blocks) -> list[tuple[Span, list[int]]]:
    """Sections in which a block begins: their span, and the positions of these blocks."""
    held: dict[int, list[int]] = {}
    for i, start in enumerate(blocks.starts):
        section = document.section_at(int(start))
        assert section is not None
        held.setdefault(section, []).append(i)
    return [(Span(document.sections[k].start, document.sections[k].end), rows) for k, rows in held.items()]


def _similarity(a: Encoding, b: Encoding) -> Array:
    """Cosines of all blocks, less the mean of the two documents' mean blocks: [blocks a, blocks b]."""
    left, right = a.arrays["blocks"], b.arrays["blocks"]
    if min(len(left), len(right)) >= FEWEST_TO_CENTRE:
        centre = (left.mean(0) + right.mean(0)) / 2
        left, right = left - centre, right - centre
    return cosines(left, right)


def _wordy(document: Document, span: Span) -> bool:
    return len(re.findall(r"\w+", document.text[span.start : span.end])) >= SHORTEST
