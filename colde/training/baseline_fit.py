"""`colde train` for the baselines: a network trained on labelled pairs, then profiles."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from colde import models
from colde.errors import ModelError
from colde.judge.calibration import Profile
from colde.models.checkpoint import build_config, read_tensors
from colde.models.registry import ModelSpec
from colde.models.shared.bi_cross_encoder import (
    BiEncoder,
    checkpoint_tensors,
    load_checkpoint_tensors,
)
from colde.results.similarity_map import Array
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.pair_networks.batch_scoring import document_vectors, score_pairs, score_vectors
from colde.training.pair_networks.pair_training import PairwiseConfig, train_network
from colde.training.pair_networks.prepared_corpora import PreparedCorpus, prepare_corpus
from colde.training.profile_scores import Scoring, Scorings
from colde.training.trainer import Trainer
from colde.training.training_run import TrainingRun

RUN = "run.json"
SCORES = "scores.npz"
"""Scores of the validation pairs that profiles were fitted to, by corpus, in their order."""


def build(chosen: ModelSpec, model: Mapping[str, Any], seed: int = 0) -> Any:
    """Build the network of a baseline, untrained: equal for equal seeds.

    Raises:
        ModelError: a setting that its config does not have.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            return chosen.matcher_class().build(model)
        except TypeError as error:
            raise ModelError(f"{chosen.card.name}: a wrong setting ({error})") from None


class BaselineTrainer(Trainer):
    """Trains a baseline on labelled pairs.

    `start` of the settings is the folder of a checkpoint to begin from: cross-encoders share their pre-training. The
    default is where the recipe says. Prepared documents are kept in `prepared` of the settings, else in the work
    folder; with them there the corpora's own files may be missing. Runs on CUDA where there is one.
    """

    def __init__(self, run: TrainingRun) -> None:
        super().__init__(run)
        self.training = build_config(PairwiseConfig, run.training, "training")
        self.unrelated = self.training.unrelated_pairs
        self.network = build(run.spec, run.model, run.seed)

    def load(self, corpus: Path) -> PreparedCorpus:
        """The corpus as the network reads it."""
        folder = Path(self.run.settings.get("prepared") or self.run.work / "prepared")
        return prepare_corpus(self.network, corpus, folder, self.run.on_progress)

    def train(self) -> dict[str, Any]:
        run, training, network = self.run, self.training, self.network
        start = run.settings.get("start") or (run.spec.start and str(models.checkpoint(run.spec.start)))
        if start:
            tensors = network.translate_names(read_tensors(Path(start)))
            load_checkpoint_tensors(network, tensors, Path(start))
        identity = run.identity(network.config, training, run.corpora)
        description = {"name": run.spec.card.name, **identity, "seed": run.seed, "start": start}
        _write_run_description(run.output, description, run.resume)
        self.corpora = [replace(self.load(path), profile=run.profile_of(path)) for path in run.corpora]
        network.to("cuda" if torch.cuda.is_available() else "cpu")
        best = train_network(
            network,
            self.corpora,
            training,
            seed=run.seed,
            state_in=run.output,
            resume=run.resume,
            on_progress=run.on_progress,
        )
        _round_to_half_precision(network)
        self.record = {
            **run.record(training),
            "pairs": {c.name: len(c.labels["train"]) for c in self.corpora},
            "best_step": best.step,
            "valid_auc": round(best.score, 5),
            "tokens": best.tokens,
            "seconds": round(best.seconds, 1),
            "tokens_per_second": round(best.tokens / max(best.seconds, 1e-9)),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        }
        return self.record

    def held_out(self) -> Sequence[HeldOutPairs]:
        return [c.held_out(self.training.profile_pairs) for c in self.corpora]

    def scorings(self) -> Scorings:
        self.score = scorer(self.network, self.corpora, self.training.tokens, self.run.spec.card.symmetric)
        return Scorings(self.score)

    def profiles(self) -> dict[str, Profile]:
        """The profiles; the scores they are fitted to are kept in `SCORES`."""
        begun = time.perf_counter()
        profiles = super().profiles()
        scores = {c.name: self.score(c, c.pairs) for c in self.held_out()}
        np.savez(self.run.output / SCORES, **scores)  # type: ignore[arg-type]
        self.record["seconds_for_profiles"] = round(time.perf_counter() - begun, 1)
        return profiles

    def model(self) -> Any:
        return self.run.spec.matcher_class()(self.network.cpu(), card=self.run.spec.card)


fit = BaselineTrainer.fit


@torch.no_grad()
def _round_to_half_precision(network: Any) -> None:
    """Round to float16, as a checkpoint stores it, so that thresholds are fitted to the stored network."""
    for value in checkpoint_tensors(network).values():
        value.copy_(value.half())


def _write_run_description(output: Path, run: Mapping[str, Any], resume: bool) -> None:
    """Write the settings of the run; refuse to resume a run of other settings."""
    path = output / RUN
    text = json.dumps(run, indent=1, sort_keys=True) + "\n"
    if resume and path.is_file() and path.read_text(encoding="utf-8") != text:
        raise ModelError(
            f"{output}: the run there has other settings ({RUN}); remove the folder or name another"
        )
    output.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def scorer(network: Any, corpora: Sequence[PreparedCorpus], tokens: int, both_orders: bool) -> Scoring:
    """Scores of held-out pairs of prepared documents; no score is computed twice.

    A bi-encoder encodes each document once.
    """
    prepared = {c.name: c.documents for c in corpora}
    vectors: dict[str, Any] = {}
    scores: dict[tuple[str, bytes], Array] = {}

    def compute(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        documents = prepared[corpus.name]
        if not isinstance(network, BiEncoder):
            positions = corpus.positions[pairs]
            return score_pairs(network, documents, positions, tokens=2 * tokens, both_orders=both_orders)
        if corpus.name not in vectors:
            inputs = [documents[d] for d in corpus.positions]
            vectors[corpus.name] = document_vectors(network, inputs, 2 * tokens)
        return score_vectors(network, vectors[corpus.name], pairs)

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        key = (corpus.name, pairs.tobytes())
        if key not in scores:
            scores[key] = compute(corpus, pairs)
        return scores[key]

    return score
