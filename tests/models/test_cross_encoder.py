"""The cross-encoder and its low-rank updates: against Hugging Face's network and against the merged weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

import colde
from colde.assets import packaged_encoder
from colde.models.cross_encoder.cross_encoder import BertCrossEncoder, CrossConfig, CrossNetwork
from colde.models.registry import CARDS
from colde.models.shared.bi_cross_encoder import checkpoint_tensors
from colde.models.shared.lora import LowRankLinear, add_low_rank
from colde.models.shared.network_input import ModelInput
from colde.text.chunks import default_tokenizer

TEXTS = (
    "The pilot reads the tide before a ship is brought over the bar. He waits for the swell to fall.",
    "Ships wait for the tide. The pilot brings them over the bar at dawn.",
    "Roses need sun and rain. A gardener cuts them in winter.",
    "In winter the gardener cuts his roses, and after rain they grow.",
)


@pytest.fixture(scope="module")
def network() -> CrossNetwork:
    torch.manual_seed(0)
    return CrossNetwork(CrossConfig()).eval()


def test_one_weight_does_the_same_where_nothing_is_trained() -> None:
    torch.manual_seed(0)
    layer = LowRankLinear(nn.Linear(24, 40), rank=4, alpha=8.0)
    nn.init.normal_(layer.up)
    x = torch.randn(3, 5, 24)
    expected = x @ (layer.base.weight + 2.0 * layer.up @ layer.down).T + layer.base.bias
    torch.testing.assert_close(layer(x), expected, atol=1e-5, rtol=1e-5)
    with torch.inference_mode():
        torch.testing.assert_close(layer(x), expected, atol=1e-5, rtol=1e-5)


def test_updates_are_put_everywhere() -> None:
    torch.manual_seed(0)
    stack = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Sequential(nn.Linear(8, 3, bias=False)))
    x = torch.randn(2, 6)
    before = stack(x)
    assert add_low_rank(stack, rank=2, alpha=4.0) == 2
    torch.testing.assert_close(stack(x), before)  # B is zero at first
    for name, value in stack.named_parameters():
        assert value.requires_grad == name.endswith(("down", "up"))
        if name.endswith("up"):
            nn.init.normal_(value)
    changed = stack(x)
    assert (changed - before).abs().max() > 0.1
    with torch.no_grad():
        torch.testing.assert_close(stack(x), changed, atol=1e-5, rtol=1e-5)


def test_untrained_updates_leave_the_pretrained_network(network: CrossNetwork, hugging_face: Any) -> None:
    """What [CLS] holds is what Hugging Face's own network gives for its own encoding of the pair."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(packaged_encoder())
    encoded = tokenizer(TEXTS[0], TEXTS[1], return_tensors="pt")
    pair = network.join(*(network.prepare(colde.read_text(t)) for t in TEXTS[:2]))
    assert pair.ids.tolist() == encoded["input_ids"][0].tolist()
    assert pair.types.tolist() == encoded["token_type_ids"][0].tolist()
    with torch.inference_mode():
        first = hugging_face(**encoded).last_hidden_state[:, 0]
        torch.testing.assert_close(network.run_filter([pair]).first, first, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(network.logits([pair]), network.pair_logits(first), atol=1e-5, rtol=1e-4)


def test_truncated_evenly(network: CrossNetwork) -> None:
    long = network.prepare(colde.read_text("tide " * 900))
    short = network.prepare(colde.read_text(TEXTS[0]))
    assert len(long.ids) == 254
    assert len(network.join(long, long).ids) == 511  # 254 of each, [CLS] and two [SEP]
    pair = network.join(short, long)
    assert (pair.types == 1).sum() == 255 and (pair.ids == default_tokenizer().last).sum() == 2


def test_little_is_stored(network: CrossNetwork, tmp_path: Path) -> None:
    names = checkpoint_tensors(network)
    assert not any(".base." in n or "word_embeddings" in n or "LayerNorm" in n for n in names)
    BertCrossEncoder(network, card=CARDS["cross_encoder"]).save(tmp_path)
    assert (tmp_path / "model.safetensors").stat().st_size < 1_000_000


@pytest.mark.slow
def test_it_learns_what_the_pairs_say() -> None:
    """Two pairs of one subject, two of different ones: told apart after a few steps."""
    torch.manual_seed(0)
    network = CrossNetwork(CrossConfig(dropout=0.0)).eval()
    prepared = [network.prepare(colde.read_text(t)) for t in TEXTS]
    pairs = [network.join(prepared[i], prepared[j]) for i, j in ((0, 1), (2, 3), (0, 2), (1, 3))]
    labels = torch.tensor([1.0, 1.0, 0.0, 0.0])
    frozen = network.encoder.get_parameter("embeddings.word_embeddings.weight").clone()
    optimiser = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=4e-3)
    for _ in range(12):
        optimiser.zero_grad()
        loss = binary_cross_entropy_with_logits(network.logits(pairs), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    with torch.inference_mode():
        probability = network.logits(pairs).sigmoid().numpy()
    assert probability[:2].min() > 0.8 and probability[2:].max() < 0.2
    assert torch.equal(frozen, network.encoder.get_parameter("embeddings.word_embeddings.weight"))
    assert np.isfinite(probability).all()


@pytest.mark.slow
def test_pre_training_tells_passages_of_one_text_from_those_of_two(network: CrossNetwork) -> None:
    """The loss is the cross-entropy of passages that are drawn from the texts without overlapping."""
    random = torch.Generator().manual_seed(3)
    ids = np.arange(1000, 1400, dtype=np.int32)
    for length in (400, 120, 97, 3, 2):
        for _ in range(20):
            first, second = network.two_passages(ids[:length], random)
            size = min(network.config.pretrain_tokens, length // 2)
            assert len(first) == len(second) == size and not set(first) & set(second)
            for passage in (first, second):
                assert passage.tolist() == list(range(passage[0], passage[0] + size))
    texts = [network.prepare(colde.read_text(" ".join([t] * 12))) for t in TEXTS]
    loss = network.pretrain(texts, torch.Generator().manual_seed(0))
    again = network.pretrain(texts, torch.Generator().manual_seed(0))
    assert float(loss.detach()) == float(again.detach())
    random = torch.Generator().manual_seed(0)
    drawn = [network.two_passages(t.ids, random) for t in texts]
    logits = []
    for k in range(2 * len(texts)):
        i = k % len(texts)
        a, b = drawn[i][0], drawn[(i + k // len(texts)) % len(texts)][1]
        pair = network.join(ModelInput(a), ModelInput(b))
        logits.append(network.logits([pair]))
    labels = torch.tensor([1.0] * len(texts) + [0.0] * len(texts))
    torch.testing.assert_close(
        loss, binary_cross_entropy_with_logits(torch.cat(logits), labels), atol=1e-4, rtol=1e-4
    )
