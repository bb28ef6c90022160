"""Do a trained system's numbers matter? The same network with every tensor's numbers shuffled, on the judged pairs.

    python -m studies.papers.shuffled_weights ../shared/corpora --work runs/systems --models duet --seeds 0,1,2

For systems whose start was set by hand and is more than random numbers, so that the row's comparison with the network
before its first step does not say what the network is worth without. Runs are those of
studies/papers/systems_table.py. Prints the area under the ROC curve on papers, those of five draws, and in brackets
the interval of the gain over each by a paired bootstrap over sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from sklearn.metrics import roc_auc_score
from torch import nn

from colde import models
from colde.training.training_run import read_settings
from studies.papers.baselines_table import run_folder
from studies.papers.systems_table import judged, loader, run_scores
from studies.significance import PairedScores, paired_bootstrap_auc

DRAWS = 5
JUDGED_ON = "acl"


@torch.no_grad()
def shuffle(network: nn.Module, seed: int) -> None:
    """Put the numbers of each tensor that is trained into random order."""
    draw = torch.Generator().manual_seed(seed)
    for tensor in (p for p in network.parameters() if p.requires_grad):
        flat = tensor.flatten()
        tensor.copy_(flat[torch.randperm(len(flat), generator=draw)].view_as(tensor))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/systems"))
    parser.add_argument("--models", required=True, help="names with commas")
    parser.add_argument("--seeds", default="0", help="of the runs, with commas")
    parser.add_argument("--config", type=Path, help="settings; `sentences`: folder")
    chosen = parser.parse_args(arguments)
    known = judged(chosen.corpora / JUDGED_ON)
    console = Console()
    for name in chosen.models.split(","):
        load = loader(name, read_settings(chosen.config), chosen.work)
        for seed in map(int, chosen.seeds.split(",")):
            folder = run_folder(chosen.work, name, seed)
            trained = run_scores(models.load(folder), known, load)
            shuffled = []
            for draw in range(DRAWS):
                model: Any = models.load(folder)
                shuffle(model.network, draw)
                shuffled.append(run_scores(model, known, load))
            gains = [
                paired_bootstrap_auc([PairedScores(known.labels, trained, s, known.sources)])
                for s in shuffled
            ]
            said = ", ".join(
                f"{roc_auc_score(known.labels, s):.3f} ({g.low:+.3f} to {g.high:+.3f})"
                for s, g in zip(shuffled, gains, strict=True)
            )
            console.print(f"{name}, seed {seed}: {roc_auc_score(known.labels, trained):.3f}, shuffled {said}")


if __name__ == "__main__":
    main()
