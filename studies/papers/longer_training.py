"""Does longer or slower training help a system? Once more beside its recipe, on pairs that the table does not judge.

    python -m studies.papers.longer_training ../shared/corpora --work runs/systems --models re2,gru_han --seed 1

Judged are the papers' pairs with a new document after the 400 of studies/papers/systems_table.py: what wins here
becomes the recipe, since no figure of the table chose it. The run by the recipe is that of
studies/papers/systems_table.py, trained where it is missing. Prints accuracy at its best threshold, area under the
curve, and the difference of the areas with its paired bootstrap over sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.metrics import accuracy_score, roc_auc_score

from colde import models
from colde.judge.calibration import best_threshold
from colde.judge.profiles import corpora as shipped_corpora
from colde.results.similarity_map import Array
from colde.training.training_run import read_settings
from studies.papers.baselines_table import printer, run_folder, train_into, train_missing
from studies.papers.systems_rows import JUDGED
from studies.papers.systems_table import NewDocumentPairs, judged, loader, run_scores
from studies.significance import PairedScores, paired_bootstrap_auc

CHOSEN_ON = "acl"


@dataclass(frozen=True, slots=True)
class Try:
    """Another training beside the recipe's.

    Attributes:
        settings: of training, that differ from the recipe.
        adopted: what was tried won, and is the recipe now; `settings` are those it had before.
    """

    settings: Mapping[str, Any]
    adopted: bool = False


TRIES: Mapping[str, Try] = {
    "re2": Try({"steps": 300}, adopted=True),
    "match_pyramid": Try({"steps": 400}, adopted=True),
    "duet": Try({"steps": 1000}, adopted=True),
    "deepqa": Try({"steps": 200, "learning_rate": 0.002}, adopted=True),
    "transformer_xl": Try({"steps": 150, "learning_rate": 0.001}, adopted=True),
    "gru_han": Try({"steps": 800, "learning_rate": 0.0005}),
    "gru_han:cda": Try({"steps": 800, "learning_rate": 0.0005}),
    "bert_han": Try({"steps": 400, "learning_rate": 0.001}),
    "bert_han:cda": Try({"steps": 400, "learning_rate": 0.001}),
    "cig": Try({"steps": 150, "learning_rate": 0.005}),
    "cig:siam": Try({"steps": 150, "learning_rate": 0.005}),
    "cig:global": Try({"steps": 60, "learning_rate": 0.01}, adopted=True),
    "simnet": Try({"steps": 800, "learning_rate": 0.005}),
    "lda": Try({"passes": 12}),
    "longformer": Try({"learning_rate": 0.0001}),
}


def further(corpus: Path) -> NewDocumentPairs:
    """The pairs with a new document that the table does not judge."""
    return NewDocumentPairs(corpus, judged(corpus, most=10**9).pairs[JUDGED:])


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
        tried = TRIES[name]
        settings = {**given, "training": tried.settings, "prepared": str(chosen.work / "prepared")}
        train_into(other, name, folders, settings, chosen.seed, show)
        load = loader(name, given, chosen.work)
        runs = (other, recipe) if tried.adopted else (recipe, other)
        before, after = (run_scores(models.load(run), known, load) for run in runs)
        gain = paired_bootstrap_auc([PairedScores(known.labels, after, before, known.sources)])
        said = f"before {_figures(known, before)}, after {_figures(known, after)}"
        console.print(f"{name}: {said}; area {gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})")


def _figures(known: NewDocumentPairs, scores: Array) -> str:
    exact = scores.astype(np.float64)
    threshold = best_threshold(exact, known.labels, np.ones(len(exact)))
    right = accuracy_score(known.labels, exact >= threshold)
    return f"{right:.3f} / {roc_auc_score(known.labels, exact):.3f}"


if __name__ == "__main__":
    main()
