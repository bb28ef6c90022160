"""CoLDE adapted to documents of a kind that it was never trained on, from these documents alone.

A reference has no labels. But seen from the centre of training all its documents lie to one side, so its own centre
takes that place; and the two halves of a document are related where halves of different ones rarely are
(`colde.models.colde.augmentation`), which a few steps at a low rate can learn without leaving the network far behind.
Each
kind left out of training in turn: docs/results.md, `studies/accuracy/unseen_corpora.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch.optim import AdamW

from colde.models.colde.augmentation import halves_loss, sample_segments
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array

STEPS = 30
RATE = 5e-4
DOCUMENTS = 64
"""Documents of a step."""
TEMPERATURE = 0.1
FEWEST = 30
"""Documents without which nothing but the centre is taken over: so few say little of what tells them apart."""


def adapt(network: ColdeNetwork, states: Sequence[Array], mass: Sequence[Array]) -> ColdeNetwork:
    """Copy of the network around the centre of these documents and, of enough of them, adapted to their halves.

    The same documents always give the same copy.

    Args:
        states: [segments, width] of each document, before the centre is taken away; mass: [segments].
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
        some = random.permutation(len(states))[:DOCUMENTS]
        x, shares = sample_segments([states[d] for d in some], [mass[d] for d in some], random)
        x = network.center_and_scale(x) * (shares > 0).unsqueeze(-1)
        apart = ~torch.eye(len(some), dtype=torch.bool)
        optimiser.zero_grad(set_to_none=True)
        halves_loss(network, x, shares, apart, random, TEMPERATURE).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
