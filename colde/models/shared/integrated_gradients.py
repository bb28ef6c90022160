"""Integrated Jacobians: what each input of a network brings to the vector it gives.

A siamese network f gives a document with inputs x (its chunks, say) a vector f(x). Along the straight path from a
baseline r to x,

    f(x) − f(r) = Σ_i J_i (x_i − r_i),    J_i = ∫ ∂f/∂x_i (r + t (x − r)) dt,  t from 0 to 1,

so that each input has a part in the vector, and a product of two documents' vectors is a sum over pairs of inputs
(Möller, Nikolaev and Padó 2023, "An attribution method for siamese encoders", equation 5; 2024, "Approximate
attributions for off-the-shelf siamese transformers"). Where a cosine is scored, f is the vector before it is scaled to
length one, and the two lengths divide the product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from colde.explain.contribution import Float64Array

Network = Callable[[Tensor], Tensor]
"""[batch, inputs, d] → [batch, k], one document a row."""

FEWEST_POINTS, MOST_POINTS = 4, 32
TOLERANCE = 1e-3
MOST_DIRECTIONS = 64
MOST_TOGETHER = 1_024
NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class VectorParts:
    """A document's vector as a sum.

    Attributes:
        parts: [steps, k], what each step away from the baseline brings.
        start: [k], the vector of the baseline.
        vector: [k]; its difference from parts and start is what the integral left.
    """

    parts: Float64Array
    start: Float64Array
    vector: Float64Array


def integrated_parts(
    network: Network,
    steps: Tensor,
    place: Sequence[int] | None = None,
    baseline: Tensor | None = None,
    *,
    together: Sequence[int] | None = None,
    attends: bool = True,
    beside: bool = False,
    fewest: int = FEWEST_POINTS,
    tolerance: float = TOLERANCE,
    most: int = MOST_DIRECTIONS,
) -> VectorParts:
    """Take the network's vector apart over steps that lead from a baseline to the inputs.

    A step moves one input; several may move the same one, as sentences do whose mean is a chunk. The integral is taken
    at 4 points (Gauss and Legendre), then at twice as many, up to 32, until the parts add up; smooth networks need 4 or
    8, where evenly spaced points need 50 and more.

    Args:
        network: its derivatives are taken forward (`torch.func.jvp`), which a fused recurrent layer does not know.
        steps: [steps, d]; with the baseline they add up to the inputs.
        place: [steps], the input that each step moves; by default each its own.
        baseline: [inputs, d]; by default zeros, as many as `place` names.
        together: [steps], a number for each: steps of the same one share a derivative, and their part evenly, as word
            pieces do that form a sentence. By default neighbours, as many as `most` wants.
        beside: all derivatives at a point beside one pass of the network (`torch.func.vmap`): half the work for a
            Transformer, twice as much for a recurrent network.
        fewest: points to begin with.
        attends: whether every input looks at every other, which takes memory by the square of their number.
        tolerance: of the parts' sum, as a share of the vector's length.
        most: derivatives taken at each point. Of more steps, neighbours share one, and their part evenly.
    """
    at = torch.arange(len(steps)) if place is None else torch.tensor(list(place), dtype=torch.long)
    with torch.inference_mode(False), torch.no_grad():
        steps = steps.detach().clone()  # a tensor made for inference only has no derivatives
        if baseline is None:
            baseline = torch.zeros(int(at.max()) + 1 if len(at) else 1, steps.shape[1], dtype=steps.dtype)
        baseline = baseline.detach().clone()
        way = torch.zeros_like(baseline).index_add(0, at, steps)
        start, vector = (_exact(v) for v in network(torch.stack((baseline, baseline + way))))
        groups = _groups(len(steps), together, most)
        points = fewest
        while True:
            parts = _parts_at(network, baseline, way, steps, at, groups, points, len(vector), attends, beside)
            left = float(np.linalg.norm(vector - start - parts.sum(0)))
            if left <= tolerance * max(float(np.linalg.norm(vector)), 1e-12) or points >= MOST_POINTS:
                return VectorParts(parts, start, vector)
            points *= 2


def integrated_sum_parts(network: Network, steps: Tensor, tolerance: float = TOLERANCE) -> VectorParts:
    """`integrated_parts` of a network that sees nothing but the sum of its steps, from zeros.

    One derivative for each number of the sum serves all steps, however many there are.

    Args:
        network: takes the sum, [batch, 1, d].
        steps: [steps, d].
    """
    with torch.inference_mode(False), torch.no_grad():
        way = steps.detach().clone().sum(0, keepdim=True)
        units = torch.eye(way.shape[1], dtype=way.dtype)
        at = torch.zeros(len(units), dtype=torch.long)
        start, vector = (_exact(v) for v in network(torch.stack((torch.zeros_like(way), way))))
        groups = list(np.arange(len(units))[:, None])
        points = FEWEST_POINTS
        while True:
            slopes = _parts_at(network, torch.zeros_like(way), way, units, at, groups, points, len(vector))
            parts = _exact(steps) @ slopes
            left = float(np.linalg.norm(vector - start - parts.sum(0)))
            if left <= tolerance * max(float(np.linalg.norm(vector)), 1e-12) or points >= MOST_POINTS:
                return VectorParts(parts, start, vector)
            points *= 2


def _groups(count: int, together: Sequence[int] | None, most: int) -> list[NDArray[np.int64]]:
    """Group steps that share a derivative: positions of each group's."""
    if together is None:
        return [g for g in np.array_split(np.arange(count), most) if len(g)]
    numbers = np.asarray(together, dtype=np.int64)
    return [np.flatnonzero(numbers == n) for n in np.unique(numbers)]


