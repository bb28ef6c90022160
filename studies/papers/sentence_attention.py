"""The upper level of hierarchical attention networks over two documents, with and without cross-document attention.

sentences → bidirectional GRU → h_i
with CDA: α_ij = softmax_j(h_i · h′_j), c_i = Σ_j α_ij h′_j, h_i ← ReLU(W [h_i; c_i])    (Zhou et al. 2020)
attention over h_i → d;   [d; d′; |d − d′|; d ∘ d′] → dense, ReLU → logit
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from colde.models.shared.gru_attention import GroupAttention, GroupGru, group_of


class SentenceAttention(nn.Module):
    """Sentences of two documents → logit. Sentences lie flat, one document after the other."""

    def __init__(self, dimension: int, hidden: int, attention: int, *, cda: bool, dropout: float) -> None:
        super().__init__()
        size = 2 * hidden
        self.gru = GroupGru(dimension, hidden)
        self.cross = nn.Linear(2 * size, size) if cda else None
        self.attention = GroupAttention(size, attention)
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(4 * size, attention)
        self.out = nn.Linear(attention, 1)

    def forward(self, a: Tensor, b: Tensor, lengths_a: Tensor, lengths_b: Tensor) -> Tensor:
        """[sentences of a, d], [sentences of b, d], [pairs] and [pairs] sentences of each, on the CPU → [pairs]."""
        h, g = self.gru(a, lengths_a), self.gru(b, lengths_b)
        if self.cross is not None:
            for_h, for_g = cross_document_context(h, g, lengths_a, lengths_b)
            h, g = (torch.relu(self.cross(torch.cat(x, dim=1))) for x in ((h, for_h), (g, for_g)))
        d, e = self._pooled(h, lengths_a), self._pooled(g, lengths_b)
        joined = self.dropout(torch.cat([d, e, (d - e).abs(), d * e], dim=1))
        return cast(Tensor, self.out(torch.relu(self.dense(joined))).squeeze(1))

    def _pooled(self, states: Tensor, lengths: Tensor) -> Tensor:
        group = group_of(lengths).to(states.device)
        weighted = self.attention(states, group, len(lengths)).unsqueeze(1) * states
        sums: Tensor = weighted.new_zeros(len(lengths), states.shape[1]).index_add(0, group, weighted)
        return sums


def cross_document_context(
    h: Tensor, g: Tensor, lengths_h: Tensor, lengths_g: Tensor
) -> tuple[Tensor, Tensor]:
    """c_i of every sentence, of both sides: what it finds in the other document, zeros where that is empty."""
    x, y = (
        pad_sequence(list(torch.split(v, n.tolist())), batch_first=True)
        for v, n in ((h, lengths_h), (g, lengths_g))
    )  # [pairs, sentences, d]
    there_x, there_y = (
        (torch.arange(v.shape[1]) < n.unsqueeze(1)).to(v.device) for v, n in ((x, lengths_h), (y, lengths_g))
    )
    alike = x @ y.transpose(1, 2)
    to_y = alike.masked_fill(~there_y.unsqueeze(1), -1e9).softmax(2) @ y
    to_x = alike.masked_fill(~there_x.unsqueeze(2), -1e9).softmax(1).transpose(1, 2) @ x
    return to_y[there_x], to_x[there_y]
