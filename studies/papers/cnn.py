"""CNN: the convolutional baseline of SMASH RNN's tables (Jiang et al. 2019, 4.1; Kim 2014).

first word pieces → projected word vectors → convolutions over 3, 4 and 5 words, ReLU → maximum over all places
→ mean taken off → SMASH's pair head
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.network_input import ModelInput
from studies.papers.convolutions import initialise_near_identity, max_over_windows, window_mask
from studies.papers.first_tokens import FirstTokensNetwork, ScoreOnlyBiEncoder, embedded
from studies.papers.normalised_pair_head import NormalisedPairHead


@dataclass(frozen=True, slots=True)
class CnnConfig:
    """Sizes of SMASH, 4.1; windows and their number as Kim 2014, 3.1."""

    words: int = 256
    windows: tuple[int, ...] = (3, 4, 5)
    features: int = 100  # of each window
    hidden: int = 128
    dropout: float = 0.2  # as SMASH RNN here
    tokens: int = 256  # bounded for time


class CnnNetwork(NormalisedPairHead, FirstTokensNetwork):
    """Word pieces → strongest windows."""

    config: CnnConfig

    def __init__(self, config: CnnConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.dropout = nn.Dropout(config.dropout)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(config.words, config.features, size) for size in config.windows
        )
        for convolution in self.convolutions:
            assert isinstance(convolution, nn.Conv1d)
            initialise_near_identity(convolution, config.words)
        self.add_head(config.features * len(config.windows), config.hidden)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, features · windows]; a window may reach over the end of its text, where words are zeros."""
        ids, mask = self.ids(documents)
        x = self.dropout(embedded(self.words, ids, mask)).transpose(1, 2)  # [documents, words, places]
        x = pad(x, (0, max(self.config.windows) - 1))
        maxima = []
        for convolution in self.convolutions:
            values = torch.relu(convolution(x))
            maxima.append(max_over_windows(values[:, :, : mask.shape[1]], window_mask(mask, mask.shape[1])))
        return cast(Tensor, self.norm(torch.cat(maxima, dim=1)))


class Cnn(ScoreOnlyBiEncoder[CnnNetwork]):
    """CNN as a Matcher."""

    network_class = CnnNetwork
    config_class = CnnConfig
