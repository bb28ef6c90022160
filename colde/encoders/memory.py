"""What the C library of Linux does with memory that was freed: kept for the next batch, and given back after the work.

Left to itself it maps large blocks anew for every batch of an encoder, and the kernel fills each page with zeros: 10 %
of the processor time. And it keeps what it need not: each comparison asks for other sizes than the one before, so
that a process which compares again and again grew by a fifth in sixty comparisons though it held nothing; and it keeps
a heap for each thread, so that a service at which ten users worked grew by a third (docs/performance.md).
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # parameters of mallopt(3)
_LARGE = (
    2**25
)  # bytes from which a block is mapped by itself: as many as mallopt takes, more than a batch's blocks
_FREE_END = 2**28  # bytes that may be free at the end of the heap, until `release_memory`


def use_one_heap() -> None:
    """For a program that works in many threads for long: one heap for all.

    To be called before threads begin. Does nothing where the C library is not that of Linux.
    """
    os.environ.setdefault(
        "ARROW_DEFAULT_MEMORY_POOL", "system"
    )  # Arrow's own pools keep what each thread freed
    option = _function("mallopt")
    if option is not None:
        option(_ARENA_MAX, 1)
    reuse_freed_blocks()


def reuse_freed_blocks() -> None:
    """Blocks that one batch of an encoder has freed are there for the next one, until `release_memory`.

    For the whole process. Does nothing where the C library is not that of Linux, or the environment says otherwise.
    """
    told = [name for name in os.environ if name.startswith("MALLOC_")]
    option = _function("mallopt")
    if option is None or told or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return
    option(_MMAP_THRESHOLD, _LARGE)
    option(_TRIM_THRESHOLD, _FREE_END)


def release_memory() -> None:
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
