"""Known weaknesses of the pinned packages, by pip-audit.

    pip install pip-audit && python supply/audit.py

| status | means |
| --- | --- |
| 0 | all packages were looked up, and none has a known weakness that a later version has mended |
| 1 | a package has such a weakness |
| 2 | could not audit: no network, no pip-audit, or an answer that leaves packages out |
"""

from __future__ import annotations

import json
import subprocess
import sys

from licences import REQUIREMENTS, pinned

CLEAN, WEAK, NOT_AUDITED = range(3)

COMMAND = (
    sys.executable,
    "-m",
    "pip_audit",
    "--requirement",
    str(REQUIREMENTS),
    "--no-deps",
    "--disable-pip",
)


def judge(answer: str, error: str) -> tuple[int, list[str]]:
    """Exit status and lines to print, from what pip-audit wrote to standard output and standard error."""
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        why = (error.strip().splitlines() or ["no answer"])[-1]
        return NOT_AUDITED, [f"could not audit: {why}"]
    if left_out := sorted(pinned().keys() - {p["name"] for p in packages if "skip_reason" not in p}):
        return NOT_AUDITED, [f"could not audit: no answer for {', '.join(left_out)}"]
    lines, status = [], CLEAN
    for package in packages:
        for weakness in package.get("vulns", ()):
            mended = ", ".join(weakness.get("fix_versions") or ()) or "no version yet"
            lines.append(f"{package['name']} {package['version']}: {weakness['id']}, mended in {mended}")
            status = WEAK if weakness.get("fix_versions") else status
    return status, lines or [f"{len(packages)} packages, no known weakness"]


def main() -> int:
    """Ask pip-audit and print what it found."""
    try:
        done = subprocess.run(
            [*COMMAND, "--format", "json"], capture_output=True, text=True, timeout=300, check=False
        )
        status, lines = judge(done.stdout, done.stderr)
    except (OSError, subprocess.TimeoutExpired) as error:
        status, lines = NOT_AUDITED, [f"could not audit: {error}"]
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
