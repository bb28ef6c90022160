"""DUET: exact matches and learned vectors side by side (Mitra et al. 2017; Match-Ignition's table 2).

local        which word of a is which word of b → a layer over each word's places in b → dense, tanh → dense
distributed  words → convolution over 3, tanh → maxima: of all of a, and in fields of b → product, place by place
             → dense, tanh → dense
logit        the sum of the two
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.first_tokens import InteractionNetwork, ScoreOnlyCrossEncoder, embedded

WINDOW = 3  # of the paper's convolutions
COUNT = 0.1  # of a match in a count: the tanh after it tells one from ten
ANY = 3.0  # of a match where it only matters that there is one
SHARE, MEAN_SHARE = (
    5.0,
    0.45,
)  # of the words of a that stand in b: its weight, and what is usual (deviation .1)


@dataclass(frozen=True, slots=True)
class DuetConfig:
    """Sizes; the paper has 300 for all of them, over ten words of a query and a thousand of a document."""

    words: int = 100
    maps: int = 100  # of the distributed part
    places: int = 32  # numbers kept of a word's places in the other text
    hidden: int = 64
    field: int = 32  # windows of b that one maximum is taken of; the paper's 100 of a thousand
    dropout: float = 0.2
    tokens: int = 256  # bounded for time


class DuetNetwork(InteractionNetwork):
    """Two logits, summed."""

    config: DuetConfig
    least: ClassVar[int] = WINDOW

    def __init__(self, config: DuetConfig) -> None:
        super().__init__()
        self.config = config
        self.where = nn.Linear(config.tokens, config.places)
        self.local = self._dense(config.places * config.tokens)
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.of_a = nn.Conv1d(config.words, config.maps, WINDOW, padding=1)
        self.of_b = nn.Conv1d(config.words, config.maps, WINDOW, padding=1)
        self.narrow = nn.Linear(config.maps, config.maps)
        self.distributed = self._dense(config.maps * (config.tokens // config.field))
        self._count()

    @torch.no_grad()
    def _count(self) -> None:
        """A quarter of what is kept of a word begins as how often it stands in b, a quarter as whether it does.

        A quarter of the local part's layer begins as the share of a's words that stand in b: what a hidden unit sees
        of 256 words by random numbers drowns it.
        """
        config = self.config
        quarter = config.places // 4
        assert self.where.bias is not None
        self.where.bias[: 2 * quarter] = 0
        self.where.weight[:quarter] = COUNT
        self.where.weight[quarter : 2 * quarter] = ANY
        hidden = self.local[0]
        assert isinstance(hidden, nn.Linear)
        counting = hidden.weight.view(config.hidden, config.tokens, config.places)[: config.hidden // 4]
        counting.zero_()
        counting[:, :, quarter : 2 * quarter] = SHARE / (config.tokens * max(quarter, 1))
        hidden.bias[: config.hidden // 4] = -SHARE * MEAN_SHARE
        out = self.local[-1]
        assert isinstance(out, nn.Linear)
        out.weight[:, : config.hidden // 4].abs_()

    def _dense(self, size: int) -> nn.Sequential:
        hidden, dropout = self.config.hidden, self.config.dropout
        return nn.Sequential(nn.Linear(size, hidden), nn.Tanh(), nn.Dropout(dropout), nn.Linear(hidden, 1))

    def matches(self, pairs: Sequence[ModelInput]) -> Tensor:
        """1 where a word of a is a word of b: [pairs, tokens, tokens]."""
        a, mask_a, b, mask_b = self.sides(pairs)
        same = (a.unsqueeze(2) == b.unsqueeze(1)) & mask_a.unsqueeze(2) & mask_b.unsqueeze(1)
        size = self.config.tokens
        return pad(same.float(), (0, size - b.shape[1], 0, size - a.shape[1]))

    def products(self, pairs: Sequence[ModelInput]) -> Tensor:
        """a's strongest windows times those of each field of b: [pairs, fields, maps]; 0 for a field without words."""
        a, mask_a, b, mask_b = self.sides(pairs)
        size, field = self.config.tokens, self.config.field
        x = torch.tanh(self.of_a(embedded(self.words, a, mask_a).transpose(1, 2)))
        x = x.masked_fill(~mask_a.unsqueeze(1), -1.0).amax(2)  # [pairs, maps]; −1 is the least of a tanh
        y = torch.tanh(self.of_b(embedded(self.words, b, mask_b).transpose(1, 2)))
        y = pad(y.masked_fill(~mask_b.unsqueeze(1), -1.0), (0, size - b.shape[1]), value=-1.0)
        y = torch.tanh(self.narrow(y.view(*y.shape[:2], -1, field).amax(3).transpose(1, 2)))
        there = pad(mask_b, (0, size - b.shape[1])).view(len(b), -1, field).any(2)
        return x.unsqueeze(1) * y * there.unsqueeze(2)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        local = self.local(torch.tanh(self.where(self.matches(pairs))).flatten(1))
        distributed = self.distributed(self.products(pairs).flatten(1))
        return cast(Tensor, (local + distributed).squeeze(1))


class Duet(ScoreOnlyCrossEncoder[DuetNetwork]):
    """DUET as a Matcher."""

    network_class = DuetNetwork
    config_class = DuetConfig
