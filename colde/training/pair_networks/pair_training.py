"""Training of a baseline's network: binary cross-entropy of labelled pairs, early stopping on validation pairs.

A network that has an objective on single documents can be pre-trained with it first, by the same loop.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor

from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import BaselineNetwork, BiEncoder
from colde.models.shared.network_input import ModelInput
from colde.results.progress import OnProgress, Stage
from colde.training.pair_networks.batch_scoring import batched_vectors, score_pairs
from colde.training.pair_networks.cached_gradients import (
    autocast,
    forked_step_seed,
    pair_gradients,
    step_seed,
)
from colde.training.pair_networks.pair_batches import PairBatch, draw_documents, draw_pairs
from colde.training.pair_networks.prepared_corpora import PreparedCorpus
from colde.training.steps.early_stopping import Best
from colde.training.steps.objective import StepResult
from colde.training.steps.training_loop import LoopConfig, run_loop

SCALE_PAIRS = 64  # that scale and offset are fitted to


@dataclass(frozen=True, slots=True)
class PairwiseConfig:
    """Settings of a run; the TOML file of a model says what differs, and from which source."""

    steps: int = 1000  # the learning rate has come down to zero by then
    pairs: int = 32  # a batch
    power: float = 0.0  # of a corpus' number of pairs, to which its share of the batch is proportional
    learning_rate: float = 5e-5
    rates: Mapping[str, float] = field(
        default_factory=dict
    )  # prefix of parameter names → factor of their rate
    weight_decay: float = 0.01
    warm_up: float = 0.1
    clip: float = 1.0
    tokens: int = 8192  # padded tokens a micro-batch
    cache_gradients: bool = True  # bi-encoders only; the same result for less memory
    ema: float = 0.0  # decay of a running mean of the weights, which is then validated and kept; 0 is off
    bf16: bool = False  # autocast in bfloat16
    fit_scale: bool = False  # bi-encoders: begin with a scale fitted to 64 pairs (`BiEncoder.init_from_data`)
    minutes: float | None = None  # upper bound, pre-training included; the learning rate knows nothing of it
    validate_every: int = 50  # steps
    validate_minutes: float | None = None  # or so many minutes after the last validation
    valid_pairs: int = 300  # of each corpus, always the same
    patience: int = 8  # validations without a better mean AUC
    profile_pairs: int | None = None  # of each corpus, for thresholds and figures; all validation pairs
    unrelated_pairs: int = 2_000  # of each corpus, for the background
    save_minutes: float = 3.0
    pretrain_steps: int = 0  # first so many steps of the network's own `pretrain`
    pretrain_documents: int = 16
    pretrain_learning_rate: float = 1e-4

    def loop(self, spent: float = 0.0) -> LoopConfig:
        """Settings of the loop over pairs, after so many seconds of pre-training."""
        return LoopConfig.of(self, minutes=None if self.minutes is None else self.minutes - spent / 60)

    def pretraining_loop(self) -> LoopConfig:
        """Settings of the loop over single documents, whose last weights are kept."""
        return LoopConfig(
            steps=self.pretrain_steps,
            learning_rate=self.pretrain_learning_rate,
            weight_decay=self.weight_decay,
            warm_up=self.warm_up,
            clip=self.clip,
            validate_every=self.pretrain_steps,
            minutes=self.minutes,
            save_minutes=self.save_minutes,
        )


@runtime_checkable
class Pretrainable(Protocol):
    """A network with an objective on single documents."""

    def pretrain(self, documents: Sequence[ModelInput]) -> Tensor:
        """The loss, a scalar."""
        ...


class PairObjective:
    """Binary cross-entropy of pairs, validated by the mean area under the ROC curve over the corpora.

    Args:
        first: steps of pre-training, which count where pairs are drawn.
    """

    def __init__(
        self,
        network: BaselineNetwork,
        corpora: Sequence[PreparedCorpus],
        training: PairwiseConfig,
        seed: int,
        first: int = 0,
    ) -> None:
        self.network, self.corpora, self.training = network, corpora, training
        self.seed, self.first = seed, first

    def gradients(self, step: int) -> StepResult:
        training, at = self.training, self.first + step
        batch = draw_pairs(self.corpora, training.pairs, self.seed, at, training.power)
        self.network.train()
        loss = pair_gradients(
            self.network,
            batch,
            step_seed(self.seed, at),
            tokens=training.tokens,
            cached=training.cache_gradients,
            bf16=training.bf16,
        )
        return StepResult(loss, sum(d.size for d in batch.documents))

    def validate(self) -> float:
        return float(np.mean([valid_auc(self.network, c, self.training) for c in self.corpora]))


class PretrainObjective:
    """The network's own objective on single training documents of all corpora."""

    def __init__(
        self,
        network: BaselineNetwork,
        corpora: Sequence[PreparedCorpus],
        training: PairwiseConfig,
        seed: int,
    ) -> None:
        if not isinstance(network, Pretrainable):
            raise ModelError(
                f"{type(network).__name__} has no pre-training of its own; set pretrain_steps to 0"
            )
        self.network, self.pretrain = network, network.pretrain
        self.corpora, self.training, self.seed = corpora, training, seed

    def gradients(self, step: int) -> StepResult:
        documents = draw_documents(self.corpora, self.training.pretrain_documents, self.seed, step)
        self.network.train()
        with forked_step_seed(step_seed(self.seed, step), 0), autocast(self.network, self.training.bf16):
            loss = self.pretrain(documents)
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(float(loss.detach()), sum(d.size for d in documents))

    def validate(self) -> float:
        return math.nan  # nothing is measured


