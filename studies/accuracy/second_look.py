"""Would a second look help: a cross-encoder that reads the passages which contribute most to CoLDE's score?

    python -m studies.accuracy.second_look ../shared/corpora --sentences runs/sentences

For each pair, the segments that add most to the attention score, at most `TOP` pairs of them, are read together by the
cross-encoder that ships, which is trained further on pairs of train.tsv. Its mean log-odds are added to CoLDE's score,
both in standard deviations, with several weights. Measured on pairs of which no document was trained on: the difference
of the area under the ROC curve, with 95 % intervals from a bootstrap over the pairs. The figures go into
docs/results/second_look.json. The cross-encoder is shipped as a model only if the gain is beyond chance.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim.lr_scheduler import LambdaLR

from colde import models
from colde.encoders.sentence_layout import split_segments
from colde.judge.profiles import corpora
from colde.models.checkpoint import read_tensors
from colde.models.colde.network import ColdeNetwork
from colde.models.cross_encoder.cross_encoder import CrossConfig, CrossNetwork, PairInput, paired
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import VectorCorpus, corpora_with_vectors, padded
from colde.training.colde_models.colde_fit import load_network
from colde.training.colde_models.colde_objective import ColdeTraining, pair_scores
from studies.arguments import command_line
from studies.tables import interval_text, table_head, table_row, write_json

TOP = 2  # pairs of segments of a pair of documents
TOKENS = 64  # of a segment
BATCH = 12  # pairs of documents
RATE = 7e-4
WARM_UP = 0.1  # of the steps
WEIGHTS = (0.15, 0.3, 0.6)  # of the second look beside CoLDE's score
RESAMPLES = 2_000

Ids = NDArray[np.int32]


@dataclass(slots=True)
class Passages:
    """The token ids of the segments of documents of a corpus, made on demand."""

    corpus: VectorCorpus
    known: dict[int, list[Ids]] = field(default_factory=dict)

    def of(self, document: int) -> list[Ids]:
        """The ids of each segment of a document, at most `TOKENS`."""
        if document not in self.known:
            layouts, kept = self.corpus.layouts, self.corpus.kept
            rows = layouts.of(document)
            segment, _ = split_segments(layouts.tokens[rows], layouts.chunk[rows])
            sentences = kept.sentence[kept.of(document)]
            owner = segment[sentences - rows.start]
            self.known[document] = [
                np.concatenate(
                    [layouts.flat[layouts.offsets[n] + 1 : layouts.offsets[n + 1] - 1] for n in ids]
                )[:TOKENS].astype(np.int32)
                for ids in (sentences[owner == s] for s in np.unique(owner))
            ]
        return self.known[document]


@torch.inference_mode()
def strongest_inputs(network: ColdeNetwork, passages: Passages, pair: Sequence[int]) -> list[PairInput]:
    """The inputs of the pairs of segments that add most to the attention score, each segment once."""
    segments = [passages.corpus.segments[int(d)] for d in pair]
    means, mass = padded(segments)
    x = network.center_and_scale(means) * (mass > 0).unsqueeze(-1)
    inputs = network.attention_input(x, mass)
    weights, _, _ = network.attention.pair_weights(inputs[0:1], inputs[1:2])
    adds = (weights * (inputs.values[0:1] @ inputs.values[1:2].transpose(-1, -2)))[0].numpy().copy()
    adds = adds[: len(segments[0].mass), : len(segments[1].mass)]
    one, other = (passages.of(int(d)) for d in pair)
    chosen = []
    for _ in range(min(TOP, *adds.shape)):
        i, j = (int(k) for k in np.unravel_index(np.argmax(adds), adds.shape))
        chosen.append(
            paired(one[i], other[j], *(np.arange(len(p), dtype=np.int32) for p in (one[i], other[j])))
        )
        adds[i], adds[:, j] = -np.inf, -np.inf
    return chosen


def log_odds_of(network: CrossNetwork, inputs: Sequence[Sequence[PairInput]]) -> Tensor:
    """Mean log-odds of the passages of each pair of documents: [pairs]."""
    owner = torch.tensor([k for k, some in enumerate(inputs) for _ in some])
    logits = network.logits([one for some in inputs for one in some]).float()
    sums = torch.zeros(len(inputs)).index_add(0, owner, logits)
    return sums / torch.bincount(owner, minlength=len(inputs)).clamp(min=1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of documents with labels [pairs], scores of CoLDE [pairs] and the inputs of the second look."""

    labels: NDArray[np.int64]
    scores: Array
    inputs: Sequence[Sequence[PairInput]]

    @classmethod
    def of(cls, network: ColdeNetwork, passages: Passages, pairs: np.ndarray, labels: np.ndarray) -> Pairs:
        scores = pair_scores(network, passages.corpus, pairs)["attention"]
        return cls(labels, scores, [strongest_inputs(network, passages, pair) for pair in pairs])


