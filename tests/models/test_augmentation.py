"""Halves of documents as positives, in training."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.special import log_softmax

from colde.models.colde.augmentation import split_parts
from colde.models.colde.contrastive import NEGATIVES, halves_loss
from colde.models.colde.network import ColdeConfig, ColdeNetwork

WIDTH = 12
TEMPERATURE = 0.1


@pytest.fixture
def network() -> ColdeNetwork:
    torch.manual_seed(0)
    return ColdeNetwork(ColdeConfig(width=WIDTH, projection=8)).eval()


def drawn(documents: int, chunks: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """States of documents and equal shares: half of their numbers is the document's own, half the chunk's alone."""
    random = np.random.default_rng(seed)
    x = np.repeat(random.normal(size=(documents, 1, WIDTH)), chunks, 1)
    x[:, :, WIDTH // 2 :] = 2 * random.normal(size=(documents, chunks, WIDTH // 2))
    return torch.from_numpy(x).float(), torch.full((documents, chunks), 1 / chunks)


def test_parts_have_about_as_many_tokens() -> None:
    assert split_parts(np.array([500.0, 500, 500, 100]), 2).tolist() == [0, 0, 1, 1]
    assert split_parts(np.array([10.0]), 2).tolist() == [0] and not len(split_parts(np.zeros(0), 2))


def test_the_loss_is_that_of_a_literal_loop(network: ColdeNetwork) -> None:
    """Cosines and what attention finds, document by document; two of them are related and not told apart."""
    x, mass = drawn(4, 6)
    apart = ~torch.eye(4, dtype=torch.bool)
    apart[0, 1] = apart[1, 0] = False
    found = float(halves_loss(network, x, mass, apart, np.random.default_rng(3), TEMPERATURE).detach())

    random = np.random.default_rng(3)
    first = random.random((4, 6)) < 0.5
    project = network.project.weight.detach().numpy()
    sharpness = float(network.attention.log_sharpness.detach().exp())
    states = x.numpy().astype(np.float64)

    def vector(d: int, half: int) -> np.ndarray:
        z = project @ states[d][first[d] == (half == 0)].mean(0)
        return np.asarray(z / np.linalg.norm(z))

    def raw(d: int, half: int, e: int, other: int) -> float:
        a, b = states[d][first[d] == (half == 0)], states[e][first[e] == (other == 0)]
        keys = [s / np.linalg.norm(s, axis=1, keepdims=True) for s in (a, b)]
        near = sharpness * keys[0] @ keys[1].T
        forth, back = np.exp(log_softmax(near, 1)), np.exp(log_softmax(near, 0))
        return float(((forth / len(a) + back / len(b)) / 2 * (a @ project.T @ (b @ project.T).T)).sum())

    halves = [(d, h) for h in (0, 1) for d in range(4)]
    vectors, attention = [], []
    for d, h in halves:
        others = [(d, 1 - h), *((e, k) for e, k in halves if apart[d, e])]
        cosines = np.array([vector(d, h) @ vector(*o) for o in others])
        vectors.append(-log_softmax(cosines / TEMPERATURE)[0])
    for d in random.permutation(4).tolist():
        near = np.flatnonzero(apart[d].numpy())
        some = [d, *random.choice(near, min(NEGATIVES, len(near)), replace=False)]
        scores = [raw(d, 0, e, 1) / np.sqrt(raw(d, 0, d, 0) * raw(e, 1, e, 1)) for e in some]
        attention.append(-log_softmax(np.array(scores) / TEMPERATURE)[0])
    assert found == pytest.approx(np.mean(vectors) + np.mean(attention), rel=1e-4)


def test_what_cannot_be_cut_or_told_apart_teaches_nothing(network: ColdeNetwork) -> None:
    random = np.random.default_rng(0)
    x, mass = drawn(5, 1)
    apart = ~torch.eye(5, dtype=torch.bool)
    assert halves_loss(network, x, mass, apart, random, TEMPERATURE).item() == 0
    x, mass = drawn(5, 6)
    assert halves_loss(network, x, mass, torch.zeros_like(apart), random, TEMPERATURE).item() == 0
