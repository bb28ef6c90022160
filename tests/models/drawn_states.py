"""CoLDE, CoLDE + words and MiniLM over an encoder that is drawn: their algebra without the time it takes to encode."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from colde import models
from colde.assets import asset
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.models.base import Matcher
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWords
from colde.models.minilm.minilm import MiniLm
from colde.text.chunks import default_tokenizer


class States:
    """An encoder whose states are drawn by token: the algebra is the same, and nothing is encoded."""

    dimension = 384
    tag = "drawn"
    parameters = 0

    def __init__(self) -> None:
        self.tokenizer = default_tokenizer()

    def token_states(self, ids: Sequence[NDArray[np.int32]], layers: int | None = None) -> list[np.ndarray]:
        return [
            np.stack(
                [np.random.default_rng(int(t)).normal(size=384) + k % 3 for k, t in enumerate(i)]
            ).astype(np.float32)
            for i in ids
        ]

    def mean_states(self, ids: Sequence[NDArray[np.int32]]) -> np.ndarray:
        return np.stack([states.mean(0) for states in self.token_states(ids)])


def over_drawn_states() -> dict[str, Matcher]:
    """The models by name; words and mixture are those that ship, the network above the sentences is fresh."""
    torch.manual_seed(0)
    network = ColdeNetwork(ColdeConfig())
    network.centre.copy_(torch.randn(384) / 20)
    reader = CachedSentenceEncoder(States())
    words = ColdeWords.load(asset("models", "colde_words"), models.card("colde_words"))
    words.colde = Colde(network, reader)
    return {
        "colde": words.colde,
        "colde_words": words,
        "minilm": MiniLm(models.card("minilm"), sentence_encoder=reader),
    }
