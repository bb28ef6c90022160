"""Low-rank updates of frozen linear layers (Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models).

    y = W x + b + (alpha / rank) · B A x        A: [rank, in], B: [out, rank]; W and b stay as they are      (4.1)

A begins as Gaussian noise and B at zero, so that the network is the pretrained one at the first step (4.1). Only A and
B are trained and stored: all of MiniLM's linear layers at rank 8 take 0.66 MB in float16, one full layer 3.5 MB.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear


class LowRank(nn.Module):
    """A linear layer whose own weight is frozen, and its update."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)  # A
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))  # B
        self.scale = alpha / rank

    def forward(self, x: Tensor) -> Tensor:
        """[..., in] → [..., out]."""
        update = linear(linear(x, self.down), self.up)
        return torch.add(self.base(x), update, alpha=self.scale)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """One plain layer that does the same: weight W + (alpha / rank) · B A."""
        plain = nn.Linear(self.base.in_features, self.base.out_features, bias=self.base.bias is not None)
        plain = plain.to(self.base.weight)
        plain.weight.copy_(self.base.weight + self.scale * (self.up @ self.down))
        if self.base.bias is not None:
            plain.bias.copy_(self.base.bias)
        return plain


def add_low_rank(module: nn.Module, rank: int, alpha: float) -> int:
    """Put an update on every linear layer inside; returns how many there are."""
    found = [(name, m) for name, m in module.named_modules() if isinstance(m, nn.Linear)]
    for name, layer in found:
        module.set_submodule(name, LowRank(layer, rank, alpha))
    return len(found)


def merge(module: nn.Module) -> int:
    """Replace every updated layer by a plain one: as fast as the pretrained network, no longer to be trained."""
    found = [(name, m) for name, m in module.named_modules() if isinstance(m, LowRank)]
    for name, layer in found:
        module.set_submodule(name, layer.merged())
    return len(found)
