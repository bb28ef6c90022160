"""From sentence vectors to chunks, parts and documents: chunkwise attention, Bi-LSTM, projection (3.2).

Two paths meet in the projection, both linear in what they add up, so that every level is the sum of the level below:

    x_q = mean of the unit vectors of the chunk's sentences, less the centre, weighed by tokens and salience
    y_q = D x_q + R h_q,   h = Bi-LSTM over x_q + attention of the chunks of part p over those of part p + 1
    part, section, document = sum of y_q over their chunks by the same weights, then of length one

D is the direct path, R the recurrent one. Each is trained to tell documents apart on its own as well as in the sum, so
that neither can idle.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from colde.models.colde.whole_config import WholeConfig


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the sentences of a batch of documents belong, numbered through the batch.

    Attributes:
        chunk: [sentences]; weight: [sentences], tokens.
        part: [chunks]; mass: [chunks], tokens of the whole chunk, read or not.
        document: [parts].
        following: [parts], the part whose chunks this one's attend to (3.2: the next, the last to the first).
    """

    chunk: Tensor
    weight: Tensor
    part: Tensor
    mass: Tensor
    document: Tensor
    following: Tensor

    @property
    def owner(self) -> Tensor:
        """[chunks], the document of each."""
        return self.document[self.part]


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Vectors of a batch, not normalised; those of parts and documents are sums of `chunks` by `mass`.

    Attributes:
        states: [chunks, width], x_q.
        recurrent: [chunks, projection], R h_q.
        direct: [chunks, projection], D x_q.
        attention: [parts, heads, queries, keys], padded with zeros.
        mass: [chunks], the share of each chunk in its document: tokens by the salience of its sentences.
    """

    states: Tensor
    direct: Tensor
    recurrent: Tensor
    attention: Tensor
    mass: Tensor

    @property
    def chunks(self) -> Tensor:
        """[chunks, projection], y_q."""
        return self.direct + self.recurrent


class ChunkAttention(nn.Module):
    """Attention of the chunks of a part over those of the part that follows (3.2), 4 heads.

    Queries and keys begin as the same map, so that a chunk begins by attending to its like; `gain` makes their
    products large enough to choose between chunks.
    """

    def __init__(self, width: int, heads: int, gain: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        nn.init.orthogonal_(self.query.weight, gain)
        with torch.no_grad():
            self.key.weight.copy_(self.query.weight)
        nn.init.orthogonal_(self.value.weight)
        nn.init.orthogonal_(self.out.weight)

    def forward(self, x: Tensor, mask: Tensor, following: Tensor) -> tuple[Tensor, Tensor]:
        """x [parts, chunks, width], mask [parts, chunks] → outputs like x, weights [parts, heads, chunks, keys]."""
        parts, most, width = x.shape

        def split(t: Tensor) -> Tensor:  # [parts, heads, chunks, width / heads]
            return t.view(parts, most, self.heads, -1).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x))[following], split(self.value(x))[following]
        scores = q @ k.transpose(-1, -2) * (width // self.heads) ** -0.5
        weights = scores.masked_fill(~mask[following][:, None, None, :], -torch.inf).softmax(-1)
        mixed = (weights @ v).transpose(1, 2).reshape(parts, most, width)
        return self.out(mixed), weights


class Aggregate(nn.Module):
    """Sentence vectors to chunk vectors; their sums are parts, sections and documents."""

    centre: Tensor

    def __init__(self, config: WholeConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.register_buffer("centre", torch.zeros(width))
        self.dropout = nn.Dropout(config.dropout)
        if config.attends:
            self.attention = ChunkAttention(width, config.heads, config.attention_gain)
        self.lstm = nn.LSTM(width, config.lstm, batch_first=True, bidirectional=True)
        self.recurrent = nn.Linear(2 * config.lstm, config.projection, bias=False)
        nn.init.orthogonal_(self.recurrent.weight, config.recurrent_gain)
        self.direct = nn.Linear(width, config.projection, bias=False)
        nn.init.orthogonal_(self.direct.weight)

    def forward(self, sentences: Tensor, layout: Layout) -> Aggregated:
        """Unit vectors with their salience, [sentences, width + 1] → vectors of chunks."""
        count = len(layout.part)
        sentences, salience = sentences[:, :-1], sentences[:, -1]
        weight = layout.weight * salience
        read, weighed = (
            weight.new_zeros(count).index_add(0, layout.chunk, w) for w in (layout.weight, weight)
        )
        share = weight / weighed[layout.chunk]
        mass = layout.mass * weighed / read
        mass = (
            mass / mass.new_zeros(int(layout.document[-1]) + 1).index_add(0, layout.owner, mass)[layout.owner]
        )
        states = sentences.new_zeros(count, sentences.shape[1])
        states = states.index_add(0, layout.chunk, (sentences - self.centre) * share.unsqueeze(1))
        x = self.dropout(states * self.config.scale)
        padded, mask, position = self._padded(x, layout)
        weights = x.new_zeros(len(padded), 1, 1, 1)
        y = padded
        if self.config.attends:
            attended, weights = self.attention(padded, mask, layout.following)
            y = padded + attended
        packed = pack_padded_sequence(y, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=y.shape[1])
        h = hidden[layout.part, position]  # [chunks, 2 · lstm]
        return Aggregated(states, self.direct(x), self.recurrent(self.dropout(h)), weights, mass)

    @staticmethod
    def _padded(x: Tensor, layout: Layout) -> tuple[Tensor, Tensor, Tensor]:
        """Chunks by part: [parts, most, width], the mask of them, and each chunk's position in its part."""
        counts = torch.bincount(layout.part, minlength=len(layout.document))
        start = counts.cumsum(0) - counts
        position = torch.arange(len(x)) - start[layout.part]
        mask = torch.arange(int(counts.max())).unsqueeze(0) < counts.unsqueeze(1)
        padded = x.new_zeros(*mask.shape, x.shape[1]).index_put((layout.part, position), x)
        return padded, mask, position


def summed(chunks: Tensor, mass: Tensor, of: Tensor, count: int) -> Tensor:
    """Sums of chunk vectors by mass, of length one: [chunks, d], [chunks], [chunks] → [count, d]."""
    total = chunks.new_zeros(count, chunks.shape[1]).index_add(0, of, chunks * mass.unsqueeze(1))
    return normalize(total, dim=-1)
