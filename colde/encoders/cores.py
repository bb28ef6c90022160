"""Number of cores that may be used. Without torch, whose number of threads is set before it is imported."""

from __future__ import annotations

import math
import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")
QUOTA_V1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")


def share_cores(processes: int) -> None:
    """Divide the cores by the number of processes that work at once; call before torch is imported."""
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, usable_cores() // max(1, processes))))


def usable_cores() -> int:
    """Cores that this process may use: its affinity, limited by the quota of a container."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(bound, _quota() or bound))


def _quota() -> int | None:
    """Cores that a control group allows, rounded up; None without a limit."""
    try:
        most, period = QUOTA.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        try:
            most, period = (path.read_text(encoding="ascii").strip() for path in QUOTA_V1)
        except OSError:
            return None
    if not most.isdigit() or not period.isdigit() or not int(period):
        return None
    return math.ceil(int(most) / int(period))
