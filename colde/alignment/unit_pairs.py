"""Pairs of units of two texts that correspond, each unit in at most one pair.

Equal units pair first. A unit that stands once in both texts is paired wherever it stands, and equal neighbours of a
pair are paired with each other, so that repeated sentences keep their places (Heckel 1978, "A technique for isolating
differences between files"). Units that differ pair by the best assignment of their similarities.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from colde.alignment.aligned_units import UnitText

NEAR, ALONE, FAR = 0.3, 0.15, 0.6
"""Least similarity of a pair between the same equal units, of one that stands there alone, and of a moved one."""
FEWEST_MOVED = 5
"""Tokens of a unit that may have moved and changed."""
IN_PLACE = 0.2
"""Added to the similarity of units between the same equal units, half of it by their order there."""
MOST_CELLS = 2_000_000
"""Pairs of units whose similarity is computed by all words, or whose assignment is the best; beyond, rare words alone
give candidates, and the most similar pairs come first."""
RARE = 20
"""Units with a rare word."""


class UnitPairs:
    """The partner of each unit of both texts, -1 where it has none."""

    def __init__(self, a: int, b: int) -> None:
        self.of_a, self.of_b = [-1] * a, [-1] * b

    def add(self, i: int, j: int) -> None:
        """Pair two units."""
        self.of_a[i], self.of_b[j] = j, i

    def free(self, i: int, j: int) -> bool:
        """Whether both units exist and have no partner."""
        return 0 <= i < len(self.of_a) and 0 <= j < len(self.of_b) and self.of_a[i] == self.of_b[j] == -1

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((i, j) for i, j in enumerate(self.of_a) if j >= 0)


def pair_units(a: UnitText, b: UnitText, known: Mapping[tuple[int, int], float]) -> UnitPairs:
    """The units of two texts that correspond.

    Args:
        known: pairs that mean the same or the opposite, by the positions of their units, with a certainty.
    """
    pairs = UnitPairs(len(a.units), len(b.units))
    _pair_equal(a.keys, b.keys, pairs)
    _pair_equal(tuple(map(_letters, a.keys)), tuple(map(_letters, b.keys)), pairs)
    _pair_similar(a, b, pairs, known)
    return pairs


def _letters(key: Iterable[str]) -> str:
    """The letters and digits of a unit, so that capitals, signs and spaces make no difference."""
    return "".join(name for name in key if name[0].isalnum()).lower()


def _pair_equal(a: Sequence[Hashable], b: Sequence[Hashable], pairs: UnitPairs) -> None:
    """Pair units with equal keys that are not empty."""
    repeated = []
    for here, there in _same_keys(a, b, pairs):
        if len(here) == len(there) == 1:
            pairs.add(here[0], there[0])
        else:
            repeated.append((here, there))
    _pair_neighbours(a, b, pairs)
    for here, there in repeated:
        left = [i for i in here if pairs.of_a[i] < 0]
        right = [j for j in there if pairs.of_b[j] < 0]
        for i, j in _nearest(left, right, pairs) if left and right else ():
            pairs.add(i, j)
    _pair_neighbours(a, b, pairs)


def _same_keys(
    a: Sequence[Hashable], b: Sequence[Hashable], pairs: UnitPairs
) -> Iterator[tuple[list[int], list[int]]]:
    places: tuple[dict[Hashable, list[int]], ...] = (defaultdict(list), defaultdict(list))
    for keys, partners, held in ((a, pairs.of_a, places[0]), (b, pairs.of_b, places[1])):
        for k, key in enumerate(keys):
            if key and partners[k] < 0:
                held[key].append(k)
    return ((here, places[1][key]) for key, here in places[0].items() if key in places[1])


def _pair_neighbours(a: Sequence[Hashable], b: Sequence[Hashable], pairs: UnitPairs) -> None:
    """Pair the equal neighbours of pairs, and of the beginnings and ends of the texts."""
    for step, places in ((1, range(-1, len(a))), (-1, range(len(a), -1, -1))):
        for i in places:
            inside = 0 <= i < len(a)
            j = pairs.of_a[i] if inside else -1 if i < 0 else len(b)
            if (j >= 0 or not inside) and pairs.free(i + step, j + step) and a[i + step] == b[j + step]:
                pairs.add(i + step, j + step)


def _nearest(left: Sequence[int], right: Sequence[int], pairs: UnitPairs) -> Iterable[tuple[int, int]]:
    """Pairs of equal units by the distance from where the pairs before them lead."""
    if len(left) * len(right) > MOST_CELLS:
        return zip(left, right, strict=False)
    expected = []
    for i in left:
        before = next((k for k in range(i - 1, -1, -1) if pairs.of_a[k] >= 0), -1)
        expected.append(pairs.of_a[before] + i - before if before >= 0 else i)
    distance = np.abs(np.subtract.outer(expected, right))
    squares = distance**2
    cost = distance + squares / (1 + squares.max() * min(squares.shape))  # of equal sums, pairs do not cross
    return [(left[i], right[j]) for i, j in _best_assignment(cost)]


def _best_assignment(cost: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Row and column of each pair, so that the sum of the costs is smallest.

    `scipy.optimize` has a function for such dense tables, and takes 0.3 s to import.
    """
    edges = csr_array(cost - cost.min() + 1)  # none is 0, which would be no edge
    return zip(*min_weight_full_bipartite_matching(edges), strict=True)


