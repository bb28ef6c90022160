"""Padding of sequences and pooling over what is not padding."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def pad(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Stack [items_i, d] tensors into [batch, items, d] and a mask [batch, items], True where an item is."""
    values = pad_sequence(list(rows), batch_first=True)
    lengths = torch.tensor([len(r) for r in rows], device=values.device)
    return values, torch.arange(values.shape[1], device=values.device) < lengths.unsqueeze(1)


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """Mean over the items of each row: [batch, items, d], [batch, items] → [batch, d]."""
    keep = mask.unsqueeze(-1).to(values.dtype)
    return (values * keep).sum(1) / keep.sum(1).clamp(min=1.0)
