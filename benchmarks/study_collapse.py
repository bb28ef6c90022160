"""How alike the chunks of one document are, step by step through the network."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from colde.models.colde import ColdeNetwork
from colde.training.vectors import CorpusVectors

MEANINGS: Mapping[str, str] = {
    "encoder": "the encoder's vectors",
    "centred": "less the corpus' mean",
    "projected": "each chunk as a section of its own, projected",
    "states": "Bi-LSTM states",
    "states_projected": "Bi-LSTM states, projected",
}


def mean_cosine(vectors: Tensor) -> float:
    """Mean cosine of different rows: [chunks, dimension]; 1 where all rows point one way."""
    unit = normalize(vectors, dim=-1)
    n = len(unit)
    return float((unit.sum(0).square().sum() - unit.square().sum()) / (n * (n - 1)))


@torch.inference_mode()
def cosines_within(network: ColdeNetwork, vectors: CorpusVectors) -> dict[str, float]:
    """Mean over the documents of two chunks or more of the mean cosine of their chunks, for each of `MEANINGS`."""
    each: dict[str, list[float]] = {name: [] for name in MEANINGS}
    for d in range(len(vectors.ids)):
        chunks = torch.from_numpy(vectors.of(d))
        if len(chunks) > 1:
            for name, found in stages(network, chunks).items():
                each[name].append(mean_cosine(found))
    return {name: float(np.mean(values)) for name, values in each.items()}


def stages(network: ColdeNetwork, chunks: Tensor) -> dict[str, Tensor]:
    """The chunks of one document after each step: [chunks, width] → name → [chunks, dimension]."""
    x = network.center_and_scale(chunks)
    whole = x.unsqueeze(0)
    attended, _ = network.attend(whole, torch.ones(1, len(x), dtype=torch.bool), torch.tensor([0]))
    states, _ = network.states.lstm(whole + attended)  # [1, chunks, 2 · lstm], as `LastStates` ends
    inner = states[0] if network.config.form == "paper" else network.correction(states[0])
    return {
        "encoder": chunks,
        "centred": x,
        "projected": network.single(chunks),
        "states": states[0],
        "states_projected": network.project(inner),
    }