@dataclass(frozen=True)
class _Words:
    """The weighted words of some units: [units, words], each further one of equal words of a unit apart."""

    present: csr_array
    weights: NDArray[np.float64]

    @classmethod
    def of_both(cls, a: UnitText, b: UnitText) -> tuple[Self, Self]:
        numbers: dict[tuple[str, int], int] = {}
        rows, columns = [], []
        for row, key in enumerate((*a.keys, *b.keys)):
            seen: Counter[str] = Counter()
            for name in map(str.lower, key):
                columns.append(numbers.setdefault((name, seen[name]), len(numbers)))
                rows.append(row)
                seen[name] += 1
        count = len(a.units) + len(b.units)
        present = csr_array((np.ones(len(rows)), (rows, columns)), shape=(count, len(numbers)))
        weights = np.log((1 + count) / np.maximum(np.bincount(columns, minlength=len(numbers)), 1))
        return cls(present[: len(a.units)], weights), cls(present[len(a.units) :], weights)

    def take(self, rows: Sequence[int]) -> csr_array:
        return self.present[np.asarray(rows, dtype=np.int64)]


def _pair_similar(a: UnitText, b: UnitText, pairs: UnitPairs, known: Mapping[tuple[int, int], float]) -> None:
    """Pair units that differ, by the best assignment of their similarities; headings even without a neighbour."""
    left = [i for i, j in enumerate(pairs.of_a) if j < 0]
    right = [j for j, i in enumerate(pairs.of_b) if i < 0]
    between = _Between.of(pairs, left, right)
    headings = {(i, j): ALONE for i, j in between.alone.values() if a.units[i].heading and b.units[j].heading}
    certain = headings | {pair: certainty for pair, certainty in known.items() if pairs.free(*pair)}
    values = {pair: certainty + between.bonus(*pair) for pair, certainty in certain.items()}
    for i, j, similarity in _similarities(a, b, left, right, between):
        short = min(len(a.units[i].tokens), len(b.units[j].tokens)) < FEWEST_MOVED
        if similarity >= between.least(i, j, short=short):
            values[i, j] = max(similarity + between.bonus(i, j), values.get((i, j), 0.0))
    for i, j in best_pairs(values):
        pairs.add(i, j)


@dataclass(frozen=True)
class _Between:
    """Where units stand between the pairs that have the same order in both texts.

    Attributes:
        a, b: of each unit, how many such pairs stand before it, and the last unit of these.
        alone: the only unit of each text between the same pairs, by the number of pairs before them.
    """

    a: Sequence[tuple[int, int]]
    b: Sequence[tuple[int, int]]
    alone: Mapping[int, tuple[int, int]]

    @classmethod
    def of(cls, pairs: UnitPairs, left: Sequence[int], right: Sequence[int]) -> Self:
        """Of the pairs of equal units.

        Args:
            left, right: the units without a partner.
        """
        listed = list(pairs)
        kept = rising([j for _, j in listed], np.ones(len(listed), dtype=np.int64))
        ordered = [pair for pair, keep in zip(listed, kept, strict=True) if keep]
        a = list(cls._places(len(pairs.of_a), {i for i, _ in ordered}))
        b = list(cls._places(len(pairs.of_b), {j for _, j in ordered}))
        last = {a[i][0]: i for i in left}, {b[j][0]: j for j in right}
        counts = Counter(a[i][0] for i in left), Counter(b[j][0] for j in right)
        alone = {
            gap: (last[0][gap], last[1][gap]) for gap, n in counts[0].items() if n == counts[1][gap] == 1
        }
        return cls(a, b, alone)

    @staticmethod
    def _places(count: int, ends: set[int]) -> Iterator[tuple[int, int]]:
        number, end = 0, -1
        for k in range(count):
            yield number, end
            if k in ends:
                number, end = number + 1, k

    def least(self, i: int, j: int, *, short: bool) -> float:
        """The least similarity from which two units correspond; short ones only between the same pairs."""
        if self.a[i][0] == self.b[j][0]:
            return ALONE if self.a[i][0] in self.alone else NEAR
        return 2.0 if short else FAR

    def bonus(self, i: int, j: int) -> float:
        """What is added to the similarity of two units for their places."""
        (one, first), (two, second) = self.a[i], self.b[j]
        return IN_PLACE * (1 + 1 / (1 + abs(i - first - (j - second)))) / 2 if one == two else 0.0


