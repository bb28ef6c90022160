"""One more recipe for the systems whose row is of their first: is it better on pairs that the table does not judge?

    python benchmarks/tries.py ../shared/corpora --work runs/systems --models re2,gru_han --seed 1

Judged are the papers' pairs with a new document after the 400 of benchmarks/systems.py: what wins here may become the
recipe, since no figure of the table chose it. The run by the recipe is that of benchmarks/systems.py, trained where it
is missing. Prints accuracy at its best threshold, area under the curve, and the difference of the areas with its paired
bootstrap over sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from results import printer, run_folder, train_into, train_missing
from rich.console import Console
from sklearn.metrics import accuracy_score, roc_auc_score
from systems import JUDGED, Judged, judged, loader, run_scores

from colde import models
from colde.evaluation.bootstrap import Compared, paired_bootstrap_auc
from colde.judge.calibration import best_threshold
from colde.judge.profiles import corpora as shipped_corpora
from colde.results.maps import Array
from colde.training.run import read_settings

CHOSEN_ON = "acl"
TRIES: Mapping[str, Mapping[str, Any]] = {
    "re2": {"steps": 600},
    "match_pyramid": {"steps": 800},
    "duet": {"steps": 1000},
    "deepqa": {"steps": 600, "learning_rate": 0.001},
    "gru_han": {"steps": 800, "learning_rate": 0.0005},
    "transformer_xl": {"steps": 400, "learning_rate": 0.0005},
    "bert_han": {"steps": 400, "learning_rate": 0.001},
    "cig": {"steps": 150, "learning_rate": 0.005},
    "simnet": {"steps": 800, "learning_rate": 0.005},
}
"""Settings of training that differ from the recipe."""


def further(corpus: Path) -> Judged:
    """The pairs with a new document that the table does not judge."""
    return Judged(corpus, judged(corpus, most=10**9).pairs[JUDGED:])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/systems"))
    parser.add_argument("--models", default=",".join(TRIES), help="names with commas")
    parser.add_argument("--config", type=Path, help="settings; `sentences`: folder")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in shipped_corpora()]
    known = further(chosen.corpora / CHOSEN_ON)
    console = Console()
    given = read_settings(chosen.config)
    for name in chosen.models.split(","):
        show = printer(console, name)
        recipe = train_missing(name, folders, chosen.work, chosen.seed, chosen.config, show)
        other = run_folder(chosen.work, f"try-{name}", chosen.seed)
        settings = {**given, "training": TRIES[name], "prepared": str(chosen.work / "prepared")}
        train_into(other, name, folders, settings, chosen.seed, show)
        load = loader(name, given, chosen.work)
        scores = [run_scores(models.load(f), known, load) for f in (recipe, other)]
        gain = paired_bootstrap_auc([Compared(known.labels, *reversed(scores), known.sources)])
        said = ", ".join(f"{t} {_figures(known, s)}" for t, s in zip(("recipe", "try"), scores, strict=True))
        console.print(f"{name}: {said}; area {gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})")


def _figures(known: Judged, scores: Array) -> str:
    exact = scores.astype(np.float64)
    threshold = best_threshold(exact, known.labels, np.ones(len(exact)))
    right = accuracy_score(known.labels, exact >= threshold)
    return f"{right:.3f} / {roc_auc_score(known.labels, exact):.3f}"


if __name__ == "__main__":
    main()
