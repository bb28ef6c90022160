"""DeepQA: convolutions, a bilinear similarity and word overlap (Severyn and Moschitti 2015; SMASH RNN's tables).

words → convolution over 5, ReLU → maximum: v_a, v_b
[v_a; v_aᵀ M v_b; v_b; overlap] → dense, tanh → logit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.convolutions import initialise_near_identity, max_over_windows, window_mask
from studies.papers.first_tokens import InteractionNetwork, ScoreOnlyCrossEncoder, embedded

WINDOW = 5
OVERLAPS = 2
ALONE = 0.01  # of the head's weights of v_a and v_b at the start
WEIGHT = 10.0  # of similarity and overlap, whose deviations are about .1


@dataclass(frozen=True, slots=True)
class DeepQaConfig:
    """Sizes of Severyn and Moschitti 2015, 4.2: words of 50, 100 maps, windows of 5."""

    words: int = 50
    features: int = 100
    hidden: int = 100
    dropout: float = 0.2
    tokens: int = 256  # bounded for time


class DeepQaNetwork(InteractionNetwork):
    """Two texts → logit."""

    config: DeepQaConfig

    def __init__(self, config: DeepQaConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.convolution = nn.Conv1d(config.words, config.features, WINDOW, padding=WINDOW // 2)
        initialise_near_identity(self.convolution, config.words)
        n = config.features
        self.matrix = nn.Parameter(torch.eye(n))
        self.dropout = nn.Dropout(config.dropout)
        self.dense = nn.Linear(2 * n + 1 + OVERLAPS, config.hidden)
        self.out = nn.Linear(config.hidden, 1)
        with (
            torch.no_grad()
        ):  # what each text is by itself says nothing at the start, and drowned what compares them
            self.dense.weight[:, :n] *= ALONE
            self.dense.weight[:, n + 1 : 2 * n + 1] *= ALONE

    def joined(self, pairs: Sequence[ModelInput]) -> Tensor:
        """v_a, their similarity, v_b, overlap: [pairs, 2 · features + 3]."""
        ids_a, mask_a, ids_b, mask_b = self.sides(pairs)
        v, w = (self._vectors(i, m) for i, m in ((ids_a, mask_a), (ids_b, mask_b)))
        size = self.config.features
        left, right = (layer_norm(x, [size]) for x in (v, w))
        similarity = WEIGHT * ((left @ self.matrix) * right).sum(1, keepdim=True) / size
        shared = WEIGHT * overlap(ids_a, mask_a, ids_b, mask_b)
        return torch.cat([v, similarity, w, shared], dim=1)

    def _vectors(self, ids: Tensor, mask: Tensor) -> Tensor:
        values = torch.relu(self.convolution(embedded(self.words, ids, mask).transpose(1, 2)))
        return max_over_windows(values, window_mask(mask, mask.shape[1]))

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        hidden = torch.tanh(self.dense(self.dropout(self.joined(pairs))))
        return cast(Tensor, self.out(hidden).squeeze(1))


def overlap(a: Tensor, mask_a: Tensor, b: Tensor, mask_b: Tensor) -> Tensor:
    """Share of a's words that stand in b, and of b's in a: [pairs, 2]."""
    same = (a.unsqueeze(2) == b.unsqueeze(1)) & mask_a.unsqueeze(2) & mask_b.unsqueeze(1)
    shares = [same.any(k).sum(1) / m.sum(1).clamp(min=1) for k, m in ((2, mask_a), (1, mask_b))]
    return torch.stack(shares, dim=1)


class DeepQa(ScoreOnlyCrossEncoder[DeepQaNetwork]):
    """DeepQA as a Matcher."""

    network_class = DeepQaNetwork
    config_class = DeepQaConfig
