"""Chunkwise attention between two documents (3.2): each segment of one document attends to those of the other.

Equations (6) to (9) of `colde.models.colde.network`. `attend_pair` computes the score of two encoded documents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from colde.explain.contribution import Float64Array
from colde.results.similarity_map import Array

if TYPE_CHECKING:
    from colde.models.colde.document_encoding import ColdeEncoding
    from colde.models.colde.network import ColdeNetwork

MASKED_LOGIT = -1e9
"""Logit of padding: with minus infinity, a document without segments would give NaN."""


@dataclass(frozen=True, slots=True)
class AttentionInput:
    """Input of attention for a batch of documents.

    Attributes:
        keys: [documents, segments, width], of length one; values: [documents, segments, projection].
        mass: [documents, segments], shares that sum to one; 0 for padding.
    """

    keys: Tensor
    values: Tensor
    mass: Tensor

    def __getitem__(self, rows: Tensor | slice) -> AttentionInput:
        return AttentionInput(self.keys[rows], self.values[rows], self.mass[rows])

    def __len__(self) -> int:
        return len(self.mass)


class CrossAttention(nn.Module):
    """Cross-attention weights with a learned temperature."""

    def __init__(self, sharpness: float) -> None:
        super().__init__()
        self.log_sharpness = nn.Parameter(torch.tensor(math.log(sharpness)))

    def pair_weights(self, a: AttentionInput, b: AttentionInput) -> tuple[Tensor, Tensor, Tensor]:
        """Weights of the pairs of segments of document i of `a` with document i of `b`.

        Returns:
            c (7), α and α' (6), each [documents, segments a, segments b].
        """
        logits = a.keys @ b.keys.transpose(-1, -2) * self.log_sharpness.exp()
        rows, columns = a.mass.unsqueeze(-1), b.mass.unsqueeze(-2)
        a_to_b = logits.masked_fill(columns == 0, MASKED_LOGIT).softmax(-1)
        b_to_a = logits.masked_fill(rows == 0, MASKED_LOGIT).softmax(-2)
        return (rows * a_to_b + columns * b_to_a) / 2, a_to_b, b_to_a

    def unnormalised_score(self, a: AttentionInput, b: AttentionInput) -> Tensor:
        """Σ c v · v (8), document i of `a` with document i of `b`: [documents]."""
        pair_weights, _, _ = self.pair_weights(a, b)
        return (pair_weights * (a.values @ b.values.transpose(-1, -2))).sum((-1, -2))

    def self_similarity_root(self, a: AttentionInput) -> Tensor:
        """√g (8) of each document: [documents]."""
        return self.unnormalised_score(a, a).clamp(min=1e-4).sqrt()


@dataclass(frozen=True, slots=True, eq=False)
class PairAttention:
    """Attention between the segments of two documents.

    Attributes:
        attention: [segments a, segments b], c (7), attention in both directions; sums to one.
        pair_weights: [segments a, segments b], weight of each product of values in the score (9).
        score: f (9), in [−1, 1].
    """

    attention: Array
    pair_weights: Array
    score: float


@torch.inference_mode()
def attend_pair(network: ColdeNetwork, a: ColdeEncoding, b: ColdeEncoding) -> PairAttention:
    """Attention between two documents and their score; products are summed in double precision."""
    weights, _, _ = network.attention.pair_weights(_keys(a), _keys(b))
    attention = np.asarray(weights[0].numpy(), dtype=np.float32)
    values_a, values_b = a.segment_values, b.segment_values
    pair_weights = (1 - network.config.vector_share) * attention
    if network.config.vector_share:
        pair_weights += network.config.vector_share * np.outer(_even(values_a, a), _even(values_b, b))
    products = values_a @ values_b.T
    products *= pair_weights
    return PairAttention(attention, pair_weights, score=float(np.clip(products.sum(), -1.0, 1.0)))


def _even(values: Float64Array, encoding: ColdeEncoding) -> Array:
    """m_q / |Σ_q m_q v_q|: [segments]; the cosine of document vectors is a sum with these weights."""
    length = float(np.linalg.norm(encoding.mass @ values))
    return np.asarray(encoding.mass / max(length, 1e-12), dtype=np.float32)


def _keys(encoding: ColdeEncoding) -> AttentionInput:
    """Keys and shares of one document; its values are summed in double precision elsewhere."""
    keys, mass = (torch.from_numpy(x).unsqueeze(0) for x in (encoding.keys, encoding.mass))
    return AttentionInput(keys, torch.zeros_like(keys), mass)
