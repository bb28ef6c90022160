"""Hashes of the weights that a comparison was made with."""

from __future__ import annotations

from collections.abc import Iterable

from colde import models as registry
from colde.models.checkpoint import base_hash


def used_weights(names: Iterable[str], encoder: str) -> dict[str, str]:
    """SHA-256 of what each model computes with: weights, settings, thresholds; and of the encoder's weights.

    Every comparison uses the encoder, because its vectors find the shared passages.
    """
    return {name: registry.stored(name).fingerprint() for name in names} | {"encoder": base_hash(encoder)}
