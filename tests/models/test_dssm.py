"""DSSM: trigrams against a plain loop, the network, and that what is shown is exact. Weights are random here."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
import torch
from sklearn.feature_extraction import FeatureHasher

import colde
from colde.evaluation.model_contract import sample_pair
from colde.models.dssm.dssm import Dssm, DssmConfig, DssmNetwork, Trigrams, trigrams_of
from colde.models.registry import CARDS
from colde.text.document import Document, Section

CONFIG = DssmConfig(buckets=512, rank=8, hidden=(24, 24), out=16)


@pytest.fixture(scope="module")
def model() -> Dssm:
    torch.manual_seed(0)
    return Dssm(DssmNetwork(CONFIG), card=CARDS["dssm"])


@pytest.fixture(scope="module")
def pair() -> list[Document]:
    return list(sample_pair())


def by_hand(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for word in re.findall(r"\w+", text.lower()):
        marked = f" {word} "
        found.update(marked[i : i + 3] for i in range(len(marked) - 2))
    return found


def test_trigrams_are_those_of_a_plain_loop() -> None:
    assert by_hand("Good") == Counter({" go": 1, "goo": 1, "ood": 1, "od ": 1})  # #go goo ood od#
    texts = ["Good, good food: a fog-bound pier!", "", "…", "Größe 3 über den Fluß"]
    hasher = FeatureHasher(2**12, input_type="pair", alternate_sign=False)
    expected = hasher.transform([list(by_hand(t).items()) for t in texts]).toarray()
    found = np.zeros_like(expected)
    for row, text in zip(found, trigrams_of(texts, 2**12), strict=True):
        row[text.ids] = text.counts
    np.testing.assert_array_equal(found, expected)


def test_the_network_is_the_formula(model: Dssm) -> None:
    bag = Trigrams(np.array([3, 7], np.int32), np.array([1, 5], np.int32))
    weights = np.log([2.0, 6.0]) / np.linalg.norm(np.log([2.0, 6.0]))
    state = {k: v.detach().numpy().astype(np.float64) for k, v in model.network.named_parameters()}
    x = weights @ state["trigrams"][[3, 7]]
    for k in range(3):
        x = np.tanh(state[f"layers.{k}.weight"] @ x + state[f"layers.{k}.bias"])
    with torch.no_grad():
        np.testing.assert_allclose(model.network.vectors([bag])[0].numpy(), x, atol=1e-5)


@pytest.mark.slow
def test_reads_everything_however_short_or_long(model: Dssm, pair: list[Document]) -> None:
    one = colde.read_text("Fog.")
    long = colde.read_text("# One\n\n" + "Harbour pilots read tide, wind and swell before dawn. " * 3000)
    encoded = model.encode([one, long, *pair, colde.read_text("… — …")])
    for e in encoded:
        assert e.coverage.tokens_read == e.coverage.tokens and not e.coverage.unread
        for other in encoded:
            assert np.isfinite(model.match(e, other).score)
            assert all(np.isfinite(m.values).all() for m in model.match(e, other).maps.values())


def test_roles_are_not_read(model: Dssm) -> None:
    fog, zebra = "Fog came in over the bar. ", "Writer, A. 1999. Zebra quagga."
    both = (Section(0, len(fog)), Section(len(fog), len(fog + zebra), role="references"))
    plain, other = (model.network.prepare(d) for d in (Document(fog, both[:1]), Document(fog + zebra, both)))
    np.testing.assert_array_equal(plain.ids, other.ids)
