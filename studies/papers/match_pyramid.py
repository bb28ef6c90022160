"""MatchPyramid: the similarities of all words of two texts as a picture (Pang et al. 2016; Match-Ignition's table 2).

M_ij = cosine of words i and j → 8 convolutions 5 × 5, ReLU → maxima in 10 × 10 fields (dynamic pooling, equation 6)
→ 16 convolutions 3 × 3, ReLU → maxima in 5 × 5 fields → 128, ReLU → logit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import adaptive_max_pool2d, normalize

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.first_tokens import InteractionNetwork, ScoreOnlyCrossEncoder, embedded


@dataclass(frozen=True, slots=True)
class MatchPyramidConfig:
    """Sizes of Pang et al. 2016, 4.2.1 and 4.3.1."""

    words: int = 50
    maps: tuple[int, int] = (8, 16)
    windows: tuple[int, int] = (5, 3)
    fields: tuple[int, int] = (10, 5)
    hidden: int = 128
    tokens: int = 256  # bounded for time


class MatchPyramidNetwork(InteractionNetwork):
    """Picture of similarities → logit."""

    config: MatchPyramidConfig

    def __init__(self, config: MatchPyramidConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        (first, second), (wide, narrow) = config.maps, config.windows
        self.first = nn.Conv2d(1, first, wide, padding=wide // 2)
        self.second = nn.Conv2d(first, second, narrow, padding=narrow // 2)
        self.dense = nn.Linear(second * config.fields[1] ** 2, config.hidden)
        self.out = nn.Linear(config.hidden, 1)

    def picture(self, pairs: Sequence[ModelInput]) -> tuple[Tensor, Tensor, Tensor]:
        """Cosines of all words [pairs, words of a, words of b], 0 beside a text, and the lengths of a and b."""
        a, mask_a, b, mask_b = self.sides(pairs)
        x, y = (normalize(embedded(self.words, i, m), dim=-1) for i, m in ((a, mask_a), (b, mask_b)))
        return x @ y.transpose(1, 2), mask_a.sum(1).clamp(min=1), mask_b.sum(1).clamp(min=1)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]; the fields of the first pooling are shares of each text's own length, so padding counts nothing."""
        picture, rows, columns = self.picture(pairs)
        x = torch.relu(self.first(picture.unsqueeze(1)))
        outer, inner = self.config.fields
        lengths = zip(rows.tolist(), columns.tolist(), strict=True)
        x = torch.stack(
            [adaptive_max_pool2d(m[:, :r, :c], outer) for m, (r, c) in zip(x, lengths, strict=True)]
        )
        x = adaptive_max_pool2d(torch.relu(self.second(x)), inner)
        return cast(Tensor, self.out(torch.relu(self.dense(x.flatten(1)))).squeeze(1))


class MatchPyramid(ScoreOnlyCrossEncoder[MatchPyramidNetwork]):
    """MatchPyramid as a Matcher."""

    network_class = MatchPyramidNetwork
    config_class = MatchPyramidConfig
