"""Memory that was freed goes back to the system: the C library of Linux keeps it for what may come next.

Each comparison asks for other sizes than the one before, so that a process which compares again and again grew by a
fifth in sixty comparisons though it held nothing (docs/performance.md).
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def give_back() -> None:
    """Return what is free to the system, where the C library can."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # no glibc
        return None
