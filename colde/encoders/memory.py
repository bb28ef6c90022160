"""Settings of the C library of Linux: freed memory is kept for the next batch, and returned after the work.

By default it maps large blocks again for every batch of an encoder, and the kernel fills each page with zeros: 10 % of
the processor time. It also keeps memory that is not needed: a process grew by 20 % in sixty comparisons of different
sizes, and a service with ten users by 33 %, because of one heap a thread (docs/log/speed.md).
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # parameters of mallopt(3)
_LARGE = 2**25  # bytes from which a block is mapped separately: the most that mallopt takes
_FREE_END = 2**28  # bytes that may be free at the end of the heap, until `release_memory`


def use_one_heap() -> None:
    """One heap for all threads of a long-running program; call before threads start. Linux only."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # Arrow's pools keep what each thread freed
    option = _function("mallopt")
    if option is not None:
        option(_ARENA_MAX, 1)
    reuse_freed_blocks()


def reuse_freed_blocks() -> None:
    """Keep freed blocks of this process for the next batch, until `release_memory`.

    Linux only, and not if the environment configures the C library.
    """
    configured = any(name.startswith("MALLOC_") for name in os.environ)
    option = _function("mallopt")
    if option is None or configured or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return
    option(_MMAP_THRESHOLD, _LARGE)
    option(_TRIM_THRESHOLD, _FREE_END)


def release_memory() -> None:
    """Return free memory to the system; Linux only."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def _function(name: str) -> Any:
    """A function of the C library; None if it has no such function."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):  # no glibc
        return None
