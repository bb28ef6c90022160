"""Documents of a kind that was never trained on: each corpus in turn is left out, then judged with a reference.

    python -m studies.accuracy.unseen_corpora ../shared/corpora --sentences runs/sentences --counts runs/counts

What `colde evaluate --profile general --reference CORPUS` does with checkpoints trained on the other corpora alone;
idf comes from their documents, too. The threshold of the others in units of the spread of unrelated pairs, on
validation pairs of the corpus left out. Compared: the centre of training against that of the reference, for the
network and for plain TF-IDF; the network as it is and adapted to the reference (`colde.models.colde.adaptation`);
shares of these; inverse document frequencies blended with the reference's own; and cohort normalisation (s-norm: Kenny
2010): each document's scores less their mean over documents of the reference, over their spread, channel by channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from sklearn.metrics import roc_auc_score

from colde.evaluation.metrics import expected_calibration_error
from colde.judge.calibration import probability
from colde.judge.calibration_fit import best_threshold, fit_calibration
from colde.judge.profiles import corpora, profile_of
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde_words.tfidf_centre import TfidfCentre
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.text.term_weights import Counts, Statistics, inverse_frequencies, weighted
from colde.training.colde_corpus import VectorCorpus, corpora_with_vectors
from colde.training.colde_fit import adapted_to_corpus, reference_documents, train_network
from colde.training.colde_objective import ColdeTraining, pair_scores
from colde.training.colde_words_fit import CorpusWordCounts, corpus_word_counts, training_statistics
from colde.training.held_out import HeldOutPairs
from colde.training.threshold_fit import draw_unrelated_pairs
from colde.training.training_run import TrainingRun
from studies.arguments import command_line
from studies.tables import table_head, table_row

PAIRS = 700
"""Validation pairs of a corpus."""
UNRELATED = 1_000
COHORT = 60
"""Documents of a reference by which the scores of a document are normalised."""
SHARES = (0.0, 0.4, 0.5, 0.6, 0.7, 1.0)
"""Of plain TF-IDF in the mixture; the rest is the network."""
BLEND = 0.5
"""Share of the reference's own document frequencies."""


@dataclass(frozen=True, slots=True)
class Channel:
    """How documents of a corpus score.

    Attributes:
        values: [pairs], those that are judged, then unrelated ones.
        cohort: [documents, cohort], each with documents of the reference, NaN with itself; None where not asked for.
    """

    values: Array
    cohort: Array | None = None

    def normalised(self, pairs: np.ndarray) -> Array:
        """s-norm: [pairs]."""
        assert self.cohort is not None
        mean, spread = np.nanmean(self.cohort, 1), np.nanstd(self.cohort, 1).clip(min=1e-3)
        each = [(self.values - mean[side]) / spread[side] for side in pairs.T]
        return np.asarray(np.mean(each, axis=0), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class LeftOutCorpus:
    """The labels [judged pairs] of a corpus, its pairs [pairs, 2] by their rows in the cohorts, and its channels."""

    labels: np.ndarray
    pairs: np.ndarray
    channels: dict[str, Channel]


def chosen_pairs(known: HeldOutPairs, corpus: VectorCorpus) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents [n], pairs of their places, some validation pairs and then unrelated ones, and labels of the former."""
    most = len(corpus.valid.pairs)
    some = np.random.default_rng(0).permutation(most)[:PAIRS]
    ends = np.concatenate((known.pairs[some], draw_unrelated_pairs(known, 0, UNRELATED)))
    used, local = np.unique(ends, return_inverse=True)
    return known.positions[used], local.reshape(-1, 2), known.labels[some]


def network_channel(
    network: ColdeNetwork, corpus: VectorCorpus, documents: np.ndarray, pairs: np.ndarray, cohort: np.ndarray
) -> Channel:
    """The network's scores; with an empty cohort none of that."""
    values = pair_scores(network, corpus, documents[pairs])["attention"]
    if not len(cohort):
        return Channel(values)
    ends = np.array([(d, c) for d in documents for c in cohort])
    table = pair_scores(network, corpus, ends)["attention"].reshape(len(documents), -1)
    return Channel(values, np.where(documents[:, None] == cohort[None], np.nan, table))


def words_channel(
    statistics: Statistics, counts: Counts, documents: np.ndarray, pairs: np.ndarray, cohort: np.ndarray
) -> Channel:
    """Cosines of plain TF-IDF."""
    document_rows, others = (weighted(Counts(counts[rows]), statistics) for rows in (documents, cohort))
    values = np.asarray(document_rows[pairs[:, 0]].multiply(document_rows[pairs[:, 1]]).sum(1)).ravel()
    table = np.asarray(sparse.csr_matrix(document_rows @ others.T).todense())
    return Channel(values, np.where(documents[:, None] == cohort[None], np.nan, table))


def blended(others: Statistics, share: float, counts: Counts) -> Statistics:
    """Statistics whose document frequencies are partly those of a reference."""
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1]) / counts.shape[0]
    there = np.where(others.idf > 0, np.exp(-others.idf.astype(np.float64)), 1.0)
    return Statistics(inverse_frequencies((1 - share) * there + share * frequencies), others.mean_length)


