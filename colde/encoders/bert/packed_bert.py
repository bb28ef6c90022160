"""BERT over packed texts: without padding, in bf16 where the processor supports it.

Linear maps process all tokens of a batch as one long table; only attention separates texts, those of one length
together. It computes the same as `colde.encoders.bert.padded_bert`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, pad, scaled_dot_product_attention

from colde.encoders.bert.bert_files import BertFiles, bert_files
from colde.encoders.bert.prepacked_linear import Linear, prepacked
from colde.encoders.cancellation import interruptible

Runs: TypeAlias = Sequence[tuple[int, int]]
"""(texts, their length), one after the other: how the tokens of a batch divide into texts."""

ROWS_STEP = 256
"""Tables of tokens are padded to a multiple of this: oneDNN compiles its products for every new size, and keeps them.
Less than 4 % of a full batch."""


class Layer(nn.Module):
    """One Transformer layer (Vaswani et al. 2017; normalisation after each half, as in BERT)."""

    def __init__(self, width: int, inner: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = Linear(width, 3 * width)
        self.out = Linear(width, width)
        self.attended = nn.LayerNorm(width, epsilon)
        self.up = Linear(width, inner)
        self.down = Linear(inner, width)
        self.done = nn.LayerNorm(width, epsilon)

    def copy(self) -> Layer:
        """A copy that shares no weights."""
        layer = Layer(self.up.in_features, self.up.out_features, self.heads, self.done.eps)
        layer.load_state_dict(self.state_dict())
        return layer

    def forward(self, x: Tensor, runs: Runs) -> Tensor:
        """x [tokens, width] → [tokens, width]."""
        if prepacked(x):
            with torch.autocast("cpu", enabled=False):
                return self._run(x, runs)
        x = self.attended(x + self.out(self._attention(self.qkv(x), runs)))
        out: Tensor = self.done(x + self.down(gelu(self.up(x))))
        return out

    def _run(self, x: Tensor, runs: Runs) -> Tensor:
        """The same in bf16 with prepacked weights, each sum fused into the product before it."""
        tokens = len(x)
        more = -tokens % ROWS_STEP
        x = pad(x, (0, 0, 0, more))
        mixed = pad(self._attention(self.qkv.packed(x)[:tokens], runs), (0, 0, 0, more))
        x = _norm(self.attended, self.out.packed(mixed, plus=x))
        return _norm(self.done, self.down.packed(gelu(self.up.packed(x)), plus=x))[:tokens]

    def _attention(self, qkv: Tensor, runs: Runs) -> Tensor:
        """[tokens, 3 · width] → [tokens, width], within each text."""
        width = qkv.shape[1] // 3
        mixed = []
        parts = torch.split(qkv, [count * length for count, length in runs])
        for part, (count, length) in zip(parts, runs, strict=True):
            q, k, v = part.view(count, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            mixed.append(_attend(q, k, v).transpose(1, 2).reshape(-1, width))
        return torch.cat(mixed)


def _norm(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    return layer_norm(x, norm.normalized_shape, norm.weight.to(x.dtype), norm.bias.to(x.dtype), norm.eps)


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """softmax(q kᵀ / √d) v; spelled out in training, where it is four times as fast in bf16 on short texts."""
    if not torch.is_grad_enabled():
        return scaled_dot_product_attention(q, k, v)
    weights = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1)
    mixed: Tensor = weights @ v
    return mixed


class Embeddings(nn.Module):
    """Embeddings of word pieces and positions, normalised."""

    def __init__(self, words: Tensor, places: Tensor, segment: Tensor, epsilon: float) -> None:
        super().__init__()
        width = words.shape[1]
        self.words = nn.Embedding(len(words), width, _weight=words)
        self.places = nn.Embedding(len(places), width, _weight=places)
        self.segment = nn.Parameter(segment, requires_grad=False)
        self.norm = nn.LayerNorm(width, epsilon)

    def forward(self, ids: Tensor, runs: Runs, more: Tensor | None = None) -> Tensor:
        """ids [tokens], special tokens included → [tokens, width]; `more` [tokens, width] is added before the norm."""
        place = torch.cat([torch.arange(n, device=ids.device).repeat(count) for count, n in runs])
        summed = self.words(ids) + self.segment + self.places(place)
        x: Tensor = self.norm(summed if more is None else summed + more)
        return x


class Bert(nn.Module):
    """The embeddings and layers of a BERT of Hugging Face's format."""

    def __init__(self, embeddings: Embeddings, layers: Iterable[Layer]) -> None:
        super().__init__()
        self.embeddings = embeddings
        self.layers = nn.ModuleList(layers)

    @classmethod
    def load(cls, folder: Path) -> Bert:
        """From config.json and model.safetensors, in float32 and frozen.

        Raises:
            ModelError: as `bert_files`.
        """
        with bert_files(folder) as files:
            return cls.of(files)

    @classmethod
    def of(cls, files: BertFiles) -> Bert:
        """From the content of the files, frozen; embeddings keep the precision of their tensors."""
        config, tensors = files.config, files.tensors
        epsilon = float(config["layer_norm_eps"])
        embeddings = _embeddings(tensors, epsilon)
        layers = [
            _layer(tensors, f"encoder.layer.{i}.", config["num_attention_heads"], epsilon)
            for i in range(config["num_hidden_layers"])
        ]
        return cls(embeddings, layers).eval().requires_grad_(False)

    def forward(self, ids: Tensor, runs: Runs, more: Tensor | None = None) -> Tensor:
        """ids [tokens], special tokens included → states [tokens, width].

        Args:
            more: [tokens, width], added to the embeddings of words and positions.
        """
        x: Tensor = self.embeddings(ids, runs, more)
        for layer in self.layers:
            x = layer(x, runs)
        return x


