"""GRU-HAN and BERT-HAN: the upper level against torch's layers, and vectors against the encoder's own."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_math import normalised
from colde.ingest import read_text
from colde.models.shared.gru_attention import GroupAttention
from colde.text.chunks import default_tokenizer
from studies.papers.bert_han import BertHanConfig, BertHanNetwork, SentenceVectors
from studies.papers.sentence_attention import SentenceAttention, cross_document_context

TEXT = (
    "Harbour pilots read tide and wind.\n\nThey wait for slack water. Then a ship is brought in over the bar."
)


def one(level: SentenceAttention, h: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    """h after cross-document attention to g, by torch's attention without its scale."""
    assert level.cross is not None
    partner = scaled_dot_product_attention(h[None], g[None], g[None], scale=1.0)[0]
    return torch.relu(level.cross(torch.cat([h, partner], 1)))


def pooled(attention: GroupAttention, h: torch.Tensor) -> torch.Tensor:
    weights = (torch.tanh(attention.layer(h)) @ attention.context).softmax(0)
    return weights @ h


@torch.no_grad()
def test_sentences_of_two_documents_are_compared_as_the_equations_say() -> None:
    torch.manual_seed(0)
    level = SentenceAttention(6, 4, 5, cda=True, dropout=0.2).eval()
    gru = nn.GRU(6, 4, bidirectional=True)
    gru.load_state_dict(level.gru.gru.state_dict())
    a, b = [torch.randn(n, 6) for n in (3, 5)], [torch.randn(n, 6) for n in (4, 1)]
    lengths = [torch.tensor([len(x) for x in side]) for side in (a, b)]
    found = level(torch.cat(a), torch.cat(b), *lengths)
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        h, g = gru(x)[0], gru(y)[0]
        d, e = pooled(level.attention, one(level, h, g)), pooled(level.attention, one(level, g, h))
        hidden = torch.relu(level.dense(torch.cat([d, e, (d - e).abs(), d * e])))
        torch.testing.assert_close(found[k], level.out(hidden)[0], atol=1e-5, rtol=1e-4)


def test_an_empty_document_has_no_partner_to_give() -> None:
    h, g = torch.randn(3, 4), torch.zeros(0, 4)
    for_h, for_g = cross_document_context(h, g, torch.tensor([3]), torch.tensor([0]))
    assert not for_h.any() and for_g.shape == (0, 4)


def test_vectors_of_sentences_are_the_encoders() -> None:
    document = read_text(TEXT)
    network = BertHanNetwork(BertHanConfig(sentences=2))
    ids = read_sentences(document, default_tokenizer()).ids[:2]
    expected = normalised(np.stack([shared_encoder().mean_states([i])[0] for i in ids]))
    np.testing.assert_allclose(network.prepare(document).vectors, expected, atol=2e-3)  # float16
    assert network.prepare(document).size == 16


def test_vectors_are_held_in_whole_numbers() -> None:
    vectors = np.random.default_rng(0).normal(size=(3, 384)).astype(np.float16)
    held = SentenceVectors.hold(vectors.astype(np.float32))
    assert held.ids.dtype == np.int32 and len(held.ids) == 3 * 192
    np.testing.assert_array_equal(held.vectors, vectors)
    np.testing.assert_array_equal(SentenceVectors.of(held.arrays()).vectors, vectors)
