"""Integrated Jacobians: the part of each input in the vector that a network computes.

A siamese network f gives a document with inputs x (its chunks, say) a vector f(x). Along the straight path from a
baseline r to x,

    f(x) − f(r) = Σ_i J_i (x_i − r_i),    J_i = ∫ ∂f/∂x_i (r + t (x − r)) dt,  t from 0 to 1,

so that each input has a part in the vector, and a product of two documents' vectors is a sum over pairs of inputs
(Möller, Nikolaev and Padó 2023, "An attribution method for siamese encoders", equation 5; 2024, "Approximate
attributions for off-the-shelf siamese transformers"). For a cosine, f is the vector before it is scaled to length one,
and the product is divided by the two lengths. The baseline is always zeros here.
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
        parts: [inputs, k], the part of each input.
        start: [k], the vector of the baseline.
        vector: [k]; parts and start add up to it, but for the integral's error.
    """

    parts: Float64Array
    start: Float64Array
    vector: Float64Array


def integrated_parts(
    network: Network,
    inputs: Tensor,
    *,
    together: Sequence[int] | None = None,
    attends: bool = True,
    beside: bool = False,
    fewest: int = FEWEST_POINTS,
    tolerance: float = TOLERANCE,
    most: int = MOST_DIRECTIONS,
) -> VectorParts:
    """Parts of the network's vector over its inputs, from a baseline of zeros.

    The integral is taken at 4 points (Gauss and Legendre), then at twice as many, up to 32, until the parts add up;
    smooth networks need 4 or 8, where evenly spaced points need 50 and more.

    Args:
        network: its derivatives are taken forward (`torch.func.jvp`), which a fused recurrent layer does not support.
        inputs: [inputs, d].
        together: [inputs], a group number for each: inputs of a group share a derivative, and its part evenly, as word
            pieces of a sentence do. By default `most` groups of neighbours.
        attends: whether every input attends to every other, which takes memory by the square of their number.
        beside: compute all derivatives at a point along with one pass of the network (`torch.func.vmap`): half the work
            for a Transformer, twice as much for a recurrent network.
        fewest: points to begin with.
        tolerance: of the parts' sum, as a share of the vector's length.
        most: derivatives taken at each point.
    """
    groups = _groups(len(inputs), together, most)
    with torch.inference_mode(False), torch.no_grad():
        inputs = inputs.detach().clone()  # a tensor made in inference mode has no derivatives
        way = inputs if len(inputs) else inputs.new_zeros(1, inputs.shape[1])

        def directions(some: slice) -> Tensor:
            """The inputs of some groups, zeros elsewhere: [groups, inputs, d]."""
            tangents = way.new_zeros(len(groups[some]), *way.shape)
            for tangent, group in zip(tangents, groups[some], strict=True):
                tangent[group] = inputs[group]
            return tangents

        def parts(slopes: Float64Array) -> Float64Array:
            totals = np.zeros((len(inputs), slopes.shape[1]))
            for group, slope in zip(groups, slopes, strict=True):
                totals[group] = slope / len(group)
            return totals

        return _integrated(
            network, way, len(groups), directions, parts, fewest, tolerance, attends=attends, beside=beside
        )


def integrated_sum_parts(network: Network, steps: Tensor, tolerance: float = TOLERANCE) -> VectorParts:
    """`integrated_parts` of a network that reads only the sum of the inputs.

    One derivative for each number of the sum serves all inputs, however many there are.

    Args:
        network: takes the sum, [batch, 1, d].
        steps: [inputs, d].
    """
    with torch.inference_mode(False), torch.no_grad():
        way = steps.detach().clone().sum(0, keepdim=True)
        units = torch.eye(way.shape[1], dtype=way.dtype).unsqueeze(1)  # [d, 1, d]
        return _integrated(
            network,
            way,
            len(units),
            units.__getitem__,
            lambda slopes: _exact(steps) @ slopes,
            FEWEST_POINTS,
            tolerance,
        )


def _groups(count: int, together: Sequence[int] | None, most: int) -> list[NDArray[np.int64]]:
    """Positions of the inputs of each group."""
    if together is None:
        return [g for g in np.array_split(np.arange(count), most) if len(g)]
    numbers = np.asarray(together, dtype=np.int64)
    return [np.flatnonzero(numbers == n) for n in np.unique(numbers)]


def _integrated(
    network: Network,
    way: Tensor,
    count: int,
    directions: Callable[[slice], Tensor],
    parts_of: Callable[[Float64Array], Float64Array],
    fewest: int,
    tolerance: float,
    *,
    attends: bool = True,
    beside: bool = False,
) -> VectorParts:
    """Parts by the integral at `fewest` points, at twice as many, and so on until they add up.

    Args:
        way: [inputs, d], the end of the path from zeros.
        count: number of directions; `directions` gives some of them, [directions, inputs, d].
        parts_of: from the integral in each direction, [directions, k], to the parts.
    """
    start, vector = (_exact(v) for v in network(torch.stack((torch.zeros_like(way), way))))
    slopes = _slopes_beside if beside else _slopes
    numbers = way.numel() + (16 * len(way) ** 2 if attends else 0)  # attention is [n, n]
    at_once = max(1, min(MOST_TOGETHER, NUMBERS_AT_ONCE // numbers))
    points = fewest
    while True:
        places, weights = np.polynomial.legendre.leggauss(points)  # on [−1, 1]
        integral = np.zeros((count, len(vector)))
        for first in range(0, count, at_once):
            some = slice(first, first + at_once)
            tangents = directions(some)
            for place, weight in zip((places + 1) / 2, weights / 2, strict=True):
                integral[some] += weight * _exact(slopes(network, way * float(place), tangents))
        parts = parts_of(integral)
        error = float(np.linalg.norm(vector - start - parts.sum(0)))
        if error <= tolerance * max(float(np.linalg.norm(vector)), 1e-12) or points >= MOST_POINTS:
            return VectorParts(parts, start, vector)
        points *= 2


def _slopes(network: Network, point: Tensor, tangents: Tensor) -> Tensor:
    """Derivatives at a point in some directions: [inputs, d], [directions, inputs, d] → [directions, k]."""
    slopes: Tensor = torch.func.jvp(network, (point.repeat(len(tangents), 1, 1),), (tangents,))[1]
    return slopes


def _slopes_beside(network: Network, point: Tensor, tangents: Tensor) -> Tensor:
    """`_slopes` along with a single pass of the network."""

    def alone(inputs: Tensor) -> Tensor:
        return network(inputs[None])[0]

    def slope(tangent: Tensor) -> Tensor:
        derivative: Tensor = torch.func.jvp(alone, (point,), (tangent,))[1]
        return derivative

    return torch.func.vmap(slope)(tangents)


def product(a: VectorParts, b: VectorParts) -> tuple[Float64Array, Float64Array, float]:
    """Factors of the cosine of two vectors over pairs of inputs, and its reference.

    Returns:
        [inputs of a, k] and [inputs of b, k], whose products are the cells; and the part of the cosine that has a
        baseline's vector in place of either document's. Cells and reference add up to the cosine, but for the
        integral's error.
    """
    length = max(float(np.linalg.norm(a.vector) * np.linalg.norm(b.vector)), 1e-12)
    moved_a, moved_b = a.vector - a.start, b.vector - b.start
    reference = float(a.start @ b.start + moved_a @ b.start + a.start @ moved_b) / length
    return a.parts / length, b.parts, reference


def _exact(values: Tensor) -> Float64Array:
    return np.asarray(values.detach().double().cpu().numpy(), dtype=np.float64)
