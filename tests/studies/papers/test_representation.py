"""RNN, CNN and C-DSSM against torch's own layers and plain loops."""

from __future__ import annotations

from collections import Counter

import numpy as np
import torch
from sklearn.feature_extraction import FeatureHasher
from torch import nn

from colde.ingest import read_text
from colde.models.shared.network_input import ModelInput
from studies.papers.c_dssm import CDssmConfig, CDssmNetwork
from studies.papers.cnn import CnnConfig, CnnNetwork
from studies.papers.normalised_pair_head import SPREAD
from studies.papers.rnn import RnnConfig, RnnNetwork

TEXTS = [
    ModelInput(np.random.default_rng(i).integers(1000, 20_000, n).astype(np.int32))
    for i, n in enumerate((1, 7, 30))
]


@torch.no_grad()
def test_rnn_is_torchs_gru() -> None:
    torch.manual_seed(0)
    network = RnnNetwork(RnnConfig(words=8, hidden=5, tokens=20)).eval()
    gru = network.gru.gru
    plain = nn.GRU(8, 5, bidirectional=True, batch_first=True)
    plain.load_state_dict(gru.state_dict())
    for text in TEXTS:
        _, last = plain(network.words(torch.from_numpy(text.ids[:20]).long())[None])
        expected = network.norm(last.flatten()[None])[0]
        torch.testing.assert_close(network.vectors([text])[0], expected, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_the_head_begins_with_the_mean_and_deviation_of_what_it_saw() -> None:
    torch.manual_seed(0)
    network = CnnNetwork(CnnConfig(words=8, features=6, hidden=9, tokens=20, dropout=0)).train()
    raw = network.vectors(TEXTS)
    pairs = torch.tensor([[0, 1], [1, 2], [2, 0]])
    network.init_from_data(raw, pairs)
    network.eval()
    shrunk = (2 / 3) ** 0.5  # the batch's own deviation divides by 3, the running one by 2
    torch.testing.assert_close(network.vectors(TEXTS), raw * shrunk, atol=1e-3, rtol=1e-2)
    logits = network.pair_logits(raw[pairs[:, 0]], raw[pairs[:, 1]])
    assert abs(float(logits.mean())) < 1e-5 and abs(float(logits.std()) - SPREAD) < 1e-4


def test_rnn_begins_with_update_gates_of_all_lengths() -> None:
    torch.manual_seed(0)
    gru = RnnNetwork(RnnConfig(words=8, hidden=500, tokens=256)).gru.gru
    for way in ("", "_reverse"):
        drawn, recurrent = (getattr(gru, f"bias_{k}_l0{way}").detach().numpy() for k in ("ih", "hh"))
        kept = np.exp(drawn[500:1000])  # z = c / (c + 1): half is forgotten after about c · ln 2 steps
        assert 1 <= kept.min() < 3 and 250 < kept.max() <= 255 and abs(kept.mean() - 128) < 12
        assert not recurrent[500:1000].any()
        assert max(abs(drawn[:500]).max(), abs(drawn[1000:]).max()) < 500**-0.5


@torch.no_grad()
def test_cnn_takes_the_strongest_window() -> None:
    torch.manual_seed(0)
    network = CnnNetwork(CnnConfig(words=8, features=6, hidden=9, tokens=20)).eval()
    for text in TEXTS:
        words = network.words(torch.from_numpy(text.ids[:20]).long()).double().numpy()
        padded = np.concatenate([words, np.zeros((4, 8))])
        expected = []
        for convolution in network.convolutions:
            size = convolution.kernel_size[0]
            weight, bias = convolution.weight.double().numpy(), convolution.bias.double().numpy()
            windows = [np.einsum("fwk,kw->f", weight, padded[i : i + size]) + bias for i in range(len(words))]
            expected.append(np.maximum(windows, 0).max(0))
        vector = np.concatenate(expected) / (1 + network.norm.eps) ** 0.5
        np.testing.assert_allclose(network.vectors([text])[0].numpy(), vector, atol=1e-5)


@torch.no_grad()
def test_c_dssm_is_the_formula() -> None:
    torch.manual_seed(0)
    network = CDssmNetwork(CDssmConfig(buckets=256, rank=6, features=9, out=4, words=6))
    words = ["the", "good", "ship", "and", "the", "bad"]
    hasher = FeatureHasher(256, input_type="pair", alternate_sign=False)
    spelled = [Counter(f" {w} "[i : i + 3] for i in range(len(w))) for w in words]
    counted = hasher.transform([list(s.items()) for s in spelled]).toarray()
    table = network.trigrams.numpy().astype(np.float64)
    x = counted @ table / np.sqrt(counted.sum(1, keepdims=True))
    padded = np.concatenate([np.zeros((1, 6)), x, np.zeros((1, 6))])
    weight = network.windows.weight.numpy().astype(np.float64)
    values = np.tanh([np.einsum("frk,kr->f", weight, padded[i : i + 3]) for i in range(6)]).max(0)
    expected = np.tanh(network.project.weight.numpy() @ values)
    document = read_text("The good ship and the bad tide came.")
    np.testing.assert_allclose(network.vectors([network.prepare(document)])[0].numpy(), expected, atol=1e-5)