def _parts_at(
    network: Network,
    baseline: Tensor,
    way: Tensor,
    steps: Tensor,
    at: Tensor,
    groups: Sequence[NDArray[np.int64]],
    points: int,
    size: int,
    attends: bool = True,
    beside: bool = False,
) -> Float64Array:
    """The integral by a rule of so many points: [steps, size]."""
    places, weights = np.polynomial.legendre.leggauss(points)  # on [−1, 1]
    parts = np.zeros((len(steps), size))
    numbers = way.numel() + (16 * len(way) ** 2 if attends else 0)  # attention is [n, n]
    together = max(1, min(MOST_TOGETHER, NUMBERS_AT_ONCE // numbers))
    for first in range(0, len(groups), together):
        some = groups[first : first + together]
        tangents = torch.stack(
            [
                torch.zeros_like(way).index_add(0, at[torch.from_numpy(g)], steps[torch.from_numpy(g)])
                for g in some
            ]
        )
        moved = np.zeros((len(some), size))
        for place, weight in zip((places + 1) / 2, weights / 2, strict=True):
            point = baseline + way * float(place)
            moved += weight * _exact((_slopes_beside if beside else _slopes)(network, point, tangents))
        for group, part in zip(some, moved, strict=True):
            parts[group] = part / len(group)
    return parts


def _slopes(network: Network, point: Tensor, tangents: Tensor) -> Tensor:
    """Derivatives in these directions: [inputs, d], [directions, inputs, d] → [directions, k]."""
    found: Tensor = torch.func.jvp(network, (point.repeat(len(tangents), 1, 1),), (tangents,))[1]
    return found


def _slopes_beside(network: Network, point: Tensor, tangents: Tensor) -> Tensor:
    """Derivatives in these directions, side by side over a single pass of the network: shapes as in `_slopes`."""

    def alone(inputs: Tensor) -> Tensor:
        return network(inputs[None])[0]

    def slope(tangent: Tensor) -> Tensor:
        found: Tensor = torch.func.jvp(alone, (point,), (tangent,))[1]
        return found

    return torch.func.vmap(slope)(tangents)


def product(a: VectorParts, b: VectorParts) -> tuple[Float64Array, Float64Array, float]:
    """Factors of the cosine of two vectors over pairs of steps, and its reference.

    Returns:
        [steps of a, k] and [steps of b, k], whose products are the cells; and what the cosine owes to a baseline's
        vector in place of either document's. Cells and reference add up to the cosine, but for the integral's error.
    """
    length = max(float(np.linalg.norm(a.vector) * np.linalg.norm(b.vector)), 1e-12)
    moved_a, moved_b = a.vector - a.start, b.vector - b.start
    reference = float(a.start @ b.start + moved_a @ b.start + a.start @ moved_b) / length
    return a.parts / length, b.parts, reference


def _exact(values: Tensor) -> Float64Array:
    return np.asarray(values.detach().double().cpu().numpy(), dtype=np.float64)
