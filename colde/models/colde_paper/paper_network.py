"""From chunk states to vectors of documents and of their parts: chunkwise attention, Bi-LSTM, projection (3.2).

The default form of CoLDE attends between two documents instead: `colde.models.colde.attention`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, normalize
from torch.nn.utils.rnn import pack_padded_sequence

from colde.encoders.batches import padded_batches
from colde.models.shared.masked_pooling import masked_mean, pad

PADDING = -1
"""Part of the chunks that pad a batch."""

MOST_PADDED = 8_192
"""Chunks in a batch, padding included, so that a long section does not pad hundreds of short ones."""


@dataclass(frozen=True, slots=True)
class PaperConfig:
    """Sizes and switches of the paper's form, each with its source; the switches are the ablations of 4.5."""

    encoder: str = "packaged"  # or a folder, or a Hugging Face name; the paper: BERT-base (4.1.2)
    trained_layers: int = 2  # the encoder's last ones; the paper trains all (docs/departures.md)
    width: int = 384  # the encoder's hidden size
    heads: int = 4  # 4.1.2
    lstm: int = 256  # each way; 512 in all (4.1.2)
    projection: int = 256  # 4.1.2
    parts: int = 2  # n_p, into how many sections a document is split (3.1)
    split_in_use: bool = False  # 4.2: not when documents are compared
    part_rows: int = 8  # parts beyond take the last row
    chunk_rows: int = 64  # chunks beyond take the last row
    scale: float = 8.0  # length of a chunk's state; unit vectors are small numbers for an LSTM
    dropout: float = 0.0
    placed: bool = True  # section and chunk embeddings at the input (3.1)
    attends: bool = True  # chunkwise attention (3.2)
    recurrent: bool = True  # off: CoLDE−LSTM (4.5.2), the mean of the chunks

    @property
    def parts_in_use(self) -> int:
        """Into how many sections a document is split when documents are compared."""
        return self.parts if self.split_in_use else 1


class BiLstm(nn.Module):
    """The last states of both directions over the chunks of a document or part (3.2); padding has no effect."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, hidden, batch_first=True, bidirectional=True)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """[batch, items, d], [batch, items] → [batch, 2 · hidden]."""
        packed = pack_padded_sequence(values, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # [2, batch, hidden]
        return torch.cat([cast(Tensor, last)[0], cast(Tensor, last)[1]], dim=-1)

    def forward_by_steps(self, values: Tensor) -> Tensor:
        """The same without padding, written out: [batch, items, d] → [batch, 2 · hidden].

        It has forward derivatives, which the fused layer does not support.
        """
        return torch.cat([self._one_way(values, ""), self._one_way(values.flip(1), "_reverse")], dim=-1)

    def _one_way(self, values: Tensor, suffix: str) -> Tensor:
        from_input, from_state, *biases = (
            getattr(self.lstm, f"{name}_l0{suffix}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        inputs = values @ from_input.T + sum(biases)  # [batch, items, 4 · hidden]
        state = cell = values.new_zeros(len(values), self.lstm.hidden_size)
        for k in range(values.shape[1]):
            entry, forget, new, out = (inputs[:, k] + state @ from_state.T).chunk(4, dim=-1)
            cell = forget.sigmoid() * cell + entry.sigmoid() * new.tanh()
            state = out.sigmoid() * cell.tanh()
        return state


class PaperNetwork(nn.Module):
    """Chunks of part p attend to those of part p + 1, of the last part to those of the first."""

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
            x: [documents, chunks, width]; part: [documents, chunks], p from 0 without a gap, or `PADDING`.

        Returns:
            Outputs [documents, chunks, width] and weights [documents, heads, chunks, chunks], rows sum to one.
        """
        count = part.amax(1, keepdim=True).clamp(min=0) + 1
        attended = torch.where(part == PADDING, part, (part + 1) % count)
        masked = attended.unsqueeze(2) != part.unsqueeze(1)  # [documents, chunks, chunks attended to]
        mask = masked.repeat_interleave(self.config.heads, 0)
        output: tuple[Tensor, Tensor] = self.attention(x, x, x, attn_mask=mask, average_attn_weights=False)
        return output

    def mix(self, states: Tensor, part: Tensor) -> Tensor:
        """Chunk states [documents, chunks, width] plus their attention output."""
        x: Tensor = self.dropout(normalize(states, dim=-1) * self.config.scale)
        return x + self.attend(x, part)[0] if self.config.attends else x

    def read(self, x: Tensor, mask: Tensor) -> Tensor:
        """Runs of chunks [runs, chunks, width], [runs, chunks] → vectors [runs, projection], of length one."""
        pooled = self.states(x, mask) if self.config.recurrent else masked_mean(x, mask)
        return normalize(self.project(pooled), dim=-1)

    def forward(self, states: Tensor, part: Tensor) -> Tensor:
        """Vectors of documents: [documents, chunks, width], [documents, chunks] → [documents, projection]."""
        return self.read(self.mix(states, part), part != PADDING)

    def parts(self, states: Tensor, part: Tensor) -> Tensor:
        """Vectors of the parts of the documents, in order: [parts of all documents, projection]."""
        x = self.mix(states, part)
        rows = [x[d, part[d] == p] for d in range(len(x)) for p in range(int(part[d].max()) + 1)]
        batches = list(padded_batches([len(r) for r in rows], MOST_PADDED))
        vectors = torch.cat([self.read(*pad([rows[i] for i in batch])) for batch in batches])
        return vectors[torch.from_numpy(np.concatenate(batches).argsort())]

    def single(self, states: Tensor) -> Tensor:
        """Each chunk as a document: [chunks, width] → [chunks, projection]."""
        alone = states.unsqueeze(1)
        return self.forward(alone, torch.zeros(alone.shape[:2], dtype=torch.long))

    def unscaled(self, x: Tensor, part: Tensor) -> Tensor:
        """Vectors of versions of one document before they are scaled to length one, for the explanation.

        Args:
            x: [versions, chunks, width], chunk states of the length `scale`; part: [chunks].

        Returns:
            [versions, projection], with forward derivatives in x.
        """
        if self.config.attends:
            x = x + self._attend_by_steps(x, part)
        pooled = self.states.forward_by_steps(x) if self.config.recurrent else x.mean(1)
        projected: Tensor = self.project(pooled)
        return projected

    def _attend_by_steps(self, x: Tensor, part: Tensor) -> Tensor:
        """`attend` without the fused layer, which does not support forward derivatives."""
        layer = self.attention
        shape = (len(x), x.shape[1], self.config.heads, -1)
        q, k, v = (  # each [versions, heads, chunks, width of a head]
            t.reshape(shape).transpose(1, 2)
            for t in linear(x, layer.in_proj_weight, layer.in_proj_bias).chunk(3, -1)
        )
        masked = ((part + 1) % (part.max() + 1))[:, None] != part[None]
        weights = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).masked_fill(masked, -torch.inf).softmax(-1)
        output: Tensor = layer.out_proj((weights @ v).transpose(1, 2).flatten(2))
        return output


def batched(rows: Sequence[Tensor], parts: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """States [chunks_i, width] and parts [chunks_i] of documents as one batch, padded with `PADDING`."""
    states, mask = pad(rows)
    numbers = torch.full(mask.shape, PADDING)
    numbers[mask] = torch.cat(list(parts))
    return states, numbers
