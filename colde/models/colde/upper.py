"""The trained layers of the encoder, with the section and chunk embeddings at their input (3.1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.encoders.encoder import encoder_folder
from colde.encoders.packed import Bert
from colde.models.colde.layers import above, sentence_means
from colde.models.colde.whole_config import WholeConfig


class Salience(nn.Module):
    """How much a sentence counts beside its length: exp(limit · tanh(u · tanh(W m))), m its mean state.

    The state knows where the sentence stands (S_p, C_q), so that an introduction can count more than a listing.
    """

    def __init__(self, width: int, hidden: int, limit: float) -> None:
        super().__init__()
        self.limit = limit
        self.key = nn.Linear(width, hidden)
        self.query = nn.Parameter(torch.randn(hidden) * 0.1 / hidden**0.5)

    def forward(self, means: Tensor) -> Tensor:
        """[sentences, width] → [sentences], positive, 1 for a sentence that counts as its length says."""
        return torch.exp(self.limit * torch.tanh(torch.tanh(self.key(means)) @ self.query))


class Upper(nn.Module):
    """States below the trained layers + S_p + C_q → trained layers → unit vectors of sentences, and their salience.

    The paper adds S_p and C_q to the word embeddings. The layers below are frozen here and what leaves them is computed
    once, so that the sum enters where training begins (docs/departures.md).
    """

    def __init__(self, config: WholeConfig, encoder: Bert | None = None) -> None:
        super().__init__()
        encoder = encoder or Bert.load(encoder_folder(config.encoder))
        self.layers = above(encoder, config.frozen_layers)
        self.section = nn.Embedding(config.section_rows, config.width)
        self.chunk = nn.Embedding(config.chunk_rows, config.width)
        nn.init.normal_(self.section.weight, std=config.place_std)
        nn.init.normal_(self.chunk.weight, std=config.place_std)
        self.salience = Salience(config.width, config.salience, config.salience_limit)

    def forward(
        self, x: Tensor, runs: list[tuple[int, int]], section: Tensor, chunk: Tensor, lengths: Tensor
    ) -> Tensor:
        """x [tokens, width] in runs of sentences of one length; p, q, lengths [sentences] → [sentences, width + 1].

        The last column is the salience.
        """
        place = self.section(section.clamp(max=self.section.num_embeddings - 1)) + self.chunk(
            chunk.clamp(max=self.chunk.num_embeddings - 1)
        )
        x = x + place.to(x.dtype).repeat_interleave(lengths, 0)
        for layer in self.layers:
            x = layer(x, runs)
        means = sentence_means(x, runs)
        with torch.autocast("cpu", enabled=False):
            return torch.cat([normalize(means, dim=-1), self.salience(means).unsqueeze(1)], 1)
