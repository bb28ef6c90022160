"""CoLDE adapted to documents of a kind that it was not trained on, from these documents alone.

The mean of the documents replaces the centre of training. A few training steps at a low rate then teach the network
that two halves of a document are related and halves of different documents are not (`halves_loss`); this needs no
labels. Results for each kind that was left out of training: docs/results.md, `studies/accuracy/unseen_corpora.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch.optim import AdamW

from colde.models.colde.augmentation import sample_segments
from colde.models.colde.contrastive import halves_loss
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array

STEPS = 30
RATE = 5e-4
DOCUMENTS = 64
"""Documents in a step."""
TEMPERATURE = 0.1
FEWEST = 30
"""With fewer documents only the centre is replaced: they say too little about what tells such documents apart."""


def adapt(network: ColdeNetwork, states: Sequence[Array], mass: Sequence[Array]) -> ColdeNetwork:
    """Copy of the network with the centre of these documents, trained on their halves if there are enough of them.

    Deterministic.

    Args:
        states: [segments, width] of each document, not centred; mass: [segments] of each document.
    """
    adapted = deepcopy(network).eval()
    adapted.centre.copy_(torch.from_numpy(centre_of(states)))
    if len(states) >= FEWEST:
        with torch.inference_mode(False), torch.enable_grad():
            _train(adapted, states, mass)
    return adapted.requires_grad_(False)


def centre_of(states: Sequence[Array]) -> Array:
    """The mean over documents of the means of their segments: [width]."""
    return np.asarray(np.mean([s.mean(0) for s in states if len(s)], axis=0), dtype=np.float32)


def _train(network: ColdeNetwork, states: Sequence[Array], mass: Sequence[Array]) -> None:
    optimiser = AdamW([network.project.weight.requires_grad_(True)], lr=RATE, weight_decay=0.0)
    for step in range(STEPS):
        random = np.random.default_rng((0, step))
        documents = random.permutation(len(states))[:DOCUMENTS]
        x, shares = sample_segments([states[d] for d in documents], [mass[d] for d in documents], random)
        x = network.center_and_scale(x) * (shares > 0).unsqueeze(-1)
        unrelated = ~torch.eye(len(documents), dtype=torch.bool)
        optimiser.zero_grad(set_to_none=True)
        halves_loss(network, x, shares, unrelated, random, TEMPERATURE).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
