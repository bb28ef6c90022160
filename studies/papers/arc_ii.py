"""ARC-II: convolutions over all pairs of windows of two texts (Hu et al. 2014, 3.2; Match-Ignition's table 2).

    z_ij = ReLU(W [x_i…i+2; y_j…j+2] + b) → convolution 3 × 3, ReLU → maxima of 4 × 4
    → convolution 3 × 3, ReLU → maxima of 2 × 2 → dense, ReLU → logit

W [x; y] is W_x x + W_y y: two convolutions over one text each, added for every pair of places. The paper takes maxima
of 2 × 2 before the first 3 × 3, too: of each map by itself, when it is several together that compare two windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool2d, pad

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.convolutions import NEIGHBOUR_WEIGHT
from studies.papers.first_tokens import InteractionNetwork, ScoreOnlyCrossEncoder, embedded

WINDOW = 3
POOLS = (4, 2)  # sides of the maxima
ALIKE = 1.8  # two windows with the same middle word reach 1 ± .4, any two .1 ± .45; what they share is in the tail
COUNT, MEAN_COUNT = (
    25.0,
    0.045,
)  # of what is above that in a field: its weight, and what is usual (deviation .03)


@dataclass(frozen=True, slots=True)
class ArcIIConfig:
    """Sizes; words and windows of Hu et al. 2014, section 5 (50-d words, windows of 3)."""

    words: int = 50
    maps: int = 32  # of the first layer; the paper has up to 500; bounded for time
    above: int = 16  # maps of the others
    hidden: int = 64
    tokens: int = 128  # bounded for time: all pairs of places


class ArcIINetwork(InteractionNetwork):
    """All pairs of windows → logit."""

    config: ArcIIConfig
    least: ClassVar[int] = WINDOW

    def __init__(self, config: ArcIIConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.of_a = nn.Conv1d(config.words, config.maps, WINDOW)  # W_x and b
        self.of_b = nn.Conv1d(config.words, config.maps, WINDOW, bias=False)  # W_y
        self.deeper = nn.ModuleList(
            nn.Conv2d(size, config.above, 3, padding=1) for size in (config.maps, config.above)
        )
        self.side = config.tokens // prod(POOLS)
        self.dense = nn.Linear(config.above * self.side**2, config.hidden)
        self.out = nn.Linear(config.hidden, 1)
        self._initialise()

    @torch.no_grad()
    def _initialise(self) -> None:
        """Maps come in fours of one random window w: (w, w), (−w, −w), (w, −w), (−w, w).

        Then Σ of the first two less the others is |w · (x + y)| − |w · (x − y)|, which grows with how far two windows
        go the same way; from random numbers nothing at the start compares x with y. Half of the maps above begin as the
        mean of these sums, less what windows reach that have nothing in common, and pass it on; a quarter of the dense
        layer begins as their mean over the picture. With all of that random, 600 steps taught nothing.
        """
        w = torch.randn(-(-self.config.maps // 4), *self.of_a.weight.shape[1:]) / self.config.words**0.5
        w[:, :, [0, 2]] *= NEIGHBOUR_WEIGHT
        signs = torch.tensor([[1.0, 1.0], [-1, -1], [1, -1], [-1, 1]])
        for convolution, sign in ((self.of_a, signs[:, 0]), (self.of_b, signs[:, 1])):
            maps = (sign[:, None, None, None] * w).transpose(0, 1).flatten(0, 1)
            convolution.weight.copy_(maps[: self.config.maps])
        assert self.of_a.bias is not None
        nn.init.zeros_(self.of_a.bias)
        half, counting = self.config.above // 2, self.config.hidden // 4
        first, second = (cast(nn.Conv2d, layer) for layer in self.deeper)
        for layer in (first, second):
            assert layer.bias is not None
            layer.weight[:half] = 0
            layer.bias[:half] = 0
        assert first.bias is not None
        first.weight[:half, :, 1, 1] = torch.tensor([1.0, 1, -1, -1]).repeat(len(w))[
            : self.config.maps
        ] / len(w)
        first.bias[:half] = -ALIKE
        second.weight[range(half), range(half), 1, 1] = 1
        fields = self.dense.weight.view(self.config.hidden, self.config.above, self.side**2)[:counting]
        fields[:] = 0
        fields[:, :half] = COUNT / (half * self.side**2)
        self.dense.bias[:counting] = -COUNT * MEAN_COUNT
        self.out.weight[:, :counting].abs_()

    def first_maps(self, pairs: Sequence[ModelInput]) -> Tensor:
        """z, 0 where a window is padding alone: [pairs, maps, tokens, tokens]."""
        a, mask_a, b, mask_b = self.sides(pairs)
        size = self.config.tokens
        convolved = []
        for ids, mask, convolution in ((a, mask_a, self.of_a), (b, mask_b, self.of_b)):
            x = embedded(self.words, ids, mask).transpose(1, 2)  # [pairs, words, places]
            x = convolution(pad(x, (0, size + WINDOW - 1 - x.shape[2])))
            convolved.append((x, pad(mask, (0, size - mask.shape[1]))))
        (left, left_mask), (right, right_mask) = convolved
        z = torch.relu(left.unsqueeze(3) + right.unsqueeze(2))
        return z * (left_mask.unsqueeze(2) & right_mask.unsqueeze(1)).unsqueeze(1)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        x = self.first_maps(pairs)
        for convolution, pool in zip(self.deeper, POOLS, strict=True):
            x = max_pool2d(torch.relu(convolution(x)), pool)
        return cast(Tensor, self.out(torch.relu(self.dense(x.flatten(1)))).squeeze(1))


class ArcII(ScoreOnlyCrossEncoder[ArcIINetwork]):
    """ARC-II as a Matcher."""

    network_class = ArcIINetwork
    config_class = ArcIIConfig