def ways(corpus: LeftOutCorpus) -> dict[str, Array]:
    """Every way of scoring that is compared, in units of the spread of unrelated pairs: name → [pairs]."""
    c, pairs = corpus.channels, corpus.pairs
    by_way = {
        "network around the centre of training": c["network, centre of training"].values,
        "network around the centre of the reference": c["network, centre of the reference"].values,
    }
    plain = c["network, centre of the reference"].values
    by_way["TF-IDF 0.6, centred, network not adapted"] = (
        0.6 * c["words, centre of the reference"].values + 0.4 * plain
    )
    for share in SHARES:
        words, network = c["words"], c["network"]
        by_way[f"TF-IDF {share:.1f}"] = share * words.values + (1 - share) * network.values
        centred = c["words, centre of the reference"].values
        by_way[f"TF-IDF {share:.1f}, centred"] = share * centred + (1 - share) * network.values
    by_way["TF-IDF 0.6, idf blended"] = 0.6 * c["words, idf blended"].values + 0.4 * c["network"].values
    for share in (0.0, 0.6, 1.0):
        normal = share * c["words"].normalised(pairs) + (1 - share) * c["network"].normalised(pairs)
        by_way[f"TF-IDF {share:.1f}, s-norm"] = normal
    return {name: values / np.std(values[len(corpus.labels) :]) for name, values in by_way.items()}


def measured(left: Array, labels: np.ndarray, others: Sequence[tuple[Array, np.ndarray]]) -> str:
    """Accuracy at the threshold of the other corpora and the best one, ROC AUC, error of their probability."""
    scores, truth = (np.concatenate(part) for part in zip(*others, strict=True))
    weights = np.concatenate([np.full(len(y), 1 / len(y)) for _, y in others])
    weights = weights * len(weights) / weights.sum()
    threshold = best_threshold(scores, truth, weights)
    best = max(np.mean((left >= t) == labels) for t in np.quantile(left, np.linspace(0, 1, 201)))
    fitted = fit_calibration(scores, truth, weights)
    error = expected_calibration_error(labels, [probability(float(v), fitted) for v in left])
    travelled = np.mean((left >= threshold) == labels)
    return f"{travelled:.3f} | {best:.3f} | {roc_auc_score(labels, left):.3f} | {error:.3f}"


def read_corpus(
    network: ColdeNetwork,
    statistics: Statistics,
    corpus: VectorCorpus,
    known: HeldOutPairs,
    words: CorpusWordCounts,
) -> LeftOutCorpus:
    """All channels of a corpus, under a network and statistics that may not know it."""
    documents, pairs, labels = chosen_pairs(known, corpus)
    reference = reference_documents(corpus)
    cohort = reference[:: max(1, len(reference) // COHORT)][:COHORT]
    training, around = network.centre.clone(), torch.from_numpy(corpus.centre(reference))
    adapted = adapted_to_corpus(network, corpus)
    none = np.zeros(0, dtype=np.int64)
    channels = {"network, centre of training": network_channel(network, corpus, documents, pairs, none)}
    network.centre.copy_(around)
    channels["network, centre of the reference"] = network_channel(network, corpus, documents, pairs, none)
    network.centre.copy_(training)
    channels["network"] = network_channel(adapted, corpus, documents, pairs, cohort)
    blended_statistics = blended(statistics, BLEND, Counts(words.counts[reference]))
    for name, idf in (("words", statistics), ("words, idf blended", blended_statistics)):
        channels[name] = words_channel(idf, words.counts, documents, pairs, cohort)
    rows = weighted(Counts(words.counts[documents]), statistics)
    centre = TfidfCentre.of(weighted(Counts(words.counts[reference]), statistics))
    centred = centre.cosines(Counts(rows[pairs[:, 0]]), Counts(rows[pairs[:, 1]]))
    channels["words, centre of the reference"] = Channel(np.asarray(centred, dtype=np.float32))
    return LeftOutCorpus(labels, pairs, channels)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--counts")
    parser.add_argument("--work", type=Path, default=Path("runs/left_out"), help="folder of the trainings")
    parser.add_argument("--steps", type=int, default=ColdeTraining().steps)
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    loaded = corpora_with_vectors(folders, chosen.sentences, ColdeTraining().aside)
    counted = [corpus_word_counts(c, f, chosen.counts) for c, f in zip(loaded, folders, strict=True)]
    known = [c.held_out(profile_of(c.name)) for c in loaded]
    training = ColdeTraining(pairs=32, steps=chosen.steps, validate_every=chosen.steps)
    columns = "left out|judged by|accuracy, threshold of the others|its own best|ROC AUC|calibration error"
    print(table_head(columns.split("|")))
    for at, left in enumerate(loaded):
        others = [c for c in loaded if c is not left]
        kept = TrainingRun(spec("colde"), [], chosen.work / left.name, resume=True)
        network, _ = train_network(kept, ColdeConfig(), training, others)
        network.eval()
        statistics = training_statistics([w for i, w in enumerate(counted) if i != at])
        read = [
            read_corpus(network, statistics, c, k, w) for c, k, w in zip(loaded, known, counted, strict=True)
        ]
        scored = [ways(left_out_corpus) for left_out_corpus in read]
        for name, values in scored[at].items():
            rest = [
                (s[name][: len(r.labels)], r.labels)
                for i, (s, r) in enumerate(zip(scored, read, strict=True))
                if i != at
            ]
            labels = read[at].labels
            print(table_row([left.name, name, measured(values[: len(labels)], labels, rest)]), flush=True)


if __name__ == "__main__":
    main()
