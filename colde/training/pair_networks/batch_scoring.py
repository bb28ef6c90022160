"""Scores of pairs of prepared documents by a baseline's network, in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from colde.encoders.batches import padded_batches
from colde.models.shared.bi_cross_encoder import BaselineNetwork, BiEncoder, CrossEncoder
from colde.models.shared.network_input import ModelInput
from colde.results.similarity_map import Array


@torch.inference_mode()
def document_vectors(network: BiEncoder, documents: Sequence[ModelInput], tokens: int = 8192) -> Tensor:
    """Vectors of documents, on the network's device; about so many padded tokens at a time."""
    network.eval()
    return batched_vectors(network, documents, tokens)


def batched_vectors(network: BiEncoder, documents: Sequence[ModelInput], tokens: int) -> Tensor:
    """Vectors of documents in micro-batches, whatever mode the network is in."""
    order = list(padded_batches([d.size for d in documents], tokens))
    vectors = torch.cat([network.vectors([documents[i] for i in some]).float() for some in order])
    return vectors[torch.from_numpy(np.argsort(np.concatenate(order))).to(network.device)]


@torch.inference_mode()
def score_vectors(network: BiEncoder, vectors: Tensor, pairs: NDArray[np.int64]) -> Array:
    """Scores of pairs of rows of `vectors`: [pairs, 2] → [pairs]."""
    scores = [
        network.score(vectors[e[:, 0]], vectors[e[:, 1]])
        for e in torch.split(torch.from_numpy(pairs).to(vectors.device), 4096)
    ]
    return np.asarray(torch.cat(scores).float().cpu().numpy(), dtype=np.float32)


@torch.inference_mode()
def score_pairs(
    network: BaselineNetwork,
    documents: Sequence[ModelInput],
    pairs: NDArray[np.int64],
    *,
    tokens: int = 8192,
    both_orders: bool = False,
) -> Array:
    """Scores of pairs of positions in `documents`: [pairs, 2] → [pairs]; each document is read once.

    Args:
        both_orders: cross-encoders: the mean of (a, b) and (b, a), as a symmetric model compares.
    """
    network.eval()
    if isinstance(network, BiEncoder):
        wanted, position = np.unique(pairs, return_inverse=True)
        vectors = document_vectors(network, [documents[d] for d in wanted], tokens)
        return score_vectors(network, vectors, position.reshape(-1, 2))
    assert isinstance(network, CrossEncoder)
    scores = np.zeros(len(pairs), dtype=np.float32)
    orders = (pairs, pairs[:, ::-1]) if both_orders else (pairs,)
    for ends_of in orders:
        joined = [network.join(documents[i], documents[j]) for i, j in ends_of]
        for some in padded_batches([p.size for p in joined], tokens):
            probability = network.logits([joined[i] for i in some]).float().sigmoid()
            scores[some] += probability.cpu().numpy() / len(orders)
    return scores
