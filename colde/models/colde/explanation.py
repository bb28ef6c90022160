"""Two encodings meet: the score, and what each pair of passages adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from colde.encoders.vector_math import group_sums
from colde.explain.contribution import contribution_map
from colde.explain.passage_matching import few_sentences
from colde.explain.word_contribution import VectorByWord
from colde.models.colde.attention import AttentionInput
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.map_meanings import ATTENTION_MEANING, CONTRIBUTION_MEANING
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array, Level, SimilarityMap
from colde.row_blocks import RowMatrix
from colde.text.document import Span

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PairAttention:
    """Attention between the segments of two documents.

    Attributes:
        counts: [segments a, segments b], c of `colde.models.colde.attention`, float32 as the network has them.
        attention: [segments a, segments b], α; rows sum to one.
        score: what attention finds, at most 1 either way.
    """

    pair_weights: Array
    attention: Array
    score: float


@torch.inference_mode()
def attend_pair(network: ColdeNetwork, a: ColdeEncoding, b: ColdeEncoding) -> PairAttention:
    """Let the segments of each look at those of the other."""
    pair_weights, forth, _ = network.attention.pair_weights(_side(a), _side(b))
    known = np.asarray(pair_weights[0].numpy(), dtype=np.float32)
    products = _by_segment(a) @ _by_segment(b).T
    products *= known  # in double precision
    return PairAttention(
        pair_weights=known,
        attention=np.asarray(forth[0].numpy(), dtype=np.float32),
        score=float(np.clip(products.sum(), -1.0, 1.0)),
    )


def attention_map(pair_attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding) -> SimilarityMap:
    """Attention of the chunks of A over those of B: that of their segments, each by its share of the chunk."""
    starts_a, starts_b = _first_segments(a), _first_segments(b)
    by_chunk = np.add.reduceat(pair_attention.attention, starts_b, axis=1) * a.mass[:, None]
    values = np.add.reduceat(by_chunk, starts_a) / np.add.reduceat(a.mass, starts_a).clip(min=1e-12)[:, None]
    return SimilarityMap(
        values.astype(np.float32),
        a.chunk_spans,
        b.chunk_spans,
        "attention",
        ATTENTION_MEANING,
        role="attention",
        level="chunk",
    )


def cells(pair_attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding, level: Level) -> RowMatrix:
    """Part of the score by pair of passages of a level: [passages a, passages b], in double precision."""
    if level == "section":
        return RowMatrix.of(_section_cells(pair_attention, a, b))
    if level == "chunk":
        return _chunk_cells(pair_attention, a, b)
    left, right = a.values.astype(np.float64), b.values.astype(np.float64).T

    def rows(some: slice) -> Float64Array:
        pair_weights = pair_attention.pair_weights[np.ix_(a.found.segment[some], b.found.segment)]
        return np.asarray(pair_weights * (left[some] @ right))

    return RowMatrix((len(left), right.shape[1]), rows, width=right.shape[1])


def _chunk_cells(pair_attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding) -> RowMatrix:
    """Sums of the cells of segments, which are never in memory all at once."""
    left, right = _by_segment(a), _by_segment(b).T
    starts_a, starts_b = _first_segments(a), _first_segments(b)
    edges = np.append(starts_a, len(left))

    def rows(some: slice) -> Float64Array:
        segments = slice(edges[some.start], edges[some.stop])
        block = pair_attention.pair_weights[segments] * (left[segments] @ right)
        by_column = np.add.reduceat(block, starts_b, axis=1)
        return np.asarray(np.add.reduceat(by_column, starts_a[some] - segments.start))

    most = int(np.diff(edges).max(initial=1))  # segments of a chunk
    return RowMatrix((len(starts_a), len(starts_b)), rows, width=most * right.shape[1])


def _section_cells(pair_attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding) -> Float64Array:
    sums = np.zeros((len(a.section_spans), len(b.chunk_spans)))
    for some, block in _chunk_cells(pair_attention, a, b).blocks():
        np.add.at(sums, a.chunk_sections[some], block)
    return group_sums(sums.T, b.chunk_sections, len(b.section_spans)).T


def contributions(
    pair_attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding, score: float
) -> dict[str, SimilarityMap]:
    """`contribution_section`, `_chunk` and, up to 2,000 sentences a side, `_sentence`; each sums the one below."""
    return {
        f"contribution_{level}": contribution_map(
            cells(pair_attention, a, b, level).filled(np.float32),
            passages(a, level),
            passages(b, level),
            level,
            score,
            CONTRIBUTION_MEANING,
        )
        for level in levels_of(a, b)
    }


@torch.inference_mode()
def word_parts(network: ColdeNetwork, e: ColdeEncoding, row: int, words: VectorByWord) -> Float64Array:
    """A sentence's part of its segment's value by word: [words, projection], as the `values` of `Embedded`.

    The centre is taken from each token alike.
    """
    known = torch.from_numpy(words.vectors - words.share[:, None] * network.centre.double().numpy()).float()
    read = known * network.config.scale
    made = network.project(read).double().numpy()
    total = made.sum(0)
    weight = float(total @ e.values[row]) / max(
        float(total @ total), 1e-12
    )  # of the sentence in its document
    return np.asarray(made * weight)


def word_values(
    pair_attention: PairAttention,
    a: ColdeEncoding,
    b: ColdeEncoding,
    row: int,
    column: int,
    parts: Sequence[Float64Array],
) -> Float64Array:
    """Part of the score by pair of words: [words of a, words of b].

    Args:
        parts: `word_parts` of both sentences.
    """
    left, right = parts
    count = pair_attention.pair_weights[a.found.segment[row], b.found.segment[column]]
    return np.asarray(count * (left @ right.T))


def levels_of(a: ColdeEncoding, b: ColdeEncoding) -> tuple[Level, ...]:
    """The levels of the contributions; sentences up to 2,000 a side."""
    count_a, count_b = (int(e.found.source.max(initial=-1)) + 1 for e in (a, b))
    return ("section", "chunk", "sentence") if few_sentences(count_a, count_b) else ("section", "chunk")


def passages(e: ColdeEncoding, level: Level) -> tuple[Span, ...]:
    """The passages of a level."""
    known: dict[Level, tuple[Span, ...]] = {
        "sentence": e.found.spans,
        "chunk": e.chunk_spans,
        "section": e.section_spans,
    }
    return known[level]


def _side(e: ColdeEncoding) -> AttentionInput:
    values = np.zeros_like(e.keys)  # not asked for here
    return AttentionInput(*(torch.from_numpy(x).unsqueeze(0) for x in (e.keys, values, e.mass)))


def _by_segment(e: ColdeEncoding) -> Float64Array:
    """Values of segments: [segments, projection]."""
    return group_sums(e.values.astype(np.float64), e.found.segment, len(e.mass))


def _first_segments(e: ColdeEncoding) -> NDArray[np.intp]:
    """The first segment of each chunk: [chunks]."""
    return np.searchsorted(e.found.segment_chunk, np.arange(len(e.chunk_spans)))
