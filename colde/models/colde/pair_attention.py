"""The score of two encoded documents (9) and the attention between their segments (7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from colde.explain.contribution import Float64Array
from colde.models.colde.attention import AttentionInput
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array


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
