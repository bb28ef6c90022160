"""CoLDE and CoLDE + words, trained again with other documents set aside: docs/results/second_set.json.

    python -m studies.accuracy.unseen_documents ../shared/corpora --runs runs

The documents that were set aside in the training of what ships, and the pairs of valid.tsv, chose hyper-parameters. The
documents of another seed chose nothing. Network and words are trained without them, with the settings that ship, and
judge the pairs in which one or both documents are among them. Thresholds and calibrations are out of fold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from colde.corpus.corpus_folder import read_pairs
from colde.judge.profiles import corpora
from colde.models.checkpoint import build_config
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWordsConfig
from colde.models.colde_words.mixture_weights import Mixture
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_models.colde_fit import scores_from_vectors, train_network
from colde.training.colde_models.colde_objective import ColdeTraining
from colde.training.colde_models.colde_words_fit import (
    Channels,
    WordVectorTraining,
    channel_scores,
    mix_channels,
    train_on_corpora,
)
from colde.training.corpora.development_split import split_development
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.training_run import TrainingRun
from studies.accuracy import results_pages
from studies.accuracy.pair_measures import NewPairs, by_profile, count_pairs, measure_model
from studies.accuracy.result_rows import OWN, SECOND, Results, write_results
from studies.arguments import command_line


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A corpus with the pairs on which neither the network nor these word vectors were trained, and their scores."""

    corpus: VectorCorpus
    aside: float
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
    corpora: Sequence[Path], settings: dict[str, Any], words: Path, network: ColdeNetwork, seed: int = 0
) -> list[HeldBack]:
    """The corpora, judged by a network and by the word vectors of a run, trained if need be.

    Args:
        settings: of the run, with the folders `sentences` and `counts`; words: its folder.
        seed: of the choice of the documents that are set aside.
    """
    run = TrainingRun(spec("colde_words"), corpora, words, settings, resume=True)
    config = build_config(ColdeWordsConfig, run.model, "model")
    training = build_config(WordVectorTraining, run.training, "training")
    loaded = load_vector_corpora(run, training.aside, seed)
    counted, channel = train_on_corpora(run, training, config.dimension, loaded, "state")
    dense = scores_from_vectors(network, loaded)
    mixture = Mixture.of(config.mixture)
    return [
        HeldBack(corpus, training.aside, known, channel_scores(known, dense, channel, word_counts), mixture)
        for corpus, known, word_counts in zip(loaded, held_out_pairs(run, loaded), counted, strict=True)
    ]


MODELS = {
    "colde_words": "CoLDE + words",
    "colde": "CoLDE",
    "words": "trained words alone",
    "exact": "TF-IDF",
}
"""Whose scores are measured, and the title of the row."""


def retrained(
    corpora: Sequence[Path], runs: Path, seed: int, training: Mapping[str, Any] | None = None
) -> list[HeldBack]:
    """The corpora, judged by a network and words that were trained with the documents of this seed set aside.

    Args:
        training: settings in place of those that ship.
    """
    output = runs / f"aside-seed{seed}"
    settings = {
        "sentences": str(runs / "sentences"),
        "counts": str(runs / "counts"),
        "training": training or {},
    }
    run = TrainingRun(spec("colde"), corpora, output / "colde", settings, resume=True)
    chosen = build_config(ColdeTraining, run.training, "training")
    config = build_config(ColdeConfig, run.model, "model")
    network, _ = train_network(run, config, chosen, load_vector_corpora(run, chosen.aside, seed))
    return held_back(corpora, settings, output / "colde_words", network.eval(), seed)


def chose_nothing(part: HeldBack, folder: Path) -> np.ndarray:
    """Positions of the pairs of train.tsv that were set aside and have no document that chose anything: [pairs].

    Documents of the development part of seed 0 chose hyper-parameters, and pairs of valid.tsv did, too.
    """
    known, share = part.known, part.aside
    chose = split_development(folder.name, read_pairs(folder / "train.tsv"), share).aside
    first = len(part.corpus.valid.labels)  # the pairs of valid.tsv come first
    names = [(known.ids[a], known.ids[b]) for a, b in known.pairs[first:]]
    return first + np.flatnonzero([not {a, b} & chose for a, b in names])


def measure(parts: Sequence[HeldBack], folders: Sequence[Path]) -> Results:
    """The figures on the pairs that chose nothing."""
    rows = {
        part.known.profile: chose_nothing(part, folder) for part, folder in zip(parts, folders, strict=True)
    }
    kinds = {part.known.profile: _new_pairs(part.known, rows[part.known.profile]) for part in parts}
    results = Results(count_pairs(kinds))
    for name, title in MODELS.items():
        scores = {
            kind: {kind: part.scores(name, kind, part.known.pairs[rows[kind]]).astype(np.float64)}
            for kind, part in zip(kinds, parts, strict=True)
        }
        results = results.with_model(
            name,
            {"title": title},
            *measure_model(kinds, scores, {OWN: by_profile(kinds)[OWN]}, probabilities=False),
        )
    return results


def _new_pairs(known: HeldOutPairs, rows: np.ndarray) -> NewPairs:
    names = [(known.ids[a], known.ids[b]) for a, b in known.pairs[rows]]
    return NewPairs.of(known.name, names, known.labels[rows], known.new_documents[rows])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="sentences, counts, and the training")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of documents")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    write_results(SECOND, measure(retrained(folders, chosen.runs, chosen.seed), folders))
    results_pages.write()


if __name__ == "__main__":
    main()
