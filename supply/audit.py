"""Known weaknesses of the pinned packages, by pip-audit; without a network it says so and stops nobody.

    pip install pip-audit && python supply/audit.py

Ends with 1 where a pinned package has a known weakness that a later version has mended, else with 0.
"""

from __future__ import annotations

import json
import subprocess
import sys

from licences import REQUIREMENTS

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
        return 0, [f"not audited: {why}"]
    lines, status = [], 0
    for package in packages:
        for weakness in package.get("vulns", ()):
            mended = ", ".join(weakness.get("fix_versions") or ()) or "no version yet"
            lines.append(f"{package['name']} {package['version']}: {weakness['id']}, mended in {mended}")
            status = status or int(bool(weakness.get("fix_versions")))
    return status, lines or [f"{len(packages)} packages, no known weakness"]


def main() -> int:
    """Ask pip-audit and print what it found."""
    try:
        done = subprocess.run(
            [*COMMAND, "--format", "json"], capture_output=True, text=True, timeout=300, check=False
        )
        status, lines = judge(done.stdout, done.stderr)
    except (OSError, subprocess.TimeoutExpired) as error:
        status, lines = 0, [f"not audited: {error}"]
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