def train(pairs: Sequence[Pairs], epochs: int, seed: int) -> CrossNetwork:
    """The cross-encoder that ships, trained further on these pairs."""
    torch.manual_seed(seed)
    network = CrossNetwork(CrossConfig())
    network.load_state_dict(read_tensors(models.checkpoint("cross_encoder")), strict=False)
    rows = [(some, y) for part in pairs for some, y in zip(part.inputs, part.labels, strict=True)]
    steps = epochs * len(rows) // BATCH
    optimiser = torch.optim.AdamW(
        [p for p in network.parameters() if p.requires_grad], lr=RATE, weight_decay=0.01
    )
    schedule = LambdaLR(optimiser, lambda s: min(1.0, s / (WARM_UP * steps)) * max(0.0, 1 - s / steps))
    random = np.random.default_rng(seed)
    order = np.concatenate([random.permutation(len(rows)) for _ in range(epochs)])
    network.train()
    for step in range(steps):
        batch = [rows[k] for k in order[step * BATCH : (step + 1) * BATCH]]
        with torch.autocast("cpu", torch.bfloat16):
            logits = log_odds_of(network, [some for some, _ in batch])
        loss = binary_cross_entropy_with_logits(logits, torch.tensor([float(y) for _, y in batch]))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    return network.eval()


def standardised(values: Array) -> Array:
    return np.asarray((values - values.mean()) / values.std())


def gain(pairs: Pairs, second: Array, weight: float, random: np.random.Generator) -> Array:
    """Differences of the area under the ROC curve with and without the second look: [resamples]."""
    first = standardised(pairs.scores)
    both = first + weight * standardised(second)
    gains = []
    for rows in random.integers(len(first), size=(RESAMPLES, len(first))):
        y = pairs.labels[rows]
        if 0 < y.sum() < len(y):
            gains.append(roc_auc_score(y, both[rows]) - roc_auc_score(y, first[rows]))
    return np.resize(np.array(gains), RESAMPLES)


def with_interval(gains: Array) -> dict[str, float]:
    low, high = np.quantile(gains, [0.025, 0.975])
    return {"gain": round(float(gains.mean()), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def sampled(pairs: np.ndarray, labels: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    some = np.random.default_rng(0).permutation(len(pairs))[:most]
    return pairs[some], labels[some]


def main() -> None:
    parser = command_line(__doc__, "corpora", "--json", "--sentences", "--seed")
    parser.add_argument("--pairs", type=int, default=260, help="training pairs of each corpus")
    parser.add_argument("--epochs", type=int, default=2)
    options = parser.parse_args()
    folders = [options.corpora / name for name in corpora()]
    network = load_network(models.checkpoint("colde"))
    trained, tested = [], {}
    for corpus in corpora_with_vectors(folders, options.sentences, ColdeTraining().aside):
        passages = Passages(corpus)
        trained.append(
            Pairs.of(network, passages, *sampled(corpus.train.pairs, corpus.train.labels, options.pairs))
        )
        new = corpus.new == 2
        pairs = np.concatenate([corpus.none.pairs, corpus.valid.pairs[new]])
        labels = np.concatenate([corpus.none.labels, corpus.valid.labels[new]])
        tested[corpus.name] = Pairs.of(network, passages, *sampled(pairs, labels, 300))
    begun = time.perf_counter()
    second = train(trained, options.epochs, options.seed)
    seconds = round(time.perf_counter() - begun)
    write_json(
        options.json or Path("docs/results/second_look.json"), report(second, tested) | {"seconds": seconds}
    )


def report(second: CrossNetwork, tested: Mapping[str, Pairs]) -> dict[str, object]:
    """Print and return the gains of each corpus, and their mean, for each weight."""
    results: dict[str, object] = {}
    values = {}
    for name, pairs in tested.items():
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            blocks = range(0, len(pairs.inputs), 2 * BATCH)
            values[name] = torch.cat(
                [log_odds_of(second, pairs.inputs[k : k + 2 * BATCH]) for k in blocks]
            ).numpy()
    print(table_head(("weight", "pairs of", "pairs", "gain of ROC AUC (95 % interval)")))
    for weight in WEIGHTS:
        random = np.random.default_rng(0)
        gains = {name: gain(pairs, values[name], weight, random) for name, pairs in tested.items()}
        gains["mean"] = np.mean(list(gains.values()), axis=0)
        for name, some in gains.items():
            row = with_interval(some)
            count = (
                len(tested[name].labels) if name in tested else sum(len(p.labels) for p in tested.values())
            )
            gained = interval_text([row["gain"], row["low"], row["high"]], "+")
            print(table_row((weight, name, count, gained)))
            results[f"{name} {weight}"] = {"pairs": count, **row}
    return {"gains": results}


if __name__ == "__main__":
    main()
