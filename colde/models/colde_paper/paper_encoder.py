"""The pretrained encoder with CoLDE's section and chunk embeddings at its input (3.1, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.encoders.packed_bert import Bert, length_runs, text_means
from colde.models.colde_paper.paper_config import PaperConfig

TOKENS = 8_192
"""Tokens that go through the encoder at once."""


@dataclass(frozen=True, slots=True)
class ChunkInput:
    """A chunk as the encoder reads it.

    Attributes:
        ids: [tokens], special tokens included.
        part: p, the part of the document that it belongs to; chunk: q, its number in that part (3.1).
    """

    ids: NDArray[np.integer]
    part: int
    chunk: int


class PaperEncoder(nn.Module):
    """T_r + place r + S_p + C_q through the encoder; the mean of the last states is the chunk's (3.1).

    S and C begin at zero, so that the first step sees the pretrained encoder.
    """

    def __init__(self, bert: Bert, config: PaperConfig) -> None:
        super().__init__()
        self.bert = bert.requires_grad_(False)
        for layer in list(bert.layers)[len(bert.layers) - config.trained_layers :]:
            layer.requires_grad_(True)
        self.part = nn.Embedding(config.part_rows, config.width)
        self.chunk = nn.Embedding(config.chunk_rows, config.width)
        for table in (self.part, self.chunk):
            nn.init.zeros_(table.weight)
            table.requires_grad_(config.placed)

    def forward(self, inputs: Sequence[ChunkInput]) -> Tensor:
        """States of chunks, those of one length side by side: [chunks, width], float32."""
        lengths = np.array([len(i.ids) for i in inputs])
        runs = length_runs(lengths)
        part = torch.tensor([i.part for i in inputs]).clamp(max=self.part.num_embeddings - 1)
        chunk = torch.tensor([i.chunk for i in inputs]).clamp(max=self.chunk.num_embeddings - 1)
        place = self.part(part) + self.chunk(chunk)  # S_p + C_q: [chunks, width]
        ids = torch.from_numpy(np.concatenate([i.ids for i in inputs]).astype(np.int64))
        states = self.bert(ids, runs, place.repeat_interleave(torch.from_numpy(lengths), 0))
        return text_means(states, runs)

    def trained(self) -> dict[str, Tensor]:
        """Tensors that differ from the pretrained encoder."""
        return {name: p.detach() for name, p in self.named_parameters() if p.requires_grad}


def batches(inputs: Sequence[ChunkInput], tokens: int = TOKENS) -> Iterator[NDArray[np.int64]]:
    """Positions of chunks, shortest first, at most so many tokens at once."""
    lengths = np.array([len(i.ids) for i in inputs], dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    number = (np.cumsum(lengths[order]) - 1) // tokens
    for run in np.split(order, np.flatnonzero(np.diff(number)) + 1):
        if len(run):
            yield run


def read_chunks(encoder: PaperEncoder, inputs: Sequence[ChunkInput], tokens: int = TOKENS) -> Tensor:
    """States of chunks without a gradient, some at a time: [chunks, width]."""
    found = torch.zeros(len(inputs), encoder.part.embedding_dim)
    with torch.inference_mode():
        for some in batches(inputs, tokens):
            found[torch.from_numpy(some)] = encoder([inputs[i] for i in some])
    return found
