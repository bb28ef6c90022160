"""Integrated Jacobians: a network's vector as the sum of what its inputs bring."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde_paper.paper_network import PaperConfig, PaperNetwork
from colde.models.shared.integrated_gradients import integrated_parts, integrated_sum_parts, product


def bilinear(x: Tensor) -> Tensor:
    """Two inputs of one number → their product and their sum; by hand: the parts of the product are x y / 2 each."""
    return torch.cat((x[:, 0] * x[:, 1], x[:, 0] + x[:, 1]), dim=-1)


def test_parts_by_hand() -> None:
    found = integrated_parts(bilinear, torch.tensor([[3.0], [4.0]]))
    np.testing.assert_allclose(found.parts, [[6, 3], [6, 4]], atol=1e-5)
    np.testing.assert_allclose(found.start, 0, atol=1e-6)


def test_a_linear_network_has_its_own_terms() -> None:
    torch.manual_seed(0)
    layer = nn.Linear(5, 3)
    x = torch.randn(4, 5)
    found = integrated_parts(lambda v: layer(v.sum(1)), x)
    np.testing.assert_allclose(found.parts, (x @ layer.weight.T).detach(), atol=1e-5)
    np.testing.assert_allclose(found.start, layer.bias.detach(), atol=1e-6)


def test_integral_against_many_small_steps() -> None:
    """What the papers do: the mean of the derivatives at evenly spaced points."""
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3), nn.Tanh())
    x = 2 * torch.randn(3, 6)

    def network(v: Tensor) -> Tensor:
        return net(v.sum(1))

    found = integrated_parts(network, x)
    times = (torch.arange(2_000) + 0.5) / 2_000
    points = (times[:, None, None] * x).requires_grad_(True)
    expected = np.zeros((3, 3))
    for k in range(3):
        (gradient,) = torch.autograd.grad(network(points)[:, k].sum(), points)
        expected[:, k] = (gradient.mean(0) * x).sum(-1).numpy()
    np.testing.assert_allclose(found.parts, expected, atol=2e-3)


def test_steps_that_share_a_derivative_and_derivatives_beside_one_pass() -> None:
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2), nn.Tanh())
    x = torch.randn(6, 4)

    def network(v: Tensor) -> Tensor:
        return net(v.sum(1) / 3)

    alone = integrated_parts(network, x)
    shared = integrated_parts(network, x, together=[0, 0, 7, 7, 7, 2])
    for some in ([0, 1], [2, 3, 4], [5]):
        np.testing.assert_allclose(shared.parts[some].sum(0), alone.parts[some].sum(0), atol=1e-5)
    assert np.ptp(shared.parts[[2, 3, 4]], axis=0).max() < 1e-9
    beside = integrated_parts(network, x, attends=False, beside=True, fewest=4)
    np.testing.assert_allclose(beside.parts, alone.parts, atol=1e-5)


def test_inputs_that_only_count_as_a_sum() -> None:
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    steps = torch.randn(9, 4)
    alone = integrated_parts(lambda v: net(v.sum(1)), steps, tolerance=1e-6)
    found = integrated_sum_parts(lambda v: net(v[:, 0]), steps, tolerance=1e-6)
    np.testing.assert_allclose(found.parts, alone.parts, atol=1e-4)
    np.testing.assert_allclose(found.start, alone.start)


def test_neighbours_share_a_direction_where_there_are_many() -> None:
    torch.manual_seed(3)
    layer = nn.Linear(3, 2, bias=False)
    x = torch.randn(10, 3)
    found = integrated_parts(lambda v: layer(v.sum(1)), x, most=5)
    np.testing.assert_allclose(found.parts.sum(0), layer(x.sum(0)).detach(), atol=1e-5)
    np.testing.assert_allclose(found.parts[0], found.parts[1])


def test_cosine_of_two_vectors_is_cells_and_reference() -> None:
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 6))

    def network(v: Tensor) -> Tensor:
        return net(v.mean(1))

    a, b = (integrated_parts(network, torch.randn(n, 4)) for n in (3, 5))
    left, right, reference = product(a, b)
    cosine = a.vector @ b.vector / np.linalg.norm(a.vector) / np.linalg.norm(b.vector)
    assert (left @ right.T).sum() + reference == pytest.approx(cosine, abs=2e-3)


@pytest.mark.parametrize("parts", [1, 2])
def test_the_papers_network_adds_up(parts: int) -> None:
    torch.manual_seed(0)
    network = PaperNetwork(PaperConfig()).eval()
    states = torch.randn(5, network.config.width)
    part = torch.tensor([0, 0, 1, 1, 1]) if parts == 2 else torch.zeros(5, dtype=torch.long)
    with torch.inference_mode():
        expected = network(states[None], part[None])[0].numpy()
    steps = normalize(states, dim=-1) * network.config.scale
    found = integrated_parts(lambda x: network.unscaled(x, part), steps)
    np.testing.assert_allclose(found.vector / np.linalg.norm(found.vector), expected, atol=1e-5)
    left = np.linalg.norm(found.vector - found.start - found.parts.sum(0)) / np.linalg.norm(found.vector)
    assert left < 2e-3 and found.parts.shape == (5, 256)
