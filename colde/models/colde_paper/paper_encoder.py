"""The pretrained encoder with CoLDE's section and chunk embeddings at its input (3.1, figure 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.encoders.batches import by_length
from colde.encoders.bert.packed_bert import Bert, length_runs, text_means
from colde.models.colde.augmentation import split_parts
from colde.models.colde_paper.paper_network import PaperConfig

TOKENS = 8_192
"""Tokens of a batch."""


@dataclass(frozen=True, slots=True)
class ChunkInput:
    """Input of the encoder for a chunk.

    Attributes:
        ids: [tokens], special tokens included.
        part: p, the part of the document that it belongs to; chunk: q, its number in that part (3.1).
    """

    ids: NDArray[np.integer]
    part: int
    chunk: int


def chunk_inputs(ids: Sequence[NDArray[np.int32]], parts: int) -> tuple[list[ChunkInput], NDArray[np.int64]]:
    """Inputs of the chunks of a document, and the part p of each."""
    part = split_parts(np.array([len(i) for i in ids], dtype=np.float64), parts)
    number = np.arange(len(part)) - np.searchsorted(part, part)
    return [ChunkInput(i, int(p), int(q)) for i, p, q in zip(ids, part, number, strict=True)], part


class PaperEncoder(nn.Module):
    """T_r + position r + S_p + C_q through the encoder; the state of a chunk is the mean of the last states (3.1).

    S and C start at zero, so that the first step equals the pretrained encoder.
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
        position = self.part(part) + self.chunk(chunk)  # S_p + C_q: [chunks, width]
        ids = torch.from_numpy(np.concatenate([i.ids for i in inputs]).astype(np.int64))
        states = self.bert(ids, runs, position.repeat_interleave(torch.from_numpy(lengths), 0))
        return text_means(states, runs)

    def trained(self) -> dict[str, Tensor]:
        """Tensors that differ from the pretrained encoder."""
        return {name: p.detach() for name, p in self.named_parameters() if p.requires_grad}


def read_chunks(
    encoder: PaperEncoder,
    inputs: Sequence[ChunkInput],
    tokens: int = TOKENS,
    on_batch: Callable[[int], None] | None = None,
) -> Tensor:
    """States of chunks without a gradient, in batches: [chunks, width].

    Args:
        on_batch: called with the chunks of each batch that is done.
    """
    states = torch.zeros(len(inputs), encoder.part.embedding_dim)
    with torch.inference_mode():
        for batch in by_length([len(i.ids) for i in inputs], tokens):
            states[torch.from_numpy(batch)] = encoder([inputs[i] for i in batch])
            if on_batch is not None:
                on_batch(len(batch))
    return states
