"""S-LONG as CoLDE compares itself with it (Jha et al. 2023, 4.1.3): a siamese Longformer over 4,096 tokens, cosine.

Made from the default encoder as Longformer was made from RoBERTa (Beltagy, Peters and Cohan 2020, section 5): all
layers copied, the position table repeated until it reaches 4,096, the global attention's projections begun as copies
of the local ones (3.1). Each token attends to 256 on either side; [CLS] attends to all and all to it. The
vector is the mean of the token states, for that is what the default encoder was trained for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from torch import Tensor

from colde.encoders.bert.padded_bert import PaddedBert
from colde.encoders.encoder_names import encoder_folder
from colde.models.shared.mean_states import MeanStates, MeanStatesMatcher, freeze_except
from colde.models.shared.network_input import ModelInput
from colde.models.shared.sliding_attention import SlidingEncoder


@dataclass(frozen=True, slots=True)
class SLongConfig:
    """Sizes; each beside its source."""

    encoder: str = "packaged"  # or a folder, or a Hugging Face name of a BERT
    tokens: int = 4096  # CoLDE, 4.1.3
    window: int = 512  # 256 on either side (Longformer, section 5)
    layers: int = 6  # trained, from the top
    rank: int = 8  # of updates of their linear layers, 0.9 MB in a checkpoint; 0 trains the layers themselves
    alpha: float = 16.0
    trained_tokens: int = 0  # read of a document in training; 0: all that is read


class SLongNetwork(MeanStates):
    """Untrained, it is the packaged encoder with a window."""

    def __init__(self, config: SLongConfig) -> None:
        super().__init__()
        self.config = config
        bert = PaddedBert.load(encoder_folder(config.encoder))
        encoder = SlidingEncoder(bert, config.window // 2)
        layers = list(zip(bert.encoder.layer, encoder.overall, strict=True))
        top = chain.from_iterable(layers[len(layers) - config.layers :])
        freeze_except(encoder, top, config.rank, config.alpha)
        self.encoder = encoder

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, width], not normalised; in training of the first `trained_tokens` of each."""
        most = self.config.trained_tokens
        if self.training and most:
            documents = [ModelInput(d.ids[:most]) for d in documents]
        return super().vectors(documents)


class SLong(MeanStatesMatcher[SLongNetwork]):
    """Cosine of the mean states of the first 4,096 tokens."""

    network_class = SLongNetwork
    config_class = SLongConfig
