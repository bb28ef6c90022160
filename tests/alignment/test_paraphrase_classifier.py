"""The kinds of sentence matches: their parameters fit the features they were made for."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from colde.alignment.paraphrase_classifier import PARAMETERS, classify_pairs
from colde.alignment.sentence_pair_features import (
    CONTEXT,
    FEATURES,
    NEAREST,
    CandidatePairs,
    candidate_pairs,
    common_subsequence_length,
    context_features,
)
from colde.alignment.sentence_similarity import sentence_similarities
from colde.encoders.vector_math import centred
from colde.models.checkpoint import base_hash

STORED = json.loads(PARAMETERS.read_text(encoding="utf-8"))
REFIT = (
    "the features or the encoder changed: run python -m studies.quality.fit_sentence_kinds CORPORA --write"
)


def test_parameters_were_fitted_for_these_features() -> None:
    example = STORED["example"]
    one, two = (np.array(example[f"vectors_{side}"], dtype=np.float32) for side in "ab")
    similarity = sentence_similarities(*centred(one, two), example["a"], example["b"])
    pairs = candidate_pairs(similarity, np.asarray(one @ two.T), example["a"], example["b"])
    assert (pairs.rows.tolist(), pairs.columns.tolist()) == (example["rows"], example["columns"]), REFIT
    np.testing.assert_allclose(pairs.values, example["values"], atol=2e-3, err_msg=REFIT)
    context = context_features(pairs, np.linspace(0.0, 1.0, len(pairs)))
    np.testing.assert_allclose(context, example["context"], atol=2e-3, err_msg=REFIT)
    assert tuple(STORED["alone"]["weights"]) == FEATURES, REFIT
    assert tuple(STORED["together"]["weights"]) == (*FEATURES, *CONTEXT), REFIT


def test_parameters_were_fitted_with_the_encoder_that_ships() -> None:
    assert STORED["encoder"] == base_hash(), REFIT


WORDS = ["tide", "lamp", "keeper", "boat", "rock", "storm", "bread", "turns", "the", "of"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join), min_size=1, max_size=5
)


@given(TEXTS, TEXTS, st.data())
def test_features_and_kinds_are_mirrored_when_the_texts_are_swapped(
    a: list[str], b: list[str], data: st.DataObject
) -> None:
    values = st.floats(-1, 1, width=32).map(lambda x: round(x, 2))
    similarity, meaning = (
        data.draw(arrays(np.float32, (len(a), len(b)), elements=values, unique=True)) for _ in "ab"
    )
    forward = candidate_pairs(similarity, meaning, a, b)
    back = candidate_pairs(np.ascontiguousarray(similarity.T), np.ascontiguousarray(meaning.T), b, a)
    order = np.lexsort((back.rows, back.columns))
    assert (back.columns[order].tolist(), back.rows[order].tolist()) == (
        forward.rows.tolist(),
        forward.columns.tolist(),
    )
    np.testing.assert_allclose(back.values[order], forward.values, atol=1e-5)
    kinds = {(k.row, k.column, k.kind) for k in classify_pairs(forward)}
    assert kinds == {(k.column, k.row, k.kind) for k in classify_pairs(back)}


def test_candidates_are_the_nearest_of_each_sentence() -> None:
    similarity = np.arange(100, dtype=np.float32).reshape(10, 10)
    pairs = candidate_pairs(
        similarity, similarity, ["one two three four five"] * 10, ["six seven eight nine ten"] * 10
    )
    assert {int(i) for i in pairs.rows} == set(range(10)) and len(pairs) == 2 * 10 * NEAREST - NEAREST**2
    assert (
        len(candidate_pairs(similarity, similarity, ["too short"] * 10, ["one two three four five"] * 10))
        == 0
    )


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [("a b c d", "a b c d", 4), ("a b c d", "a x c d", 3), ("a b", "b a", 1), ("a", "b", 0), ("", "a", 0)],
)
def test_words_in_the_same_order(a: str, b: str, common: int) -> None:
    assert (
        common_subsequence_length(a.split(), b.split())
        == common_subsequence_length(b.split(), a.split())
        == common
    )


@given(*[st.lists(st.sampled_from("abc"), max_size=12)] * 2)
def test_the_longest_common_subsequence_is_that_of_the_table(a: list[str], b: list[str]) -> None:
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i, j in np.ndindex(len(a), len(b)):
        best = max(table[i, j + 1], table[i + 1, j])
        table[i + 1, j + 1] = table[i, j] + 1 if a[i] == b[j] else best
    assert common_subsequence_length(a, b) == table[-1, -1]


def kind_of(common: int = 0, order: float = 0.0, **features: float) -> str | None:
    usual = {"median similarity": 0.02, "median cosine": 0.2, "pairs": 4.0, "words": 2.7, "numbers": 0.5}
    values = np.array(
        [[(usual | features).get(name.replace(" ", "_"), usual.get(name, 0.0)) for name in FEATURES]]
    )
    zero = np.zeros(1, np.int64)
    pairs = CandidatePairs(zero, zero, np.array([common]), np.array([order]), values, (10, 10))
    return next((str(k.kind) for k in classify_pairs(pairs)), None)


def test_each_kind() -> None:
    strong = {"similarity": 0.5, "cosine": 0.85, "smaller_margin": 0.3, "larger_margin": 0.4}
    assert kind_of(9, 0.6, similarity=0.6) == "edited"
    assert kind_of(3, 0.6, similarity=0.02, smaller_margin=-0.1) is None, "three words are a common phrase"
    assert kind_of(4, 0.3, **strong) == "paraphrased"
    assert kind_of(2, 0.1, similarity=0.03, cosine=0.25, smaller_margin=-0.1) is None
