"""Do the trained weights of a system matter? The same network with the numbers of every tensor shuffled.

    python -m studies.papers.shuffled_weights ../shared/corpora --models duet --seeds 0,1,2

For systems whose initial weights are set and not random, so that the comparison with the network before its first step
does not say what the network can do without training. Runs are those of studies/papers/systems_table.py. Prints the
area under the ROC curve on papers, those of five draws, and in brackets the interval of the gain over each by a paired
bootstrap over sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import torch
from rich.console import Console
from sklearn.metrics import roc_auc_score
from torch import nn

from colde.training.training_run import read_settings
from studies.arguments import command_line
from studies.papers.baselines_table import run_folder
from studies.papers.new_document_pairs import judged
from studies.papers.system_scores import Scorer
from studies.significance import PairedScores, paired_bootstrap_auc

DRAWS = 5
JUDGED_ON = "acl"


@torch.no_grad()
def shuffle(network: nn.Module, seed: int) -> None:
    """Put the numbers of each trained tensor into random order."""
    draw = torch.Generator().manual_seed(seed)
    for tensor in (p for p in network.parameters() if p.requires_grad):
        flat = tensor.flatten()
        tensor.copy_(flat[torch.randperm(len(flat), generator=draw)].view_as(tensor))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--work", "--models", "--config")
    parser.add_argument("--seeds", default="0", help="of the runs, with commas")
    chosen = parser.parse_args(arguments)
    known = judged(chosen.corpora / JUDGED_ON)
    settings = read_settings(chosen.config)
    console = Console()
    for name in chosen.models.split(","):
        for seed in map(int, chosen.seeds.split(",")):
            scorer = Scorer(name, chosen.work, settings, run_folder(chosen.work, name, seed))
            trained = scorer.scores(known)
            weights = deepcopy(scorer.model.network.state_dict())
            texts = []
            for draw in range(DRAWS):
                shuffle(scorer.model.network, draw)
                shuffled = scorer.scores(known)
                scorer.model.network.load_state_dict(weights)
                pairs = PairedScores(known.labels, trained, shuffled, known.sources)
                gain = paired_bootstrap_auc(pairs)
                area = roc_auc_score(known.labels, shuffled)
                texts.append(f"{area:.3f} ({gain.low:+.3f} to {gain.high:+.3f})")
            area = roc_auc_score(known.labels, trained)
            console.print(f"{name}, seed {seed}: {area:.3f}, shuffled {', '.join(texts)}")


if __name__ == "__main__":
    main()
