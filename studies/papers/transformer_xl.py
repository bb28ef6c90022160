"""Transformer-XL: segments that remember the states of the one before (Dai et al. 2019; Match-Ignition, table 3).

words → layers over segments of L words → mean of all states → cosine
layer n of segment τ     keys and values also of segment τ − 1 as layer n − 1 left it, without gradient   (3.2)
    A_ij = q_i · k_j + q_i · W_R R_{i−j} + u · k_j + v · W_R R_{i−j},  j ≤ i                              (3.3)
    R_d  = sines and cosines of the distance d

What a layer needs of the segment before is there once the layer below is done, so all segments go through a layer at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from colde.models.shared.bi_cross_encoder import CosineBiEncoder, ProjectedWords
from colde.models.shared.masked_pooling import masked_mean
from colde.models.shared.network_input import ModelInput
from studies.papers.first_tokens import FirstTokensNetwork, ScoreOnlyBiEncoder, embedded


@dataclass(frozen=True, slots=True)
class TransformerXlConfig:
    """Sizes; the pretrained model of Match-Ignition's table has 18 layers of 1,024, of which none can be had here."""

    width: int = 128
    heads: int = 4
    inner: int = 256
    layers: int = 2
    segment: int = 64  # L, and as many words of memory
    dropout: float = 0.1
    tokens: int = 256  # bounded for time


class RelativeAttention(nn.Module):
    """Attention of a segment to itself and to the one before, by content and by distance (3.3)."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.distance, self.output = (
            nn.Linear(width, width, bias=False) for _ in range(5)
        )
        self.of_content = nn.Parameter(torch.zeros(heads, width // heads))  # u
        self.of_distance = nn.Parameter(torch.zeros(heads, width // heads))  # v
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, remembers: Tensor) -> Tensor:
        """One layer's attention, its residual and norm.

        Args:
            x: [segments, L, width]; memory: [segments, L, width].
            remembers: [segments], False where there is no segment before.
        """
        size = x.shape[1]
        seen = torch.cat([memory, x], dim=1)
        query, key, value = (
            self._by_head(part(y)) for part, y in ((self.query, x), (self.key, seen), (self.value, seen))
        )
        far = self._by_head(self.distance(distances(2 * size, x.shape[2]).to(x))[None])[0]  # [heads, 2 L, d]
        content = (query + self.of_content.unsqueeze(1)) @ key.transpose(2, 3)  # [segments, heads, L, 2 L]
        by_distance = (query + self.of_distance.unsqueeze(1)) @ far.transpose(1, 2)  # column d: distance d
        apart = torch.arange(size)[:, None] + size - torch.arange(2 * size)[None]  # i − j: [L, 2 L]
        where = apart.clamp(min=0).to(x.device).expand_as(content)
        score = (content + by_distance.gather(3, where)) * key.shape[3] ** -0.5
        allowed = (apart >= 0).to(x.device)[None].repeat(len(x), 1, 1)
        allowed[~remembers, :, :size] = False
        weights = score.masked_fill(~allowed.unsqueeze(1), -torch.inf).softmax(3)
        attended = (self.dropout(weights) @ value).transpose(1, 2).flatten(2)
        return cast(Tensor, self.norm(x + self.dropout(self.output(attended))))

    def _by_head(self, x: Tensor) -> Tensor:
        """[texts, items, width] → [texts, heads, items, width / heads]."""
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


class Layer(nn.Module):
    """Attention, then two dense layers with a residual and a norm."""

    def __init__(self, config: TransformerXlConfig) -> None:
        super().__init__()
        self.attention = RelativeAttention(config.width, config.heads, config.dropout)
        self.inner = nn.Linear(config.width, config.inner)
        self.outer = nn.Linear(config.inner, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, memory: Tensor, remembers: Tensor) -> Tensor:
        """As the attention's."""
        x = self.attention(x, memory, remembers)
        hidden = self.outer(self.dropout(torch.relu(self.inner(x))))
        return cast(Tensor, self.norm(x + self.dropout(hidden)))


class TransformerXlNetwork(FirstTokensNetwork, CosineBiEncoder):
    """First word pieces → one vector; nothing of it is pretrained but the word vectors."""

    config: TransformerXlConfig

    def __init__(self, config: TransformerXlConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.width)
        self.words.centre()
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.dropout = nn.Dropout(config.dropout)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, width]."""
        ids, mask = self.ids(documents)
        return masked_mean(self.states(self.dropout(embedded(self.words, ids, mask))), mask)

    def states(self, x: Tensor) -> Tensor:
        """Words of texts, padding at their ends, through all layers: [texts, words, width] → the same."""
        size, words = self.config.segment, x.shape[1]
        x = pad(x, (0, 0, 0, -words % size)).reshape(
            len(x), -1, size, x.shape[2]
        )  # [texts, segments, L, width]
        shape = x.shape
        remembers = (torch.arange(shape[1], device=x.device) > 0).repeat(shape[0])
        for layer in self.layers:
            memory = pad(x[:, :-1].detach(), (0, 0, 0, 0, 1, 0))  # of each segment the one before
            x = layer(x.flatten(0, 1), memory.flatten(0, 1), remembers).view(shape)
        return x.flatten(1, 2)[:, :words]


def distances(count: int, width: int) -> Tensor:
    """R: sines, then cosines, of the distances from 0 on: [count, width]."""
    rate = 10_000 ** (-torch.arange(0, width, 2) / width)
    angle = torch.arange(count).unsqueeze(1) * rate
    return torch.cat([angle.sin(), angle.cos()], dim=1)


class TransformerXl(ScoreOnlyBiEncoder[TransformerXlNetwork]):
    """Transformer-XL as a Matcher."""

    network_class = TransformerXlNetwork
    config_class = TransformerXlConfig
