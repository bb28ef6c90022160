"""MatchPyramid, ARC-II, DUET and RE2 against scipy, torch's attention and plain loops."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.signal import correlate2d
from sklearn.metrics.pairwise import cosine_similarity
from torch.nn.functional import scaled_dot_product_attention

from colde.models.shared.network_input import ModelInput
from studies.papers.arc_ii import ArcIIConfig, ArcIINetwork
from studies.papers.deepqa import DeepQaConfig, DeepQaNetwork
from studies.papers.duet import DuetConfig, DuetNetwork
from studies.papers.match_pyramid import MatchPyramidConfig, MatchPyramidNetwork
from studies.papers.re2 import Alignment, Fusion

RANDOM = np.random.default_rng(0)
A, B = (ModelInput(RANDOM.integers(1000, 1100, n).astype(np.int32)) for n in (23, 31))


def exact(tensor: torch.Tensor) -> NDArray[np.float64]:
    return tensor.detach().double().numpy()


def fields(values: NDArray[np.float64], number: int) -> NDArray[np.float64]:
    """Maxima in number × number fields that cover the picture, each from ⌊i n / number⌋ to ⌈(i + 1) n / number⌉."""
    rows, columns = values.shape
    edges = [[(i * n // number, -(-(i + 1) * n // number)) for i in range(number)] for n in (rows, columns)]
    return np.array([[values[a:b, c:d].max() for c, d in edges[1]] for a, b in edges[0]])


def convolved(picture: NDArray[np.float64], layer: torch.nn.Conv2d) -> list[NDArray[np.float64]]:
    """ReLU of the layer over [maps, rows, columns], by scipy."""
    assert layer.bias is not None
    found = []
    for weight, bias in zip(exact(layer.weight), exact(layer.bias), strict=True):
        parts = [correlate2d(m, w, mode="same") for m, w in zip(picture, weight, strict=True)]
        found.append(np.maximum(np.sum(parts, axis=0) + bias, 0))
    return found


def test_match_pyramid_is_a_network_over_the_picture_of_cosines() -> None:
    torch.manual_seed(0)
    network = MatchPyramidNetwork(MatchPyramidConfig(words=8, hidden=9, tokens=40)).eval()
    words = [exact(network.words(torch.from_numpy(t.ids).long())) for t in (A, B)]
    picture = cosine_similarity(*words)
    found, _, _ = network.picture([network.join(A, B)])
    np.testing.assert_allclose(exact(found[0]), picture, atol=1e-5)
    first = np.array([fields(m, 10) for m in convolved(picture[None], network.first)])
    second = np.array([fields(m, 5) for m in convolved(first, network.second)]).ravel()
    hidden = np.maximum(exact(network.dense.weight) @ second + exact(network.dense.bias), 0)
    expected = exact(network.out.weight) @ hidden + exact(network.out.bias)
    np.testing.assert_allclose(exact(network.logits([network.join(A, B)])), expected, atol=1e-5)


def test_arc_ii_sees_every_pair_of_windows() -> None:
    torch.manual_seed(0)
    network = ArcIINetwork(ArcIIConfig(words=8, maps=8, hidden=9, tokens=32)).eval()
    z = exact(network.first_maps([network.join(A, B)])[0])
    words = [exact(network.words(torch.from_numpy(t.ids).long())) for t in (A, B)]
    weight = np.concatenate([exact(network.of_a.weight), exact(network.of_b.weight)], axis=1)
    for i, j in ((0, 0), (4, 20), (20, 28)):
        window = np.concatenate([words[0][i : i + 3], words[1][j : j + 3]], axis=1)
        np.testing.assert_allclose(
            z[:, i, j], np.maximum(np.einsum("fwk,kw->f", weight, window), 0), atol=1e-5
        )
    assert not z[:, 23:].any() and not z[:, :, 31:].any()


def test_arc_ii_begins_with_maps_that_compare() -> None:
    """|w · (x + y)| − |w · (x − y)| from four maps: the same text scores above another one."""
    torch.manual_seed(0)
    network = ArcIINetwork(ArcIIConfig(words=8, maps=32, hidden=9, tokens=32)).eval()
    own, other = (
        network.first_maps([network.join(A, b)])[0].diagonal(dim1=1, dim2=2)[:, :20] for b in (A, B)
    )
    signs = torch.tensor([1.0, 1, -1, -1]).repeat(8).unsqueeze(1)
    assert (signs * own).sum(0).mean() > (signs * other).sum(0).mean() + 1


def test_deepqa_joins_what_the_equations_say() -> None:
    torch.manual_seed(0)
    network = DeepQaNetwork(DeepQaConfig(words=8, features=6, hidden=7, tokens=40)).eval()
    v, w = (
        np.maximum(
            [np.einsum("fwk,kw->f", exact(network.convolution.weight), p[i : i + 5]) for i in range(n)], 0
        ).max(0)
        for p, n in (
            (np.pad(exact(network.words(torch.from_numpy(t.ids).long())), ((2, 2), (0, 0))), len(t.ids))
            for t in (A, B)
        )
    )
    shared = [10 * np.isin(A.ids, B.ids).mean(), 10 * np.isin(B.ids, A.ids).mean()]
    left, right = ((x - x.mean()) / x.std() for x in (v, w))
    similarity = 10 * left @ exact(network.matrix) @ right / 6
    expected = np.concatenate([v, [similarity], w, shared])
    np.testing.assert_allclose(exact(network.joined([network.join(A, B)])[0]), expected, atol=1e-3)


def test_duet_knows_which_words_are_the_same() -> None:
    torch.manual_seed(0)
    network = DuetNetwork(DuetConfig(words=8, maps=6, places=5, hidden=7, field=8, tokens=32)).eval()
    pair = network.join(A, B)
    expected = np.zeros((32, 32))
    expected[:23, :31] = np.equal.outer(A.ids, B.ids)
    np.testing.assert_array_equal(exact(network.matches([pair])[0]), expected)
    words = [exact(network.words(torch.from_numpy(t.ids).long())) for t in (A, B)]
    x, y = (
        np.tanh(
            [np.einsum("fwk,kw->f", exact(c.weight), p[i : i + 3]) + exact(c.bias) for i in range(len(w))]
        )
        for c, w, p in (
            (c, w, np.concatenate([np.zeros((1, 8)), w, np.zeros((1, 8))]))
            for c, w in zip((network.of_a, network.of_b), words, strict=True)
        )
    )
    for field in range(4):
        of_b = y[8 * field : 8 * field + 8].max(0)
        narrow = np.tanh(exact(network.narrow.weight) @ of_b + exact(network.narrow.bias))
        np.testing.assert_allclose(exact(network.products([pair])[0, field]), x.max(0) * narrow, atol=1e-5)


def test_re2_aligns_by_scaled_dot_product_attention() -> None:
    torch.manual_seed(0)
    alignment, fusion = Alignment(6, 5), Fusion(6, 5)
    a, b = torch.randn(2, 4, 6), torch.randn(2, 7, 6)
    mask_a, mask_b = torch.ones(2, 4, dtype=torch.bool), torch.ones(2, 7, dtype=torch.bool)
    mask_b[1, 5:] = False
    f, g = torch.relu(alignment.layer(a)), torch.relu(alignment.layer(b))
    for_a, for_b = alignment(a, b, mask_a, mask_b)
    torch.testing.assert_close(for_a, scaled_dot_product_attention(f, g, b, attn_mask=mask_b.unsqueeze(1)))
    torch.testing.assert_close(for_b, scaled_dot_product_attention(g, f, a))
    first, second, third = (torch.relu(layer(x)) for layer, x in zip(
        fusion.three,
        (torch.cat([a, for_a], -1), torch.cat([a, a - for_a], -1), torch.cat([a, a * for_a], -1)),
        strict=True,
    ))  # fmt: skip
    expected = torch.relu(fusion.joined(torch.cat([first, second, third], -1)))
    torch.testing.assert_close(fusion(a, for_a), expected)
