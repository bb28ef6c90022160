"""CoLDE for kinds of documents that it was not trained on: the same equations without what training learnt.

The projection is the identity, the document vectors count in the score (λ), and the mean of a reference replaces the
centre of training where there is one. On kinds that were left out of training, the trained projection is no better than
the identity for related pairs and worse for graded similarity (docs/results.md, `studies/accuracy/unseen_kinds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array

VECTOR_SHARE = 0.5
"""λ of (9), chosen on related pairs and graded pairs of kinds that were left out of training (docs/results.md)."""


def untrained_view(network: ColdeNetwork, reference: Sequence[Array] = ()) -> ColdeNetwork:
    """A copy of the network with the identity as projection.

    Args:
        reference: [segments, width] of each document of a reference, not centred; its mean becomes the centre.
    """
    width = network.config.width
    view = ColdeNetwork(replace(network.config, projection=width, vector_share=VECTOR_SHARE))
    with torch.no_grad():
        view.project.weight.copy_(torch.eye(width))
        view.attention.load_state_dict(network.attention.state_dict())
        view.centre.copy_(torch.from_numpy(centre_of(reference)) if len(reference) else network.centre)
    return view.eval().requires_grad_(False)


def centre_of(states: Sequence[Array]) -> Array:
    """The mean over documents of the means of their segments: [width]."""
    return np.asarray(np.mean([s.mean(0) for s in states if len(s)], axis=0), dtype=np.float32)
