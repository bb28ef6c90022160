"""Inputs at the limits of a comparison: processor time, peak memory and sizes of the outputs.

    python -m studies.robustness.limits [CASE…] [--json limits.json]

Each case is a pair of files (or a folder) of our own making, compared by `colde compare` with all outputs. It has to
end within 120 seconds of processor time and 1.5 GB, with a result or one line that says why not, and no output may be
larger than 50 MB. No case finds vectors that an earlier run has kept.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from studies.arguments import command_line
from studies.robustness.limit_texts import CASES, COLLECTION
from studies.speed.process_memory import EVERY, memory
from studies.tables import markdown_table, write_json

SECONDS, MEGABYTES, OUTPUT_MEGABYTES = 120, 1_500, 50
PATIENCE = 1_800
"""Seconds by the clock after which a case is stopped: the machine may be busy."""


def run_case(name: str, folder: Path) -> dict[str, object]:
    """Run one case, and return its figures."""
    paths = CASES[name](random.Random(name), folder)
    outputs = {"json": folder / "out.json", "html": folder / "out.html", "csv": folder / "tables"}
    if name != COLLECTION:
        outputs["docx"] = folder / "out.docx"
    options = [x for kind, path in outputs.items() for x in (f"--{kind}", str(path))]
    command = [sys.executable, "-c", "from colde.cli import main; raise SystemExit(main())", "compare"]
    started = psutil.Popen(
        [*command, *map(str, paths), *options],
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    seconds, peak, errors = _watch(started)
    sizes = {
        kind: sum(f.stat().st_size for f in ([path] if path.is_file() else path.glob("*"))) / 1e6
        for kind, path in outputs.items()
    }
    return {
        "case": name,
        "seconds": round(seconds, 1),
        "megabytes": round(peak / 1e6),
        **{kind: round(size, 1) for kind, size in sizes.items()},
        "status": started.returncode,
        "message": (errors.strip().splitlines() or [""])[-1] if started.returncode else "",
    }


def _watch(started: psutil.Popen) -> tuple[float, int, str]:
    """Processor seconds with all descendants, peak memory in bytes (PSS), and standard error of a command."""
    errors: list[str] = []
    reading = threading.Thread(target=lambda: errors.append(started.stderr.read()))
    reading.start()
    seconds, peak, begun = 0.0, 0, time.monotonic()
    process = psutil.Process(started.pid)
    used: dict[int, float] = {}
    while started.poll() is None:
        try:
            for one in (process, *process.children(recursive=True)):
                times = one.cpu_times()
                used[one.pid] = times.user + times.system
        except psutil.Error:
            pass
        peak = max(peak, memory(process)[0])
        if time.monotonic() - begun > PATIENCE:
            started.kill()
        time.sleep(EVERY)
    reading.join()
    seconds = sum(used.values())
    return seconds, peak, errors[0]


def kept(row: dict[str, object]) -> bool:
    """Whether a case stays within the limits."""
    sizes = [row[kind] for kind in ("json", "html", "csv", "docx") if kind in row]
    within = row["seconds"] <= SECONDS and row["megabytes"] <= MEGABYTES  # type: ignore[operator]
    return within and all(size <= OUTPUT_MEGABYTES for size in sizes) and row["status"] in (0, 3)  # type: ignore[operator]


COLUMNS = ("case", "seconds", "megabytes", "json", "html", "csv", "docx", "status", "message")


def main(run: Callable[[str, Path], dict[str, object]] = run_case) -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("cases", nargs="*", help="by default all")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - CASES.keys():
        parser.error(f"there is no case {min(unknown)!r}; there are: {', '.join(CASES)}")
    rows = []
    for name in arguments.cases or CASES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(run(name, Path(folder)))
        print(rows[-1], "" if kept(rows[-1]) else "LIMIT EXCEEDED", flush=True)
    print(markdown_table(COLUMNS, ([row.get(column, "") for column in COLUMNS] for row in rows)))
    if arguments.json:
        write_json(arguments.json, {"rows": rows})
    if not all(map(kept, rows)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
