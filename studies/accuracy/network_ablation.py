"""Does each part of CoLDE's network matter? It is trained without one part at a time, over several seeds.

    python -m studies.accuracy.network_ablation ../shared/corpora --sentences runs/sentences --seeds 3

    no contrastive loss   the supervised contrastive loss (3.3) is left out; the pair loss of every labelled pair stays
    no split              the parts of a document (3.1) are no positives of each other
    even attention        every segment attends evenly to the other document, in training and in use
    no projection         the projection keeps its first value, a rotation

Measured: the area under the ROC curve on pairs of which both documents, or one, were not trained on, and on validation
pairs of kinds that were left out of training, around their own centre (`--left-out`: with the first seed, for the two
parts of the loss; `unseen_kinds` measures attention and projection there).
Documents are shortened to `--tokens` for training and measuring, so the figures are lower than those of the table of
all models. A difference matters where its sign is the same with every seed. Runs are resumable; the figures go into
docs/results/network_ablation.json.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from colde.judge.profiles import corpora
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.registry import spec
from colde.training.colde_models.colde_corpus import VectorCorpus, corpora_with_vectors
from colde.training.colde_models.colde_fit import reference_documents, train_network
from colde.training.colde_models.colde_objective import ColdeTraining, pair_scores
from colde.training.corpora.labelled_pairs import PairGraph
from colde.training.corpora.sentence_vectors import StoredVectors, sample
from colde.training.training_run import TrainingRun
from studies.arguments import command_line
from studies.tables import mean_and_spread, table_head, table_row, write_json

EVEN_SHARPNESS = 1e-6

Results = dict[str, dict[str, list[float]]]
"""By variant and measure, a figure for each seed."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The network without one part."""

    config: ColdeConfig = field(default_factory=ColdeConfig)
    training: ColdeTraining = field(default_factory=ColdeTraining)
    frozen: Collection[str] = ()


VARIANTS: Mapping[str, Variant] = {
    "complete": Variant(),
    "no contrastive loss": Variant(training=ColdeTraining(contrastive=0.0)),
    "no split": Variant(training=ColdeTraining(split=False)),
    "even attention": Variant(ColdeConfig(sharpness=EVEN_SHARPNESS), frozen=("sharpness",)),
    "no projection": Variant(frozen=("projection",)),
}


LEFT_OUT = ("complete", "no contrastive loss", "no split")


def shortened(corpus: VectorCorpus, tokens: int) -> VectorCorpus:
    """The corpus with about so many tokens of each document, evenly from all of its chunks."""
    layouts, kept = corpus.layouts, corpus.kept
    rows, first = [], [0]
    for document in range(len(layouts.names)):
        stored, sentences = kept.of(document), layouts.of(document)
        chosen = sample(
            layouts.tokens[sentences], layouts.chunk[sentences], tokens, np.random.default_rng(document)
        )
        among = np.isin(kept.sentence[stored], chosen + sentences.start)
        rows.append(np.arange(stored.start, stored.stop)[among])
        first.append(first[-1] + len(rows[-1]))
    taken = np.concatenate(rows)
    return replace(
        corpus,
        kept=StoredVectors(
            kept.sentence[taken],
            np.array(first),
            np.asarray(kept.vectors[taken]),
            np.asarray(kept.ready[taken]),
        ),
    )


def auc(network: ColdeNetwork, corpus: VectorCorpus, graphs: Sequence[tuple[PairGraph, np.ndarray]]) -> float:
    """Area under the ROC curve on pairs of graphs, each with a mask [pairs] of those that count."""
    pairs = np.concatenate([g.pairs[some] for g, some in graphs])
    labels = np.concatenate([g.labels[some] for g, some in graphs])
    return round(float(roc_auc_score(labels, pair_scores(network, corpus, pairs)["score"])), 4)


def all_of(graph: PairGraph) -> np.ndarray:
    return np.full(len(graph.pairs), True)


def in_domain(network: ColdeNetwork, loaded: Sequence[VectorCorpus]) -> dict[str, dict[str, float]]:
    """By kind of pairs and corpus."""
    return {
        "both new": {
            c.name: auc(network, c, [(c.none, all_of(c.none)), (c.valid, c.new == 2)]) for c in loaded
        },
        "one new": {c.name: auc(network, c, [(c.one, all_of(c.one)), (c.valid, c.new == 1)]) for c in loaded},
    }


def left_out(network: ColdeNetwork, corpus: VectorCorpus) -> float:
    """On validation pairs of a corpus that was left out of training, around its own centre."""
    network.centre.copy_(torch.from_numpy(corpus.centre(reference_documents(corpus))))
    return auc(network, corpus, [(corpus.valid, all_of(corpus.valid))])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--output")
    parser.add_argument("--work", type=Path, default=Path("runs/ablation"), help="folder of the trainings")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=1_500, help="tokens of each document")
    parser.add_argument("--left-out", action="store_true", help="also leave out each corpus in turn")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    loaded = [
        shortened(c, chosen.tokens)
        for c in corpora_with_vectors(folders, chosen.sentences, ColdeTraining().aside)
    ]

    def trained(name: str, seed: int, trained_on: Sequence[VectorCorpus], folder: str) -> ColdeNetwork:
        variant, work = VARIANTS[name], chosen.work / folder / f"{name.replace(' ', '_')}-{seed}"
        run = TrainingRun(spec("colde"), [], work, resume=True, seed=seed)
        return train_network(run, variant.config, variant.training, trained_on, variant.frozen)[0].eval()

    results: Results = {name: {} for name in VARIANTS}
    for seed in range(chosen.seeds):
        for name, figures in results.items():
            add_in_domain(figures, trained(name, seed, loaded, "all"), loaded)
            print(seed, name, {k: v[-1] for k, v in figures.items()}, flush=True)
            write(chosen.output, chosen.tokens, results)
    for name in LEFT_OUT if chosen.left_out else ():
        for left in loaded:
            others = [c for c in loaded if c is not left]
            network = trained(name, 0, others, f"without_{left.name}")
            results[name][f"left out, {left.name}"] = [left_out(network, left)]
        write(chosen.output, chosen.tokens, results)
    print_table(results)


def add_in_domain(
    figures: dict[str, list[float]], network: ColdeNetwork, loaded: Sequence[VectorCorpus]
) -> None:
    """Add the figures of one training, and their mean over the corpora."""
    for kind, by_corpus in in_domain(network, loaded).items():
        for corpus, value in by_corpus.items():
            figures.setdefault(f"{kind}, {corpus}", []).append(value)
        figures.setdefault(f"{kind}, mean", []).append(round(mean(by_corpus.values()), 4))


def print_table(results: Results) -> None:
    """A row for each variant: the mean over the seeds, and the standard deviation."""
    columns = list(results["complete"])
    print(table_head(["AUC", *columns]))
    for name, figures in results.items():
        print(table_row([name, *(mean_and_spread(figures[c]) if c in figures else "" for c in columns)]))


def write(folder: Path, tokens: int, results: Results) -> None:
    write_json(folder / "network_ablation.json", {"tokens": tokens, "auc": results})


if __name__ == "__main__":
    main()
