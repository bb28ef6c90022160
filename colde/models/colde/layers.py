"""The layers of a BERT encoder over packed sentences: no padding, in bf16, split below and above.

Linear maps see all tokens of a batch as one long table; only the attention within a sentence looks at sentences,
those of the same length together. The same numbers as the padded form of the encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention


class Layer(nn.Module):
    """One Transformer layer (Vaswani et al. 2017; normalisation after each half, as in BERT)."""

    def __init__(self, width: int, inner: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.attended = nn.LayerNorm(width, epsilon)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.done = nn.LayerNorm(width, epsilon)

    @classmethod
    def copied(cls, layer: nn.Module, epsilon: float) -> Layer:
        """From a layer of a Hugging Face BERT."""
        known = cast(Any, layer)
        own = known.attention.self
        width, inner = own.query.in_features, known.intermediate.dense.out_features
        made = cls(width, inner, own.num_attention_heads, epsilon)
        with torch.no_grad():
            for name in ("weight", "bias"):
                parts = [getattr(m, name) for m in (own.query, own.key, own.value)]
                getattr(made.qkv, name).copy_(torch.cat(parts))
                getattr(made.out, name).copy_(getattr(known.attention.output.dense, name))
                getattr(made.attended, name).copy_(getattr(known.attention.output.LayerNorm, name))
                getattr(made.up, name).copy_(getattr(known.intermediate.dense, name))
                getattr(made.down, name).copy_(getattr(known.output.dense, name))
                getattr(made.done, name).copy_(getattr(known.output.LayerNorm, name))
        return made

    def forward(self, x: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
        """x [tokens, width]; runs: (sentences, their length) one after the other → [tokens, width]."""
        width = x.shape[1]
        mixed = []
        parts = self.qkv(x).split([count * length for count, length in runs])
        for part, (count, length) in zip(parts, runs, strict=True):
            q, k, v = part.view(count, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            mixed.append(_attend(q, k, v).transpose(1, 2).reshape(-1, width))
        x = self.attended(x + self.out(torch.cat(mixed)))
        out: Tensor = self.done(x + self.down(gelu(self.up(x))))
        return out


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """softmax(q kᵀ / √d) v; spelled out in training, where it is four times as fast in bf16 on short sentences."""
    if not torch.is_grad_enabled():
        return scaled_dot_product_attention(q, k, v)
    weights = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1)
    mixed: Tensor = weights @ v
    return mixed


def length_runs(lengths: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of sentences of one length, from lengths in the order of the batch."""
    if not len(lengths):
        return []
    borders = np.flatnonzero(np.diff(lengths)) + 1
    return [(len(run), int(run[0])) for run in np.split(lengths, borders)]


def sentence_means(x: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
    """Mean state of each sentence: [tokens, width] → [sentences, width], float32."""
    parts = torch.split(x, [count * length for count, length in runs])
    means = [
        p.view(count, length, -1).float().mean(1) for p, (count, length) in zip(parts, runs, strict=True)
    ]
    return torch.cat(means)


class Below(nn.Module):
    """Embeddings and the lower layers: frozen, so that what comes out can be kept."""

    def __init__(self, encoder: nn.Module, layers: int) -> None:
        super().__init__()
        known = cast(Any, encoder)
        self.embeddings = known.embeddings
        epsilon = float(known.config.layer_norm_eps)
        self.layers = nn.ModuleList([Layer.copied(x, epsilon) for x in known.encoder.layer[:layers]])
        self.requires_grad_(False)

    def forward(self, ids: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
        """ids [tokens], special tokens included → [tokens, width]."""
        position = torch.cat([torch.arange(n).repeat(count) for count, n in runs])
        x = self.embeddings(input_ids=ids.unsqueeze(0), position_ids=position.unsqueeze(0))[0]
        for layer in self.layers:
            x = layer(x, runs)
        return cast(Tensor, x)


def above(encoder: nn.Module, layers: int) -> nn.ModuleList:
    """Copies of the layers above the first `layers`."""
    known = cast(Any, encoder)
    epsilon = float(known.config.layer_norm_eps)
    return nn.ModuleList([Layer.copied(x, epsilon) for x in known.encoder.layer[layers:]])
