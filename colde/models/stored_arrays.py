"""Checks of arrays from a file before native code uses them as sizes or indices.

Native code does not check an index: a column outside a sparse matrix ends the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.results.similarity_map import Array


def checked_numbers(arrays: Mapping[str, Any], name: str, *shape: int | None) -> Array:
    """An array of finite numbers in single precision.

    Args:
        shape: of the array; None for an axis of any length.

    Raises:
        ValueError: it is missing, has another shape, or numbers that are not finite.
    """
    if name not in arrays:
        raise ValueError(f"{name} is missing")
    stored = np.asarray(arrays[name])
    if stored.dtype.kind not in "fiu":
        raise ValueError(f"{name} holds no numbers")
    if len(stored.shape) != len(shape) or any(
        n is not None and n != m for n, m in zip(shape, stored.shape, strict=True)
    ):
        raise ValueError(f"{name} has the shape {stored.shape}")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(stored, dtype=np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return numbers


def checked_indices(arrays: Mapping[str, Any], name: str, count: int) -> NDArray[np.int32]:
    """Rising indices into a table of `count` rows or columns.

    Raises:
        ValueError: as `checked_numbers`; a number is not whole or outside the table; they do not rise.
    """
    numbers = checked_numbers(arrays, name, None)
    if not np.array_equal(numbers, np.floor(numbers)):
        raise ValueError(f"{name} holds numbers that are not whole")
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < count):
        raise ValueError(f"{name} holds indices outside 0 to {count - 1:,}")
    if not (np.diff(numbers) > 0).all():
        raise ValueError(f"{name} holds indices that do not rise")
    return numbers.astype(np.int32)
