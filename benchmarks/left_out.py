"""Documents of a kind that was never trained on: each corpus in turn is left out, then judged with a reference.

    python benchmarks/left_out.py ../shared/corpora --settings runs/settings.json

What `colde evaluate --profile general --reference CORPUS` does with a checkpoint trained on the other corpora: centred
on the corpus' own documents, the threshold in units of the spread of its random pairs. Beside it TF-IDF in the same
way, and the named profiles' own shares, to show what trained words are worth on another kind.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from colde.encoders.frozen import shared_frozen_encoder
from colde.judge.profiles import corpora
from colde.models.colde import ChannelWeights, ColdeConfig, Mixture
from colde.models.registry import spec
from colde.training.channels import Channels, channels, recentred
from colde.training.fit import fit_network, fit_words
from colde.training.pairs import TrainingCorpus, load_corpus
from colde.training.profiles import relative_threshold, unrelated_pairs
from colde.training.settings import TrainConfig

MIXTURE = Mixture.of(spec("colde").model["mixture"])
ROWS = {
    "CoLDE, with a reference": MIXTURE.out_of_domain,
    "CoLDE, shares of general without one": MIXTURE.weights("general"),
    "CoLDE, shares of a named profile": MIXTURE.in_domain,
    "TF-IDF alone": ChannelWeights(exact=1.0),
    "encoder alone": ChannelWeights(),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--settings", type=Path, required=True, help="JSON with vectors and most_chunks")
    parser.add_argument("--steps", type=int, default=250)
    chosen = parser.parse_args(arguments)
    settings = json.loads(chosen.settings.read_text(encoding="utf-8"))
    frozen = shared_frozen_encoder()
    loaded = [
        load_corpus(
            chosen.corpora / name, Path(settings["vectors"]), frozen, settings["most_chunks"].get(name)
        )
        for name in corpora()
    ]
    print("| left out | judged by | accuracy, threshold of the others | its own best | ROC AUC |", flush=True)
    for left in loaded:
        others = [c for c in loaded if c is not left]
        training = TrainConfig(steps=chosen.steps, pool_steps=chosen.steps)
        network, _ = fit_network(ColdeConfig(recurrent=False), training, others, seed=0)
        words = fit_words(ColdeConfig(), training, others, seed=0)
        known = {c.name: channels(recentred(network, c), words, c) for c in loaded}
        for row, shares in ROWS.items():
            print(f"| {left.name} | {row} | {measured(known, left, others, shares)} |", flush=True)


def measured(
    known: dict[str, Channels], left: TrainingCorpus, others: Sequence[TrainingCorpus], shares: ChannelWeights
) -> str:
    """Accuracy at the threshold of the other corpora, the best there is, and the area under the ROC curve."""

    def score(corpus: TrainingCorpus, pairs: np.ndarray) -> np.ndarray:
        return known[corpus.name].score(pairs, shares)

    labels = left.valid.labels
    scores = score(left, left.valid.pairs) / np.std(score(left, unrelated_pairs(left, 0)))
    travelled = np.mean((scores >= relative_threshold(score, others, 0)) == labels)
    best = max(np.mean((scores >= t) == labels) for t in np.quantile(scores, np.linspace(0, 1, 201)))
    return f"{travelled:.3f} | {best:.3f} | {roc_auc_score(labels, scores):.3f}"


if __name__ == "__main__":
    main()
