"""From chunk vectors to section and document vectors: chunkwise attention, Bi-LSTM, projection (3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde.config import ColdeConfig
from colde.models.masked import AttentionPool, LastStates, masked_mean

MOST_WEIGHTS = 2**21
"""Attention weights of sections that are read together, with their padding, a head: 64 MB for eight heads."""


def runs_of_sections(chunks: Sequence[int]) -> list[range]:
    """Neighbouring sections that are padded together: a book's longest section must not pad hundreds of short ones.

    Args:
        chunks: [sections], number of chunks in each.
    """
    found: list[range] = []
    begin, longest = 0, 0
    for i, count in enumerate(chunks):
        # One more than the run: the section that its last one attends to.
        wider = max(longest, count, chunks[(i + 1) % len(chunks)])
        if i > begin and (i - begin + 2) * wider**2 > MOST_WEIGHTS:
            found.append(range(begin, i))
            begin, wider = i, max(count, chunks[(i + 1) % len(chunks)])
        longest = wider
    return [*found, range(begin, len(chunks))] if chunks else []


class ColdeNetwork(nn.Module):
    """From chunk vectors to section vectors (3.2). A whole document is one section that attends to itself."""

    centre: Tensor

    def __init__(self, config: ColdeConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.register_buffer("centre", torch.zeros(width))
        self.dropout = nn.Dropout(config.dropout)
        paper = config.form == "paper"
        if config.recurrent:
            self.attention = nn.MultiheadAttention(width, config.heads, batch_first=True)
            self.states = LastStates(width, config.lstm)
        if not paper:
            self.pool = AttentionPool(width, config.pool_hidden)
            if config.recurrent:
                self.correction = nn.Linear(2 * config.lstm, width)
                nn.init.zeros_(self.correction.weight)
                nn.init.zeros_(self.correction.bias)
        inner = 2 * config.lstm if paper and config.recurrent else width
        self.project = nn.Linear(inner, config.projection, bias=paper)
        if not paper:
            nn.init.orthogonal_(self.project.weight)

    def center_and_scale(self, chunks: Tensor) -> Tensor:
        """Encoder states [..., width] → unit vectors, centred, scaled."""
        return (normalize(chunks, dim=-1) - self.centre) * self.config.scale

    def attend(self, x: Tensor, mask: Tensor, following: Tensor) -> tuple[Tensor, Tensor]:
        """Chunks of section p over those of section p + 1 (3.2).

        Args:
            x: [sections, chunks, width]; mask: [sections, chunks].
            following: [sections], the position of each section's successor.

        Returns:
            Outputs [sections, chunks, width] and weights [sections, heads, chunks, chunks of the successor].
        """
        keys = x[following]
        out, weights = self.attention(
            x, keys, keys, key_padding_mask=~mask[following], average_attn_weights=False
        )
        return out, weights

    def forward(
        self, chunks: Tensor, mask: Tensor, following: Tensor | None = None, *, correct: bool = True
    ) -> Tensor:
        """Section vectors z: [sections, chunks, width], [sections, chunks] → [sections, projection], normalised.

        Without `following` every section attends to itself; without `correct` the residual form leaves its
        correction out (the first part of training, where it would be zero or noise).
        """
        x = self.dropout(self.center_and_scale(chunks))
        if following is None:
            following = torch.arange(len(x), device=x.device)
        paper = self.config.form == "paper"
        pooled = masked_mean(x, mask) if paper else self.pool(x, mask)  # [sections, width]
        if self.config.recurrent and (paper or correct):
            attended, _ = self.attend(x, mask, following)
            last = self.states(x + attended, mask)  # [sections, 2 · lstm]
            pooled = last if paper else pooled + self.correction(last)
        return normalize(self.project(pooled), dim=-1)

    def unscaled(self, x: Tensor) -> Tensor:
        """Document vectors before they are scaled to length one, each document a section that attends to itself.

        Differentiable in its input, for the explanation.

        Args:
            x: [documents, chunks, width], centred and scaled; no padding.

        Returns:
            [documents, projection].
        """
        paper = self.config.form == "paper"
        every = torch.ones(x.shape[:2], dtype=torch.bool, device=x.device)
        pooled = masked_mean(x, every) if paper else self.pool(x, every)
        if self.config.recurrent:
            attended, _ = self.attend(x, every, torch.arange(len(x), device=x.device))
            last = self.states.step_by_step(x + attended)  # [documents, 2 · lstm]
            pooled = last if paper else pooled + self.correction(last)
        return cast(Tensor, self.project(pooled))

    def single(self, chunks: Tensor) -> Tensor:
        """Each chunk as a section of its own: [chunks, width] → [chunks, projection], normalised.

        In the residual form without the correction: Bi-LSTM states of different chunks grow alike in training
        and a map made of them says nothing (docs/results.md).
        """
        if self.config.form == "paper":
            return self.forward(chunks.unsqueeze(1), torch.ones(len(chunks), 1, dtype=torch.bool))
        return normalize(self.project(self.center_and_scale(chunks)), dim=-1)

    def chunk_attention(self, a: Tensor, b: Tensor) -> Tensor:
        """Attention of a's chunks over b's, mean of the heads: [chunks a, width], [chunks b, width] → rows sum to 1."""
        x, keys = self.center_and_scale(a).unsqueeze(0), self.center_and_scale(b).unsqueeze(0)
        _, weights = self.attention(x, keys, keys)
        return cast(Tensor, weights)[0]
