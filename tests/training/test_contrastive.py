"""The supervised contrastive loss against its formula, written as loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import normalize

from colde.models.colde.contrastive import PairLoss, cosine_objective, supervised_contrastive


def literal(z: np.ndarray, labels: list[int], temperature: float) -> float:
    """CoLDE, section 3.3, term by term; N_y documents of a label give 2 N_y sections, so 2 N_y − 1 positives."""
    total = 0.0
    for i in range(len(z)):
        same = sum(label == labels[i] for label in labels)
        for j in range(len(z)):
            if i != j and labels[i] == labels[j]:
                below = sum(math.exp(float(z[i] @ z[k]) / temperature) for k in range(len(z)) if k != i)
                total += -1 / (same - 1) * math.log(math.exp(float(z[i] @ z[j]) / temperature) / below)
    return total


def of_labels(labels: list[int]) -> torch.Tensor:
    tensor = torch.tensor(labels)
    return tensor.unsqueeze(0) == tensor.unsqueeze(1)


def vectors(count: int, seed: int) -> torch.Tensor:
    return normalize(
        torch.randn(count, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64), dim=-1
    )


def test_the_papers_example_three_documents_with_labels_1_1_0() -> None:
    labels = [1, 1, 1, 1, 0, 0]  # two sections a document
    z = vectors(6, 0)
    loss = supervised_contrastive(z, of_labels(labels), 0.5)
    assert loss.item() == pytest.approx(literal(z.numpy(), labels, 0.5), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    labels=st.lists(st.integers(0, 3), min_size=2, max_size=9),
    seed=st.integers(0, 1000),
    temperature=st.sampled_from([0.05, 0.1, 0.5, 1.0]),
)
def test_equals_the_formula(labels: list[int], seed: int, temperature: float) -> None:
    z = vectors(len(labels), seed)
    loss = supervised_contrastive(z, of_labels(labels), temperature)
    assert loss.item() == pytest.approx(literal(z.numpy(), labels, temperature), rel=1e-8, abs=1e-10)


def test_a_pair_graph_need_not_be_a_partition() -> None:
    z = vectors(3, 1)
    positive = torch.tensor([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=torch.bool)  # 1 is linked to 0 and to 2
    logits = (z @ z.T / 0.5).numpy()

    def term(i: int, j: int) -> float:
        return -(logits[i, j] - math.log(sum(math.exp(logits[i, k]) for k in range(3) if k != i)))

    expected = term(0, 1) + (term(1, 0) + term(1, 2)) / 2 + term(2, 1)
    assert supervised_contrastive(z, positive, 0.5).item() == pytest.approx(expected)


def test_a_negative_of_weight_zero_does_not_count() -> None:
    z = vectors(4, 2)
    positive = of_labels([0, 0, 1, 2])
    weight = torch.ones(4, 4, dtype=torch.float64)
    weight[:, 3] = weight[3, :] = 0
    without = supervised_contrastive(z[:3], of_labels([0, 0, 1]), 0.5)
    assert supervised_contrastive(z, positive, 0.5, weight).item() == pytest.approx(without.item())


def test_no_positive_no_loss() -> None:
    assert supervised_contrastive(vectors(3, 3), of_labels([0, 1, 2]), 0.5).item() == 0


def test_gradient_against_differences() -> None:
    z = vectors(5, 4).requires_grad_()
    mask = of_labels([0, 0, 1, 1, 1])
    assert torch.autograd.gradcheck(lambda x: supervised_contrastive(x, mask, 0.5), (z,))


def test_pair_losses_prefer_the_right_order() -> None:
    label = torch.tensor([1, 0])
    right, wrong = torch.tensor([0.9, 0.1]), torch.tensor([0.1, 0.9])
    assert PairLoss()(right, label) < PairLoss()(wrong, label)
    assert cosine_objective(right, label) < cosine_objective(wrong, label)
