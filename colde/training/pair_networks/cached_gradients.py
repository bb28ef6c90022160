"""Gradients of a batch of pairs: binary cross-entropy of their logits, in micro-batches of documents of like length.

With gradient caching (Gao et al. 2021) a bi-encoder holds the graph of one micro-batch at a time: vectors first without
a graph, then the gradient of the loss with respect to each vector, then each micro-batch again with its part of that
gradient. The result is the plain gradient, of one vector a document as of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from colde.encoders.batches import padded_batches
from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import BaselineNetwork, BiEncoder, CrossEncoder
from colde.training.pair_networks.pair_batches import PairBatch
from colde.training.steps.seeding import seeded


def pair_gradients(
    network: BaselineNetwork,
    batch: PairBatch,
    seed: int,
    *,
    tokens: int,
    cached: bool = True,
    bf16: bool = False,
) -> float:
    """Add the gradient of the batch's mean loss to the parameters; returns the loss.

    Args:
        seed: of dropout, as `step_seed` gives it.
        tokens: padded tokens a micro-batch.
        cached: gradient caching, for bi-encoders.
        bf16: autocast in bfloat16.
    """
    labels = torch.from_numpy(batch.labels).float().to(network.device)
    if isinstance(network, BiEncoder):
        return _bi_encoder_gradients(network, batch, labels, seed, tokens, cached, bf16)
    if isinstance(network, CrossEncoder):
        return _cross_encoder_gradients(network, batch, labels, seed, tokens, bf16)
    raise ModelError(f"{type(network).__name__} is neither a BiEncoder nor a CrossEncoder")


def _cross_encoder_gradients(
    network: CrossEncoder, batch: PairBatch, labels: Tensor, seed: int, tokens: int, bf16: bool
) -> float:
    pairs = [network.join(batch.documents[i], batch.documents[j]) for i, j in batch.pairs]
    total = 0.0
    for k, some in enumerate(padded_batches([p.size for p in pairs], tokens)):
        with forked_step_seed(seed, k), autocast(network, bf16):
            logits = network.logits([pairs[i] for i in some])
        loss = binary_cross_entropy_with_logits(
            logits.float(), labels[torch.from_numpy(some)], reduction="sum"
        )
        (loss / len(pairs)).backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach()) / len(pairs)
    return total


def _bi_encoder_gradients(
    network: BiEncoder,
    batch: PairBatch,
    labels: Tensor,
    seed: int,
    tokens: int,
    cached: bool,
    bf16: bool,
) -> float:
    parts = list(padded_batches([d.size for d in batch.documents], tokens))
    order = torch.from_numpy(np.argsort(np.concatenate(parts))).to(network.device)
    cached = cached and len(parts) > 1

    def forward(k: int) -> Tensor:
        with forked_step_seed(seed, k), autocast(network, bf16):
            return network.vectors([batch.documents[i] for i in parts[k]]).float()

    with torch.set_grad_enabled(not cached):
        vectors = torch.cat([forward(k) for k in range(len(parts))])[order]  # [documents, d]
    if cached:
        vectors.requires_grad_()
    ends = torch.from_numpy(batch.pairs).to(network.device)
    logits = network.pair_logits(vectors[ends[:, 0]], vectors[ends[:, 1]])
    loss = binary_cross_entropy_with_logits(logits, labels)
    loss.backward()  # type: ignore[no-untyped-call]
    if cached:
        assert vectors.grad is not None
        for k, some in enumerate(parts):
            again = forward(k)
            if again.requires_grad:
                again.backward(vectors.grad[torch.from_numpy(some)])  # type: ignore[no-untyped-call]
    return float(loss.detach())


def step_seed(seed: int, step: int) -> int:
    """The seed of a step's dropout."""
    return (seed << 32) + step


@contextmanager
def forked_step_seed(seed: int, part: int) -> Iterator[None]:
    """Draw the same dropout whenever the same part of the same step is run."""
    with seeded(int(np.random.SeedSequence((seed, part)).generate_state(1)[0])):
        yield


def autocast(network: BaselineNetwork, bf16: bool) -> torch.autocast:
    """Bfloat16 on the network's device, or nothing."""
    return torch.autocast(network.device.type, dtype=torch.bfloat16, enabled=bf16)
