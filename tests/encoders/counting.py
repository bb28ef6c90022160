"""An encoder that counts its calls, for tests of what is encoded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.encoders.encoder import Ids
from colde.text.chunks import default_tokenizer


class CountingEncoder:
    """The vector of a text is the sum of its token ids and their number."""

    name = "counting"
    dimension = 2
    parameters = 0
    tag = "counting"
    tokenizer = default_tokenizer()

    def to_gpu(self) -> None:
        raise NotImplementedError

    def __init__(self) -> None:
        self.read: list[bytes] = []

    def mean_states(self, ids: Sequence[Ids]) -> np.ndarray:
        self.read += [i.tobytes() for i in ids]
        return np.array([[i.sum(), len(i)] for i in ids], dtype=np.float32)

    def token_states(self, ids: Sequence[Ids], layers: int | None = None) -> list[np.ndarray]:
        raise NotImplementedError

    def states_of_layers(self, ids: Sequence[Ids], layers: Sequence[int]) -> list[list[np.ndarray]]:
        raise NotImplementedError
