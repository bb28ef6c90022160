"""Runs of a study: a variant of the paper's form with some settings changed, trained on one corpus, kept in the work
folder: what was trained is not trained again, and a run that was stopped goes on.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.torch import load_file, save_file

from colde.evaluation.metrics import measure
from colde.judge.profile_fit import best_threshold
from colde.models.colde_paper.paper_network import PaperConfig, PaperNetwork
from colde.models.registry import spec
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import PooledChunks, corpora_with_vectors
from colde.training.colde_models.colde_paper_fit import fit_head
from colde.training.colde_models.colde_paper_objectives import PaperTraining, kept_scores
from colde.training.corpora.labelled_pairs import PairGraph
from colde.training.steps.seeding import seeded
from colde.training.training_run import TrainingRun

BASE: Mapping[str, Any] = {"steps": 150, "pairs": 64, "validate_every": 30, "judged_chunks": 12}
"""Of a run on one corpus."""

TENSORS, NUMBERS = "run.safetensors", "run.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a variant, and what is changed in its settings."""

    variant: str = "colde:paper"
    changes: Mapping[str, Any] = field(default_factory=dict)
    model: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.variant


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run."""

    network: PaperNetwork
    training: PaperTraining
    best_step: int
    seconds: float

    def scores(self, documents: Sequence[PooledChunks], judged: PairGraph) -> Array:
        """Scores of the pairs, of unchanged or of rearranged documents."""
        return kept_scores(self.network, documents, judged.pairs, self.training.judged_chunks)


def threshold_of(judged: PairGraph, scores: Array) -> float:
    """The threshold the pairs choose, as a profile has it."""
    return best_threshold(scores, judged.labels, np.ones(len(scores)))


def measured(judged: PairGraph, scores: Array, threshold: float) -> dict[str, float]:
    """Precision, recall, F1, accuracy and area under the ROC curve."""
    measures = measure(judged.labels, scores, threshold)
    names = ("precision", "recall", "f1", "accuracy")
    return {name: measures[name] for name in names} | {"auc": measures["roc_auc"]}


class Bench:
    """One corpus with its kept sentence vectors, a work folder, and settings as `colde train` takes them."""

    def __init__(
        self, folder: Path, work: Path, settings: Mapping[str, Any], on_progress: OnProgress | None = None
    ) -> None:
        self.folder, self.settings, self.on_progress = folder, settings, on_progress
        self.work = work / "studies" / folder.name
        kept = Path(settings.get("sentences", work / "sentences"))
        (self.corpus,) = corpora_with_vectors([folder], kept, PaperTraining().aside, on_progress)

    def settings_of(self, row: Row) -> tuple[PaperConfig, PaperTraining]:
        """The settings of a row: those of the study, then of the file, the variant and the row."""
        variant = spec(row.variant)
        given = {**BASE, **self.settings.get("training", {}), **variant.training, **row.changes}
        return PaperConfig(**{**variant.model, **row.model}), PaperTraining(**given)

    def run(self, row: Row, seed: int) -> Trained:
        """The run of a row and seed, from the work folder if it is there.

        The folder is named by what the run was trained with; the file in it tells all.
        """
        config, training = self.settings_of(row)
        told = {"model": asdict(config), "training": asdict(training), "seed": seed}
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:10]
        folder = self.work / f"{digest}-seed{seed}"
        path, file = folder / NUMBERS, folder / TENSORS
        network = PaperNetwork(config)
        if not path.is_file():
            with seeded(seed):
                network = PaperNetwork(config)
            run = TrainingRun(
                spec(row.variant), [self.folder], folder, {}, seed, True, None, self.on_progress
            )
            best = fit_head(run, network, [self.corpus], training)
            save_file({k: v.contiguous() for k, v in network.state_dict().items()}, file)
            kept = {**told, "best_step": best.step, "seconds": round(best.seconds, 1)}
            path.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            shutil.rmtree(folder / "state", ignore_errors=True)
        stored = json.loads(path.read_text(encoding="utf-8"))
        network.load_state_dict(load_file(file))
        return Trained(network.eval(), training, stored["best_step"], stored["seconds"])