def train_network(
    network: BaselineNetwork,
    corpora: Sequence[PreparedCorpus],
    training: PairwiseConfig,
    *,
    seed: int = 0,
    state_in: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Best:
    """Train in place on the network's device; it is left with the weights of its best validation.

    Args:
        state_in: folder of the run's state; None: it is not saved.
        resume: continue from the state in `state_in`, if there is one.
    """
    before = Best()
    sizes = {c.name: [len(c.ids), *(len(p) for p in c.pairs.values())] for c in corpora}
    run = {"settings": asdict(training), "corpora": sizes}
    if training.pretrain_steps:
        before = run_loop(
            network,
            PretrainObjective(network, corpora, training, seed),
            training.pretraining_loop(),
            seed=seed,
            state=state_in and state_in / "pretraining",
            resume=resume,
            on_progress=on_progress,
            stage=Stage.PRETRAINING,
            run=run,
        )
    if training.fit_scale:
        total = training.pretrain_steps + training.steps
        fit_scale(network, draw_pairs(corpora, SCALE_PAIRS, seed, total), training, seed)
    best = run_loop(
        network,
        PairObjective(network, corpora, training, seed, training.pretrain_steps),
        training.loop(before.seconds),
        seed=seed,
        state=state_in,
        resume=resume,
        on_progress=on_progress,
        run=run,
    )
    best.seconds += before.seconds
    best.tokens += before.tokens
    return best


@torch.no_grad()
def fit_scale(network: BaselineNetwork, batch: PairBatch, training: PairwiseConfig, seed: int = 0) -> None:
    """Let a bi-encoder set its scale from its untrained vectors, with dropout (`BiEncoder.init_from_data`)."""
    if not isinstance(network, BiEncoder):
        raise ModelError(f"{type(network).__name__} compares no vectors; set fit_scale to false")
    network.train()
    with forked_step_seed(seed, 0):
        vectors = batched_vectors(network, batch.documents, training.tokens)
    network.init_from_data(vectors, torch.from_numpy(batch.pairs).to(vectors.device))


def valid_auc(network: BaselineNetwork, corpus: PreparedCorpus, training: PairwiseConfig) -> float:
    """Area under the ROC curve on a fixed part of the validation pairs."""
    chosen = corpus.sampled_valid(training.valid_pairs)
    with autocast(network, training.bf16):
        scores = score_pairs(
            network, corpus.documents, corpus.pairs["valid"][chosen], tokens=2 * training.tokens
        )
    return float(roc_auc_score(corpus.labels["valid"][chosen], scores))
