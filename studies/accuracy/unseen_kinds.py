"""Kinds of documents that were never trained on: each corpus in turn is left out of training, then judged.

    python -m studies.accuracy.unseen_kinds ../shared/corpora --sentences runs/sentences --counts runs/counts

For each corpus, a network and inverse document frequencies come from the other corpora alone. Measured on the corpus
that was left out: the area under the ROC curve on validation pairs; Spearman's correlation on graded pairs, where the
corpus has them (graded.tsv, never trained on); and the accuracy at the threshold of the other corpora, in units of the
spread of unrelated pairs. `reference` rows are centred on 200 documents of the corpus, as `--reference` does; the other
rows on the training documents. Rows in bold are what ships. The figures go into docs/results/unseen_kinds.json.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from colde.corpus.corpus_folder import GRADED
from colde.judge.profile_fit import best_threshold
from colde.judge.profiles import corpora, profile_of
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde.out_of_domain import untrained_view
from colde.models.colde_words.mixture_weights import Mixture
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Counts, Statistics, weighted
from colde.training.colde_models.colde_corpus import VectorCorpus, corpora_with_vectors
from colde.training.colde_models.colde_fit import train_network, view_around_corpus
from colde.training.colde_models.colde_objective import ColdeTraining, pair_scores
from colde.training.colde_models.colde_words_fit import (
    CorpusWordCounts,
    corpus_tfidf_centre,
    corpus_word_counts,
    training_statistics,
)
from colde.training.profile_scores import draw_unrelated_pairs
from colde.training.training_run import TrainingRun
from studies.arguments import command_line
from studies.tables import table_head, table_row, write_json

PAIRS = 700
"""Validation pairs of a corpus."""
UNRELATED = 500

SHIPS = ("colde", "colde_words", "colde, reference", "colde_words, reference")

Scores = Mapping[str, Array]
"""By way of scoring: [pairs]."""


@dataclass(frozen=True, slots=True)
class JudgedCorpus:
    """Pairs of a corpus: labelled ones, then unrelated ones, then graded ones.

    Attributes:
        pairs: [pairs, 2], positions of documents.
        labels: [labelled]; grades: [graded], empty for a corpus without graded pairs.
    """

    corpus: VectorCorpus
    words: CorpusWordCounts
    pairs: np.ndarray
    labels: np.ndarray
    grades: np.ndarray

    @classmethod
    def of(cls, corpus: VectorCorpus, folder: Path, words: CorpusWordCounts) -> JudgedCorpus:
        some = np.random.default_rng(0).permutation(len(corpus.valid.pairs))[:PAIRS]
        known = corpus.held_out(profile_of(corpus.name))
        unrelated = known.positions[draw_unrelated_pairs(known, 0, UNRELATED)]
        graded, grades = graded_pairs(folder, corpus.layouts.names)
        pairs = np.concatenate([corpus.valid.pairs[some], unrelated, graded])
        return cls(corpus, words, pairs, corpus.valid.labels[some], grades)

    def labelled(self, scores: Array) -> Array:
        """Scores of the labelled pairs, in units of the spread of unrelated pairs."""
        count = len(self.labels)
        return np.asarray(scores[:count] / np.std(scores[count : count + UNRELATED]))


def graded_pairs(folder: Path, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs [graded, 2], positions in `names`, and their grades; both empty for a corpus without graded pairs."""
    if not (folder / GRADED).is_file():
        return np.zeros((0, 2), np.int64), np.zeros(0)
    position = {name: i for i, name in enumerate(names)}
    with (folder / GRADED).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    pairs = [(position[r["source"]], position[r["target"]]) for r in rows]
    return np.array(pairs), np.array([float(r["similarity"]) for r in rows])


