"""Sizes and switches of the network whose parts are all trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColdeConfig:
    """Sizes and switches of the network whose parts are all trained; each constant beside its source."""

    encoder: str = "packaged"
    width: int = 384  # the encoder's hidden size
    projection: int = 384  # 256 in 4.1.2, .001 to .004 of AUC behind (docs/results.md)
    parts: int = 2  # n_p (3.1)
    sharpness: float = 10.0  # of attention at first: one over its temperature, keys being unit vectors
    scale: float = 8.0  # centred unit vectors are short
    dropout: float = 0.2
