"""RE2: blocks of encoding, alignment and fusion with augmented residuals (Yang et al. 2019; Match-Ignition's table 2).

block n      x⁽¹⁾ = words;  x⁽ⁿ⁾ = [words; o⁽ⁿ⁻¹⁾ + o⁽ⁿ⁻²⁾]                               (augmented residual)
encoder      two convolutions over 3 words, ReLU;  h = [x; encoded]
alignment    e_ij = F(a_i) · F(b_j) / √d;  a′_i = Σ_j softmax_j(e_ij) b_j, and b′ likewise
fusion       o = ReLU G([G₁[h; h′]; G₂[h; h − h′]; G₃[h; h ∘ h′]])
prediction   maxima v_a, v_b → H([v_a; v_b; |v_a − v_b|; v_a ∘ v_b])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.first_tokens import InteractionNetwork, ScoreOnlyCrossEncoder, embedded


@dataclass(frozen=True, slots=True)
class Re2Config:
    """Sizes; Yang et al. 2019, 3.2, have 300-d words and layers of 150, one to three blocks."""

    words: int = 100
    hidden: int = 100
    blocks: int = 2
    layers: int = 2  # convolutions of an encoder
    dropout: float = 0.2  # the paper's
    tokens: int = 192  # bounded for time


class Encoder(nn.Module):
    """Convolutions over three words."""

    def __init__(self, size: int, hidden: int, layers: int) -> None:
        super().__init__()
        sizes = [size, *[hidden] * layers]
        self.layers = nn.ModuleList(nn.Conv1d(i, o, 3, padding=1) for i, o in pairwise(sizes))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """[texts, words, size], [texts, words] → [texts, words, hidden]."""
        x = x.transpose(1, 2)
        for layer in self.layers:
            x = torch.relu(layer(x)) * mask.unsqueeze(1)
        return x.transpose(1, 2)


class Alignment(nn.Module):
    """Each word's partner: a mean of the other text's words by attention."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.layer = nn.Linear(size, hidden)

    def forward(self, a: Tensor, b: Tensor, mask_a: Tensor, mask_b: Tensor) -> tuple[Tensor, Tensor]:
        """Two texts [texts, words, size] and their masks → a′ and b′."""
        f, g = torch.relu(self.layer(a)), torch.relu(self.layer(b))
        e = f @ g.transpose(1, 2) / self.layer.out_features**0.5
        to_b = e.masked_fill(~mask_b.unsqueeze(1), -1e9).softmax(2)
        to_a = e.masked_fill(~mask_a.unsqueeze(2), -1e9).softmax(1)
        return to_b @ b, to_a.transpose(1, 2) @ a


class Fusion(nn.Module):
    """A word and its partner, compared in three ways."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.three = nn.ModuleList(nn.Linear(2 * size, hidden) for _ in range(3))
        self.joined = nn.Linear(3 * hidden, hidden)

    def forward(self, h: Tensor, partner: Tensor) -> Tensor:
        """[texts, words, size] twice → [texts, words, hidden]."""
        others = (partner, h - partner, h * partner)
        fused = [torch.relu(g(torch.cat([h, o], -1))) for g, o in zip(self.three, others, strict=True)]
        return torch.relu(self.joined(torch.cat(fused, -1)))


class Block(nn.Module):
    """Encoder, alignment, fusion."""

    def __init__(self, size: int, config: Re2Config) -> None:
        super().__init__()
        self.encoder = Encoder(size, config.hidden, config.layers)
        self.alignment = Alignment(size + config.hidden, config.hidden)
        self.fusion = Fusion(size + config.hidden, config.hidden)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, a: Tensor, b: Tensor, mask_a: Tensor, mask_b: Tensor) -> tuple[Tensor, Tensor]:
        """[texts, words, size] → [texts, words, hidden], of both texts."""
        a, b = (torch.cat([x, self.encoder(self.dropout(x), m)], -1) for x, m in ((a, mask_a), (b, mask_b)))
        for_a, for_b = self.alignment(a, b, mask_a, mask_b)
        return self.dropout(self.fusion(a, for_a)), self.dropout(self.fusion(b, for_b))


class Re2Network(InteractionNetwork):
    """Aligned words → logit."""

    config: Re2Config

    def __init__(self, config: Re2Config) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        sizes = [config.words, *[config.words + config.hidden] * (config.blocks - 1)]
        self.blocks = nn.ModuleList(Block(size, config) for size in sizes)
        self.dense = nn.Linear(4 * config.hidden, config.hidden)
        self.out = nn.Linear(config.hidden, 1)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        ids_a, mask_a, ids_b, mask_b = self.sides(pairs)
        words_a, words_b = embedded(self.words, ids_a, mask_a), embedded(self.words, ids_b, mask_b)
        a, b = words_a, words_b
        sums: list[tuple[Tensor, Tensor]] = []
        for block in self.blocks:
            output_a, output_b = block(a, b, mask_a, mask_b)
            before = sums[-1:]
            sums.append((output_a, output_b))
            left, right = output_a, output_b
            for one, two in before:
                left, right = left + one, right + two
            a, b = torch.cat([words_a, left], -1), torch.cat([words_b, right], -1)
        v, w = (_maxima(x, m) for x, m in zip(sums[-1], (mask_a, mask_b), strict=True))
        hidden = torch.relu(self.dense(torch.cat([v, w, (v - w).abs(), v * w], -1)))
        return cast(Tensor, self.out(hidden).squeeze(1))


def _maxima(x: Tensor, mask: Tensor) -> Tensor:
    """Maximum over the words of each text; what is fused is ≥ 0: [texts, words, d] → [texts, d]."""
    return (x * mask.unsqueeze(-1)).amax(1)


class Re2(ScoreOnlyCrossEncoder[Re2Network]):
    """RE2 as a Matcher."""

    network_class = Re2Network
    config_class = Re2Config
