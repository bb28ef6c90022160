"""The training loop of CoLDE's parts on kept chunk vectors: batches, validation, early stopping, resuming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from colde.models.base import OnProgress, Progress
from colde.models.colde import ColdeConfig, ColdeNetwork, WordChannel
from colde.training.channels import document_vectors, mean_auc, pair_cosines, word_vectors
from colde.training.held import Held
from colde.training.losses import PairLoss
from colde.training.objective import batch_loss, joins_in, kept_chunks, words_loss
from colde.training.pairs import TrainingCorpus, draw
from colde.training.settings import TrainConfig
from colde.training.state import load_state, save_state
from colde.words import shipped_statistics


@dataclass(slots=True)
class Best:
    """The best validation so far."""

    auc: float = -1.0
    step: int = -1
    stale: int = 0


@dataclass(frozen=True, slots=True)
class Stage:
    """One run of the loop.

    Attributes:
        name: for the reader, and the folder of its state.
        module: what is trained and kept as it was at its best validation.
        gradients: adds the gradients of the loss of a step's batch.
        auc: mean area under the ROC curve on the validation pairs.
        steps, rate, decay: length, peak learning rate, weight decay.
    """

    name: str
    module: nn.Module
    gradients: Callable[[int], None]
    auc: Callable[[], float]
    steps: int
    rate: float
    decay: float


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
    torch.manual_seed(seed)
    network, pair_loss = ColdeNetwork(config), PairLoss()
    initialise(network, corpora)
    labels = [c.valid.labels for c in corpora]

    def gradients(step: int) -> None:
        batch = draw(corpora, training.pairs, training.unlabelled, np.random.default_rng((seed, step)))
        network.train()
        joint = joins_in(network, training, step)
        chunks = kept_chunks(batch, corpora, training.joint_chunks if joint else training.most_chunks)
        batch_loss(network, pair_loss, batch, chunks, training, joint).backward()  # type: ignore[no-untyped-call]

    def auc() -> float:
        vectors = [document_vectors(network, c.whole) for c in corpora]
        return mean_auc(
            labels, [pair_cosines(v, c.valid.pairs) for v, c in zip(vectors, corpora, strict=True)]
        )

    module = nn.ModuleDict({"network": network, "pair_loss": pair_loss})
    stage = Stage(
        "training", module, gradients, auc, training.steps, training.learning_rate, training.weight_decay
    )
    best = run_stage(stage, training, seed, state, resume, on_progress)
    return network.eval(), best


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
    torch.manual_seed(seed)
    words, pair_loss = WordChannel(config.words, shipped_statistics()), PairLoss()
    known = [words.known(c.words) for c in corpora]
    whole = [words.known(c.whole_words) for c in corpora]
    labels = [c.valid.labels for c in corpora]

    def gradients(step: int) -> None:
        random = np.random.default_rng((seed, step))
        batch = draw(corpora, training.words_pairs, training.unlabelled, random)
        words_loss(words, pair_loss, batch, known, training).backward()  # type: ignore[no-untyped-call]

    def auc() -> float:
        vectors = [word_vectors(words, rows) for rows in whole]
        return mean_auc(
            labels, [pair_cosines(v, c.valid.pairs) for v, c in zip(vectors, corpora, strict=True)]
        )

    module = nn.ModuleDict({"words": words, "pair_loss": pair_loss})
    run_stage(
        Stage("training words", module, gradients, auc, training.words_steps, training.words_rate, 0.0),
        training,
        seed,
        state and state / "words",
        resume,
        on_progress,
    )
    return words


def run_stage(
    stage: Stage,
    training: TrainConfig,
    seed: int,
    state: Path | None,
    resume: bool,
    on_progress: OnProgress | None,
) -> Best:
    """Train until the last step, or until validation has not risen for a while; leaves the module at its best.

    Every draw depends on seed and step alone, so that a resumed run gives the same numbers.
    """
    module = stage.module
    trained = [p for p in module.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=stage.rate, weight_decay=stage.decay)
    held = Held({n: p for n, p in module.named_parameters() if p.requires_grad}, training.ema)
    best, kept, first = Best(), held.snapshot(), 0
    if resume and state is not None:
        first, best, kept = load_state(state, held, optimiser, kept, Best) or (0, best, kept)
    for step in range(first, stage.steps):
        if best.stale >= training.patience:
            break
        for group in optimiser.param_groups:
            group["lr"] = stage.rate * one_cycle(step, stage.steps, training.warm_up)
        torch.manual_seed((seed << 32) + step)
        optimiser.zero_grad()
        stage.gradients(step)
        nn.utils.clip_grad_norm_(trained, training.clip)
        optimiser.step()
        held.update(step)
        if (step + 1) % training.validate_every == 0 or step + 1 == stage.steps:
            with held.averaged():
                auc = stage.auc()
                best.stale += 1
                if auc > best.auc:
                    best, kept = Best(auc, step + 1), held.snapshot()
            if state is not None:
                save_state(state, step + 1, best, held, optimiser, kept)
            if on_progress is not None:
                running = f"{stage.name}, valid AUC {auc:.4f} (best {best.auc:.4f})"
                on_progress(Progress(running, step + 1, stage.steps))
    held.restore(kept)
    return best


def one_cycle(step: int, steps: int, warm_up: float) -> float:
    """Linear warm-up, then a cosine to zero: a share of the peak learning rate."""
    warm = max(1, round(warm_up * steps))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + float(np.cos(np.pi * (step - warm) / max(1, steps - warm))))


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
