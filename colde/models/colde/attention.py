"""Attention between two documents: each segment of a chunk of one looks for its like in the other (3.2).

The paper lets the chunks of a section attend to those of the next; here the next one is the other document, so that
what attention finds is the score, and its map a part of it. With x the states of segments, k = x / |x|, v = D x (the
same projection that makes the document's vector), shares m and sharpness β:

    α_qr   = softmax over r of β k_q · k_r            segment q of A over the segments r of B; α' the other way round
    c_qr   = (m_q α_qr + m_r α'_qr) / 2               how much the pair counts
    f(A,B) = Σ_qr c_qr v_q · v_r / √(g(A) g(B))       g(A) the same sum of A with itself

so that a document has 1 with itself. For β = 0 each segment looks at all of the other document alike, for β → ∞ at its
best match alone (late interaction, Khattab and Zaharia 2020). Keys have no weights: trained ones were no better than
random ones (docs/results.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

MASKED_LOGIT = -1e9
"""Instead of minus infinity, so that a side without segments gives no NaN."""


@dataclass(frozen=True, slots=True)
class AttentionInput:
    """Input of attention for some documents.

    Attributes:
        keys: [documents, segments, width], of length one; values: [documents, segments, projection].
        mass: [documents, segments], shares that sum to one; 0 where there is no segment.
    """

    keys: Tensor
    values: Tensor
    mass: Tensor

    def __getitem__(self, rows: Tensor | slice) -> AttentionInput:
        return AttentionInput(self.keys[rows], self.values[rows], self.mass[rows])

    def __len__(self) -> int:
        return len(self.mass)


class CrossAttention(nn.Module):
    """What attention weighs, and how sharply."""

    def __init__(self, sharpness: float) -> None:
        super().__init__()
        self.log_sharpness = nn.Parameter(torch.tensor(math.log(sharpness)))

    def pair_weights(self, a: AttentionInput, b: AttentionInput) -> tuple[Tensor, Tensor, Tensor]:
        """Weigh each pair of segments, document i of `a` with document i of `b`.

        Returns:
            c, α and α', each [documents, segments a, segments b].
        """
        near = a.keys @ b.keys.transpose(-1, -2) * self.log_sharpness.exp()
        rows, columns = a.mass.unsqueeze(-1), b.mass.unsqueeze(-2)
        forth = near.masked_fill(columns == 0, MASKED_LOGIT).softmax(-1)
        back = near.masked_fill(rows == 0, MASKED_LOGIT).softmax(-2)
        return (rows * forth + columns * back) / 2, forth, back

    def unnormalised_score(self, a: AttentionInput, b: AttentionInput) -> Tensor:
        """Σ c v · v, document i of `a` with document i of `b`: [documents]."""
        pair_weights, _, _ = self.pair_weights(a, b)
        return (pair_weights * (a.values @ b.values.transpose(-1, -2))).sum((-1, -2))

    def self_similarity_root(self, a: AttentionInput) -> Tensor:
        """√g of each document: [documents]."""
        return self.unnormalised_score(a, a).clamp(min=1e-4).sqrt()
