"""Batches of labelled pairs for the baselines, drawn from all corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.models.shared.network_input import ModelInput
from colde.training.pair_networks.prepared_corpora import PreparedCorpus


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Documents, each once, and pairs of their positions."""

    documents: tuple[ModelInput, ...]
    pairs: NDArray[np.int64]  # [pairs, 2]
    labels: NDArray[np.int64]  # [pairs]


def draw_pairs(
    corpora: Sequence[PreparedCorpus], pairs: int, seed: int, step: int, power: float = 0.0
) -> PairBatch:
    """Draw training pairs at random.

    Args:
        power: a corpus with n pairs has a share proportional to n to this power; 0: all have the same share. The
            remainder of rounding goes to other corpora in each step.
    """
    random = np.random.default_rng((seed, step))
    shares = np.array([len(c.labels["train"]) for c in corpora], float) ** power
    counts = np.floor(pairs * shares / shares.sum() + 1e-9).astype(int)
    left = pairs - int(counts.sum())
    documents: list[ModelInput] = []
    ends, labels = [], []
    for c, corpus in enumerate(corpora):
        count = counts[c] + ((c + step) % len(corpora) < left)
        trained = corpus.pairs["train"]
        chosen = random.choice(len(trained), size=min(count, len(trained)), replace=False)
        members, position = np.unique(trained[chosen], return_inverse=True)
        ends.append(position.reshape(-1, 2) + len(documents))
        labels.append(corpus.labels["train"][chosen])
        documents.extend(corpus.documents[d] for d in members)
    return PairBatch(tuple(documents), np.concatenate(ends), np.concatenate(labels))


def draw_documents(
    corpora: Sequence[PreparedCorpus], documents: int, seed: int, step: int
) -> tuple[ModelInput, ...]:
    """Draw documents of training pairs at random, the same number from each corpus."""
    random = np.random.default_rng((seed, step, 1))
    drawn: list[ModelInput] = []
    for c, corpus in enumerate(corpora):
        count = documents // len(corpora) + ((c + step) % len(corpora) < documents % len(corpora))
        trained = np.unique(corpus.pairs["train"])
        chosen = random.choice(trained, min(count, len(trained)), replace=False)
        drawn.extend(corpus.documents[d] for d in chosen)
    return tuple(drawn)
