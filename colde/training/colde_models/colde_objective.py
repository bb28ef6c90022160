"""Training of CoLDE's network on stored sentence vectors: projection and attention together.

The loss of a step has three terms: the supervised contrastive loss (3.3) of the vectors of the parts of all documents
(n_p of each, 3.1); the pair loss of each labelled pair's score and, with less weight, of the cosine of its document
vectors; and a contrastive loss of two random halves of each document.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from colde.models.colde.augmentation import sample_segments
from colde.models.colde.contrastive import PairLoss, halves_loss, supervised_contrastive
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import PooledChunks, VectorCorpus, padded, parts_of
from colde.training.corpora.labelled_pairs import Batch, PairGraph
from colde.training.steps.objective import ContrastiveObjective

LOG = logging.getLogger(__name__)
SIMILARITIES = ("score", "attention", "vectors")


@dataclass(frozen=True, slots=True)
class ColdeTraining:
    """Hyper-parameters of a run; each figure from trials on the development part unless a source is named."""

    steps: int = 150
    pairs: int = 32  # of each corpus in a step
    rate: float = 1e-3
    quick_rate: float = 1e-2  # of the few numbers: sharpness, scale and offset of the pair losses
    aside: float = 0.06  # documents of the development part
    temperature: float = 0.1  # tau; the paper's 0.5 is worse (docs/log/colde.md)
    contrastive: float = 1.0  # weight of the supervised contrastive loss (3.3)
    split: bool = True  # whether the parts of a document are positives of each other (3.1)
    unlabelled: float = 0.1  # weight of unlabelled pairs in the denominator
    vectors: float = 0.5  # weight of the pair loss of the cosine of the two vectors
    halves: float = 1.0  # weight of the loss of halves of one document (`colde.models.colde.augmentation`)
    warm_up: float = 0.1
    clip: float = 1.0
    weight_decay: float = 0.01  # 4.1.2
    validate_every: int = 150
    validation_pairs: int = 400


class ColdeObjective(ContrastiveObjective):
    """The loss of a batch, and the mean ROC AUC on pairs of the development part."""

    def __init__(
        self, network: ColdeNetwork, corpora: Sequence[VectorCorpus], training: ColdeTraining, seed: int
    ) -> None:
        super().__init__(network, corpora, training, seed)
        self.network, self.corpora, self.training = network, corpora, training
        self.pair_losses = nn.ModuleDict({name: PairLoss() for name in ("attention", "vectors")})
        self.history: list[dict[str, float]] = []

    def loss(self, batch: Batch, random: np.random.Generator) -> Tensor:
        """The loss of a batch; `random` divides its documents into halves."""
        network, training = self.network, self.training
        segments = [self.corpora[c].segments[d] for c, d in batch.documents]
        means, mass = padded(segments)
        x = network.dropout(network.center_and_scale(means)) * (mass > 0).unsqueeze(-1)
        total: Tensor = x.new_zeros(())
        if training.contrastive:
            shares, owner = parts_of(segments, mass) if training.split else (mass, np.arange(len(mass)))
            z = network.vectors(x[owner], shares)
            positive = torch.from_numpy(batch.similar[owner][:, owner] | (owner[:, None] == owner[None]))
            weight = torch.from_numpy(batch.weight[owner][:, owner])
            loss = supervised_contrastive(z, positive, training.temperature, weight) / len(z)
            total = total + training.contrastive * loss
        labels = torch.from_numpy(batch.labels)
        similarities = pair_similarities(network, x, mass, batch.pairs)
        for name, weight_of_loss in {"attention": 1.0, "vectors": training.vectors}.items():
            total = total + weight_of_loss * self.pair_losses[name](similarities[name], labels)
        if training.halves:
            total = total + training.halves * self._halves(batch, segments, random)
        return total

    def _halves(self, batch: Batch, segments: Sequence[PooledChunks], random: np.random.Generator) -> Tensor:
        """Loss of the halves of the batch's documents; those of one corpus are told apart unless they are related."""
        means, mass = sample_segments([s.means for s in segments], [s.mass for s in segments], random)
        x = self.network.dropout(self.network.center_and_scale(means)) * (mass > 0).unsqueeze(-1)
        apart = torch.from_numpy((batch.weight > 0) & ~batch.similar & ~np.eye(len(mass), dtype=bool))
        return halves_loss(self.network, x, mass, apart, random, self.training.temperature)

    def validate(self) -> float:
        aucs = validation_aucs(self.network, self.corpora, self.training.validation_pairs, self.seed)
        self.history.append(aucs)
        for name, value in aucs.items():
            LOG.info(f"{name}: {value:.4f}")
        unseen = [v for name, v in aucs.items() if "development" in name]
        return float(np.mean(unseen or list(aucs.values())))


def pair_similarities(
    network: ColdeNetwork, x: Tensor, mass: Tensor, pairs: NDArray[np.int64]
) -> dict[str, Tensor]:
    """The score (9) of each pair, and its parts: attention (8) and the cosine of the document vectors; [pairs] each.

    Args:
        x: [documents, segments, width], as `ColdeNetwork.center_and_scale` gives; mass: [documents, segments].
    """
    z = network.vectors(x, mass)
    attention_input = network.attention_input(x, mass)
    self_similarity_root = network.attention.self_similarity_root(attention_input)
    i, j = torch.from_numpy(pairs).T
    cosine = (z[i] * z[j]).sum(-1)
    attention = network.attention.unnormalised_score(attention_input[i], attention_input[j]) / (
        self_similarity_root[i] * self_similarity_root[j]
    )
    share = network.config.vector_share
    return {"score": (1 - share) * attention + share * cosine, "attention": attention, "vectors": cosine}


@torch.inference_mode()
def pair_scores(
    network: ColdeNetwork, corpus: VectorCorpus, pairs: NDArray[np.int64], at_once: int = 64
) -> dict[str, Array]:
    """`pair_similarities` of pairs of a corpus, in batches of similar length: [pairs] each."""
    network.eval()
    segments = corpus.segments
    size = np.array([max(len(segments[i].mass), len(segments[j].mass)) for i, j in pairs])
    scores = {name: np.zeros(len(pairs), dtype=np.float32) for name in SIMILARITIES}
    order = np.argsort(size, kind="stable")
    for rows in np.array_split(order, max(1, -(-len(order) // at_once))):
        documents, local = np.unique(pairs[rows], return_inverse=True)
        means, mass = padded([segments[int(d)] for d in documents])
        x = network.center_and_scale(means) * (mass > 0).unsqueeze(-1)
        for name, values in pair_similarities(network, x, mass, local.reshape(-1, 2)).items():
            scores[name][rows] = values.numpy()
    return scores


def validation_aucs(
    network: ColdeNetwork, corpora: Sequence[VectorCorpus], most: int, seed: int = 0
) -> dict[str, float]:
    """ROC AUC on at most `most` pairs of each kind: development (one or no document trained on) and validation."""
    aucs: dict[str, float] = {}
    for corpus in corpora:
        kinds: Mapping[str, PairGraph] = {
            "development, one seen": corpus.one,
            "development, none seen": corpus.none,
            "valid": corpus.valid,
        }
        for kind, graph in kinds.items():
            if len(graph.pairs) < 20:
                continue
            chosen = np.random.default_rng(seed).permutation(len(graph.pairs))[:most]
            for path, values in pair_scores(network, corpus, graph.pairs[chosen]).items():
                name = f"{corpus.name}, {kind}" + ("" if path == "score" else f", {path} alone")
                if path == "score" or kind == "valid":
                    aucs[name] = round(float(roc_auc_score(graph.labels[chosen], values)), 4)
    return aucs
