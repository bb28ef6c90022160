"""SMASH RNN's pair head over vectors that keep their mean while the network below learns."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from colde.models.smash_rnn.pair_head import PairHead

MOMENTUM = 0.1
SPREAD = 0.5
"""Of the logits at the start; the head's own 1 says more than vectors know that tell pairs apart in .6 of cases."""


class NormalisedPairHead(PairHead):
    """A pair head whose network gives `norm(vectors)`.

    The head begins with Σ |w · (a + b − 2 m)| − |w · (a − b)|, m the mean of untrained vectors. As the network learns
    all vectors move the same way, away from m, and the head compares no more; with the mean taken off it goes on.
    """

    norm: nn.BatchNorm1d

    def add_head(self, dimension: int, hidden: int, both_orders: bool = True) -> None:
        super().add_head(dimension, hidden, both_orders)
        self.norm = nn.BatchNorm1d(dimension, affine=False, momentum=None)  # as first seen, in `fit_scale`

    @torch.no_grad()
    def init_from_data(self, vectors: Tensor, pairs: Tensor) -> None:
        super().init_from_data(vectors, pairs)
        self.norm.momentum = MOMENTUM
        self.last.weight.mul_(SPREAD)
        self.last.bias.mul_(SPREAD)
