"""Scores of any pairs of judged documents by one model: a run of studies/papers/systems_table.py, or what ships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from colde import models
from colde.corpus.corpus_folder import Pair
from colde.models.checkpoint import CONFIG
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher
from colde.results.similarity_map import Array
from colde.training.cached_gradients import autocast
from colde.training.prepared_corpora import prepare_corpus
from studies.papers import bert_han_fit
from studies.papers.baselines_table import run_folder
from studies.papers.systems_table import (
    NewDocumentPairs,
    colde_network_scores,
    kept_scores,
    loader,
    matcher_scores,
    network_scores,
    run_scores,
    shipped_scores,
)
from studies.robustness.changed_texts import Change, write_changed_corpus


class Scorer:
    """Scores of pairs by one model.

    Attributes:
        trained: whether it is a run of one's own.
        seed: of its run.
    """

    def __init__(self, name: str, work: Path, settings: Mapping[str, Any], seed: int = 0) -> None:
        folder = run_folder(work, name, seed)
        self.name, self.work, self.seed = name, work, seed
        self.trained = (folder / CONFIG).is_file()
        self.model: Any = models.load(folder if self.trained else name)
        self._load = loader(name, settings, work)
        self._sentences = Path(settings["sentences"]) if "sentences" in settings else None

    def judged(self, known: NewDocumentPairs) -> Array:
        """Of the judged pairs, as studies/papers/systems_table.py has kept them, else made anew: [pairs]."""
        kept = kept_scores(self.work, self.name, (self.seed if self.trained else 0,))
        own = kept[0].get(known.folder.name) if kept else None
        return own if own is not None and len(own) == len(known.pairs) else self.scores(known, known.pairs)

    def scores(self, known: NewDocumentPairs, pairs: Sequence[Pair]) -> Array:
        """Of any pairs of judged documents: [pairs]."""
        wanted = NewDocumentPairs(known.folder, tuple(pairs))
        if self.trained:
            return run_scores(self.model, wanted, self._load)
        if self.name == "colde" and self._sentences is not None:
            return colde_network_scores(wanted, self._sentences)
        return shipped_scores(self.model, known, self.work, pairs=pairs)

    def changed(self, known: NewDocumentPairs, name: str, change: Change) -> Array:
        """Of the judged pairs with every text changed: [pairs].

        Args:
            name: of the change, a folder's.
        """
        own = write_changed_corpus(known, change, self.work / "changed" / name)
        if not isinstance(self.model, BaselineMatcher) or self._of_kept_sentences:
            return matcher_scores(self.model, own)
        prepared = prepare_corpus(self.model.network, own.folder, own.folder.parent / "prepared")
        training = self.model.training["settings"]
        with autocast(self.model.network, training["bf16"]):
            return network_scores(self.model.network, own, lambda *_: prepared, training["tokens"])

    @property
    def _of_kept_sentences(self) -> bool:
        return spec(self.name).fit.startswith(bert_han_fit.__name__)
