"""Whether each part of CoLDE's network takes part in what it says: moved from its start, and worse when drawn anew.

    python benchmarks/parts_matter.py --states FOLDER --checkpoint assets/models/colde --output FILE CORPUS…

Each part of `colde.models.colde.whole.GROUPS` is replaced by fresh random numbers (its first values from another seed;
the encoder's layers by normal numbers, as BERT begins), and the area under the curve is measured on pairs that were not
trained on. A part matters where the area falls by more than chance: in at least 97.5 % of 1,000 draws of the pairs with
replacement. Attention is also replaced by uniform weights, and its entropy set against that of fresh numbers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor

from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.aggregate import summed
from colde.models.colde.whole import GROUPS, WholeNetwork
from colde.models.colde.whole_config import WholeConfig
from colde.training.whole import Reader
from colde.training.whole_data import Gathered, WholeCorpus, gather, load_whole

DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Trial:
    """Pairs of one corpus, and the sentences of their documents.

    Attributes:
        documents: [documents], positions; pairs: [pairs, 2], positions in `documents`; labels: [pairs].
    """

    name: str
    documents: list[int]
    gathered: Gathered
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]


def trial(corpora: Sequence[WholeCorpus], c: int, most: int, tokens: int) -> Trial:
    """So many pairs of each kind of a corpus, drawn at random."""
    corpus, random = corpora[c], np.random.default_rng(c)
    pairs, labels = [], []
    for graph in (corpus.valid, corpus.one, corpus.none):
        some = random.permutation(len(graph.pairs))[:most]
        pairs.append(graph.pairs[some])
        labels.append(graph.labels[some])
    ends = np.concatenate(pairs)
    documents, local = np.unique(ends, return_inverse=True)
    known = [int(d) for d in documents]
    rows = [corpus.drawn(d, tokens, None) for d in known]
    return Trial(
        corpus.name,
        known,
        gather(corpora, [(c, d) for d in known], rows),
        local.reshape(-1, 2),
        np.concatenate(labels),
    )


@torch.no_grad()
def scores(network: WholeNetwork, at: Trial, vectors: Tensor) -> NDArray[np.float32]:
    """Cosines of the pairs."""
    layout = at.gathered.layout
    found = network.eval().aggregate(vectors, layout)
    z = summed(found.chunks, found.mass, layout.owner, len(at.documents)).numpy()
    return np.asarray((z[at.pairs[:, 0]] * z[at.pairs[:, 1]]).sum(-1), dtype=np.float32)


@torch.no_grad()
def relative_entropy(network: WholeNetwork, at: Trial, vectors: Tensor) -> float:
    """Mean entropy of the attention of chunks over at least three others, as a share of the uniform one's."""
    layout = at.gathered.layout
    weights = network.eval().aggregate(vectors, layout).attention
    sizes = torch.bincount(layout.part)
    keys = sizes[layout.following]
    entropy = (
        -(weights.clamp(min=1e-12).log() * weights).sum(-1)
        / keys.float().log().clamp(min=1e-6)[:, None, None]
    )
    asked = (torch.arange(weights.shape[2]) < sizes[:, None]) & (keys >= 3)[:, None]
    return float(entropy.transpose(1, 2)[asked].mean())


def redrawn(network: WholeNetwork, group: str, seed: int) -> WholeNetwork:
    """A copy with one part drawn anew."""
    torch.manual_seed(seed)
    copy = WholeNetwork(network.config)
    fresh = {n: p.detach().clone() for n, p in copy.named_parameters()}
    copy.load_state_dict(network.state_dict())
    with torch.no_grad():
        for name, value in copy.group(group).items():
            if group != "encoder":
                value.copy_(fresh[name])
            elif value.dim() > 1:
                value.normal_(std=0.02)
    return copy


def uniform(network: WholeNetwork) -> WholeNetwork:
    """A copy whose attention looks at every chunk alike."""
    copy = WholeNetwork(network.config)
    copy.load_state_dict(network.state_dict())
    with torch.no_grad():
        copy.aggregate.attention.query.weight.zero_()
    return copy


def falls(
    trials: Sequence[Trial], before: Sequence[NDArray[np.float32]], after: Sequence[NDArray[np.float32]]
) -> dict[str, object]:
    """Mean area before and after, and the share of draws in which it falls."""
    random = np.random.default_rng(0)

    def area(scored: Sequence[NDArray[np.float32]], rows: Sequence[NDArray[np.int64]]) -> float:
        return float(
            np.mean([roc_auc_score(t.labels[r], s[r]) for t, s, r in zip(trials, scored, rows, strict=True)])
        )

    whole = [np.arange(len(t.labels)) for t in trials]
    fell = 0
    for _ in range(DRAWS):
        rows = [random.integers(len(t.labels), size=len(t.labels)) for t in trials]
        fell += area(after, rows) < area(before, rows)
    each = {
        t.name: round(float(roc_auc_score(t.labels, a) - roc_auc_score(t.labels, b)), 4)
        for t, b, a in zip(trials, before, after, strict=True)
    }
    return {
        "auc": round(area(after, whole), 4),
        "change": round(area(after, whole) - area(before, whole), 4),
        "by corpus": each,
        "falls": fell / DRAWS,
        "matters": fell / DRAWS >= 0.975,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=150, help="of each kind of each corpus")
    parser.add_argument("--tokens", type=int, default=400, help="of each document")
    parser.add_argument("--aside", type=float, default=0.06)
    chosen = parser.parse_args(arguments)
    stored = read_config(chosen.checkpoint)
    network = WholeNetwork(WholeConfig(**stored.settings))
    network.load_state_dict(read_tensors(chosen.checkpoint))
    corpora = [load_whole(c, chosen.states, chosen.aside) for c in chosen.corpora]
    trials = [trial(corpora, c, chosen.pairs, chosen.tokens) for c in range(len(corpora))]

    def read(known: WholeNetwork) -> list[Tensor]:
        known.eval()
        return [Reader(known, corpora, 8192).vectors(t.gathered) for t in trials]

    def score(known: WholeNetwork, vectors: Sequence[Tensor]) -> list[NDArray[np.float32]]:
        return [scores(known, t, v) for t, v in zip(trials, vectors, strict=True)]

    vectors = read(network)
    before = score(network, vectors)
    names = [t.name for t in trials]
    found: dict[str, object] = {
        "pairs": {t.name: len(t.labels) for t in trials},
        "auc": {
            n: round(float(roc_auc_score(t.labels, s)), 4)
            for n, t, s in zip(names, trials, before, strict=True)
        },
    }
    parts: dict[str, object] = {}
    for group in GROUPS:
        changed = redrawn(network, group, seed=101)
        own = GROUPS[group][0].startswith("upper.")
        after = score(changed, read(changed) if own else vectors)
        parts[group] = falls(trials, before, after)
        print(group, json.dumps(parts[group]), flush=True)
    parts["attention, uniform"] = falls(trials, before, score(uniform(network), vectors))
    print("attention, uniform", json.dumps(parts["attention, uniform"]), flush=True)
    entropies: Callable[[WholeNetwork], float] = lambda n: float(  # noqa: E731
        np.mean([relative_entropy(n, t, v) for t, v in zip(trials, vectors, strict=True)])
    )
    found["parts"] = parts
    found["attention entropy, share of uniform"] = {
        "trained": round(entropies(network), 4),
        "drawn anew": [round(entropies(redrawn(network, "attention", s)), 4) for s in (1, 2, 3)],
    }
    found["moved"] = stored.training.get("moved")
    print(json.dumps(found["attention entropy, share of uniform"]), flush=True)
    chosen.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
