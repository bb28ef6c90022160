"""Chunkwise attention between two documents (3.2): each segment of one document attends to those of the other.

Equations (6) to (8) of `colde.models.colde.network`, for batches of documents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

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