def ways(network: ColdeNetwork, statistics: Statistics, judged: JudgedCorpus) -> Scores:
    """Every way of scoring that is compared."""
    corpus, (i, j) = judged.corpus, judged.pairs.T
    rows = weighted(judged.words.counts, statistics)
    centre = corpus_tfidf_centre(corpus, judged.words, statistics)
    words = np.asarray(rows[i].multiply(rows[j]).sum(1), dtype=np.float32).ravel()
    centred_words = np.asarray(centre.cosines(Counts(rows[i]), Counts(rows[j])), dtype=np.float32)
    view = pair_scores(untrained_view(network), corpus, judged.pairs)
    around = pair_scores(view_around_corpus(network, corpus), corpus, judged.pairs)
    trained = pair_scores(network, corpus, judged.pairs)
    mixture = Mixture.of(spec("colde_words").model["mixture"])
    exact, exact_around = mixture.general.exact, mixture.reference.exact
    return {
        "colde": view["score"],
        "colde_words": (1 - exact) * view["score"] + exact * words,
        "trained projection, attention": trained["attention"],
        "mean of sentence vectors": view["vectors"],
        "TF-IDF": words,
        "colde, reference": around["score"],
        "colde_words, reference": (1 - exact_around) * around["score"] + exact_around * centred_words,
        "attention alone, reference": around["attention"],
        "trained projection, attention, reference": recentred(network, corpus, judged.pairs),
        "mean of sentence vectors, reference": around["vectors"],
        "TF-IDF, reference": centred_words,
    }


def recentred(network: ColdeNetwork, corpus: VectorCorpus, pairs: np.ndarray) -> Array:
    """Attention with the trained projection around the centre of a corpus."""
    training = network.centre.clone()
    network.centre.copy_(view_around_corpus(network, corpus).centre)
    scores = pair_scores(network, corpus, pairs)["attention"]
    network.centre.copy_(training)
    return scores


def measured(
    name: str, left: JudgedCorpus, scores: Scores, others: Sequence[tuple[JudgedCorpus, Scores]]
) -> dict[str, float]:
    """AUC, accuracy at the threshold of the other corpora, and Spearman's correlation where there are grades."""
    elsewhere = [j.labelled(s[name]) for j, s in others]
    labels = np.concatenate([j.labels for j, _ in others])
    weights = np.concatenate([np.full(len(s), 1 / len(s)) for s in elsewhere])
    threshold = best_threshold(np.concatenate(elsewhere), labels, weights * len(weights) / weights.sum())
    values = left.labelled(scores[name])
    figures = {
        "auc": float(roc_auc_score(left.labels, values)),
        "accuracy": float(np.mean((values >= threshold) == left.labels)),
    }
    if len(left.grades):
        figures["spearman"] = float(spearmanr(scores[name][-len(left.grades) :], left.grades)[0])
    return {measure: round(value, 4) for measure, value in figures.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--counts", "--output", "--seed")
    parser.add_argument("--work", type=Path, default=Path("runs/left_out"), help="folder of the trainings")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    training = ColdeTraining()
    loaded = corpora_with_vectors(folders, chosen.sentences, training.aside)
    counted = [corpus_word_counts(c, f, chosen.counts) for c, f in zip(loaded, folders, strict=True)]
    judged = [JudgedCorpus.of(*each) for each in zip(loaded, folders, counted, strict=True)]
    results: dict[str, dict[str, dict[str, float]]] = {}
    for at, left in enumerate(loaded):
        others = [c for c in loaded if c is not left]
        run = TrainingRun(
            spec("colde"), [], chosen.work / f"{left.name}-{chosen.seed}", resume=True, seed=chosen.seed
        )
        network = train_network(run, ColdeConfig(), training, others)[0].eval()
        statistics = training_statistics([w for i, w in enumerate(counted) if i != at])
        scored = [(j, ways(network, statistics, j)) for j in judged]
        elsewhere = [each for i, each in enumerate(scored) if i != at]
        for name in scored[at][1]:
            results.setdefault(name, {})[left.name] = measured(name, *scored[at], elsewhere)
    print_table(results)
    write_json(chosen.output / "unseen_kinds.json", {"seed": chosen.seed, "pairs": PAIRS, "ways": results})


def print_table(results: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    """A row for each way of scoring, a column for each corpus."""
    names = list(next(iter(results.values())))
    print(table_head(["judged by", *(f"{name}: AUC, accuracy, Spearman" for name in names)]))
    for way, by_corpus in results.items():
        cells = [", ".join(f"{v:.3f}" for v in by_corpus[name].values()) for name in names]
        print(table_row([f"**{way}**" if way in SHIPS else way, *cells]))


if __name__ == "__main__":
    main()
