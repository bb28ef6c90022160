"""S-LONG as CoLDE compares itself with it (Jha et al. 2023, 4.1.3): a siamese Longformer over 4,096 tokens, cosine.

Made from the default encoder as Longformer was made from RoBERTa (Beltagy, Peters and Cohan 2020, section 5): all
layers copied, the position table repeated until it reaches 4,096, the global attention's projections begun as copies
of the local ones (3.1). Each token attends to 256 on either side; [CLS] attends to all and all to it. The
vector is the mean of the token states, for that is what the default encoder was trained for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from colde.models.lora import add_low_rank
from colde.models.pooled import MeanStates, MeanStatesMatcher, only_top
from colde.runtime.encoder import encoder_folder, load_hugging_face


@dataclass(frozen=True, slots=True)
class SLongConfig:
    """Sizes; each beside its source."""

    encoder: str = "packaged"  # or a folder, or a Hugging Face name of a BERT
    tokens: int = 4096  # CoLDE, 4.1.3
    window: int = 512  # 256 on either side (Longformer, section 5)
    layers: int = 6  # trained, from the top
    rank: int = (
        8  # low-rank updates of their linear layers: 0.9 MB in a checkpoint; 0 trains the layers themselves
    )
    alpha: float = 16.0


class SLongNetwork(MeanStates):
    """Untrained, it is the packaged encoder with a window."""

    def __init__(self, config: SLongConfig) -> None:
        super().__init__()
        self.config = config
        encoder: Any = longformer(load_hugging_face(encoder_folder(config.encoder)), config)
        layers = encoder.encoder.layer
        only_top(encoder, layers, 0 if config.rank else config.layers)
        if config.rank:
            for layer in list(layers)[len(layers) - config.layers :]:
                add_low_rank(layer, config.rank, config.alpha)
        self.encoder = encoder

    @property
    def most_tokens(self) -> int:
        return cast(int, self.config.tokens)

    def run(self, ids: Tensor, mask: Tensor) -> Tensor:
        everywhere = torch.zeros_like(ids)
        everywhere[:, 0] = 1  # [CLS]
        states: Tensor = self.encoder(
            input_ids=ids, attention_mask=mask.long(), global_attention_mask=everywhere
        ).last_hidden_state
        return states


def longformer(bert: nn.Module, config: SLongConfig) -> nn.Module:
    """A Longformer with a BERT's weights (Longformer, section 5)."""
    from transformers import LongformerConfig, LongformerModel

    source = cast(Any, bert).config
    padding = source.pad_token_id
    model: nn.Module = LongformerModel(
        LongformerConfig(
            attention_window=config.window,
            vocab_size=source.vocab_size,
            hidden_size=source.hidden_size,
            num_hidden_layers=source.num_hidden_layers,
            num_attention_heads=source.num_attention_heads,
            intermediate_size=source.intermediate_size,
            hidden_act=source.hidden_act,
            hidden_dropout_prob=source.hidden_dropout_prob,
            attention_probs_dropout_prob=source.attention_probs_dropout_prob,
            type_vocab_size=source.type_vocab_size,
            layer_norm_eps=source.layer_norm_eps,
            pad_token_id=padding,
            max_position_embeddings=config.tokens + padding + 1,  # the first rows stand for padding
        ),
        add_pooling_layer=False,
    )
    weights = {k: v for k, v in bert.state_dict().items() if not k.startswith("pooler.")}
    table = weights["embeddings.position_embeddings.weight"]  # [512, width]
    tiled = table.repeat(-(-config.tokens // len(table)), 1)[: config.tokens]
    weights["embeddings.position_embeddings.weight"] = torch.cat(
        [torch.zeros_like(table[: padding + 1]), tiled]
    )
    for name in [n for n in weights if ".attention.self." in n]:
        for part in ("query", "key", "value"):
            if f".{part}." in name:
                weights[name.replace(f".{part}.", f".{part}_global.")] = weights[name]
    model.load_state_dict({k: v for k, v in weights.items() if not k.endswith("position_ids")})
    return model


class SLong(MeanStatesMatcher[SLongNetwork]):
    """Cosine of the mean states of the first 4,096 tokens."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> SLongNetwork:
        return SLongNetwork(SLongConfig(**settings))
