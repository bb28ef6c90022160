"""Runs of a study: a variant of CoLDE with some settings changed, trained on one corpus, kept in the work folder.

What was trained is not trained again, and a run that was stopped goes on. A run is known by its settings alone, so
that studies share runs: `colde` is the network of `colde:no_words` with a words channel beside it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from colde.encoders.frozen import shared_frozen_encoder
from colde.evaluation.metrics import measure
from colde.judge.calibration import best_threshold
from colde.models.colde import ChannelWeights, ColdeConfig, ColdeNetwork, Mixture, WordChannel
from colde.models.colde.late import centred
from colde.models.registry import spec
from colde.results.maps import Array
from colde.results.progress import OnProgress
from colde.text.term_weights import Counts, shipped_statistics
from colde.training.channels import Channels, document_vectors, word_vectors
from colde.training.fit import fit_network, fit_words
from colde.training.pairs import TrainingCorpus, load_corpus
from colde.training.settings import TrainConfig
from colde.training.vectors import CorpusVectors

BASE: Mapping[str, Any] = {"steps": 200, "pool_steps": 140, "validate_every": 20}
"""Of a run on one corpus; patience, in validations, and all else as a run on four corpora has it."""

TENSORS, NUMBERS = "run.safetensors", "run.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a variant, and what is changed in its TrainConfig."""

    variant: str = "colde:no_words"
    changes: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.variant


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run.

    Attributes:
        seconds: of training, both channels, wherever and whenever they were trained.
    """

    network: ColdeNetwork
    words: WordChannel | None
    config: ColdeConfig
    training: TrainConfig
    best_step: int
    seconds: float

    def scores(
        self, corpus: TrainingCorpus, whole: CorpusVectors | None = None, words: Counts | None = None
    ) -> Array:
        """Of the validation pairs; the documents as they are, or with other chunks and TF-IDF rows."""
        whole = corpus.whole if whole is None else whole
        rows = corpus.whole_words if words is None else words
        shares, trained, chunks = ChannelWeights(), None, []
        if self.words is not None:
            shares = Mixture.of(self.network.config.mixture).weights(corpus.profile)
            trained = word_vectors(self.words, self.words.known(rows))
        if shares.late:
            chunks = [centred(whole.of(d), self.network.centre.numpy()) for d in range(len(whole.ids))]
        known = Channels(document_vectors(self.network, whole), trained, rows, chunks)
        return known.score(corpus.valid.pairs, shares)


def threshold_of(corpus: TrainingCorpus, scores: Array) -> float:
    """The threshold the validation pairs choose, as a profile has it."""
    return best_threshold(scores, corpus.valid.labels, np.ones(len(scores)))


def measured(corpus: TrainingCorpus, scores: Array, threshold: float) -> dict[str, float]:
    """Accuracy, F1 and area under the ROC curve on the validation pairs."""
    found = measure(corpus.valid.labels, scores, threshold)
    return {"accuracy": found["accuracy"], "f1": found["f1"], "auc": found["roc_auc"]}


class Bench:
    """One corpus and its work folder.

    Args:
        settings: as a settings file of `colde train` has it.
        every_chunk: training documents with all their chunks, not `most_chunks` of them.
    """

    def __init__(
        self,
        folder: Path,
        work: Path,
        settings: Mapping[str, Any],
        on_progress: OnProgress | None = None,
        *,
        every_chunk: bool = False,
    ) -> None:
        self.folder, self.settings, self.on_progress = folder, settings, on_progress
        self.work = work / "studies" / folder.name
        self.frozen = shared_frozen_encoder(ColdeConfig().encoder)
        kept = Path(settings.get("vectors", work / "vectors"))
        most = settings.get("most_chunks", {}).get(folder.name, TrainConfig().most_chunks)
        self.corpus = load_corpus(folder, kept, self.frozen, None if every_chunk else most, on_progress)

    def settings_of(self, row: Row) -> tuple[ColdeConfig, TrainConfig]:
        """What a row is trained with: the study's own, then the file's, the variant's and the row's settings."""
        of_model, of_training = spec(row.variant).model, spec(row.variant).training
        given = {**BASE, **self.settings.get("training", {}), **of_training, **row.changes}
        return ColdeConfig(**{**self.settings.get("model", {}), **of_model}), TrainConfig(**given)

    def run(self, row: Row, seed: int) -> Trained:
        """The run of a row and seed, from the work folder if it is there."""
        config, training = self.settings_of(row)
        alone = replace(config, words=0)

        def head(state: Path) -> tuple[nn.Module, int]:
            network, best = fit_network(alone, training, [self.corpus], seed, state, True, self.on_progress)
            return network, best.step

        def tail(state: Path) -> tuple[nn.Module, int]:
            found = fit_words(config, training, [self.corpus], seed, state, True, self.on_progress)
            return found, -1

        tensors, numbers = self._once("head", alone, training, seed, head)
        network = ColdeNetwork(alone)
        network.load_state_dict(tensors)
        words, seconds = None, numbers["seconds"]
        if config.words:
            tensors, of_words = self._once("words", config, training, seed, tail)
            words = WordChannel(config.words, shipped_statistics())
            words.load_state_dict(tensors)
            seconds += of_words["seconds"]
        return Trained(network.eval(), words, config, training, numbers["best_step"], round(seconds, 1))

    def _once(
        self,
        part: str,
        config: ColdeConfig,
        training: TrainConfig,
        seed: int,
        train: Callable[[Path], tuple[nn.Module, int]],
    ) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Tensors and numbers of a run; trained only where there is none of these settings.

        The folder is named by what differs from the defaults; the file in it tells all, so that a default that
        changed since then is seen.
        """
        told: dict[str, Any] = {**asdict(config), **asdict(training), "seed": seed}
        if part == "head":
            told = {k: v for k, v in told.items() if not k.startswith("words_")}
        told["chunks"] = [len(v.section) for v in (self.corpus.vectors, self.corpus.whole)]
        usual = {**asdict(ColdeConfig()), **asdict(TrainConfig())}
        unusual = {k: v for k, v in told.items() if k not in usual or usual[k] != v}
        digest = hashlib.sha256(json.dumps(unusual, sort_keys=True).encode()).hexdigest()[:8]
        folder = self.work / f"{part}-{config.form}-{digest}-seed{seed}"
        path, file = folder / NUMBERS, folder / TENSORS
        stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"settings": {}}
        if any(stored["settings"].get(k, v) != v for k, v in told.items()):
            shutil.rmtree(folder)
            stored = {"settings": {}}
        if "seconds" not in stored:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"settings": told}), encoding="utf-8")
            started = time.perf_counter()
            module, best_step = train(folder / "state")
            stored = {
                "settings": told,
                "best_step": best_step,
                "seconds": round(time.perf_counter() - started, 1),
            }
            save_file({k: v.contiguous() for k, v in module.state_dict().items()}, file)
            path.write_text(json.dumps(stored, indent=1), encoding="utf-8")
        return load_file(file), stored
