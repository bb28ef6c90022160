"""CIG: the graph of concepts on a worked example, and its propagation against networkx."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
import torch

from colde.text.word_weights.term_weights import BUCKETS, Statistics
from studies.papers.cig import propagation
from studies.papers.concept_graph import ConceptText, assign_sentences, communities, concept_graph, keywords

TIDE, MOON, EBB, YEAST, OVEN, DOUGH, COMMON = range(7)
IDF = np.zeros(BUCKETS, np.float32)
IDF[:6] = [2.0, 2.0, 2.0, 3.0, 3.0, 3.0]
STATISTICS = Statistics(IDF, mean_length=8.0)


def text(*sentences: list[int]) -> ConceptText:
    """Sentences of words whose word piece has the number of the word and 1,000."""
    flat = np.array([w for s in sentences for w in s], np.int32)
    lengths = np.array([len(s) for s in sentences], np.int32)
    return ConceptText(flat + 1000, lengths, flat, lengths)


A = text([TIDE, MOON], [MOON, EBB, TIDE], [YEAST, OVEN], [COMMON])
B = text([YEAST, DOUGH, OVEN], [EBB, TIDE])


def test_keywords_that_stand_together_are_a_concept() -> None:
    sentences = [*A.sentences(), *B.sentences()]
    words = keywords(sentences, STATISTICS)
    assert set(words[:6].tolist()) == {TIDE, MOON, EBB, YEAST, OVEN, DOUGH}
    groups = [set(g.tolist()) for g in communities(words[:6], sentences)]
    assert sorted(map(sorted, groups)) == [[TIDE, MOON, EBB], [YEAST, OVEN, DOUGH]]
    owner = assign_sentences(sentences, [np.array(sorted(g)) for g in groups], STATISTICS)
    assert owner[0] == owner[1] == owner[5] and owner[2] == owner[4] != owner[0]
    assert owner[3] == -1, "a sentence without a keyword belongs to none"


def test_the_graph_holds_both_sides_of_each_concept() -> None:
    found, back = concept_graph(A, B, STATISTICS), concept_graph(B, A, STATISTICS)
    assert found.similarities.shape == (2, 5) and found.links.shape == (2, 2)
    assert not found.links.diagonal().any()
    np.testing.assert_allclose(found.links, found.links.T)
    for own, other in zip(found.pieces, back.pieces, strict=True):
        assert [sorted(x.tolist()) for x in own] == [sorted(x.tolist()) for x in other[::-1]]
    np.testing.assert_allclose(found.similarities, back.similarities, rtol=1e-6)
    tides = [{int(i) - 1000 for i in side} for side in found.pieces[0]]
    assert {TIDE, EBB} <= tides[0] & tides[1] or {YEAST, OVEN} <= tides[0] & tides[1]
    jaccard = {round(float(s[3]), 4) for s in found.similarities}
    assert jaccard == {0.6667}  # {tide, moon, ebb} and {ebb, tide}; {yeast, oven} and {yeast, dough, oven}


@pytest.mark.parametrize("a, b", [(text(), text()), (text(), A), (text([COMMON]), text([COMMON]))])
def test_texts_without_keywords_have_a_graph_all_the_same(a: ConceptText, b: ConceptText) -> None:
    found = concept_graph(a, b, STATISTICS)
    assert len(found.links) == len(found.similarities) == len(found.pieces) >= 1


def test_propagation_is_the_identity_less_the_normalised_laplacian() -> None:
    links = np.array([[0, 0.5, 0], [0.5, 0, 0.2], [0, 0.2, 0]])
    graph = networkx.from_numpy_array(links + np.eye(3))
    expected = np.eye(3) - networkx.normalized_laplacian_matrix(graph).toarray()
    found = propagation(torch.from_numpy(links).float())
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-6)
