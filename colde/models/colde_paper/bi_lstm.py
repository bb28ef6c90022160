"""The Bi-LSTM over the chunks of a document or part (CoLDE, 3.2)."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence


class BiLstm(nn.Module):
    """The last states of both directions; sequences are packed, so padding has no effect."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, hidden, batch_first=True, bidirectional=True)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """[batch, items, d], [batch, items] → [batch, 2 · hidden]."""
        packed = pack_padded_sequence(values, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # [2, batch, hidden]
        return torch.cat([cast(Tensor, last)[0], cast(Tensor, last)[1]], dim=-1)

    def forward_by_steps(self, values: Tensor) -> Tensor:
        """The same without padding, written out: [batch, items, d] → [batch, 2 · hidden].

        It has forward derivatives, which the fused layer does not support.
        """
        return torch.cat([self._one_way(values, ""), self._one_way(values.flip(1), "_reverse")], dim=-1)

    def _one_way(self, values: Tensor, suffix: str) -> Tensor:
        from_input, from_state, *biases = (
            getattr(self.lstm, f"{name}_l0{suffix}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        inputs = values @ from_input.T + sum(biases)  # [batch, items, 4 · hidden]
        state = cell = values.new_zeros(len(values), self.lstm.hidden_size)
        for k in range(values.shape[1]):
            entry, forget, new, out = (inputs[:, k] + state @ from_state.T).chunk(4, dim=-1)
            cell = forget.sigmoid() * cell + entry.sigmoid() * new.tanh()
            state = out.sigmoid() * cell.tanh()
        return state
