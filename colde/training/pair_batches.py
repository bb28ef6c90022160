"""Batches of labelled pairs for the baselines, drawn from all corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.models.shared.network_input import ModelInput
from colde.training.prepared_corpora import PreparedCorpus


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Documents, each once, and pairs of their positions."""

    documents: tuple[ModelInput, ...]
    pairs: NDArray[np.int64]  # [pairs, 2]
    labels: NDArray[np.int64]  # [pairs]


def draw_pairs(
    corpora: Sequence[PreparedCorpus], pairs: int, seed: int, step: int, power: float = 0.0
) -> PairBatch:
    """Training pairs at random, of each corpus in proportion to how many it has to this power: 0 is the same number.

    What is left over by rounding goes around by step.
    """
    random = np.random.default_rng((seed, step))
    shares = np.array([len(c.labels["train"]) for c in corpora], float) ** power
    counts = np.floor(pairs * shares / shares.sum() + 1e-9).astype(int)
    left = pairs - int(counts.sum())
    documents: list[ModelInput] = []
    ends, labels = [], []
    for c, corpus in enumerate(corpora):
        count = counts[c] + ((c + step) % len(corpora) < left)
        known = corpus.pairs["train"]
        chosen = random.choice(len(known), size=min(count, len(known)), replace=False)
        members, position = np.unique(known[chosen], return_inverse=True)
        ends.append(position.reshape(-1, 2) + len(documents))
        labels.append(corpus.labels["train"][chosen])
        documents.extend(corpus.documents[d] for d in members)
    return PairBatch(tuple(documents), np.concatenate(ends), np.concatenate(labels))


def draw_documents(
    corpora: Sequence[PreparedCorpus], documents: int, seed: int, step: int
) -> tuple[ModelInput, ...]:
    """Documents in training pairs at random, as many of each corpus, for an objective of single documents."""
    random = np.random.default_rng((seed, step, 1))
    found: list[ModelInput] = []
    for c, corpus in enumerate(corpora):
        count = documents // len(corpora) + ((c + step) % len(corpora) < documents % len(corpora))
        known = np.unique(corpus.pairs["train"])
        chosen = random.choice(known, min(count, len(known)), replace=False)
        found.extend(corpus.documents[d] for d in chosen)
    return tuple(found)
