"""Likeness of sentences: rare words against a count by hand, citations that count for nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from colde.alignment.sentence_similarity import (
    base_similarities,
    excess_self_similarity,
    rare_word_overlap,
    sentence_similarities,
    smooth_over_neighbours,
)
from colde.encoders.vector_math import normalised
from colde.text.sentences.citations import without_citations

A = ["The pilot reads the tide.", "The bar is deep at the highest tide of spring.", "Roses."]
B = ["A pilot reads the tide.", "The bread is good.", "Roses, roses."]


def test_rare_words_by_hand() -> None:
    """Words of two letters and more; `the` stands in four of six sentences, `tide` in three."""

    def w(sentences: int) -> float:
        return math.log(7 / (0.5 + sentences))

    said = {  # pilot reads the tide; the bar is deep at highest tide of spring; roses
        "a": [w(2) + w(2) + w(4) + w(3), w(4) + 6 * w(1) + w(3) + w(2), w(2)],
        "b": [w(2) + w(2) + w(4) + w(3), w(4) + 2 * w(1) + w(2), w(2)],
    }
    mean = (np.mean(said["a"]) + np.mean(said["b"])) / 2
    both = np.array([[said["a"][0], w(4), 0], [w(4) + w(3), w(4) + w(2), 0], [0, 0, w(2)]])
    alone = np.add.outer(said["a"], said["b"]) - 2 * both
    expected = both / (both + alone / 2 + np.minimum(alone, mean))
    np.testing.assert_allclose(rare_word_overlap(A, B), expected, atol=1e-5)


def units(count: int, seed: int) -> np.ndarray:
    return normalised(np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32))


def test_either_text_may_stand_first() -> None:
    a, b = units(3, 0), units(3, 1)
    found = sentence_similarities(a, b, A, B)
    np.testing.assert_allclose(sentence_similarities(b, a, B, A), found.T, atol=1e-6)
    assert found.dtype == np.float32 and found.max() <= 1


def test_the_same_sentence_is_one() -> None:
    words = np.diag(rare_word_overlap(A, [*A[:2], "Gulls."]))
    np.testing.assert_allclose(words, [1, 1, 0], atol=1e-5)
    one = units(1, 0)
    assert sentence_similarities(one, one, ["Roses."], ["Roses."])[0, 0] == pytest.approx(1, abs=1e-5)
    found = sentence_similarities(
        units(4, 0),
        units(5, 1),
        ["Roses.", "3.", "", "Fog came."],
        ["", "3.", "Gulls.", "Roses.", "Fog\ncame."],
    )
    assert np.argwhere(found == 1).tolist() == [[0, 3], [3, 4]]


def test_a_sentence_that_its_document_repeats_is_less_like_others() -> None:
    """Of two sentences equally near to the other text, the one that much of its own text is near to counts less."""
    x, y = np.eye(8, dtype=np.float32)[:2]
    own = normalised(np.stack([x, x + 0.1 * y, x - 0.1 * y, y]))
    other = normalised((x + y)[None])
    near = excess_self_similarity(own)
    assert near.mean() == pytest.approx(0, abs=1e-6) and near[0] > near[3]
    found = base_similarities(
        own @ other.T, np.zeros((4, 1), np.float32), near, excess_self_similarity(other)
    )
    assert found[3, 0] > found[0, 0]


def test_neighbours_count_a_third() -> None:
    """A sixth of each mean of three; at the ends there are fewer than three."""
    own = np.zeros((4, 5), dtype=np.float32)
    own[1, 2] = 0.9
    expected = np.zeros_like(own)
    expected[1, 2] = 0.9 * (2 / 3 + 1 / 9)
    expected[[0, 2], 2] = 0.9 / 6 / np.array([2, 3])
    expected[1, [1, 3]] = 0.9 / 18
    np.testing.assert_allclose(smooth_over_neighbours(own), expected, atol=1e-6)
    assert smooth_over_neighbours(np.ones((3, 2), np.float32)).tolist() == [[1, 1]] * 3
    assert smooth_over_neighbours(np.zeros((0, 2), np.float32)).shape == (0, 2)


def test_nothing_in_common_and_nothing_at_all() -> None:
    assert rare_word_overlap(["tide"], [""]).tolist() == [[0.0]]
    assert rare_word_overlap([], ["tide"]).shape == (0, 1) and rare_word_overlap([""], [""]).tolist() == [
        [0.0]
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Tags come from the tagger (Schmid, 1994; Brown et al., 1993).", "Tags come from the tagger ."),
        ("Collins and Duffy (2002) count trees, as in [12].", "count trees, as in ."),
        ("As Och et al. 1999 say, it (the search) is slow.", "As say, it (the search) is slow."),
        ("In 1994 nothing (of 300 words) changed.", "nothing (of 300 words) changed."),
    ],
)
def test_citations(text: str, left: str) -> None:
    assert " ".join(without_citations(text).split()) == left


def test_hostile_brackets_take_linear_time() -> None:
    """A square of this length would take hours."""
    for text in ("(1999 " * 50_000, "(" * 300_000, "A" * 300_000, "Aa and " * 40_000, "[1" * 100_000):
        assert without_citations(text)
