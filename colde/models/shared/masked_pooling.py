"""Parts that several models share: padding by mask, masked pooling, a recurrent net over packed sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence


def pad(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Stack [items_i, d] tensors into [batch, items, d] and a mask [batch, items], True where an item is."""
    values = pad_sequence(list(rows), batch_first=True)
    lengths = torch.tensor([len(r) for r in rows], device=values.device)
    return values, torch.arange(values.shape[1], device=values.device) < lengths.unsqueeze(1)


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """Mean over the items of each row: [batch, items, d], [batch, items] → [batch, d]."""
    keep = mask.unsqueeze(-1).to(values.dtype)
    return (values * keep).sum(1) / keep.sum(1).clamp(min=1.0)


class BiLstm(nn.Module):
    """A bidirectional LSTM's last state each way, over packed sequences: padding changes nothing."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, hidden, batch_first=True, bidirectional=True)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """[batch, items, d], [batch, items] → [batch, 2 · hidden]."""
        packed = pack_padded_sequence(values, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # [2, batch, hidden]
        return torch.cat([cast(Tensor, last)[0], cast(Tensor, last)[1]], dim=-1)

    def forward_by_steps(self, values: Tensor) -> Tensor:
        """Pool without padding, by the equations: [batch, items, d] → [batch, 2 · hidden].

        Derivatives can be taken forward through it, which the fused layer does not know.
        """
        return torch.cat([self._one_way(values, ""), self._one_way(values.flip(1), "_reverse")], dim=-1)

    def _one_way(self, values: Tensor, suffix: str) -> Tensor:
        weights = [
            getattr(self.lstm, f"{name}_l0{suffix}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ]
        from_input, from_state, *biases = weights
        inputs = values @ from_input.T + sum(biases)  # [batch, items, 4 · hidden]
        state = cell = values.new_zeros(len(values), self.lstm.hidden_size)
        for k in range(values.shape[1]):
            entry, forget, new, out = (inputs[:, k] + state @ from_state.T).chunk(4, dim=-1)
            cell = forget.sigmoid() * cell + entry.sigmoid() * new.tanh()
            state = out.sigmoid() * cell.tanh()
        return state
