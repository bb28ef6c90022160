"""The rows of docs/results.md: CoLDE and CoLDE + words on pairs by how many of their documents were not trained on.

    python -m studies.accuracy.unseen_documents ../shared/corpora --network runs/colde --words runs/colde_words

The word vectors are those that know nothing of the development part (the state of the run of `colde_words`, which has
ended). Thresholds and calibrations are out of fold: fitted on four fifths of the pairs by their source, judged on the
rest. Accuracy / area under the ROC curve; then the calibration error in 15 bins and, in brackets, what a perfectly
calibrated model with the same probabilities stays under in 95 of 100 draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from colde.evaluation.metrics import expected_calibration_error
from colde.judge.calibration import probability
from colde.judge.calibration_fit import best_threshold, fit_calibration
from colde.judge.profiles import corpora
from colde.models.colde_words.mixture_matcher import ColdeWordsConfig
from colde.models.colde_words.mixture_weights import Mixture
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.training.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_fit import load_network, scores_from_vectors
from colde.training.colde_words_fit import (
    Channels,
    WordVectorTraining,
    channel_scores,
    mix_channels,
    train_on_corpora,
)
from colde.training.held_out import HeldOutPairs
from colde.training.training_run import TrainingRun, build_config
from studies.arguments import command_line
from studies.significance import calibration_error_by_chance
from studies.tables import table_head, table_row

KINDS: Mapping[str, int | None] = {"all": None, "both trained on": 0, "one new": 1, "both new": 2}
FOLDS = 5


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A corpus with the pairs on which neither the network nor these word vectors were trained, and their scores."""

    corpus: VectorCorpus
    known: HeldOutPairs
    channels: Callable[[np.ndarray], Channels]
    mixture: Mixture

    def scores(self, name: str, profile: str, pairs: np.ndarray | None = None) -> Array:
        """Of `colde` or `colde_words` under a profile, or of a channel: [pairs]; by default of the known pairs."""
        channels = self.channels(self.known.pairs if pairs is None else pairs)
        if name == "colde_words":
            return mix_channels(channels, self.mixture.weights(profile))
        return channels[{"colde": "dense"}.get(name, name)]


def held_back(
    corpora: Sequence[Path], sentences: Path, counts: Path, words: Path, network: Path
) -> list[HeldBack]:
    """The corpora, judged by the network of a checkpoint and by the word vectors of a run, trained if need be."""
    settings = {"sentences": str(sentences), "counts": str(counts)}
    run = TrainingRun(spec("colde_words"), corpora, words, settings, resume=True)
    config = build_config(ColdeWordsConfig, run.model, "model")
    training = build_config(WordVectorTraining, run.training, "training")
    loaded = load_vector_corpora(run, training.aside)
    counted, channel = train_on_corpora(run, training, config.dimension, loaded, "state")
    dense = scores_from_vectors(load_network(network), loaded)
    mixture = Mixture.of(config.mixture)
    return [
        HeldBack(corpus, known, channel_scores(known, dense, channel, own_counts), mixture)
        for corpus, known, own_counts in zip(loaded, held_out_pairs(run, loaded), counted, strict=True)
    ]


ROWS = {
    "CoLDE": "colde",
    "CoLDE + words": "colde_words",
    "trained words alone": "words",
    "TF-IDF alone": "exact",
}
"""Title of a row, and whose scores it has."""


def out_of_fold(known: HeldOutPairs, scores: Array) -> tuple[np.ndarray, np.ndarray]:
    """Whether each pair is called similar, and its probability, by what other pairs say: [pairs] each."""
    labels = known.labels
    called, chance = np.zeros(len(labels), dtype=bool), np.zeros(len(labels))
    for fit, test in GroupKFold(FOLDS).split(scores, labels, known.pairs[:, 0]):
        ones = np.ones(len(fit))
        exact = scores.astype(np.float64)
        called[test] = exact[test] >= best_threshold(exact[fit], labels[fit], ones)
        calibration = fit_calibration(exact[fit], labels[fit], ones)
        chance[test] = [probability(float(v), calibration) for v in exact[test]]
    return called, chance


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--counts")
    parser.add_argument("--network", type=Path, default=Path("runs/colde"))
    parser.add_argument("--words", type=Path, default=Path("runs/colde_words"))
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    parts = held_back(folders, chosen.sentences, chosen.counts, chosen.words, chosen.network)
    print(table_head(["", "pairs", *(part.known.name for part in parts)]))
    for title, name in ROWS.items():
        scores = [part.scores(name, part.known.profile) for part in parts]
        for kind, number in KINDS.items():
            cells = (cell(part.known, values, number) for part, values in zip(parts, scores, strict=True))
            print(table_row([title, kind, *cells]), flush=True)


def cell(known: HeldOutPairs, scores: Array, kind: int | None) -> str:
    """Accuracy / AUC, calibration error (by chance); number of pairs."""
    some = np.full(len(scores), True) if kind is None else known.new_documents == kind
    labels = known.labels[some]
    if len(labels) < 20:
        return ""
    called, chance = (v[some] for v in out_of_fold(known, scores))
    accuracy, area = np.mean(called == labels), roc_auc_score(labels, scores[some])
    error, least = expected_calibration_error(labels, chance), calibration_error_by_chance(chance)
    return f"{accuracy:.3f} / {area:.3f}, {error:.3f} ({least:.3f}); {len(labels)}"


if __name__ == "__main__":
    main()
