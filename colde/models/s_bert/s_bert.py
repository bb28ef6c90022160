"""S-BERT as CoLDE compares itself with it (Jha et al. 2023, 4.1.3): a siamese BERT over the first 512 tokens, cosine.

first 512 tokens → encoder → mean of the token states → cosine     (Reimers and Gurevych 2019, section 3)
"""

from __future__ import annotations

from dataclasses import dataclass

from colde.encoders.bert.padded_bert import PaddedBert
from colde.encoders.encoder_names import encoder_folder
from colde.models.shared.mean_states import MeanStates, MeanStatesMatcher, freeze_except


@dataclass(frozen=True, slots=True)
class SBertConfig:
    """Sizes; each beside its source."""

    encoder: str = "packaged"  # or a folder, or a Hugging Face name; the paper: BERT
    tokens: int = 512  # CoLDE, 4.1.3
    layers: int = 2  # trained, from the top; 7 MB in a checkpoint
    rank: int = 0  # above 0: train low-rank updates of these layers' linear layers instead
    alpha: float = 16.0


class SBertNetwork(MeanStates):
    """Untrained, it is the packaged sentence encoder over 512 tokens."""

    def __init__(self, config: SBertConfig) -> None:
        super().__init__()
        self.config = config
        encoder = PaddedBert.load(encoder_folder(config.encoder))
        layers = list(encoder.encoder.layer)
        freeze_except(encoder, layers[len(layers) - config.layers :], config.rank, config.alpha)
        self.encoder = encoder


class SBert(MeanStatesMatcher[SBertNetwork]):
    """Cosine of the mean states of the first 512 tokens."""

    network_class = SBertNetwork
    config_class = SBertConfig
