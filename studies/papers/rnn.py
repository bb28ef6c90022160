"""RNN: the word-level baseline of SMASH RNN's tables (Jiang et al. 2019, 4.1).

first word pieces → projected word vectors → bidirectional GRU → last state each way → mean taken off
→ SMASH's pair head
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import ProjectedWords
from colde.models.shared.gru_attention import GroupGru
from colde.models.shared.network_input import ModelInput
from studies.papers.first_tokens import FirstTokensNetwork, ScoreOnlyBiEncoder
from studies.papers.normalised_pair_head import NormalisedPairHead


@dataclass(frozen=True, slots=True)
class RnnConfig:
    """Sizes of SMASH, 4.1, which all its baselines have."""

    words: int = 256
    hidden: int = 128  # each way, and of the pair head
    dropout: float = 0.2  # as SMASH RNN here
    tokens: int = 256  # one sequence of so many steps; bounded for time


class RnnNetwork(NormalisedPairHead, FirstTokensNetwork):
    """Word pieces → last states of a GRU that reads them both ways."""

    config: RnnConfig

    def __init__(self, config: RnnConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.dropout = nn.Dropout(config.dropout)
        self.gru = GroupGru(config.words, config.hidden)
        chrono_initialise(self.gru, config.tokens)
        self.add_head(2 * config.hidden, config.hidden)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, 2 · hidden]: the state after the last word, and of the way back after the first."""
        texts = [d.ids[: self.most] for d in documents]
        lengths = torch.tensor([len(t) for t in texts])
        zeros = torch.zeros(len(texts), 2 * self.config.hidden, device=self.device)
        if not int(lengths.sum()):
            return cast(Tensor, self.norm(zeros))
        ids = torch.cat([torch.from_numpy(t).long() for t in texts]).to(self.device)
        different, where = torch.unique(ids, return_inverse=True)
        states = self.gru(self.dropout(self.words(different)), lengths, where)  # [words, 2 · hidden]
        there = torch.nonzero(lengths).squeeze(1)
        ends = lengths.cumsum(0)[there]
        forward, backward = states.chunk(2, dim=1)
        last = torch.cat([forward[ends - 1], backward[ends - lengths[there]]], dim=1)
        return cast(Tensor, self.norm(zeros.index_put((there.to(self.device),), last)))


@torch.no_grad()
def chrono_initialise(gru: GroupGru, steps: int) -> None:
    """Chrono initialisation (Tallec and Ollivier 2018, 2): update gates begin with the bias log U(1, steps − 1).

    Half of a state is then forgotten after a number of words drawn evenly up to .7 of so many; else after one word.
    """
    hidden = gru.gru.hidden_size
    for name, bias in gru.gru.named_parameters():
        if name.startswith("bias"):
            drawn = torch.empty(hidden).uniform_(1, max(steps - 1, 1)).log()
            update = bias[hidden : 2 * hidden]  # z of h ← (1 − z) n + z h
            update.copy_(drawn if name.startswith("bias_ih") else torch.zeros(hidden))


class Rnn(ScoreOnlyBiEncoder[RnnNetwork]):
    """RNN as a Matcher."""

    network_class = RnnNetwork
    config_class = RnnConfig
