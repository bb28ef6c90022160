"""Memory that was freed goes back to the system: the C library of Linux keeps it for what may come next.

Each comparison asks for other sizes than the one before, so that a process which compares again and again grew by a
fifth in sixty comparisons though it held nothing; and it keeps a heap for each thread, so that a service at which ten
users worked grew by a third (docs/performance.md).
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # parameters of mallopt(3)
_LARGE = 2**22  # bytes from which a block is mapped by itself: with 128 kB an encoder took 27 % longer
_FREE_END = 2**25  # bytes that may be free at the end of the heap, until `give_back`


def keep_flat() -> None:
    """For a program that works in many threads for long: one heap for all, and large blocks given back when freed.

    To be called before threads begin. Does nothing where the C library is not that of Linux.
    """
    os.environ.setdefault(
        "ARROW_DEFAULT_MEMORY_POOL", "system"
    )  # Arrow's own pools keep what each thread freed
    option = _function("mallopt")
    if option is not None:
        option(_ARENA_MAX, 1)
    large_blocks_apart()


def large_blocks_apart() -> None:
    """Large blocks go back to the system when they are freed, from now on and in the whole process.

    Each batch of an encoder takes blocks of other sizes than the one before: two documents of 1,000 pages left 1.3 GB
    of free memory between those still in use.
    """
    option = _function("mallopt")
    if option is not None:
        option(_MMAP_THRESHOLD, _LARGE)
        option(_TRIM_THRESHOLD, _FREE_END)


def give_back() -> None:
    """Return what is free to the system, where the C library can."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def _function(name: str) -> Any:
    """A function of the C library; None where it has none of this name."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):  # no glibc
        return None
