"""Documents of a kind that was never trained on: each corpus in turn is left out, then judged with a reference.

    python benchmarks/left_out.py ../shared/corpora --sentences runs/sentences --counts runs/counts

What `colde evaluate --profile general --reference CORPUS` does with checkpoints trained on the other corpora alone; idf
and vocabulary come from their documents, too. The threshold of the others in units of the spread of unrelated pairs, on
the validation pairs of the corpus left out. Beside it cohort normalisation (adaptive s-norm: Cumani et al. 2011): each
document's scores less their mean over the documents of the reference that are most like it, over their spread; and
inverse document frequencies blended with the reference's own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from colde.evaluation.metrics import expected_calibration_error
from colde.judge.calibration import fit_calibration, probability
from colde.judge.profiles import corpora
from colde.models.colde.whole import WholeNetwork
from colde.models.colde.whole_config import WholeConfig
from colde.models.registry import spec
from colde.results.maps import Array
from colde.text.term_weights import Counts, Statistics, inverse_frequencies, weighted
from colde.training.profiles import relative_threshold, unrelated_pairs
from colde.training.run import TrainingRun
from colde.training.whole import WholeTraining, pair_scores
from colde.training.whole_data import WholeCorpus
from colde.training.whole_fit import JudgedCorpus, judged, ready_corpora, train_network
from colde.training.whole_words import WordCorpus, training_statistics, word_corpus

COHORT = 200
"""Documents of a reference."""
NEAREST = 50
"""Of them, those most like a document, by which its scores are normalised."""
SHARES = (0.0, 0.6, 1.0)
"""Of plain TF-IDF in the mixture; the rest is the network."""
BLENDS = (0.0, 0.5)
"""Share of the reference's own document frequencies."""

Score = Callable[[np.ndarray], Array]
"""Pairs of positions in `JudgedCorpus.whole` → scores."""


@dataclass(frozen=True, slots=True)
class Known:
    """A corpus and how its pairs score under one row of the table."""

    corpus: JudgedCorpus
    score: Score


def blended(others: Statistics, share: float, counts: Counts) -> Statistics:
    """Statistics whose document frequencies are partly those of a reference."""
    if not share:
        return others
    own = np.bincount(counts.indices, minlength=counts.shape[1]) / counts.shape[0]
    there = np.where(others.idf > 0, np.exp(-others.idf.astype(np.float64)), 1.0)
    return Statistics(inverse_frequencies((1 - share) * there + share * own), others.mean_length)


def mixture(
    network: WholeNetwork, corpus: WholeCorpus, known: JudgedCorpus, rows: Counts, exact: float
) -> Score:
    """The weighted mean of the network's score and the cosine of TF-IDF rows."""

    def score(pairs: np.ndarray) -> Array:
        found = np.zeros(len(pairs), dtype=np.float32)
        if exact < 1:
            found += (1 - exact) * pair_scores(network, corpus, known.positions[pairs])["both"]
        if exact:
            words = np.asarray(rows[pairs[:, 0]].multiply(rows[pairs[:, 1]]).sum(1)).ravel()
            found += exact * words.astype(np.float32)
        return found

    return score


def normalised(score: Score, known: JudgedCorpus, seed: int = 0) -> Score:
    """Adaptive s-norm by documents drawn from the corpus itself."""
    count = len(known.whole.ids)
    cohort = np.random.default_rng(seed).permutation(count)[:COHORT]
    ends = np.array([(i, j) for i in range(count) for j in cohort])
    table = score(ends).reshape(count, len(cohort))
    table[np.arange(count)[:, None] == cohort[None]] = -np.inf  # itself
    nearest = np.sort(table, axis=1)[:, ::-1][:, :NEAREST]
    mean, spread = nearest.mean(1), nearest.std(1).clip(min=1e-3)

    def both(pairs: np.ndarray) -> Array:
        plain = score(pairs)
        i, j = pairs.T
        return np.asarray(((plain - mean[i]) / spread[i] + (plain - mean[j]) / spread[j]) / 2, np.float32)

    return both


def measured(known: Mapping[str, Known], left: str) -> str:
    """Accuracy at the threshold of the others and the best there is, ROC AUC, error of the others' probability."""
    own = known[left]
    others = [k.corpus for name, k in known.items() if name != left]

    def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
        return known[corpus.name].score(pairs)

    labels = own.corpus.valid.labels
    spread = {name: np.std(k.score(unrelated_pairs(k.corpus, 0))) for name, k in known.items()}
    scores = own.score(own.corpus.valid.pairs) / spread[left]
    travelled = np.mean((scores >= relative_threshold(score, others, 0)) == labels)
    best = max(np.mean((scores >= t) == labels) for t in np.quantile(scores, np.linspace(0, 1, 201)))
    there = np.concatenate([known[c.name].score(c.valid.pairs) / spread[c.name] for c in others])
    truth = np.concatenate([c.valid.labels for c in others])
    weights = np.concatenate([np.full(len(c.valid.labels), 1 / len(c.valid.labels)) for c in others])
    fitted = fit_calibration(there, truth, weights * len(weights) / weights.sum())
    error = expected_calibration_error(labels, [probability(float(v), fitted) for v in scores])
    return f"{travelled:.3f} | {best:.3f} | {roc_auc_score(labels, scores):.3f} | {error:.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--sentences", type=Path, default=Path("runs/sentences"))
    parser.add_argument("--counts", type=Path, default=Path("runs/counts"))
    parser.add_argument(
        "--work", type=Path, default=Path("runs/left_out"), help="what is trained is kept here"
    )
    parser.add_argument("--steps", type=int, default=120)
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    loaded = ready_corpora(folders, chosen.sentences, WholeTraining().aside)
    counted = [word_corpus(c, f, chosen.counts) for c, f in zip(loaded, folders, strict=True)]
    known = [judged(c, f) for c, f in zip(loaded, folders, strict=True)]
    training = WholeTraining(pairs=32, steps=chosen.steps, validate_every=chosen.steps)
    print(
        "| left out | judged by | accuracy, threshold of the others | its own best | ROC AUC | calibration error |"
    )
    for at, left in enumerate(loaded):
        others = [c for c in loaded if c is not left]
        kept = TrainingRun(spec("colde"), [], chosen.work / left.name, resume=True)
        network, _ = train_network(kept, WholeConfig(), training, others)
        statistics = training_statistics([w for i, w in enumerate(counted) if i != at])
        for share in SHARES:
            for blend in BLENDS if share else (0.0,):
                rows = [_rows(statistics, blend, c, k) for c, k in zip(counted, known, strict=True)]
                plain = {
                    k.name: Known(k, mixture(network, c, k, r, share))
                    for k, c, r in zip(known, loaded, rows, strict=True)
                }
                name = f"TF-IDF {share:.1f}, idf of the reference {blend:.1f}"
                print(f"| {left.name} | {name} | {measured(plain, left.name)} |", flush=True)
                cohort = {n: Known(k.corpus, normalised(k.score, k.corpus)) for n, k in plain.items()}
                print(f"| {left.name} | {name}, s-norm | {measured(cohort, left.name)} |", flush=True)


def _rows(statistics: Statistics, blend: float, counted: WordCorpus, known: JudgedCorpus) -> Counts:
    """TF-IDF of the judged documents of a corpus."""
    own = counted.counts[known.positions]
    return weighted(Counts(own), blended(statistics, blend, Counts(own)))


if __name__ == "__main__":
    main()
