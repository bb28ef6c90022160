"""Does each part of CoLDE's network matter: has training moved it, and is the network worse with random numbers there?

    python -m studies.accuracy.network_parts --sentences FOLDER --checkpoint assets/models/colde --output FILE CORPUS…

The projection is replaced by fresh random numbers (its first ones from another seed), attention by uniform weights; the
area under the curve is measured on pairs that were not trained on. A part
matters where the area falls by more than chance: in at least 97.5 % of 1,000 draws of the pairs with replacement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from colde.models.checkpoint import read_config
from colde.models.colde.network import ColdeNetwork
from colde.training.colde_corpus import VectorCorpus, load_vector_corpus, padded
from colde.training.colde_fit import load_network
from colde.training.colde_objective import pair_scores
from studies.arguments import command_line

DRAWS = 1_000
SEEDS = (101, 102, 103)


@dataclass(frozen=True, slots=True)
class Trial:
    """Pairs of one corpus: [pairs, 2], positions of documents; labels: [pairs]."""

    corpus: VectorCorpus
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]


def trial(corpus: VectorCorpus, most: int) -> Trial:
    """At most so many pairs of each kind, drawn at random, in none of which both documents were trained on."""
    random = np.random.default_rng(0)
    new = corpus.new > 0
    kinds = [
        (corpus.valid.pairs[new], corpus.valid.labels[new]),
        (corpus.one.pairs, corpus.one.labels),
        (corpus.none.pairs, corpus.none.labels),
    ]
    chosen = [random.permutation(len(pairs))[:most] for pairs, _ in kinds]
    pairs, labels = (
        np.concatenate([values[rows] for values, rows in zip(each, chosen, strict=True)])
        for each in zip(*kinds, strict=True)
    )
    return Trial(corpus, pairs, labels)


def scores(network: ColdeNetwork, trials: Sequence[Trial]) -> list[NDArray[np.float32]]:
    """Scores of all pairs."""
    return [pair_scores(network, t.corpus, t.pairs)["attention"] for t in trials]


def redrawn(network: ColdeNetwork, group: str, seed: int) -> ColdeNetwork:
    """A copy with random numbers for one part."""
    torch.manual_seed(seed)
    fresh = ColdeNetwork(network.config).state_dict()
    copy = deepcopy(network)
    with torch.no_grad():
        for name, value in copy.group(group).items():
            value.copy_(fresh[name])
    return copy


def uniform(network: ColdeNetwork) -> ColdeNetwork:
    """A copy with uniform attention."""
    copy = deepcopy(network)
    with torch.no_grad():
        copy.attention.log_sharpness.fill_(-20.0)
    return copy


@torch.no_grad()
def relative_entropy(network: ColdeNetwork, trials: Sequence[Trial], most: int = 60) -> float:
    """Mean entropy of the attention of segments over at least three others, as a share of the uniform one's."""
    entropies = []
    for t in trials:
        for i, j in t.pairs[:most]:
            attention_input = []
            for d in (i, j):
                means, mass = padded([t.corpus.segments[int(d)]])
                attention_input.append(network.attention_input(network.center_and_scale(means), mass))
            if attention_input[1].mass.shape[1] >= 3:
                _, forth, _ = network.attention.pair_weights(*attention_input)
                entropy = -(forth.clamp(min=1e-12).log() * forth).sum(-1) / np.log(forth.shape[-1])
                entropies.append(float(entropy.mean()))
    return float(np.mean(entropies))


def falls(
    trials: Sequence[Trial], before: Sequence[NDArray[np.float32]], after: Sequence[NDArray[np.float32]]
) -> dict[str, object]:
    """Mean area before and after, and the share of draws in which it falls."""
    random = np.random.default_rng(0)

    def area(scored: Sequence[NDArray[np.float32]], rows: Sequence[NDArray[np.int64]]) -> float:
        return float(
            np.mean([roc_auc_score(t.labels[r], s[r]) for t, s, r in zip(trials, scored, rows, strict=True)])
        )

    everything = [np.arange(len(t.labels)) for t in trials]
    fell = 0
    for _ in range(DRAWS):
        rows = [random.integers(len(t.labels), size=len(t.labels)) for t in trials]
        fell += area(after, rows) < area(before, rows)
    each = {
        t.corpus.name: round(float(roc_auc_score(t.labels, a) - roc_auc_score(t.labels, b)), 4)
        for t, b, a in zip(trials, before, after, strict=True)
    }
    return {
        "auc": round(area(after, everything), 4),
        "change": round(area(after, everything) - area(before, everything), 4),
        "by corpus": each,
        "falls": fell / DRAWS,
        "matters": fell / DRAWS >= 0.975,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every part."""
    parser = command_line(__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=400, help="of each kind of each corpus")
    parser.add_argument("--aside", type=float, default=0.06)
    chosen = parser.parse_args(arguments)
    stored, network = read_config(chosen.checkpoint), load_network(chosen.checkpoint)
    trials = [
        trial(load_vector_corpus(c, chosen.sentences, chosen.aside), chosen.pairs) for c in chosen.corpora
    ]
    before = scores(network, trials)
    figures: dict[str, object] = {
        "pairs": {t.corpus.name: len(t.labels) for t in trials},
        "auc": {
            t.corpus.name: round(float(roc_auc_score(t.labels, s)), 4)
            for t, s in zip(trials, before, strict=True)
        },
        "moved": stored.training.get("moved"),
        "sharpness": round(float(network.attention.log_sharpness.detach().exp()), 2),
    }
    drawn = [falls(trials, before, scores(redrawn(network, "projection", seed), trials)) for seed in SEEDS]
    parts: dict[str, object] = {
        "projection": min(drawn, key=lambda d: float(str(d["falls"]))),  # the least harmful of the three
        "attention, uniform": falls(trials, before, scores(uniform(network), trials)),
    }
    for name, value in parts.items():
        print(name, json.dumps(value), flush=True)
    figures["parts"] = parts
    figures["attention entropy, share of uniform"] = round(relative_entropy(network, trials), 4)
    print(json.dumps(figures["attention entropy, share of uniform"]), flush=True)
    chosen.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
