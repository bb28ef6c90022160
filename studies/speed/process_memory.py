"""Peak memory of a command over all its processes, and its processor time (Linux).

    python -m studies.speed.process_memory .venv/bin/colde compare a.md b.md --json out.json

Memory is the sum of the proportional set sizes (PSS) of the command and its descendants: a page that several processes
share counts once. The sum of resident sets (RSS) counts it once for each process. Both are read ten times a second.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from contextlib import suppress

import psutil

EVERY = 0.1
"""Seconds between two readings."""
READER = "colde.ingest.sandbox.fork_server"
"""The module of the process that reads files."""


def peak_mebibytes() -> float:
    """The greatest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def children_seconds() -> float:
    """Processor seconds of the programs that this process started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def resident_megabytes(process: int | None = None) -> float:
    """Resident memory of a process and of those that it started, without the confined readers; default: this one."""
    parent = psutil.Process(process)
    total = parent.memory_info().rss
    for child in parent.children() if process else ():
        with suppress(psutil.Error):  # it has ended meanwhile
            if READER not in child.cmdline():
                total += child.memory_info().rss
    return total / 1e6


def memory(process: psutil.Process) -> tuple[int, int]:
    """Bytes of a process and its descendants: PSS, RSS."""
    pss = rss = 0
    with suppress(psutil.Error):
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):  # it has ended meanwhile
                usage = one.memory_full_info()
                pss, rss = pss + usage.pss, rss + usage.rss
    return pss, rss


def main() -> None:
    begun = time.monotonic()
    command = subprocess.Popen(sys.argv[1:])
    process = psutil.Process(command.pid)
    pss = rss = 0
    while command.poll() is None:
        now = memory(process)
        pss, rss = max(pss, now[0]), max(rss, now[1])
        time.sleep(EVERY)
    print(
        f"peak PSS {pss / 2**20:.0f} MiB, RSS {rss / 2**20:.0f} MiB; "
        f"{children_seconds():.1f} s of processor time in {time.monotonic() - begun:.1f} s",
        file=sys.stderr,
    )
    sys.exit(command.returncode)


if __name__ == "__main__":
    main()
