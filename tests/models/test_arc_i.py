"""ARC-I: the network against plain torch on one text, padding, and that windows add up. Weights are random here."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn import functional

import colde
from colde.evaluation.model_contract import sample_pair
from colde.models.arc_i.arc_i import ArcI, ArcIConfig, ArcIEncoding, ArcINetwork
from colde.models.registry import CARDS
from colde.models.shared.network_input import ModelInput, document_tokens
from colde.results.encoding import require_encoding
from colde.text.document import Document

CONFIG = ArcIConfig(words=8, features=24, out=12, tokens=300)


@pytest.fixture(scope="module")
def model() -> ArcI:
    torch.manual_seed(0)
    return ArcI(ArcINetwork(CONFIG), card=CARDS["arc_i"])


@pytest.fixture(scope="module")
def pair() -> list[Document]:
    return list(sample_pair())


def texts_of(*lengths: int) -> list[ModelInput]:
    random = np.random.default_rng(3)
    return [ModelInput(random.integers(1000, 20_000, size=n).astype(np.int32)) for n in lengths]


@torch.no_grad()
def test_one_text_is_plain_torch(model: ArcI) -> None:
    network = model.network
    for text in texts_of(1, 2, 3, 17, 64):
        x = network.words(torch.from_numpy(text.ids).long())[None].transpose(1, 2)
        for k, convolution in enumerate(network.convolutions):
            x = torch.relu(functional.conv1d(x, convolution.weight, convolution.bias, padding=1))
            if k < 2:
                x = functional.max_pool1d(x, 2, ceil_mode=True)
        expected = x.amax(-1) @ network.project.weight.T
        np.testing.assert_allclose(network.vectors([text]).numpy(), expected.numpy(), atol=1e-5)


@torch.no_grad()
def test_padding_changes_nothing() -> None:
    network = ArcINetwork(CONFIG)
    for convolution in network.convolutions:  # a constant that would light up the padding
        convolution.bias.copy_(torch.linspace(-0.2, 1.0, CONFIG.features))
    texts = texts_of(0, 1, 2, 5, 31, 32, 33, 300)
    together = network.vectors(texts)
    alone = torch.cat([network.vectors([t]) for t in texts])
    np.testing.assert_allclose(together.numpy(), alone.numpy(), atol=1e-5)


@torch.no_grad()
def test_a_place_sees_its_reach_and_no_more(model: ArcI) -> None:
    network = model.network
    assert network.reach(2) == (1, 18) and network.reach(0) == (-7, 10)
    text = texts_of(64)[0]
    for place in (0, 5, 15):
        first, last = network.reach(place)
        values = feature_places(network, text)[:, place]
        for token in range(64):
            other = text.ids.copy()
            other[token] = 999
            changed = feature_places(network, ModelInput(other))[:, place]
            if not first <= token <= last:
                np.testing.assert_allclose(changed, values, atol=1e-6)
            elif token in (first, last):
                assert np.abs(changed - values).max() > 0


def feature_places(network: ArcINetwork, text: ModelInput) -> np.ndarray:
    """[features, places] before the maximum."""
    x = network.words(torch.from_numpy(text.ids).long())[None].transpose(1, 2)
    for k, convolution in enumerate(network.convolutions):
        x = convolution(x)  # without ReLU, which would hide changes
        if k < 2:
            x = functional.avg_pool1d(x, 2)
    return x[0].detach().numpy()


def test_windows_add_up_to_the_score(model: ArcI, pair: list[Document]) -> None:
    texts = [*pair, colde.read_text("Fog came in."), long_document()]
    encoded = model.encode(texts)
    for a in encoded:
        for b in encoded:
            result = model.match(a, b)
            found = result.maps["windows"]
            assert found.values.sum() == pytest.approx(result.score, abs=1e-4)
            assert found.reference == 0 and found.residual is not None
            assert found.values.sum() + found.residual == pytest.approx(result.score, abs=1e-5)
            for e, spans in ((a, found.rows), (b, found.columns)):
                assert all(0 <= s.start < s.end <= len(e.document.text) for s in spans)
                assert all(x.start < y.start for x, y in pairwise(spans))


def test_windows_stay_in_their_section_and_in_what_is_read(model: ArcI, pair: list[Document]) -> None:
    for e in model.encode(pair):
        read = document_tokens(e.document)
        end = read.ends[CONFIG.tokens - 1]
        for span in require_encoding(e, ArcIEncoding).window_spans:
            section = e.document.sections[e.document.section_at(span.start) or 0]
            assert section.start <= span.start < span.end <= min(section.end, end)


def test_says_what_it_did_not_read(model: ArcI) -> None:
    document = long_document()
    (encoded,) = model.encode([document])
    assert encoded.coverage.tokens_read == CONFIG.tokens < encoded.coverage.tokens
    unread = encoded.coverage.unread
    assert unread[-1].end == document_tokens(document).ends[-1]
    changed = colde.read_text(document.text[: unread[0].start] + "quite other words follow here")
    assert model.match(encoded, model.encode([changed])[0]).score == pytest.approx(1, abs=1e-6)


def test_a_text_without_a_word_piece(model: ArcI) -> None:
    nothing = Document("", ())
    a, b = model.encode([nothing, colde.read_text("Fog came in over the bar.")])
    result = model.match(a, b)
    assert result.score == 0
    assert all(m.values.size == 0 for m in result.maps.values())


def test_a_window_has_a_middle() -> None:
    with pytest.raises(ValueError, match="odd"):
        ArcINetwork(ArcIConfig(window=4))


def long_document() -> Document:
    return colde.read_text(
        "# One\n\n" + "Pilots read tide and swell. " * 30 + "\n\n# Two\n\n" + "Fog came in. " * 200
    )
