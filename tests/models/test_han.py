"""The parts of the hierarchical networks against torch's GRU and the equations written out, and HAN's own."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

import colde
from colde.models.han.han import HanConfig, HanNetwork
from colde.models.shared.gru_attention import GroupAttention, GroupGru, Hierarchy, Level

LENGTHS = torch.tensor([3, 0, 5, 1, 5])


def items(count: int = 14, size: int = 6, seed: int = 0) -> Tensor:
    return torch.randn(count, size, generator=torch.Generator().manual_seed(seed))


def one_by_one(gru: nn.GRU, x: Tensor, lengths: Tensor) -> Tensor:
    """torch's GRU on each group alone."""
    return torch.cat([gru(part)[0] for part in x.split(lengths.tolist()) if len(part)])


def attended(level: Level, states: Tensor) -> tuple[Tensor, Tensor]:
    """SMASH, 3.3, for one group: α = softmax(u · c), u = tanh(F h); Σ α h."""
    score = [math.fsum(u * c) for u, c in zip_context(level, states)]
    share = torch.tensor([math.exp(s) for s in score])
    share = share / share.sum()
    return share @ states, share


def zip_context(level: Level, states: Tensor) -> list[tuple[Tensor, Tensor]]:
    layer = level.attention.layer
    return [(torch.tanh(layer.weight @ h + layer.bias), level.attention.context) for h in states]


def test_attention_of_a_worked_example() -> None:
    attention = GroupAttention(2, 2)
    with torch.no_grad():
        attention.layer.weight.copy_(torch.eye(2))
        attention.layer.bias.zero_()
        attention.context.copy_(torch.tensor([2.0, 0.0]))
        weights = attention(torch.tensor([[1.0, 0], [0, 1], [5, 5]]), torch.tensor([0, 0, 1]), 2)
    first = 1 / (1 + math.exp(-2 * math.tanh(1)))  # u · c is 2 tanh(1) and 0
    assert weights.tolist() == pytest.approx([first, 1 - first, 1.0], abs=1e-6)


@pytest.mark.parametrize("way", ["run_step_by_step", "run_fused"])
def test_states_are_those_of_torchs_gru_on_each_group_alone(way: str) -> None:
    torch.manual_seed(0)
    gru = GroupGru(6, 4)
    x = items()
    with torch.no_grad():
        expected = one_by_one(gru.gru, x, LENGTHS)
        torch.testing.assert_close(getattr(gru, way)(x, LENGTHS), expected, atol=1e-6, rtol=1e-5)


def test_gradients_are_those_of_torchs_gru() -> None:
    torch.manual_seed(1)
    gru = GroupGru(6, 4)
    found = []
    for run in (lambda x: gru.run_step_by_step(x, LENGTHS), lambda x: one_by_one(gru.gru, x, LENGTHS)):
        gru.zero_grad()
        x = items().requires_grad_()
        run(x).pow(2).sum().backward()
        found.append([x.grad, *(p.grad.clone() for p in gru.parameters())])
    for mine, torchs in zip(*found, strict=True):
        torch.testing.assert_close(mine, torchs, atol=1e-5, rtol=1e-4)


def test_a_table_of_words_gives_the_same_states() -> None:
    torch.manual_seed(2)
    gru = GroupGru(6, 4)
    table, where = items(5), torch.randint(0, 5, (14,), generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        torch.testing.assert_close(gru(table, LENGTHS, where), gru(table[where], LENGTHS))


def test_a_hierarchy_is_the_equations_level_by_level() -> None:
    torch.manual_seed(4)
    net = Hierarchy(6, 4, 5, depth=3)
    words = items()
    sentences, paragraphs = [3, 5, 1, 5], [3, 1]
    with torch.no_grad():
        levels = net(words, torch.arange(14), [torch.tensor(x) for x in (sentences, paragraphs, [2])])
        groups = list(words.split(sentences))
        for depth, lengths in enumerate([paragraphs, [2], [1]]):
            level = net.levels[depth]
            pooled = [attended(level, level.gru.gru(g)[0]) for g in groups]
            vectors = torch.stack([v for v, _ in pooled])
            torch.testing.assert_close(levels[depth].vectors, vectors, atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(
                levels[depth].weights, torch.cat([w for _, w in pooled]), atol=1e-5, rtol=1e-4
            )
            groups = list(vectors.split(lengths))


def test_weights_of_a_group_sum_to_one_and_a_group_without_items_is_zero() -> None:
    torch.manual_seed(5)
    level = Level(6, 4, 4)
    with torch.no_grad():
        out = level(items(), LENGTHS)
        none = level(items(0), torch.tensor([0, 0]))
    assert [float(w.sum()) for w in out.weights.split(LENGTHS.tolist())] == pytest.approx([1, 0, 1, 1, 1])
    assert (out.weights > 0).all() and not out.vectors[1].any()
    assert none.vectors.shape == (2, 8) and not none.vectors.any()


def test_extreme_scores_stay_finite() -> None:
    attention = GroupAttention(2, 2)
    with torch.no_grad():
        attention.context.fill_(1e4)
        weights = attention(1e3 * items(4, 2), torch.zeros(4, dtype=torch.int64), 1)
    assert weights.isfinite().all() and float(weights.sum()) == pytest.approx(1)


def test_sizes_and_score_of_han() -> None:
    assert (HanConfig().words, 2 * HanConfig().hidden, HanConfig().attention) == (200, 100, 100)
    torch.manual_seed(6)
    network = HanNetwork(HanConfig(words=12, hidden=5, attention=7)).eval()
    texts = ["Pilots wait for the tide. Then they go.", "Bread rises in a warm kitchen."]
    with torch.no_grad():
        a, b = network.vectors([network.prepare(colde.read_text(t)) for t in texts])
        score = network.score(a[None], b[None])
        assert float(score) == pytest.approx(float(a @ b / (a.norm() * b.norm())), abs=1e-6)
        logit = network.log_scale.exp() * score + network.offset
        torch.testing.assert_close(network.pair_logits(a[None], b[None]), logit)
