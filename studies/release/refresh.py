"""Rebuild what ships and was made of weights and sample texts: `make fresh`.

    python -m studies.release.refresh ../shared/corpora --runs runs

The cards of the sample pairs and the screenshots are always made again, because they show the current program. Figures
that take hours are measured again only where their weights or thresholds have changed, and where the corpora and the
trained runs are there. What could not be rebuilt is named at the end, with exit status 1. Nothing is trained.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from studies import ROOT
from studies.accuracy import results_pages
from studies.arguments import command_line
from studies.release import card_pictures
from studies.release.made_with import CARDS, CELLS, FIGURES, MISTAKES, SCREENSHOTS, record, stale


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="holds trainings and kept scores")
    parser.add_argument("--cards", action="store_true", help="the cards alone: half a minute, no browser")
    asked = parser.parse_args()
    if asked.cards:
        cards()
        return
    for artefact, changed in stale().items():
        needs, command = measuring(artefact, changed, asked.corpora, asked.runs)
        if command and all(path.exists() for path in needs):
            _run(*command)
    results_pages.write()
    cards()
    from studies.browser import explorer

    with explorer() as address:
        for script in ("release.screenshots", "release.tour"):
            _run(script, address)
    record(SCREENSHOTS)
    _run("documentation.figures", "--measure")
    _run("documentation.findings")
    _run("documentation.passages_table")
    left = stale()
    for artefact, changed in left.items():
        needs, _ = measuring(artefact, changed, asked.corpora, asked.runs)
        missing = ", ".join(str(path) for path in needs if not path.exists())
        print(
            f"{artefact} is out of date ({', '.join(changed)})"
            + (f": {missing} is missing" if missing else "")
        )
    sys.exit(bool(left))


def cards() -> None:
    """Verdicts and pictures of the sample pairs."""
    print("sample cards", flush=True)
    card_pictures.main()
    record(CARDS)


def measuring(
    artefact: str, changed: Sequence[str], corpora: Path, runs: Path
) -> tuple[list[Path], list[str]]:
    """The folders that measuring an artefact needs, and the script with its arguments; none if that takes days."""
    models = ",".join(name.removeprefix("model ") for name in changed)
    known: dict[str, tuple[list[Path], list[str]]] = {
        CELLS: ([corpora], ["explanations.unrelated_cells", str(corpora), "--output", CELLS]),
        FIGURES: (
            [corpora],
            ["accuracy.results_table", str(corpora), "--runs", str(runs), "--models", models],
        ),
        MISTAKES: (
            [corpora, runs / "sentences"],
            [
                *("accuracy.known_error_figures", str(corpora)),
                *("--sentences", str(runs / "sentences"), "--output", MISTAKES),
            ],
        ),
    }
    return known.get(artefact, ([], []))


def _run(script: str, *arguments: str) -> None:
    print(script, flush=True)
    subprocess.run([sys.executable, "-m", f"studies.{script}", *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
