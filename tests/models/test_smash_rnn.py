"""SMASH RNN and HAN as networks over documents and as matchers. Weights are random here."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import colde
from colde.errors import ModelError
from colde.evaluation.model_contract import sample_pair
from colde.models.base import Matcher
from colde.models.registry import CARDS
from colde.models.shared.hierarchical_network import HierarchyText, ReadingLimits, read_text, token_spans
from colde.models.shared.network_input import document_tokens
from colde.models.smash_rnn.smash_rnn import SmashNetwork, SmashRnn
from colde.results.encoding import Encoding
from colde.text.document import Document
from tests.models.small import small_matcher, small_network

SEVERAL = (
    "# The bar\n\nHarbour pilots read tide and wind. They wait at dawn.\n\nThen they go; the bar is calm.\n\n"
    "# Bread\n\nDough rises overnight. The oven is hot.\n\n# Empty\n"
)


def smash(hierarchies: str = "p+s+w", **settings: Any) -> SmashNetwork:
    network: SmashNetwork = small_network("smash_rnn", hierarchies=hierarchies, **settings)
    return network


@pytest.fixture(scope="module", params=["smash_rnn", "smash_rnn:p", "smash_rnn:p+s", "han"])
def model(request: pytest.FixtureRequest) -> Any:
    return small_matcher(request.param)


@pytest.fixture(scope="module")
def pair() -> list[Document]:
    return list(sample_pair())


@pytest.fixture(scope="module")
def encoded(model: Matcher, pair: list[Document]) -> list[Encoding]:
    return model.encode(pair)


def nothing() -> Document:
    """A document of which no section is compared."""
    document = colde.read_text(SEVERAL)
    return replace(document, sections=tuple(replace(s, role="references") for s in document.sections))


def structure(document: Document, **limits: int) -> HierarchyText:
    return read_text(document, document_tokens(document), ReadingLimits(**limits))


# what is read ---------------------------------------------------------------------------------------


def test_headings_open_the_first_paragraph_of_their_section() -> None:
    document = colde.read_text(SEVERAL)
    text = structure(document)
    places = token_spans(document, document_tokens(document), text)
    said = [document.text[s.start : s.end] for s in places.sentences]
    assert said[:4] == ["The bar", "Harbour pilots read tide and wind.", "They wait at dawn.", said[3]]
    assert said[4:7] == ["Bread", "Dough rises overnight.", "The oven is hot."]
    assert text.paragraphs[:3].tolist() == [3, 1, 3]
    assert text.sentences.sum() == len(text.ids) and text.paragraphs.sum() == len(text.sentences)
    words = [document.text[s.start : s.end] for s in places.words]
    assert words == re.findall(r"\w+|[^\w\s]", "\n".join(said))
    assert [s.start for s in places.paragraphs] == [
        places.sentences[i].start for i in np.cumsum([0, *text.paragraphs[:-1]])
    ]


def test_without_paragraphs_runs_of_sentences_stand_for_them() -> None:
    document = colde.read_text(" ".join(f"Sentence number {i} is here." for i in range(12)))
    bare = replace(document, sections=tuple(replace(s, paragraphs=()) for s in document.sections))
    assert structure(bare).paragraphs.tolist() == [5, 5, 2]


def test_reads_whole_sentences_up_to_the_limit_and_says_so() -> None:
    document = colde.read_text(SEVERAL)
    everything = structure(document)
    cut = structure(document, tokens=int(everything.sentences[:3].sum()) + 1)
    np.testing.assert_array_equal(cut.sentences, everything.sentences[:3])
    np.testing.assert_array_equal(cut.ids, everything.ids[: len(cut.ids)])
    small = SmashRnn(smash(most_tokens=len(cut.ids)), card=CARDS["smash_rnn"])
    reading = small.encode([document])[0].coverage
    assert (reading.tokens_read, reading.tokens) == (len(cut.ids), len(everything.ids))
    left = [document.text[s.start : s.end] for s in reading.unread]
    assert left[0] == "Then they go; the bar is calm." and left[1].startswith("Bread")


def test_a_sentence_without_an_end_is_cut() -> None:
    text = structure(colde.read_text("photosynthetically " * 200))  # several tokens a word
    assert text.sentences.max() == 128 and text.sentences.sum() == len(text.ids) > 600


# the network ----------------------------------------------------------------------------------------


def test_the_vector_has_a_part_for_each_hierarchy_and_is_zero_without_words() -> None:
    for hierarchies in ("p", "s", "p+s", "p+s+w"):
        network = smash(hierarchies)
        with torch.no_grad():
            vectors = network.vectors([network.prepare(d) for d in (colde.read_text(SEVERAL), nothing())])
        assert vectors.shape == (2, 12 * len(hierarchies.split("+")))
        assert vectors[0].any() and not vectors[1].any()


def test_the_word_hierarchy_reads_the_first_words_only(pair: list[Document]) -> None:
    network = smash(most_words=20)
    text = network.prepare(pair[0])
    other = HierarchyText(
        np.concatenate([text.ids[:20], text.ids[20:] + 1]), text.sentences, text.paragraphs, text.extent
    )
    with torch.no_grad():
        first, second = network.vectors([text, other]).unflatten(1, (3, -1)).unbind(0)
    assert torch.allclose(first[2], second[2]) and not torch.allclose(first[1], second[1])


def test_the_head_is_the_papers_and_takes_both_orders() -> None:
    a, b = torch.randn(2, 4, 36, generator=torch.Generator().manual_seed(1)).unbind(0)
    paper, ours = smash(both_orders=False), smash()
    ours.load_state_dict(paper.state_dict())

    def literal(x: torch.Tensor) -> torch.Tensor:  # 3.4
        u = torch.relu(x @ paper.first.weight.T + paper.first.bias)
        return (u @ paper.last.weight.T + paper.last.bias)[:, 0]

    with torch.no_grad():
        one, other = literal(torch.cat([a, b], 1)), literal(torch.cat([b, a], 1))
        torch.testing.assert_close(paper.pair_logits(a, b), one)
        torch.testing.assert_close(ours.pair_logits(a, b), (one + other) / 2)
        torch.testing.assert_close(ours.score(a, b), ((one + other) / 2).sigmoid())
    assert not SmashRnn(paper, card=CARDS["smash_rnn"]).card.symmetric


@pytest.mark.parametrize("both", [True, False])
def test_parts_of_the_hierarchies_sum_to_the_logit(both: bool) -> None:
    network = smash(both_orders=both)
    a, b = torch.randn(2, 5, 36, generator=torch.Generator().manual_seed(2)).unbind(0)
    with torch.no_grad():
        constant, parts = network.parts(a, b)
        assert list(parts) == ["p", "s", "w"]
        torch.testing.assert_close(constant + sum(parts.values()), network.pair_logits(a, b))
        a[:, 12:24] = b[:, 12:24] = 0
        assert not network.parts(a, b)[1]["s"].any()


def test_refuses_hierarchies_it_does_not_have() -> None:
    for wrong in ("w", "p+x"):
        with pytest.raises(ModelError):
            smash(wrong)


# the matchers ---------------------------------------------------------------------------------------


def test_maps_hold_the_attention_of_every_level(model: Any, encoded: list[Encoding]) -> None:
    maps = model.match(*encoded).maps
    several = len(model.network.hierarchies) > 1
    for name in model.network.hierarchies:
        units = ("word", "sentence", "paragraph")[: {"p": 3, "s": 2, "w": 1}[name]]
        for unit in units:
            assert f"within_a_{unit}_attention" + (f"_{name}" if several else "") in maps
    assert "sentence" in maps


def test_attention_of_words_adds_up_to_that_of_their_sentence(encoded: list[Encoding], model: Any) -> None:
    maps = model.match(*encoded).maps
    inside_a = [m for m in maps.values() if m.role == "attention" and m.side == "within_a"]
    sentences = next(m for m in inside_a if m.level == "sentence")
    words = next(m for m in inside_a if m.level == "word" and m.label == sentences.label)
    for k, sentence in enumerate(sentences.columns):
        inside = [i for i, w in enumerate(words.columns) if sentence.start <= w.start < sentence.end]
        assert words.values[0, inside].sum() == pytest.approx(sentences.values[0, k], abs=1e-6)


def test_the_meaning_tells_the_part_of_each_hierarchy(pair: list[Document]) -> None:
    model = small_matcher("smash_rnn")
    encoded = model.encode(pair)
    parts = model.hierarchy_parts(*encoded)
    probability = 1 / (1 + np.exp(-sum(parts.values())))
    result = model.match(*encoded)
    assert result.score == pytest.approx(probability, abs=1e-6)
    said = result.maps["within_a_sentence_attention_s"].meaning
    assert f"this hierarchy gives {parts['s']:+.2f}." in said


# the head it begins with ----------------------------------------------------------------------------


@pytest.mark.parametrize("both_orders", [True, False])
def test_the_head_begins_by_comparing(both_orders: bool) -> None:
    """Vectors that go the same way from the mean get a greater logit than such as go opposite ways."""
    network = smash(both_orders=both_orders, hidden=48)
    random = torch.Generator().manual_seed(0)
    mean = 3.0 + torch.randn(network.dimension, generator=random)
    vectors = mean + torch.randn(40, network.dimension, generator=random)
    pairs = torch.randint(40, (64, 2), generator=random)
    network.init_from_data(vectors, pairs)
    with torch.inference_mode():
        logits = network.pair_logits(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        same = network.pair_logits(vectors, vectors)
        opposite = network.pair_logits(vectors, 2 * vectors.mean(0) - vectors)
        swapped = network.pair_logits(vectors[pairs[:, 1]], vectors[pairs[:, 0]])
    assert logits.mean() == pytest.approx(0, abs=1e-4) and logits.std() == pytest.approx(1, abs=1e-4)
    assert (same > opposite).all()
    torch.testing.assert_close(logits, swapped, atol=1e-3, rtol=1e-3)


def test_the_head_begins_as_a_sum_over_directions() -> None:
    """Σ_k |w_k · (a + b)| − |w_k · (a − b)| over scaled principal axes, written out."""
    network = smash(hidden=9)  # three directions
    random = torch.Generator().manual_seed(1)
    vectors = torch.randn(30, network.dimension, generator=random) @ torch.diag(
        torch.linspace(0.1, 2, network.dimension)
    )
    pairs = torch.randint(30, (50, 2), generator=random)
    network.init_from_data(vectors, pairs)
    centred = vectors - vectors.mean(0)
    _, values, axes = np.linalg.svd(centred.numpy(), full_matrices=False)
    w = axes[:3] / np.sqrt(values[:3, None] / 30**0.5)
    a, b = (centred.numpy()[pairs[:, k]] @ w.T for k in (0, 1))
    expected = (np.abs(a + b) - np.abs(a - b)).sum(1)
    with torch.inference_mode():
        logits = network.pair_logits(vectors[pairs[:, 0]], vectors[pairs[:, 1]]).numpy()
    assert np.corrcoef(expected, logits)[0, 1] > 0.9999
