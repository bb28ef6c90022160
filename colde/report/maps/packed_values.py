"""Values of maps as compressed text, for the linked view.

A value becomes a 16-bit integer: its number of steps. The sign becomes the lowest bit, so that small values have a high
byte of 0. The low bytes of all values come first, then the high ones, which compresses better. The bytes are
compressed by zlib and written in base64; `payload/packed_values.js` in the linked view reads them.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Hashable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from colde.results.similarity_map import Array

Packed = NDArray[np.int16]

MISSING = -32768
"""Stands for a value that does not exist (yet)."""
DEFAULT_STEPS = 10_000
"""Steps per unit: four decimals, enough for every colour and every number shown."""
MOST_STEPS = 32_000
"""Steps from zero to a value, as many as fit into 16 bits."""
FAST = 1
"""Level of compression: a map of a million cells takes 0.05 s, and 0.2 s where it is 3 % smaller."""
SMALL_VALUES, STEPS_OF_SMALL = 0.1, 4_000
"""A map whose greatest value is below `SMALL_VALUES` has so many steps from zero to it: the page shows two digits of
the greatest value, but adds up many smaller ones."""


def quantisation_steps(values: Array) -> float:
    """Steps per unit: fewer where values are too great for 16 bits, more where all are small."""
    greatest = largest_magnitude(values)
    if 0 < greatest < SMALL_VALUES:
        return STEPS_OF_SMALL / greatest
    return min(DEFAULT_STEPS, MOST_STEPS / greatest) if greatest else DEFAULT_STEPS


def largest_magnitude(values: Array) -> float:
    """The greatest absolute value; 0 where none is known."""
    return float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0


def quantise(values: Array, steps: float) -> Packed:
    """Values × steps as 16-bit integers; NaN as `MISSING`."""
    numbers = np.where(np.isnan(values), MISSING, np.rint(np.nan_to_num(values).astype(np.float64) * steps))
    return numbers.astype("<i2")


def pack(numbers: Packed) -> str:
    """16-bit integers as compressed text, rows one after the other."""
    signs_last = (numbers << 1) ^ (numbers >> 15)
    byte_planes = np.ascontiguousarray(signs_last, dtype="<i2").view(np.uint8).reshape(-1, 2).T
    return base64.b64encode(zlib.compress(byte_planes.tobytes(), FAST)).decode("ascii")


T = TypeVar("T", bound=Hashable)


class Numbered(Generic[T]):
    """Different values of a kind, each of which a payload has once; its other parts name them by number."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of a value, which is a new one where the value is."""
        return self._numbers.setdefault(value, len(self._numbers))

    @property
    def values(self) -> list[T]:
        """All values, in the order of their numbers."""
        return list(self._numbers)
