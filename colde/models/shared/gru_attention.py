"""Attention-based hierarchical recurrent networks (Yang et al. 2016; Jiang et al. 2019, section 3.3).

    items of a group → bidirectional GRU → u = tanh(F h), weights softmax(u · c) → weighted sum: the group's vector

The groups of one level are the items of the next: words → sentences → paragraphs → document. Items lie flat, one
group after the other, and `lengths` says how many belong to each group: there is no padding anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, linear
from torch.nn.utils.rnn import PackedSequence


@dataclass(frozen=True, slots=True)
class LevelOutput:
    """Output of one level.

    Attributes:
        vectors: [groups, 2 · hidden]; zeros for a group without items.
        weights: [items], the attention; those of a group sum to one.
    """

    vectors: Tensor
    weights: Tensor


def group_of(lengths: Tensor) -> Tensor:
    """The group of each item: [groups] → [items]."""
    return torch.repeat_interleave(torch.arange(len(lengths), device=lengths.device), lengths)


def packed_order(lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Layout of groups in a PackedSequence: first items of all groups, longest group first, then second items …

    Args:
        lengths: [groups], on the CPU, at least one of them positive.

    Returns:
        Positions of the flat items in that order [items], the same with each group read from its end [items], and the
        number of groups at each step [longest].
    """
    order = torch.argsort(lengths, descending=True, stable=True)
    sizes = lengths[order]
    starts = (lengths.cumsum(0) - lengths)[order]
    steps = torch.arange(int(sizes[0])).unsqueeze(1)
    there = steps < sizes  # [longest, groups]
    return (starts + steps)[there], (starts + sizes - 1 - steps)[there], there.sum(1)


def inverse(positions: Tensor) -> Tensor:
    """The permutation that undoes this one: [items]."""
    back = torch.empty_like(positions)
    back[positions] = torch.arange(len(positions), device=positions.device)
    return back


class GroupGru(nn.Module):
    """A bidirectional GRU over each group of items by itself."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.gru = nn.GRU(dimension, hidden, bidirectional=True)

    def forward(self, items: Tensor, lengths: Tensor, where: Tensor | None = None) -> Tensor:
        """[items, d], [groups] on the CPU → [items, 2 · hidden]: both ways' states at each item.

        With `where` [items] the items are rows of a shorter table, [rows, d] (words that occur again and again).
        """
        count = len(items) if where is None else len(where)
        if not count:
            return items.new_zeros(0, 2 * self.gru.hidden_size)
        if items.is_cuda:
            return self.run_fused(items if where is None else embedding(where, items), lengths)
        with torch.autocast("cpu", enabled=False):
            return self.run_step_by_step(items.float(), lengths, where)

    def run_fused(self, items: Tensor, lengths: Tensor) -> Tensor:
        """By torch's own GRU: fast on a GPU; on a CPU its backward pass takes time quadratic in the steps."""
        positions, _, sizes = packed_order(lengths)
        positions = positions.to(items.device)
        states, _ = self.gru(PackedSequence(items[positions], sizes))
        return cast(Tensor, states.data)[inverse(positions)]

    def run_step_by_step(self, items: Tensor, lengths: Tensor, where: Tensor | None = None) -> Tensor:
        """Run step by step, both ways at once; a row of the table enters the gates' product once."""
        gru = cast(Any, self.gru)
        positions = packed_order(lengths)
        both = []
        for order, weight, bias in (
            (positions[0], gru.weight_ih_l0, gru.bias_ih_l0),
            (positions[1], gru.weight_ih_l0_reverse, gru.bias_ih_l0_reverse),
        ):
            gates = linear(items, weight, bias)  # [rows, 3 · hidden]: reset, update, new
            both.append(embedding(order if where is None else where[order], gates))
        weight = torch.stack([gru.weight_hh_l0.T, gru.weight_hh_l0_reverse.T])  # [2, hidden, 3 · hidden]
        bias = torch.stack([gru.bias_hh_l0, gru.bias_hh_l0_reverse]).unsqueeze(1)
        sizes: list[int] = positions[2].tolist()
        size = self.gru.hidden_size
        state = items.new_zeros(2, sizes[0], size)
        states = []
        for x in torch.split(torch.stack(both), sizes, dim=1):  # [2, groups at this step, 3 · hidden]
            h = state[:, : x.shape[1]]
            hidden_gates = torch.baddbmm(bias, h, weight)
            reset, update = torch.sigmoid(x[..., : 2 * size] + hidden_gates[..., : 2 * size]).chunk(2, dim=-1)
            new = torch.tanh(torch.addcmul(x[..., 2 * size :], reset, hidden_gates[..., 2 * size :]))
            state = torch.lerp(new, h, update)  # (1 − z) n + z h
            states.append(state)
        forward, backward = torch.cat(states, dim=1).unbind(0)
        return torch.cat([forward[inverse(positions[0])], backward[inverse(positions[1])]], dim=1)


class GroupAttention(nn.Module):
    """Weights softmax(u · c) over the items of each group, u = tanh(F h) (3.3)."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.layer = nn.Linear(dimension, hidden)  # F
        self.context = nn.Parameter(torch.randn(hidden) / hidden**0.5)  # c; u_w, u_s, u_p in the paper

    def forward(self, states: Tensor, group: Tensor, groups: int) -> Tensor:
        """[items, d], the group of each item [items], number of groups → weights [items]."""
        score = (torch.tanh(self.layer(states)) @ self.context).float()
        greatest = score.new_full((groups,), -torch.inf).scatter_reduce(0, group, score.detach(), "amax")
        share = (score - greatest[group]).exp()
        return share / share.new_zeros(groups).index_add(0, group, share)[group]


class Level(nn.Module):
    """Bidirectional GRU and attention: items → one vector a group."""

    def __init__(self, dimension: int, hidden: int, attention: int) -> None:
        super().__init__()
        self.gru = GroupGru(dimension, hidden)
        self.attention = GroupAttention(2 * hidden, attention)

    def forward(self, items: Tensor, lengths: Tensor, where: Tensor | None = None) -> LevelOutput:
        """[items, d], [groups] on the CPU; or with `where` [items] rows of a table (`GroupGru`)."""
        states = self.gru(items, lengths, where)
        group = group_of(lengths).to(items.device)
        weights = self.attention(states, group, len(lengths))
        weighted = weights.unsqueeze(1) * states
        vectors = weighted.new_zeros(len(lengths), states.shape[1]).index_add(0, group, weighted)
        return LevelOutput(vectors, weights)


class Hierarchy(nn.Module):
    """Levels one upon the other; depth 3 is word → sentence → paragraph → document."""

    def __init__(self, dimension: int, hidden: int, attention: int, depth: int) -> None:
        super().__init__()
        self.levels = nn.ModuleList(
            Level(dimension if i == 0 else 2 * hidden, hidden, attention) for i in range(depth)
        )

    def forward(self, table: Tensor, where: Tensor, lengths: Sequence[Tensor]) -> list[LevelOutput]:
        """Word vectors [rows, d], the row of each word [words], and by level the number of items in each group.

        Returns:
            The outputs of all levels, lowest first; the last one's vectors are those of the documents.
        """
        level_outputs: list[LevelOutput] = []
        for level, of_level in zip(self.levels, lengths, strict=True):
            level_outputs.append(
                level(level_outputs[-1].vectors, of_level) if level_outputs else level(table, of_level, where)
            )
        return level_outputs
