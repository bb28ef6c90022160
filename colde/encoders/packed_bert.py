"""A BERT encoder over packed texts: no padding, in bf16 where the processor computes in it, without `transformers`.

Linear maps see all tokens of a batch as one long table; only the attention within a text looks at texts, those of the
same length together. The same numbers as the padded form of the encoder.
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

from colde.encoders.bert_files import bert_files
from colde.encoders.cancellation import interruptible
from colde.encoders.prepacked_linear import Linear, prepacked

Runs: TypeAlias = Sequence[tuple[int, int]]
"""(texts, their length), one after the other: how the tokens of a batch are cut into texts."""

ROWS_STEP = 256
"""Tables of tokens are filled up to a multiple of this for the products: for every new size oneDNN compiles them anew,
and keeps what it compiled. Under 4 % of a full batch."""


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
        """A layer of its own with the same weights."""
        made = Layer(self.up.in_features, self.up.out_features, self.heads, self.done.eps)
        made.load_state_dict(self.state_dict())
        return made

    def forward(self, x: Tensor, runs: Runs) -> Tensor:
        """x [tokens, width] → [tokens, width]."""
        if prepacked(x):
            with torch.autocast("cpu", enabled=False):
                return self._run(x, runs)
        x = self.attended(x + self.out(self._attention(self.qkv(x), runs)))
        out: Tensor = self.done(x + self.down(gelu(self.up(x))))
        return out

    def _run(self, x: Tensor, runs: Runs) -> Tensor:
        """The same in bf16 by prepacked weights, each sum of two fused into the product before it."""
        tokens = len(x)
        more = -tokens % ROWS_STEP
        x = pad(x, (0, 0, 0, more))
        mixed = pad(self._attention(self.qkv.packed(x)[:tokens], runs), (0, 0, 0, more))
        x = _norm(self.attended, self.out.packed(mixed, plus=x))
        return _norm(self.done, self.down.packed(gelu(self.up.packed(x)), plus=x))[:tokens]

    def _attention(self, qkv: Tensor, runs: Runs) -> Tensor:
        """[tokens, 3 · width] → [tokens, width], each text by itself."""
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
    """Word pieces and their places, normalised."""

    def __init__(self, words: Tensor, places: Tensor, segment: Tensor, epsilon: float) -> None:
        super().__init__()
        width = words.shape[1]
        self.words = nn.Embedding(len(words), width, _weight=words)
        self.places = nn.Embedding(len(places), width, _weight=places)
        self.segment = nn.Parameter(segment, requires_grad=False)
        self.norm = nn.LayerNorm(width, epsilon)

    def forward(self, ids: Tensor, runs: Runs, more: Tensor | None = None) -> Tensor:
        """ids [tokens], special tokens included → [tokens, width]; `more` [tokens, width] is added to the sum."""
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
            ModelError: there is no such encoder in the folder, or one of another kind.
        """
        with bert_files(folder) as files:
            config, found = files.config, files.tensors
            epsilon = float(config["layer_norm_eps"])
            embeddings = _embeddings(found, epsilon)
            layers = [
                _layer(found, f"encoder.layer.{i}.", config["num_attention_heads"], epsilon)
                for i in range(config["num_hidden_layers"])
            ]
        made = cls(embeddings, layers).eval()
        made.requires_grad_(False)
        return made

    def forward(self, ids: Tensor, runs: Runs, more: Tensor | None = None) -> Tensor:
        """ids [tokens], special tokens included → states [tokens, width].

        Args:
            more: [tokens, width], added to the embeddings of words and places.
        """
        x: Tensor = self.embeddings(ids, runs, more)
        for layer in self.layers:
            x = layer(x, runs)
        return x


@lru_cache(maxsize=2)
def frozen_bert(folder: Path, dtype: torch.dtype) -> Bert:
    """One for the process, shared by all models that build on it as it is; who trains one loads their own.

    Raises:
        ModelError: as `Bert.load`.
    """
    return interruptible(Bert.load(folder).to(dtype))


def _embeddings(found: dict[str, Tensor], epsilon: float) -> Embeddings:
    words, places, segments = (
        found[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    made = Embeddings(words, places, segments[0].clone(), epsilon)
    _fill(made.norm, found, "embeddings.LayerNorm")
    return made


def _layer(found: dict[str, Tensor], at: str, heads: int, epsilon: float) -> Layer:
    inner, width = found[f"{at}intermediate.dense.weight"].shape
    made = Layer(width, inner, heads, epsilon)
    own = [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
    with torch.no_grad():
        made.qkv.weight.copy_(torch.cat([found[f"{name}.weight"] for name in own]))
        made.qkv.bias.copy_(torch.cat([found[f"{name}.bias"] for name in own]))
    _fill(made.out, found, f"{at}attention.output.dense")
    _fill(made.attended, found, f"{at}attention.output.LayerNorm")
    _fill(made.up, found, f"{at}intermediate.dense")
    _fill(made.down, found, f"{at}output.dense")
    _fill(made.done, found, f"{at}output.LayerNorm")
    return made


@torch.no_grad()
def _fill(module: nn.Linear | nn.LayerNorm, found: dict[str, Tensor], name: str) -> None:
    module.weight.copy_(found[f"{name}.weight"])
    module.bias.copy_(found[f"{name}.bias"])


def length_runs(lengths: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of texts of one length, from lengths in the order of the batch."""
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
