"""Low-rank updates of frozen linear layers (Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models).

    y = W x + b + (alpha / rank) · B A x        A: [rank, in], B: [out, rank]; W and b stay as they are      (4.1)

A begins as Gaussian noise and B at zero, so that the network is the pretrained one at the first step (4.1). Only A and
B are trained and stored: all of MiniLM's linear layers at rank 8 take 0.66 MB in float16, one full layer 3.5 MB.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear


class LowRankLinear(nn.Module):
    """A linear layer whose own weight is frozen, and its update."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)  # A
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))  # B
        self.scale = alpha / rank

    def forward(self, x: Tensor) -> Tensor:
        """[..., in] → [..., out]; where nothing is trained, by one weight, made anew: W + (alpha / rank) · B A."""
        if not torch.is_grad_enabled():
            return linear(x, self._weight(), self.base.bias)
        update = linear(linear(x, self.down), self.up)
        return torch.add(self.base(x), update, alpha=self.scale)

    def _weight(self) -> Tensor:
        return torch.addmm(self.base.weight, self.up, self.down, alpha=self.scale)


def add_low_rank(module: nn.Module, rank: int, alpha: float) -> int:
    """Put an update on every linear layer inside; returns how many there are."""
    layers = [(name, m) for name, m in module.named_modules() if isinstance(m, nn.Linear)]
    for name, layer in layers:
        module.set_submodule(name, LowRankLinear(layer, rank, alpha))
    return len(layers)
