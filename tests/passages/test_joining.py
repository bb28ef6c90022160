"""Joining of seeds: blocks end where their gaps outweigh them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from colde.passages.joining import Block, largest_sum, near_groups, ordered_blocks, without_held
from colde.passages.summaries import summary_blocks
from colde.results.seeds import Seeds
from tests.operation_counts import calls_of
from tests.passages.made_seeds import (
    LIMITS,
    SUMMARIES,
    SUMMARY,
    drawn_seeds,
    extents,
    joined,
    mirrored,
    seeds_of,
)

DIAGONAL = tuple((k, k) for k in range(10, 15))


def test_seeds_that_continue_each_other_are_one_block() -> None:
    (block,) = joined(*DIAGONAL)
    assert (block.rows, block.columns, block.summary) == ((10, 14), (10, 14), False)
    assert block.weight == 5 * 4


def test_sentences_that_match_nothing_are_bridged_up_to_the_gap() -> None:
    assert extents(joined((10, 10), (13, 13))) == [((10, 13), (10, 13))]
    assert extents(joined((10, 10), (14, 14))) == [((10, 10), (10, 10)), ((14, 14), (14, 14))]
    assert joined((10, 10), (13, 13))[0].weight == 2 * 4 - 2 * LIMITS.cost
    apart = joined((10, 10), (11, 30))
    assert len(apart) == 2, "they are near in one text alone"


def test_a_block_ends_where_its_gaps_outweigh_what_follows() -> None:
    weak = (*DIAGONAL, (17, 17, 0.5))  # adds 1.5 after two sentences that cost 1 each
    assert ((10, 14), (10, 14)) in extents(joined(*weak))
    assert extents(joined(*weak, cost=0.5)) == [((10, 17), (10, 17))]


def test_what_a_block_leaves_of_its_group_is_a_block_of_its_own() -> None:
    pairs = ((10, 10), (13, 13), *((k, k) for k in range(16, 20)))
    assert extents(joined(*pairs, cost=3.0)) == [
        ((10, 10), (10, 10)),
        ((13, 13), (13, 13)),
        ((16, 19), (16, 19)),
    ]
    repeated = (*DIAGONAL, (12, 17))
    assert extents(joined(*repeated, cost=3.0)) == [((10, 14), (10, 14))], "its sentence has its place"


def test_long_sentences_weigh_more_up_to_a_limit() -> None:
    weights = [joined((10, 10), words=words)[0].weight for words in (10, 20, 40, 80)]
    assert weights == [2.0, 4.0, 8.0, 8.0]


def test_a_sentence_adds_no_more_than_the_cap_and_once() -> None:
    assert joined((10, 10, 9.0))[0].weight == LIMITS.cap
    assert joined((10, 10), (10, 11), (11, 10))[0].weight == 2 * 4


def test_weak_seeds_are_not_read() -> None:
    assert not joined((10, 10, -0.5))
    assert joined((10, 10, -0.5), weakest=-1.0)


def test_blocks_inside_others_are_left_out() -> None:
    summary = Block(seeds_of(*SUMMARY), 16.0, True)
    inside = Block(seeds_of((21, 17)), 4.0)
    beside = Block(seeds_of((40, 17)), 4.0)
    assert without_held([inside, summary, beside]) == [1, 2]
    light, heavy = Block(seeds_of((5, 5), (6, 6)), 7.0), Block(seeds_of((5, 6), (6, 6)), 8.0)
    assert without_held([light, heavy]) == [1]
    assert without_held([]) == []
    first, second = Block(seeds_of((0, 1), (1, 2)), 8.0), Block(seeds_of((1, 0), (2, 1)), 8.0)
    assert without_held([first, second]) == [0, 1], "nothing but the order of the texts tells them apart"


def blocks_of(seeds: Seeds, a: NDArray[np.float64], b: NDArray[np.float64]) -> list[Block]:
    """All blocks, every candidate counts as a summary."""
    every = replace(SUMMARIES, intercept=np.inf)
    return [*ordered_blocks(seeds, a, b, LIMITS), *summary_blocks(seeds, a, b, every, LIMITS)]


@given(drawn_seeds(9, 9), st.lists(st.integers(1, 60), min_size=9, max_size=9))
def test_blocks_are_mirrored_when_the_texts_are_swapped(seeds: Seeds, words: list[int]) -> None:
    a, b = np.array(words, dtype=np.float64), np.array(words[::-1], dtype=np.float64)
    forward, back = blocks_of(seeds, a, b), blocks_of(seeds.swapped(), b, a)
    assert mirrored(forward) == sorted((x.rows, x.columns, round(x.weight, 9)) for x in back)
    kept, kept_back = [forward[k] for k in without_held(forward)], [back[k] for k in without_held(back)]
    assert mirrored(kept) == sorted((x.rows, x.columns, round(x.weight, 9)) for x in kept_back)


@given(drawn_seeds(9, 9))
def test_blocks_lie_in_the_texts_and_weigh_no_more_than_their_sentences(seeds: Seeds) -> None:
    words = np.full(9, 20.0)
    for block in blocks_of(seeds, words, words):
        assert 0 <= block.rows[0] <= block.rows[1] < 9 and 0 <= block.columns[0] <= block.columns[1] < 9
        sides = [len(np.unique(places)) for places in (block.seeds.rows, block.seeds.columns)]
        assert block.weight <= LIMITS.cap * (max(sides) if block.summary else min(sides))


def slow_groups(rows: list[int], columns: list[int], row_gap: int, column_gap: int) -> set[frozenset[int]]:
    group = list(range(len(rows)))
    for _ in rows:
        for i in range(len(rows)):
            for j in range(len(rows)):
                if abs(rows[i] - rows[j]) <= row_gap and abs(columns[i] - columns[j]) <= column_gap:
                    group[i] = group[j] = min(group[i], group[j])
    return {frozenset(k for k, g in enumerate(group) if g == name) for name in set(group)}


PLACES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=15)


@given(PLACES, st.integers(0, 8), st.integers(0, 8))
def test_groups_are_the_chains_of_near_pairs(
    places: list[tuple[int, int]], row_gap: int, column_gap: int
) -> None:
    rows, columns = (np.array([p[k] for p in places], dtype=np.int64) for k in (0, 1))
    groups = near_groups(rows, columns, row_gap, column_gap)
    expected = slow_groups(rows.tolist(), columns.tolist(), row_gap, column_gap)
    assert {frozenset(group.tolist()) for group in groups} == expected
    assert all(x < y for group in groups for x, y in pairwise(group.tolist())), "in their order"


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12))
def test_the_largest_sum_is_that_of_all_stretches(values: list[int]) -> None:
    first, last, total = largest_sum(np.array(values, dtype=np.float64))
    assert total == sum(values[first : last + 1])
    assert total == max(sum(values[i : j + 1]) for i in range(len(values)) for j in range(i, len(values)))


def copies(count: int) -> Seeds:
    """Seeds of texts with many equal sentences, many copies of one passage, and long stretches that are the same."""
    same = [(k, k) for k in range(0, count, 2)]
    equal = [(0, k) for k in range(count)] + [(k, 1) for k in range(1, count)]
    far = [(k, (k * 37) % count) for k in range(count)]
    return seeds_of(*sorted({*same, *equal, *far}))


def work_of(count: int) -> int:
    seeds, words = copies(count), np.full(count, 20.0)
    return calls_of(lambda: without_held(blocks_of(seeds, words, words)))


def test_work_grows_with_the_number_of_seeds() -> None:
    work_of(50)
    assert work_of(1_600) < 2.6 * work_of(800)
