"""From chunk states to vectors of documents and of their parts: chunkwise attention, Bi-LSTM, projection (3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, normalize

from colde.models.colde_paper.paper_config import PaperConfig
from colde.models.shared.masked_pooling import BiLstm, masked_mean, pad

PADDING = -1
"""The part of a chunk that only fills up a batch."""

MOST_PADDED = 8_192
"""Chunks that are read together, padding included: a book's longest section must not pad hundreds of short ones."""


class PaperNetwork(nn.Module):
    """Chunks of part p look at those of part p + 1, the last part's at the first's; a lone part's at its own."""

    def __init__(self, config: PaperConfig) -> None:
        super().__init__()
        self.config = config
        self.dropout = nn.Dropout(config.dropout)
        if config.attends:
            self.attention = nn.MultiheadAttention(config.width, config.heads, batch_first=True)
        if config.recurrent:
            self.states = BiLstm(config.width, config.lstm)
        inner = 2 * config.lstm if config.recurrent else config.width
        self.project = nn.Linear(inner, config.projection)

    def attend(self, x: Tensor, part: Tensor) -> tuple[Tensor, Tensor]:
        """Chunkwise attention (3.2).

        Args:
            x: [documents, chunks, width]; part: [documents, chunks], p from 0 without a gap, `PADDING` for padding.

        Returns:
            Outputs [documents, chunks, width] and weights [documents, heads, chunks, chunks], rows sum to one.
        """
        count = part.amax(1, keepdim=True).clamp(min=0) + 1
        wanted = torch.where(part == PADDING, part, (part + 1) % count)
        barred = wanted.unsqueeze(2) != part.unsqueeze(1)  # [documents, chunks that look, chunks looked at]
        mask = barred.repeat_interleave(self.config.heads, 0)
        found: tuple[Tensor, Tensor] = self.attention(x, x, x, attn_mask=mask, average_attn_weights=False)
        return found

    def mix(self, states: Tensor, part: Tensor) -> Tensor:
        """States of chunks [documents, chunks, width] joined with what their attention finds."""
        x: Tensor = self.dropout(normalize(states, dim=-1) * self.config.scale)
        if not self.config.attends:
            return x
        found, _ = self.attend(x, part)
        return x + found

    def read(self, x: Tensor, mask: Tensor) -> Tensor:
        """Runs of chunks [runs, chunks, width], [runs, chunks] → vectors [runs, projection], of length one."""
        pooled = self.states(x, mask) if self.config.recurrent else masked_mean(x, mask)
        return normalize(self.project(pooled), dim=-1)

    def forward(self, states: Tensor, part: Tensor) -> Tensor:
        """Vectors of whole documents: [documents, chunks, width], [documents, chunks] → [documents, projection]."""
        return self.read(self.mix(states, part), part != PADDING)

    def parts(self, states: Tensor, part: Tensor) -> Tensor:
        """Vectors of the parts of the documents, in order: [parts of all documents, projection]."""
        x = self.mix(states, part)
        rows = [x[d, part[d] == p] for d in range(len(x)) for p in range(int(part[d].max()) + 1)]
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        found = torch.cat([self.read(*pad([rows[i] for i in some])) for some in _together(order, rows)])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return found[back]

    def single(self, states: Tensor) -> Tensor:
        """Each chunk as a document of its own: [chunks, width] → [chunks, projection]."""
        alone = states.unsqueeze(1)
        return self.forward(alone, torch.zeros(alone.shape[:2], dtype=torch.long))

    def unscaled(self, x: Tensor, part: Tensor) -> Tensor:
        """Vectors of versions of one document before they are scaled to length one, for the explanation.

        Args:
            x: [versions, chunks, width], chunk states of the length `scale`; part: [chunks].

        Returns:
            [versions, projection], differentiable forward in x.
        """
        if self.config.attends:
            x = x + self._attend_by_steps(x, part)
        pooled = self.states.forward_by_steps(x) if self.config.recurrent else x.mean(1)
        projected: Tensor = self.project(pooled)
        return projected

    def _attend_by_steps(self, x: Tensor, part: Tensor) -> Tensor:
        """`attend` of versions of one document without the fused layer, which knows no derivatives forward."""
        own, heads = self.attention, self.config.heads
        q, k, v = linear(x, own.in_proj_weight, own.in_proj_bias).chunk(3, -1)
        split = (len(x), x.shape[1], heads, -1)
        q, k, v = (
            t.reshape(split).transpose(1, 2) for t in (q, k, v)
        )  # [versions, heads, chunks, width of a head]
        seen = (part + 1) % (part.max() + 1)
        barred = seen[:, None] != part[None]
        weights = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).masked_fill(barred, -torch.inf).softmax(-1)
        found: Tensor = own.out_proj((weights @ v).transpose(1, 2).reshape(x.shape))
        return found


def batched(rows: Sequence[Tensor], parts: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """States [chunks_i, width] and parts [chunks_i] of documents as one batch, filled up with `PADDING`."""
    states, mask = pad(rows)
    numbers = torch.full(mask.shape, PADDING)
    numbers[mask] = torch.cat(list(parts))
    return states, numbers


def _together(order: Sequence[int], rows: Sequence[Tensor]) -> Iterator[list[int]]:
    """Runs of positions, shortest rows first, at most so many chunks with their padding."""
    some: list[int] = []
    for i in order:
        if some and (len(some) + 1) * len(rows[i]) > MOST_PADDED:
            yield some
            some = []
        some.append(i)
    yield some
