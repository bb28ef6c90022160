"""Longformer as a cross-encoder: one network with a sliding window reads both texts (Match-Ignition, table 3).

    [CLS] A [SEP] B [SEP]  →  window of 256 on either side, [CLS] sees all  →  state of [CLS]  →  dense, tanh  →  logit

Made as Longformer is made from a BERT (Beltagy, Peters and Cohan 2020, section 5), here from the cross-encoder that
ships: all layers copied, low-rank updates and head with them, positions counted anew after 512, the projections of
[CLS] begun as copies (3.1). As far as texts fit into the window it is that cross-encoder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from colde.models.cross_encoder.cross_encoder import BertCrossEncoder, CrossConfig, CrossNetwork, PairInput
from colde.models.shared.sliding_attention import PARTS, SlidingEncoder
from colde.results.encoding import Encoding
from colde.results.similarity_map import SimilarityMap


@dataclass(frozen=True, slots=True)
class LongformerConfig(CrossConfig):
    """Sizes; each beside its source."""

    tokens: int = 1024  # of both texts; the pretrained Longformer takes 4,096; bounded for time
    window: int = 512  # 256 on either side (section 5)


class LongformerNetwork(CrossNetwork):
    """The cross-encoder's network with another attention."""

    config: LongformerConfig

    def __init__(self, config: LongformerConfig) -> None:
        super().__init__(config)
        self.encoder = SlidingEncoder(self.encoder, config.window // 2)

    @classmethod
    def translate_names(cls, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """A cross-encoder's tensors under this network's names; [CLS] has its projections' updates, too."""
        translated = {}
        for name, value in tensors.items():
            translated[name.replace("encoder.", "encoder.bert.", 1)] = value
            layer, _, part = name.removeprefix("encoder.encoder.layer.").partition(".attention.self.")
            if part.partition(".")[0] in PARTS:
                translated[f"encoder.overall.{layer}.{part}"] = value
        return translated


class LongformerCrossEncoder(BertCrossEncoder):
    """A score alone."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> LongformerNetwork:
        return LongformerNetwork(LongformerConfig(**settings))

    def explanation(self, a: Encoding, b: Encoding, run: PairInput, score: float) -> dict[str, SimilarityMap]:
        return {}
