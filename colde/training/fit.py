"""Training CoLDE's head and its words channel on kept chunk vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from colde.models.colde import ColdeConfig, ColdeNetwork, WordChannel
from colde.results.progress import OnProgress
from colde.text.term_weights import shipped_statistics
from colde.training.batch_loss import batch_loss, joins_in, kept_chunks, words_loss
from colde.training.channels import document_vectors, pair_cosines, word_vectors
from colde.training.loop import LoopConfig, run_loop
from colde.training.losses import PairLoss
from colde.training.objective import StepResult
from colde.training.pairs import TrainingCorpus, draw
from colde.training.seeding import seeded
from colde.training.settings import TrainConfig
from colde.training.validation import Best, mean_auc


class HeadObjective:
    """Contrastive and pair loss of the encoder's channel on kept chunk vectors; validated on whole documents."""

    def __init__(
        self,
        network: ColdeNetwork,
        pair_loss: PairLoss,
        corpora: Sequence[TrainingCorpus],
        training: TrainConfig,
        seed: int,
    ) -> None:
        self.network, self.pair_loss, self.corpora = network, pair_loss, corpora
        self.training, self.seed = training, seed

    def gradients(self, step: int) -> StepResult:
        training = self.training
        batch = draw(
            self.corpora, training.pairs, training.unlabelled, np.random.default_rng((self.seed, step))
        )
        self.network.train()
        joint = joins_in(self.network, training, step)
        chunks = kept_chunks(batch, self.corpora, training.joint_chunks if joint else training.most_chunks)
        loss = batch_loss(self.network, self.pair_loss, batch, chunks, training, joint)
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(loss.item())

    def validate(self) -> float:
        scores = [pair_cosines(document_vectors(self.network, c.whole), c.valid.pairs) for c in self.corpora]
        return mean_auc([c.valid.labels for c in self.corpora], scores)


class WordsObjective:
    """The two losses of the words channel, on TF-IDF rows of which some words are left out."""

    def __init__(
        self,
        words: WordChannel,
        pair_loss: PairLoss,
        corpora: Sequence[TrainingCorpus],
        training: TrainConfig,
        seed: int,
    ) -> None:
        self.words, self.pair_loss, self.corpora = words, pair_loss, corpora
        self.training, self.seed = training, seed
        self.known = [words.known(c.words) for c in corpora]
        self.whole = [words.known(c.whole_words) for c in corpora]

    def gradients(self, step: int) -> StepResult:
        training = self.training
        random = np.random.default_rng((self.seed, step))
        batch = draw(self.corpora, training.words_pairs, training.unlabelled, random)
        loss = words_loss(self.words, self.pair_loss, batch, self.known, training)
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(loss.item())

    def validate(self) -> float:
        scores = [
            pair_cosines(word_vectors(self.words, rows), c.valid.pairs)
            for rows, c in zip(self.whole, self.corpora, strict=True)
        ]
        return mean_auc([c.valid.labels for c in self.corpora], scores)


def fit_network(
    config: ColdeConfig,
    training: TrainConfig,
    corpora: Sequence[TrainingCorpus],
    seed: int,
    state: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[ColdeNetwork, Best]:
    """Train the encoder's channel; returns the network as it was at its best validation."""
    with seeded(seed):
        network, pair_loss = ColdeNetwork(config), PairLoss()
    initialise(network, corpora)
    best = run_loop(
        nn.ModuleDict({"network": network, "pair_loss": pair_loss}),
        HeadObjective(network, pair_loss, corpora, training, seed),
        loop_config(training, training.steps, training.learning_rate, training.weight_decay),
        seed=seed,
        state=state,
        resume=resume,
        on_progress=on_progress,
        run=run_of(training, corpora),
    )
    return network, best


def fit_words(
    config: ColdeConfig,
    training: TrainConfig,
    corpora: Sequence[TrainingCorpus],
    seed: int,
    state: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> WordChannel:
    """Train the words channel; returns it as it was at its best validation."""
    with seeded(seed):
        words, pair_loss = WordChannel(config.words, shipped_statistics()), PairLoss()
    run_loop(
        nn.ModuleDict({"words": words, "pair_loss": pair_loss}),
        WordsObjective(words, pair_loss, corpora, training, seed),
        loop_config(training, training.words_steps, training.words_rate, 0.0),
        seed=seed,
        state=state and state / "words",
        resume=resume,
        on_progress=on_progress,
        subject="words",
        run=run_of(training, corpora),
    )
    return words


def run_of(training: TrainConfig, corpora: Sequence[TrainingCorpus]) -> dict[str, Any]:
    """What a run's result depends on beside its loop."""
    return {"settings": asdict(training), "corpora": {c.name: c.digest() for c in corpora}}


def loop_config(training: TrainConfig, steps: int, rate: float, decay: float) -> LoopConfig:
    """Settings of the loop for one of CoLDE's parts."""
    return LoopConfig(
        steps=steps,
        learning_rate=rate,
        weight_decay=decay,
        warm_up=training.warm_up,
        clip=training.clip,
        ema=training.ema,
        validate_every=training.validate_every,
        patience=training.patience,
    )


def initialise(network: ColdeNetwork, corpora: Sequence[TrainingCorpus]) -> None:
    """Centre on the corpora's mean of document means; start the projection at their principal axes.

    So the untrained residual form is already the centred mean of the frozen vectors, as well as 256 numbers can
    hold it.
    """
    means = []
    for corpus in corpora:
        unit = nn.functional.normalize(torch.from_numpy(corpus.vectors.vectors), dim=-1)
        first = corpus.vectors.first
        means.append(torch.stack([unit[first[d] : first[d + 1]].mean(0) for d in range(len(first) - 1)]))
    network.centre.copy_(torch.stack([m.mean(0) for m in means]).mean(0))
    if network.config.form == "residual":
        centred = torch.cat(means) - network.centre
        _, _, axes = torch.linalg.svd(centred, full_matrices=False)
        with torch.no_grad():
            found = min(len(axes), network.config.projection)  # fewer in a corpus of few documents
            network.project.weight[:found].copy_(axes[:found])
