"""Runs of letters as scikit-learn counts them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from colde.text.word_weights import character_ngrams as module
from colde.text.word_weights.character_ngrams import character_ngrams

TEXTS = ["The keeper wound the clock.", "the clocks", "", "  ", "a", "日本 語 über", "ab\n\ncd  efghij"]


def theirs(texts: list[str]) -> np.ndarray:
    weigh = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), dtype=np.float32, sublinear_tf=True)
    found = weigh.fit_transform(texts)
    return (found @ found.T).toarray()


def ours(texts: list[str]) -> np.ndarray:
    found = character_ngrams(texts)
    return (found @ found.T).toarray()


def test_cosines_are_scikit_learns() -> None:
    np.testing.assert_allclose(ours(TEXTS), theirs(TEXTS), atol=1e-5)


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6).map(lambda texts: ["word", *texts]))
def test_cosines_are_scikit_learns_of_any_texts(texts: list[str]) -> None:
    np.testing.assert_allclose(ours(texts), theirs(texts), atol=1e-5)


def test_long_texts_are_counted_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = ours(TEXTS)
    monkeypatch.setattr(module, "MAX_EXACT_CHARACTERS", 12)
    np.testing.assert_allclose(ours(TEXTS), exact, atol=1e-5)


def test_no_text_at_all() -> None:
    assert character_ngrams([]).shape[0] == 0
    assert character_ngrams(["", " "]).nnz == 0
