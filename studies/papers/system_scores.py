"""Scores of pairs by one system: a run of studies/papers/systems_table.py, or a model with the weights that ship."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from colde import models
from colde.corpus.corpus_folder import Pair, record_to_document
from colde.evaluation.pair_scores import match_pairs, score_or_nan
from colde.models.checkpoint import CONFIG, read_config, read_tensors
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher, load_checkpoint_tensors
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.training.colde_models.colde_corpus import load_vector_corpus
from colde.training.colde_models.colde_fit import load_network
from colde.training.colde_models.colde_objective import pair_scores
from colde.training.pair_networks.batch_scoring import score_pairs
from colde.training.pair_networks.cached_gradients import autocast
from colde.training.pair_networks.prepared_corpora import PreparedCorpus, prepare_corpus
from studies.papers import bert_han_fit
from studies.papers.baselines_table import run_folder
from studies.papers.new_document_pairs import NewDocumentPairs, judged_corpus
from studies.robustness.changed_texts import Change, write_changed_corpus


class Scorer:
    """Scores of pairs by one system.

    Args:
        run: folder of its training; None for the weights that ship.
        settings: those of the training; `sentences` is a folder of sentence vectors, from which CoLDE is scored.

    Attributes:
        model: the loaded matcher.
    """

    def __init__(
        self,
        name: str,
        work: Path,
        settings: Mapping[str, Any],
        run: Path | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.name, self.work, self.run, self.on_progress = name, work, run, on_progress
        self.model: Any = models.load(run) if run else shipped_model(name)
        self.load = loader(name, settings, work)
        self._sentences = Path(settings["sentences"]) if "sentences" in settings and not run else None

    def scores(self, known: NewDocumentPairs, pairs: Sequence[Pair] | None = None) -> Array:
        """Scores of the judged pairs, or of other pairs of their documents: [pairs]."""
        wanted = known if pairs is None else NewDocumentPairs(known.folder, tuple(pairs))
        if self.name == "colde" and self._sentences is not None:
            return _colde_scores(wanted, self._sentences)
        if not isinstance(self.model, BaselineMatcher):
            return self._document_scores(wanted)
        if self.run is not None:
            return self._prepared_scores(wanted, self.load(self.model.network, known.folder, None))
        return self._prepared_scores(wanted, self._prepare(judged_corpus(known, self.work)))

    def changed(self, known: NewDocumentPairs, name: str, change: Change) -> Array:
        """Scores of the judged pairs with every text changed: [pairs].

        Args:
            name: of the change, a folder's.
        """
        new = write_changed_corpus(known, change, self.work / "changed" / name)
        if not isinstance(self.model, BaselineMatcher) or _reads_sentence_vectors(self.name):
            return self._document_scores(new)
        return self._prepared_scores(new, self._prepare(new.folder))

    def _prepare(self, corpus: Path) -> PreparedCorpus:
        return prepare_corpus(self.model.network, corpus, corpus.parent / "prepared", self.on_progress)

    def _prepared_scores(self, known: NewDocumentPairs, prepared: PreparedCorpus) -> Array:
        """Scores of pairs by a baseline's network, computed in the precision that it was trained in: [pairs]."""
        training = self.model.training["settings"]
        with autocast(self.model.network, training["bf16"]):
            return network_scores(self.model.network, known, prepared, training["tokens"])

    def _document_scores(self, known: NewDocumentPairs) -> Array:
        """Scores of pairs from the corpus' texts; sentences, slow to find, are found only where a score needs them."""
        records = known.records()
        sentences = not isinstance(self.model, BaselineMatcher) or self.model.network.sentences

        def document(name: str) -> Document:
            return record_to_document(records[name], sentences=sentences)

        pairs = [(p.source, p.target) for p in known.pairs]
        results = match_pairs(lambda _: self.model, document, pairs, on_progress=self.on_progress)
        return np.array([score_or_nan(result) for result in results], dtype=np.float32)


def network_scores(network: Any, known: NewDocumentPairs, prepared: PreparedCorpus, tokens: int) -> Array:
    """Scores of the pairs by a baseline's network: [pairs]."""
    ends = _positions(prepared.ids, known.pairs)
    return score_pairs(network, prepared.documents, ends, tokens=2 * tokens, both_orders=True)


def _colde_scores(known: NewDocumentPairs, sentences: Path) -> Array:
    """Scores of the pairs by the CoLDE network that ships, from kept sentence vectors: [pairs]."""
    corpus = load_vector_corpus(known.folder, sentences, 0.0)
    ends = _positions(corpus.layouts.names, known.pairs)
    return pair_scores(load_network(models.checkpoint("colde")), corpus, ends)["score"]


def _positions(names: Sequence[str], pairs: Sequence[Pair]) -> np.ndarray:
    """Positions of the documents of each pair: [pairs, 2]."""
    position = {name: i for i, name in enumerate(names)}
    return np.array([(position[p.source], position[p.target]) for p in pairs])


def _reads_sentence_vectors(name: str) -> bool:
    return spec(name).fit.startswith(bert_han_fit.__name__)


def load_with_settings(name: str, settings: Mapping[str, Any] | None = None) -> Any:
    """A model without weights, with those of the model it varies or begins from; or a model at other settings.

    Raises:
        CheckpointError: the weights do not fit.
    """
    chosen = spec(name)
    folder, matcher = models.checkpoint(chosen.variant_of or chosen.start or name), chosen.matcher_class()
    stored = read_config(folder)
    fixed = {} if chosen.start else stored.settings
    network = matcher.build({**fixed, **chosen.model, **(settings or {})})
    load_checkpoint_tensors(network, network.translate_names(read_tensors(folder)), folder)
    return matcher(network, card=chosen.card, training=stored.training)


def shipped_model(name: str) -> Any:
    """A model as it ships, or a variant of one at its setting."""
    chosen = spec(name)
    return load_with_settings(name) if chosen.variant_of or chosen.start else models.load(name)


Load = Callable[[Any, Path, OnProgress | None], PreparedCorpus]
"""Network, corpus and progress → the corpus's documents as the network reads them."""


def loader(name: str, settings: Mapping[str, Any], work: Path) -> Load:
    """How a system's documents are read, as its fit function does; each corpus once."""
    known: dict[Path, PreparedCorpus] = {}
    sentences = Path(settings.get("sentences") or work / "sentences")

    def load(network: Any, corpus: Path, on_progress: OnProgress | None) -> PreparedCorpus:
        if corpus not in known and _reads_sentence_vectors(name):
            known[corpus] = bert_han_fit.load(network, corpus, on_progress, kept=sentences)
        elif corpus not in known:
            known[corpus] = prepare_corpus(network, corpus, work / "prepared", on_progress)
        return known[corpus]

    return load


def finished_run(work: Path, name: str, seed: int) -> Path | None:
    """The folder of a finished training; None if there is none."""
    folder = run_folder(work, name, seed)
    return folder if (folder / CONFIG).is_file() else None


def scores_path(work: Path, name: str, seed: int) -> Path:
    """Where the scores of the judged pairs are kept, by corpus, for the studies."""
    return work / "scores" / f"{run_folder(Path(), name, seed)}.npz"


def kept_scores(work: Path, name: str, seeds: Sequence[int] = (0,)) -> tuple[dict[str, Array], int] | None:
    """Scores of the judged pairs by corpus, and of which seed: the first whose are kept."""
    for seed in seeds:
        path = scores_path(work, name, seed)
        if path.is_file():
            with np.load(path, allow_pickle=False) as kept:
                return dict(kept), seed
    return None
