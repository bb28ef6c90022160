"""How CoLDE's score (8) divides over pairs of passages and of words, and what its maps mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from colde.alignment.sentence_similarity import few_sentences
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.encoders.vector_math import group_sums
from colde.explain.contribution import Factors, Float64Array, contribution_map, factor_rows, summed_factors
from colde.explain.word_contribution import VectorByWord, split_vector_by_word
from colde.models.colde.document_encoding import ColdeEncoding, sentence_units
from colde.models.colde.network import ColdeNetwork
from colde.models.colde.pair_attention import PairAttention
from colde.results.similarity_map import Level, SimilarityMap
from colde.row_blocks import RowMatrix
from colde.text.document import Span

SECTION_MEANING = (
    "Topic of whole sections: the cosine of CoLDE's section vectors. High where two sections are about the same "
    "matter; it does not say that they share a passage."
)
CHUNK_MEANING = (
    "Topic of chunks (up to 512 tokens): the cosine of CoLDE's chunk vectors. High where two chunks are about the "
    "same matter; a short shared passage hardly changes it."
)
ATTENTION_MEANING = (
    "Attention between the chunks of A and of B, in both directions, as the score uses it: how the weight of each "
    "chunk of A spreads over the chunks of B (each row sums to 1). It is computed between segments of about 64 "
    "tokens. A pair of passages counts in the score in proportion to its attention."
)
WITHIN_MEANING = (
    "The document compared with itself: which of its own parts are about the same matter (cosine of CoLDE's vectors; "
    "1 on the diagonal)."
)
TOPIC_MEANINGS = (SECTION_MEANING, CHUNK_MEANING, WITHIN_MEANING)
"""Arguments of `colde.explain.level_maps.topic_maps`."""
CONTRIBUTION_MEANING = (
    "what each pair of passages adds to the similarity that attention weights. All cells add up to the score. Long "
    "passages add more than short ones, and similar passages can add little."
)


def attention_map(attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding) -> SimilarityMap:
    """Attention c (7), summed over the segments of each pair of chunks, as shares of the row."""
    by_chunk = np.add.reduceat(attention.attention, _first_segments(b), axis=1)
    values = np.add.reduceat(by_chunk, _first_segments(a))
    values /= values.sum(1, keepdims=True).clip(min=1e-12)
    return SimilarityMap(
        values.astype(np.float32),
        a.chunk_spans,
        b.chunk_spans,
        "attention",
        ATTENTION_MEANING,
        role="attention",
        level="chunk",
    )


def contributions(
    attention: PairAttention,
    a: ColdeEncoding,
    b: ColdeEncoding,
    score: float,
    meaning: str = CONTRIBUTION_MEANING,
    *,
    weight: float = 1.0,
    factors: Sequence[Factors] = (),
) -> dict[str, SimilarityMap]:
    """Contribution maps of sections, chunks and, up to 4,000,000 pairs, sentences.

    Args:
        weight: of CoLDE's score in `score`.
        factors: further parts of the score by pair of sentences.
    """
    units_a, units_b = (sentence_units(e.document, e.layout, e.chunk_spans) for e in (a, b))
    maps = {}
    for level in _levels(a, b):
        values = cells(attention, a, b, level).times(weight)
        if factors:
            values += factor_rows(summed_factors(factors, units_a, units_b, level))
        maps[f"contribution_{level}"] = contribution_map(
            values.filled(np.float32), _spans(a, level), _spans(b, level), level, score, meaning
        )
    return maps


def cells(attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding, level: Level) -> RowMatrix:
    """Part of CoLDE's score by pair of passages of a level: [passages a, passages b], in double precision."""
    if level == "sentence":
        return _sentence_cells(attention, a, b)
    by_segment = attention.pair_weights * (a.segment_values @ b.segment_values.T)
    by_chunk = np.add.reduceat(
        np.add.reduceat(by_segment, _first_segments(b), axis=1), _first_segments(a), axis=0
    )
    if level == "chunk":
        return RowMatrix.of(by_chunk)
    by_row = group_sums(by_chunk, a.chunk_sections, len(a.section_spans))
    return RowMatrix.of(group_sums(by_row.T, b.chunk_sections, len(b.section_spans)).T)


def _sentence_cells(attention: PairAttention, a: ColdeEncoding, b: ColdeEncoding) -> RowMatrix:
    left, right = a.values.astype(np.float64), b.values.astype(np.float64).T

    def rows(selected: slice) -> Float64Array:
        pair_weights = attention.pair_weights[np.ix_(a.layout.segment[selected], b.layout.segment)]
        return np.asarray(pair_weights * (left[selected] @ right))

    return RowMatrix((len(left), right.shape[1]), rows, width=right.shape[1])


def word_cell(
    network: ColdeNetwork,
    encoder: CachedSentenceEncoder,
    attention: PairAttention,
    a: ColdeEncoding,
    b: ColdeEncoding,
    row: int,
    column: int,
    words: tuple[Sequence[Span], Sequence[Span]],
) -> tuple[Float64Array, float]:
    """The part of CoLDE's score in one cell of sentences, by pair of words [words a, words b], and the cell.

    Args:
        encoder: of the sentences; row, column: of the cell.
        words: of both sentences.
    """
    left, right = (
        _word_parts(
            network,
            network.document_centre(e.states, e.mass),
            e.values[sentence],
            split_vector_by_word(
                e.document, e.layout.spans[sentence], spans, encoder.tokenizer, encoder.token_parts
            ),
        )
        for e, sentence, spans in zip((a, b), (row, column), words, strict=True)
    )
    pair_weight = attention.pair_weights[a.layout.segment[row], b.layout.segment[column]]
    cell = pair_weight * (a.values[row].astype(np.float64) @ b.values[column].astype(np.float64))
    return np.asarray(pair_weight * (left @ right.T)), float(cell)


@torch.inference_mode()
def _word_parts(
    network: ColdeNetwork, centre: Tensor, value: NDArray[np.float32], words: VectorByWord
) -> Float64Array:
    """Parts of a sentence's value by word: [words, projection]. The centre is divided over words by tokens."""
    centred = words.vectors - words.share[:, None] * centre.double().numpy()
    projected = network.project(torch.from_numpy(centred).float() * network.config.scale).double().numpy()
    total = projected.sum(0)
    return np.asarray(projected * float(total @ value) / max(float(total @ total), 1e-12))


def _levels(a: ColdeEncoding, b: ColdeEncoding) -> tuple[Level, ...]:
    """The levels of the contribution maps; sentences up to 4,000,000 pairs."""
    count_a, count_b = (int(e.layout.source.max(initial=-1)) + 1 for e in (a, b))
    return ("section", "chunk", "sentence") if few_sentences(count_a, count_b) else ("section", "chunk")


def _spans(e: ColdeEncoding, level: Level) -> tuple[Span, ...]:
    if level == "section":
        return e.section_spans
    return e.chunk_spans if level == "chunk" else e.layout.spans


def _first_segments(e: ColdeEncoding) -> NDArray[np.intp]:
    """The first segment of each chunk: [chunks]."""
    return np.searchsorted(e.layout.segment_chunk, np.arange(len(e.chunk_spans)))
