"""BERT over padded batches, for models that train it, add low-rank updates, change attention or drop tokens.

The frozen encoder uses `colde.encoders.bert.packed_bert`, which is faster. Modules are named as in Hugging Face's
format, and it computes the same as Hugging Face's network.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

from colde.encoders.bert.bert_files import bert_files


@dataclass(frozen=True, slots=True)
class BertConfig:
    """Sizes of a BERT; `dropout` applies to both halves of a layer and to attention weights, in training only."""

    hidden_size: int
    intermediate_size: int
    num_attention_heads: int
    layer_norm_eps: float
    max_position_embeddings: int
    dropout: float


class Embeddings(nn.Module):
    """Embeddings of word pieces, positions and texts of a pair, summed and normalised."""

    def __init__(self, words: int, types: int, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.word_embeddings = _table(words, width)
        self.position_embeddings = _table(config.max_position_embeddings, width)
        self.token_type_embeddings = _table(types, width)
        self.LayerNorm = nn.LayerNorm(width, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        """[texts, tokens] each: ids, number of the text in a pair, position → [texts, tokens, width]."""
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        out: Tensor = self.dropout(self.LayerNorm(x + self.position_embeddings(position_ids)))
        return out


class SelfAttention(nn.Module):
    """Multi-head self-attention."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = width // config.num_attention_heads
        self.query, self.key, self.value = (_linear(width, width) for _ in range(3))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor | None, queries: Tensor | None = None) -> Tensor:
        """x [texts, tokens, width], mask [texts, tokens] or None without padding → [texts, tokens, width].

        Args:
            queries: [texts, rows, width], the tokens that attend, by default all → [texts, rows, width].
        """
        query = self._by_head(self.query(x if queries is None else queries))
        key, value = (self._by_head(part(x)) for part in (self.key, self.value))
        allowed = None if mask is None else mask[:, None, None, :]
        rate = self.dropout.p if self.training else 0.0
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=rate)
        return mixed.transpose(1, 2).flatten(2)

    def _by_head(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.num_attention_heads, self.attention_head_size).transpose(1, 2)


class Output(nn.Module):
    """A linear map with a residual connection, normalised."""

    def __init__(self, inner: int, config: BertConfig) -> None:
        super().__init__()
        self.dense = _linear(inner, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, before: Tensor) -> Tensor:
        """[…, inner], […, width] → […, width]."""
        out: Tensor = self.LayerNorm(self.dropout(self.dense(x)) + before)
        return out


class Layer(nn.Module):
    """One Transformer layer (Vaswani et al. 2017; normalisation after each half, as in BERT)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = Output(config.intermediate_size, config)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """x [texts, tokens, width], mask [texts, tokens] → [texts, tokens, width]."""
        return self.feed_forward_chunk(self.attention.output(self.attention.self(x, mask), x))

    def first(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Only the first token's new state, with a sixth of the work: [texts, width]."""
        token = x[:, :1]
        return self.feed_forward_chunk(self.attention.output(self.attention.self(x, mask, token), token))[
            :, 0
        ]

    def feed_forward_chunk(self, x: Tensor) -> Tensor:
        """The second half: […, width] → […, width]."""
        out: Tensor = self.output(gelu(self.intermediate.dense(x)), x)
        return out


class Attention(nn.Module):
    """The first half of a layer."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.self = SelfAttention(config)
        self.output = Output(config.hidden_size, config)


class Intermediate(nn.Module):
    """The wide linear map of the second half."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = _linear(config.hidden_size, config.intermediate_size)


class Layers(nn.Module):
    """The layers one after the other."""

    def __init__(self, count: int, config: BertConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(count))


class PaddedBert(nn.Module):
    """The embeddings and layers of a BERT of Hugging Face's format."""

    def __init__(self, words: int, types: int, layers: int, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(words, types, config)
        self.encoder = Layers(layers, config)

    @classmethod
    def load(cls, folder: Path, *, dropout: float = 0.0) -> PaddedBert:
        """From config.json and model.safetensors, in float32 and evaluation mode.

        Args:
            dropout: in training. 0 is right for low-rank updates (`colde.models.shared.lora`): they are small, and
                dropout takes two thirds of a training step (S-BERT in bfloat16 on one core: 942 tokens/s with it, 2,767
                without).

        Raises:
            ModelError: as `bert_files`.
        """
        with bert_files(folder) as files:
            raw, tensors = files.config, files.tensors
            words, types = (len(tensors[f"embeddings.{n}_embeddings.weight"]) for n in ("word", "token_type"))
            sizes = {k: raw[k] for k in BertConfig.__slots__ if k != "dropout"}
            bert = cls(words, types, raw["num_hidden_layers"], BertConfig(**sizes, dropout=dropout))
            bert.load_state_dict({k: tensors[k] for k in bert.state_dict()}, assign=True)
        return bert.eval()

    def forward(self, input_ids: Tensor, mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """ids, mask (False for padding) and text of each token [texts, tokens] → states [texts, tokens, width]."""
        x, present, last = self._below(input_ids, mask, token_type_ids)
        out: Tensor = last(x, present)
        return out

    def first(self, input_ids: Tensor, mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """The state of each text's first token; the last layer computes no other: [texts, width]."""
        x, present, last = self._below(input_ids, mask, token_type_ids)
        return last.first(x, present)

    def _below(
        self, input_ids: Tensor, mask: Tensor, token_type_ids: Tensor | None
    ) -> tuple[Tensor, Tensor | None, Layer]:
        """States below the last layer, the mask if there is padding, and the last layer."""
        x: Tensor = self.embeddings(input_ids, token_type_ids)
        present = None if bool(mask.all()) else mask.bool()
        *below, last = cast(list[Layer], list(self.encoder.layer))
        for layer in below:
            x = layer(x, present)
        return x, present, last


class _Unset(nn.Linear):
    """A linear map whose weights are loaded from a file."""

    def reset_parameters(self) -> None:
        """Draw no random weights."""


def _linear(width: int, out: int) -> nn.Linear:
    return _Unset(width, out)


def _table(rows: int, width: int) -> nn.Embedding:
    unset: Any = torch.empty(rows, width)
    return nn.Embedding(rows, width, _weight=unset)
