"""Summaries: sentences in a row whose sources lie far from each other in the other text are one block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from colde.passages.joining import Block
from colde.passages.summaries import SummaryFeatures, SummaryLimits, summary_blocks, summary_candidates
from tests.passages.made_seeds import LIMITS, SUMMARIES, SUMMARY, seeds_of

WORDS = np.full(60, 20.0)


def summaries(
    *pairs: tuple[int, int] | tuple[int, int, float], limits: SummaryLimits = SUMMARIES
) -> list[Block]:
    return list(summary_blocks(seeds_of(*pairs), WORDS, WORDS, replace(limits, intercept=10.0), LIMITS))


def features(*pairs: tuple[int, int] | tuple[int, int, float]) -> SummaryFeatures:
    """Those of the candidate in a."""
    return next(iter(summary_candidates(seeds_of(*pairs), WORDS, WORDS, SUMMARIES, LIMITS)))[1]


def test_sentences_whose_sources_lie_scattered_are_one_block() -> None:
    (block,) = summaries(*SUMMARY)
    assert (block.rows, block.columns, block.summary) == ((20, 23), (3, 45), True)
    (other,) = summaries(*((j, i) for i, j in SUMMARY))
    assert (other.rows, other.columns) == ((3, 45), (20, 23)), "in the other text, too"


def test_a_source_does_not_sum_up_what_was_taken_from_it() -> None:
    limits = replace(SUMMARIES, intercept=10.0)
    taken, reverse = seeds_of(*SUMMARY), seeds_of(*((j, i) for i, j in SUMMARY))
    assert len(list(summary_blocks(taken, WORDS, WORDS, limits, LIMITS, of_b=False))) == 1
    assert not list(summary_blocks(reverse, WORDS, WORDS, limits, LIMITS, of_b=False))


def test_sentences_whose_sources_follow_each_other_are_no_summary() -> None:
    assert not summaries((20, 30), (21, 31), (22, 33), (23, 32))
    assert not summaries((20, 30)), "nor is one sentence"


def test_features_tell_how_much_lies_in_one_stretch_and_what_is_apart() -> None:
    scattered = features(*SUMMARY)
    assert scattered.together == pytest.approx(1 / 4)
    assert scattered.log_apart == pytest.approx(np.log1p(3 * 4))
    assert (scattered.weight, scattered.log_weight) == (16, pytest.approx(np.log(16)))
    assert scattered.shortening == pytest.approx(np.log(60 / 4))
    assert features((20, 3), (21, 4), (22, 31), (23, 5)).together == pytest.approx(3 / 4)
    ordered = features((20, 30), (21, 31), (22, 32))
    assert (ordered.together, ordered.log_apart) == (1, 0)


def test_weak_seeds_and_far_sentences_are_left_out() -> None:
    assert features(*SUMMARY, (24, 50, -0.5)) == features(*SUMMARY)
    assert features(*SUMMARY, (27, 50)) == features(*SUMMARY)


def test_sentences_whose_nearest_one_is_in_the_summary_widen_it() -> None:
    (block,) = summaries(*SUMMARY, (21, 55, -4.0), (50, 57, -4.0))
    assert (block.rows, block.columns) == ((20, 23), (3, 55))
    narrow = replace(SUMMARIES, reach=-3.0)
    assert summaries(*SUMMARY, (21, 55, -4.0), limits=narrow)[0].columns == (3, 45)
