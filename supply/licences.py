"""Licences of everything that the program runs on, as the installed packages declare them.

    python supply/licences.py           a table; ends with 1 where a licence does not fit, or none is declared

It must be possible to use each package without taking on the GPL or AGPL: a package that offers a choice fits if one
of its licences does.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.M)
_COPYLEFT = re.compile(r"\bA?GPL|GNU (?:Affero )?General Public", re.I)


def pinned(requirements: Path = REQUIREMENTS) -> dict[str, str]:
    """Names and versions of a requirements file."""
    return dict(_PIN.findall(requirements.read_text(encoding="utf-8")))


def declared(name: str) -> tuple[str, ...]:
    """The licences of an installed package, as an expression or as names; nothing where it declares none.

    Raises:
        PackageNotFoundError: it is not installed.
    """
    about = metadata.metadata(name)
    if expression := about.get("License-Expression"):
        return (expression,)
    classifiers = [
        c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if c.startswith("License ::")
    ]
    if classifiers:
        return tuple(classifiers)
    text = " ".join((about.get("License") or "").split())
    return (text[:80],) if text else ()


def fits(licences: tuple[str, ...]) -> bool:
    """Whether one of the licences that can be chosen is neither the GPL nor the AGPL."""
    choices = [choice for text in licences for choice in re.split(r"\s+OR\s+", text)]
    return any(not _COPYLEFT.search(re.sub(r"\S+ WITH \S+", "", choice)) for choice in choices)


def main() -> int:
    """Print the table; 1 where a licence does not fit."""
    bad = []
    for name, version in pinned().items():
        licences = declared(name)
        print(f"{name:32} {version:14} {'; '.join(licences) or 'NONE DECLARED'}")
        if not fits(licences):
            bad.append(name)
    if bad:
        print(f"\nnot to be used as they are: {', '.join(bad)}", file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
