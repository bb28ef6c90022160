"""The five similarities against scikit-learn and scipy, and LDA's inference against scikit-learn's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cosine, jaccard, jensenshannon
from sklearn.decomposition import LatentDirichletAllocation

from colde.evaluation.model_contract import CHECKS, subject
from colde.ingest import read_text
from colde.models.registry import spec
from colde.text.word_weights.term_weights import BUCKETS, Statistics, bucket, counts
from studies.papers.bag_similarities import bag_of, similarities
from studies.papers.lda import Lda, Topics, topic_similarity
from studies.papers.lda_training import LdaTraining, fit_topics

SUBJECTS = {
    "tides": ["tide", "moon", "harbour", "current", "ebb", "flood", "shore", "pilot"],
    "bread": ["flour", "yeast", "oven", "crust", "dough", "loaf", "knead", "baker"],
}


def test_similarities_are_those_of_scikit_learn_and_scipy() -> None:
    idf = np.zeros(BUCKETS, np.float32)
    idf[:5] = [1.0, 2.0, 0.5, 3.0, 1.5]
    statistics = Statistics(idf, mean_length=6.0)
    a, b = np.array([2.0, 0, 1, 3, 0]), np.array([1.0, 4, 0, 1, 0])
    found = similarities(
        *(bag_of(np.repeat(np.arange(5), x.astype(int)).tolist()) for x in (a, b)), statistics
    )
    tfidf = [np.where(x > 0, (1 + np.log(np.maximum(x, 1))) * idf[:5], 0) for x in (a, b)]
    bm25 = [idf[:5] * x * 2.5 / (x + 1.5 * (0.25 + 0.75 * x.sum() / 6)) for x in (a, b)]
    expected = [1 - cosine(*tfidf), 1 - cosine(a, b), 1 - cosine(*bm25), 1 - jaccard(a > 0, b > 0)]
    expected.append(1 - cosine((a > 0).astype(float), (b > 0).astype(float)))  # Ochiai: of the sets
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    np.testing.assert_allclose(similarities(bag_of([1, 2]), bag_of([1, 2]), statistics), 1, rtol=1e-6)
    assert not similarities(bag_of([]), bag_of([1]), statistics).any()


def texts() -> list[str]:
    random = np.random.default_rng(0)
    return [" ".join(random.choice(words, 30)) for words in SUBJECTS.values() for _ in range(20)]


@pytest.fixture(scope="module")
def topics() -> Topics:
    return fit_topics([counts(texts())], LdaTraining(topics=4, words=50, passes=5), seed=0)


def test_inference_is_scikit_learns(topics: Topics) -> None:
    model = LatentDirichletAllocation(4, mean_change_tol=1e-6, max_doc_update_iter=1000)
    table = counts(texts()[:3] + texts()[-3:])
    model.fit(table[:, topics.columns])
    model.components_ = np.exp(topics.log_weights.astype(np.float64))
    model.exp_dirichlet_component_ = topics.expected()
    expected = model.transform(table[:, topics.columns])
    lda = Lda(topics, card=spec("lda").card)
    found = np.array([lda.shares(sparse.csr_matrix(row)) for row in table])
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_likeness_is_one_less_the_divergence() -> None:
    p, q = np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.3, 0.6])
    assert topic_similarity(p, q) == pytest.approx(1 - jensenshannon(p, q, base=2) ** 2)
    assert topic_similarity(p, p) == pytest.approx(1) and topic_similarity(
        np.eye(2)[0], np.eye(2)[1]
    ) == pytest.approx(0)


def test_topics_tell_subjects_apart(topics: Topics, tmp_path: Path) -> None:
    assert {bucket("tide"), bucket("yeast")} <= set(topics.columns.tolist())
    model = Lda(topics, card=spec("lda").card)
    tide, moon, bread = model.encode([read_text(t + ".") for t in (texts()[0], texts()[1], texts()[-1])])
    assert model.match(tide, moon).score > model.match(tide, bread).score + 0.3
    for check in CHECKS:
        check(subject(model))
