"""Checks of arrays that come from a file, before their values are used as sizes or as places in memory.

Native code does not check an index: a column outside a sparse matrix ends the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.results.similarity_map import Array


def checked_numbers(arrays: Mapping[str, Any], name: str, *shape: int | None) -> Array:
    """An array of finite numbers, in single precision.

    Args:
        shape: of the array; None for an axis of any length.

    Raises:
        ValueError: there is none of this name, or it has another shape, or numbers that are not finite.
    """
    if name not in arrays:
        raise ValueError(f"{name} is missing")
    found = np.asarray(arrays[name])
    if found.dtype.kind not in "fiu":
        raise ValueError(f"{name} holds no numbers")
    if len(found.shape) != len(shape) or any(
        n is not None and n != m for n, m in zip(shape, found.shape, strict=True)
    ):
        raise ValueError(f"{name} has the shape {found.shape}")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(found, dtype=np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return numbers


def checked_indices(arrays: Mapping[str, Any], name: str, count: int) -> NDArray[np.int32]:
    """Rising places in a table of `count` rows or columns, stored as whole numbers.

    Raises:
        ValueError: as `checked_numbers`; one is no whole number, or outside the table; they do not rise.
    """
    numbers = checked_numbers(arrays, name, None)
    if not np.array_equal(numbers, np.floor(numbers)):
        raise ValueError(f"{name} holds numbers that are not whole")
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < count):
        raise ValueError(f"{name} holds places outside 0 to {count - 1:,}")
    if not (np.diff(numbers) > 0).all():
        raise ValueError(f"{name} holds places that do not rise")
    return numbers.astype(np.int32)
