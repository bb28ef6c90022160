"""TF-IDF against scikit-learn, BM25 against bm25s."""

from __future__ import annotations

import bm25s
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer

import colde
from colde.models.lexical.bm25 import K1, B, Bm25
from colde.models.lexical.tfidf import TfIdf
from colde.models.registry import CARDS
from colde.text.word_weights.term_weights import (
    BUCKETS,
    Statistics,
    bucket,
    counts,
    inverse_frequencies,
    shipped_statistics,
    tfidf,
)
from studies.release.train_shipped import document_shares

TEXTS = [
    "The keeper wound the clock and trimmed the lamp before the fog came in.",
    "Fog came in over the bar; the pilot waited for the lamp on the point.",
    "Yeast and flour and water make a dough that rises in a warm kitchen overnight.",
    "A warm kitchen, a clock on the wall, and bread in the oven before dawn.",
]


def test_weights_are_scikit_learns() -> None:
    theirs = TfidfVectorizer(sublinear_tf=True, smooth_idf=False)
    expected = theirs.fit_transform(TEXTS)
    idf = np.zeros(BUCKETS, dtype=np.float32)
    for word, column in theirs.vocabulary_.items():
        idf[bucket(word)] = theirs.idf_[column]
    ours = tfidf(TEXTS, Statistics(idf, 14.0))
    np.testing.assert_allclose((ours @ ours.T).toarray(), (expected @ expected.T).toarray(), atol=1e-6)


def test_bm25_is_bm25s() -> None:
    words = CountVectorizer().fit(TEXTS)
    analyse = words.build_analyzer()
    tokens = [analyse(t) for t in TEXTS]
    theirs = bm25s.BM25(method="lucene", k1=K1, b=B)
    theirs.index(tokens, show_progress=False)
    has = np.sign(words.transform(TEXTS).toarray()).sum(0)
    idf = np.zeros(BUCKETS, dtype=np.float32)
    for word, column in words.vocabulary_.items():
        idf[bucket(word)] = np.log(1 + (len(TEXTS) - has[column] + 0.5) / (has[column] + 0.5))
    model = Bm25(CARDS["bm25"], statistics=Statistics(idf, float(np.mean([len(t) for t in tokens]))))
    weighed = model.weigh(TEXTS)
    for query in ({"fog", "lamp"}, {"warm", "kitchen", "clock"}):
        mine = np.asarray(weighed[:, [bucket(w) for w in query]].sum(1)).ravel()
        # bm25s leaves out the factor k1 + 1, which changes no order
        np.testing.assert_allclose(mine / (K1 + 1), theirs.get_scores(sorted(query)), rtol=1e-4, atol=1e-6)


def test_idf_of_common_rare_and_unknown_words() -> None:
    share = np.array([0.5, 0.1, 1e-5, 0.0])
    found = inverse_frequencies(share)
    assert found[0] == 0
    assert found[1] == pytest.approx(np.log(10))
    assert found[2] == found[3] == pytest.approx(np.log(350))


def test_shares_count_documents_not_words() -> None:
    share = document_shares(["fog fog fog", "fog and lamp"])
    assert share[bucket("fog")] == 1 and share[bucket("lamp")] == 0.5


def test_shipped_statistics_know_english() -> None:
    idf = shipped_statistics().idf
    assert idf[bucket("the")] == 0 < idf[bucket("grammar")] < idf[bucket("coreference")]
    assert idf[bucket("zyzzyvaqq")] == idf.max()


def test_words_are_those_of_scikit_learn() -> None:
    theirs = HashingVectorizer(n_features=BUCKETS, alternate_sign=False, norm=None)
    assert (counts(TEXTS) != theirs.transform(TEXTS)).nnz == 0


def test_nothing_in_common_is_zero() -> None:
    a, b = colde.read_text("alpha beta gamma " * 9), colde.read_text("delta epsilon zeta " * 9)
    for model in (TfIdf(CARDS["tfidf"]), Bm25(CARDS["bm25"])):
        assert model.match(*model.encode([a, b])).score == 0