def _similarities(
    a: UnitText,
    b: UnitText,
    left: Sequence[int],
    right: Sequence[int],
    between: _Between,
) -> Iterator[tuple[int, int, float]]:
    """Pairs of units with the share of their words in common, weighted by rarity (Dice 1945), from `ALONE` on."""
    if not left or not right:
        return
    one, two = _Words.of_both(a, b)
    x, y = one.take(left), two.take(right)
    weighted = csr_array(x.multiply(one.weights))
    if len(left) * len(right) <= MOST_CELLS:
        shared = coo_array(weighted @ y.T)
        rows, columns, common = shared.row, shared.col, shared.data
    else:
        few = np.asarray(one.present.sum(0) + two.present.sum(0)).ravel() <= RARE
        shared = coo_array(x[:, few] @ y[:, few].T)
        near = np.array(list(_few_between(left, right, between)), dtype=np.int64).reshape(-1, 2)
        rows, columns = np.unique(np.r_[np.stack([shared.row, shared.col], 1), near], axis=0).T
        common = weighted[rows].multiply(y[columns]).sum(1)
    dice = 2 * common / np.maximum((x @ one.weights)[rows] + (y @ one.weights)[columns], 1e-9)
    for k in np.flatnonzero(dice >= ALONE).tolist():
        yield left[rows[k]], right[columns[k]], float(dice[k])


def _few_between(left: Sequence[int], right: Sequence[int], between: _Between) -> Iterator[tuple[int, int]]:
    """Positions of units between the same equal units, where there are few of them."""
    held: tuple[dict[int, list[int]], ...] = (defaultdict(list), defaultdict(list))
    for side, units, places in zip(held, (left, right), (between.a, between.b), strict=True):
        for k, unit in enumerate(units):
            side[places[unit][0]].append(k)
    for gap, some in held[0].items():
        others = held[1].get(gap, [])
        if len(some) * len(others) <= RARE**2:
            yield from product(some, others)


def best_pairs(values: Mapping[tuple[int, int], float]) -> Iterator[tuple[int, int]]:
    """Pairs, each side once, whose cubed values have the greatest sum, so that a good pair outweighs two poor ones."""
    if not values:
        return
    ends = np.array(list(values), dtype=np.int64)
    rows, columns = (np.unique(side, return_inverse=True) for side in ends.T)
    count = len(rows[0]) + len(columns[0])
    links = coo_array((np.ones(len(ends)), (rows[1], columns[1] + len(rows[0]))), shape=(count, count))
    component = connected_components(links, directed=False)[1][rows[1]]
    weights = np.array(list(values.values()))
    order = np.argsort(component, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        yield from _best_of_component(ends[some], weights[some])


def _best_of_component(ends: NDArray[np.int64], weights: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    rows, columns = (np.unique(side, return_inverse=True) for side in ends.T)
    if len(rows[0]) * len(columns[0]) > MOST_CELLS:
        yield from each_once(tuple(ends[k].tolist()) for k in np.argsort(-weights, kind="stable"))
        return
    matrix = np.zeros((len(rows[0]), len(columns[0])))
    matrix[rows[1], columns[1]] = weights**3
    for i, j in _best_assignment(-matrix):
        if matrix[i, j] > 0:
            yield int(rows[0][i]), int(columns[0][j])


def each_once(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs of which neither side is in an earlier one that was chosen."""
    rows: set[int] = set()
    columns: set[int] = set()
    for i, j in pairs:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            yield i, j


def rising(columns: Sequence[int], weights: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which columns are in the heaviest rising run of them: [columns]. Weights are small whole numbers."""
    most = int(weights.max(initial=1))
    repeated = [c * most + k for c, w in zip(columns, weights.tolist(), strict=True) for k in range(w)]
    owners = np.repeat(np.arange(len(columns)), weights)
    ends: list[int] = []  # smallest last column of a rising run of each length
    last: list[int] = []  # the element that ends it
    before = np.full(len(repeated), -1)
    for k, column in enumerate(repeated):
        at = bisect.bisect_left(ends, column)
        before[k] = last[at - 1] if at else -1
        ends[at : at + 1] = [column]
        last[at : at + 1] = [k]
    stays = np.zeros(len(columns), dtype=bool)
    k = last[-1] if last else -1
    while k >= 0:
        stays[owners[k]] = True
        k = int(before[k])
    return stays


def moved_pairs(a: UnitText, b: UnitText, pairs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The pairs outside the heaviest run of pairs that have the same order in both texts.

    A pair counts twice if its units stay in their section, so that of two blocks that changed places the one that
    went to another section has moved. Notes, captions and tables have an order of their own; what is text in one
    document and a note in the other has not moved.
    """
    moved: set[tuple[int, int]] = set()
    roles: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for i, j in pairs:
        sections = a.document.sections[a.units[i].section], b.document.sections[b.units[j].section]
        if sections[0].role == sections[1].role:
            roles[sections[0].role].append((i, j))
    for some in roles.values():
        weights = np.array([1 + (a.heading_of(i) == b.heading_of(j)) for i, j in some], dtype=np.int64)
        stays = rising([j for _, j in some], weights)
        moved.update(pair for pair, stay in zip(some, stays, strict=True) if not stay)
    return moved
