"""How alike the chunks of one document are, step by step through the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from colde.encoders.sentence_layout import split_parts
from colde.models.colde_paper.paper_network import PaperNetwork
from colde.training.colde_corpus import PooledChunks

MEANINGS: Mapping[str, str] = {
    "encoder": "the encoder's vectors",
    "attended": "with what attention finds",
    "states": "Bi-LSTM states",
    "projected": "Bi-LSTM states, projected",
    "single": "each chunk as a document of its own, projected",
}


def mean_cosine(vectors: Tensor) -> float:
    """Mean cosine of different rows: [chunks, dimension]; 1 where all rows point one way."""
    unit = normalize(vectors, dim=-1)
    n = len(unit)
    return float((unit.sum(0).square().sum() - unit.square().sum()) / (n * (n - 1)))


@torch.inference_mode()
def chunk_cosine_by_stage(network: PaperNetwork, documents: Sequence[PooledChunks]) -> dict[str, float]:
    """Mean over the documents of two chunks or more of the mean cosine of their chunks, for each of `MEANINGS`."""
    each: dict[str, list[float]] = {name: [] for name in MEANINGS}
    for document in documents:
        if len(document.mass) > 1:
            for name, found in stages(network, document).items():
                each[name].append(mean_cosine(found))
    return {name: float(np.mean(values)) for name, values in each.items()}


def stages(network: PaperNetwork, document: PooledChunks) -> dict[str, Tensor]:
    """The chunks of one document after each step: name → [chunks, dimension]."""
    chunks = torch.from_numpy(document.means)
    part = torch.from_numpy(split_parts(document.mass.astype(np.float64), network.config.parts))
    attended = network.mix(chunks.unsqueeze(0), part.unsqueeze(0))
    states, _ = network.states.lstm(attended)  # [1, chunks, 2 · lstm], as `BiLstm` ends
    return {
        "encoder": chunks,
        "attended": attended[0],
        "states": states[0],
        "projected": network.project(states[0]),
        "single": network.single(chunks),
    }
