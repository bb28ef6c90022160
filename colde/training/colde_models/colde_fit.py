"""`colde train colde`: the network, then profiles on pairs that were not trained on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from colde.encoders.encoder_names import PACKAGED
from colde.encoders.encoders_by_name import shared_encoder
from colde.judge.reference import MOST
from colde.models.checkpoint import build_config, read_config, read_tensors
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde.out_of_domain import untrained_view
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_models.colde_objective import ColdeObjective, ColdeTraining, pair_scores
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.profile_scores import Scoring, Scorings
from colde.training.steps.seeding import seeded
from colde.training.steps.training_loop import LoopConfig, run_loop
from colde.training.trainer import Trainer
from colde.training.training_run import TrainingRun


class ColdeTrainer(Trainer):
    """Trains `colde`."""

    has_untrained_view = True

    def __init__(self, run: TrainingRun) -> None:
        super().__init__(run)
        self.config = build_config(ColdeConfig, _with_width(run.model), "model")
        self.training = build_config(ColdeTraining, run.training, "training")

    def train(self) -> dict[str, Any]:
        self.corpora = load_vector_corpora(self.run, self.training.aside)
        self.network, record = train_network(self.run, self.config, self.training, self.corpora)
        return record

    def held_out(self) -> Sequence[HeldOutPairs]:
        return held_out_pairs(self.run, self.corpora)

    def scorings(self) -> Scorings:
        return Scorings(
            scores_from_vectors(self.network, self.corpora),
            general=scores_from_vectors(untrained_view(self.network), self.corpora),
            out_of_domain=out_of_domain_scores(self.network, self.corpora),
        )

    def model(self) -> Colde:
        return Colde(self.network, card=self.run.spec.card)


def _with_width(model: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the model, with the width of its encoder where that is not the packaged one."""
    encoder = model.get("encoder", PACKAGED)
    return dict(model) if encoder == PACKAGED else {"width": shared_encoder(encoder).dimension, **model}


fit = ColdeTrainer.fit


def scores_from_vectors(network: ColdeNetwork, corpora: Sequence[VectorCorpus]) -> Scoring:
    """Scores of held-out pairs, from the sentence vectors that are kept."""
    return _scoring(corpora, lambda corpus: network)


def out_of_domain_scores(network: ColdeNetwork, corpora: Sequence[VectorCorpus]) -> Scoring:
    """Scores of held-out pairs around the centre of their corpus, as `general` with a reference judges them."""
    return _scoring(corpora, lambda corpus: view_around_corpus(network, corpus))


def _scoring(corpora: Sequence[VectorCorpus], network_of: Callable[[VectorCorpus], ColdeNetwork]) -> Scoring:
    networks = {c.name: (c, network_of(c)) for c in corpora}

    def score(held_out: HeldOutPairs, pairs: np.ndarray) -> Array:
        corpus, network = networks[held_out.name]
        return pair_scores(network, corpus, held_out.positions[pairs])["score"]

    return score


def view_around_corpus(network: ColdeNetwork, corpus: VectorCorpus) -> ColdeNetwork:
    """The untrained view of the network for documents of a corpus that is its own reference."""
    return untrained_view(network, [corpus.segments[int(d)].means for d in reference_documents(corpus)])


def reference_documents(corpus: VectorCorpus) -> NDArray[np.int64]:
    """As many documents as `colde.judge.reference` reads, evenly spread over the corpus."""
    count = len(corpus.layouts.names)
    return np.unique(np.round(np.linspace(0, count - 1, min(MOST, count))).astype(np.int64))


def train_network(
    run: TrainingRun,
    config: ColdeConfig,
    training: ColdeTraining,
    corpora: Sequence[VectorCorpus],
    frozen: Collection[str] = (),
) -> tuple[ColdeNetwork, dict[str, Any]]:
    """Returns the network with the best validation measure, and what a checkpoint records of the training.

    Args:
        frozen: parts of `GROUPS` that keep their first values.
    """
    with seeded(run.seed):
        network = ColdeNetwork(config)
    network.centre.copy_(torch.from_numpy(np.mean([c.centre() for c in corpora], axis=0)))
    for name in frozen:
        for parameter in network.group(name).values():
            parameter.requires_grad_(False)
    start = {name: p.detach().clone() for name, p in network.named_parameters()}
    objective = ColdeObjective(network, corpora, training, run.seed)
    quick = training.quick_rate / training.rate
    best = run_loop(
        nn.ModuleDict({"network": network, "losses": objective.pair_losses}),
        objective,
        LoopConfig.of(
            training,
            learning_rate=training.rate,
            rates={"losses": quick}
            | ({} if "sharpness" in frozen else {"network.attention.log_sharpness": quick}),
        ),
        seed=run.seed,
        state=run.output / "state",
        resume=run.resume,
        on_progress=run.on_progress,
        run=run.identity(config, training, corpora),
    )
    return network, {
        **run.record(training),
        "moved": {name: round(share, 4) for name, share in network.relative_change(start).items()},
        "step": best.step,
        "history": objective.history,
        "seconds": round(best.seconds, 1),
    }


def load_network(folder: Path) -> ColdeNetwork:
    """The network of a checkpoint."""
    network = ColdeNetwork(read_config(folder).config(ColdeConfig))
    network.load_state_dict(read_tensors(folder))
    return network.eval()