@lru_cache(maxsize=2)
def frozen_bert(folder: Path, dtype: torch.dtype) -> Bert:
    """The frozen encoder that the models of this process share.

    Raises:
        ModelError: as `bert_files`.
    """
    return interruptible(Bert.load(folder).to(dtype))


def _embeddings(tensors: dict[str, Tensor], epsilon: float) -> Embeddings:
    words, positions, segments = (
        tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    embeddings = Embeddings(words, positions, segments[0].clone(), epsilon)
    _fill(embeddings.norm, tensors, "embeddings.LayerNorm")
    return embeddings


def _layer(tensors: dict[str, Tensor], prefix: str, heads: int, epsilon: float) -> Layer:
    inner, width = tensors[f"{prefix}intermediate.dense.weight"].shape
    layer = Layer(width, inner, heads, epsilon)
    _fill(layer.qkv, tensors, *(f"{prefix}attention.self.{part}" for part in ("query", "key", "value")))
    _fill(layer.out, tensors, f"{prefix}attention.output.dense")
    _fill(layer.attended, tensors, f"{prefix}attention.output.LayerNorm")
    _fill(layer.up, tensors, f"{prefix}intermediate.dense")
    _fill(layer.down, tensors, f"{prefix}output.dense")
    _fill(layer.done, tensors, f"{prefix}output.LayerNorm")
    return layer


@torch.no_grad()
def _fill(module: nn.Linear | nn.LayerNorm, tensors: dict[str, Tensor], *names: str) -> None:
    """Copy the tensors of one or more maps, one after the other."""
    module.weight.copy_(torch.cat([tensors[f"{name}.weight"] for name in names]))
    module.bias.copy_(torch.cat([tensors[f"{name}.bias"] for name in names]))


def length_runs(lengths: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of texts of one length, from the lengths in the order of the batch."""
    if not len(lengths):
        return []
    borders = np.flatnonzero(np.diff(lengths)) + 1
    return [(len(run), int(run[0])) for run in np.split(lengths, borders)]


def text_means(x: Tensor, runs: Runs) -> Tensor:
    """Mean state of each text: [tokens, width] → [texts, width], float32."""
    parts = torch.split(x, [count * length for count, length in runs])
    means = [
        p.view(count, length, -1).float().mean(1) for p, (count, length) in zip(parts, runs, strict=True)
    ]
    return torch.cat(means)
