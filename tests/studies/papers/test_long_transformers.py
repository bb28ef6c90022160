"""Transformer-XL and the Longformer cross-encoder against Hugging Face's own implementations."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import AutoModel, XLNetConfig, XLNetModel

from colde import models
from colde.assets import packaged_encoder
from colde.models.checkpoint import read_tensors
from colde.models.cross_encoder.cross_encoder import CrossNetwork, PairInput
from colde.models.shared.bi_cross_encoder import load_checkpoint_tensors
from colde.models.shared.lora import LowRankLinear
from colde.models.shared.network_input import ModelInput
from studies.papers.longformer import LongformerConfig, LongformerNetwork
from studies.papers.transformer_xl import Layer, TransformerXlConfig, TransformerXlNetwork
from studies.speed.sliding_attention_speed import longformer

WIDTH, HEADS, INNER, SEGMENT = 16, 2, 24, 8


def xlnet() -> XLNetModel:
    """XLNet with a causal mask is Transformer-XL's network (Yang et al. 2019, 2.4)."""
    config = XLNetConfig(vocab_size=5, d_model=WIDTH, n_head=HEADS, d_inner=INNER, n_layer=2, ff_activation="relu",
                         attn_type="uni", mem_len=SEGMENT, dropout=0.0, layer_norm_eps=1e-5)  # fmt: skip
    model = XLNetModel(config).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


@torch.no_grad()
def copy(model: XLNetModel, network: TransformerXlNetwork) -> None:
    """Give the network XLNet's numbers."""
    for theirs, layer in zip(model.layer, network.layers, strict=True):
        assert isinstance(layer, Layer)
        own, theirs_in = layer.attention, theirs.rel_attn
        for part, letter in {own.query: "q", own.key: "k", own.value: "v", own.distance: "r"}.items():
            part.weight.copy_(getattr(theirs_in, letter).flatten(1).T)
        own.output.weight.copy_(theirs_in.o.flatten(1))
        own.of_content.copy_(theirs_in.r_w_bias)
        own.of_distance.copy_(theirs_in.r_r_bias)
        own.norm.load_state_dict(theirs_in.layer_norm.state_dict())
        layer.inner.load_state_dict(theirs.ff.layer_1.state_dict())
        layer.outer.load_state_dict(theirs.ff.layer_2.state_dict())
        layer.norm.load_state_dict(theirs.ff.layer_norm.state_dict())


def segment_by_segment(model: XLNetModel, x: Tensor) -> Iterator[Tensor]:
    """Hugging Face's way: one segment after the other, with the memory it hands on."""
    memory = None
    for part in x.split(SEGMENT, dim=1):
        found = model(inputs_embeds=part, mems=memory, use_mems=True)
        memory = found.mems
        yield found.last_hidden_state


def small() -> TransformerXlNetwork:
    return TransformerXlNetwork(TransformerXlConfig(WIDTH, HEADS, INNER, layers=2, segment=SEGMENT)).eval()


@torch.no_grad()
def test_transformer_xl_is_xlnet_segment_by_segment() -> None:
    torch.manual_seed(0)
    model, network = xlnet(), small()
    copy(model, network)
    x = torch.randn(2, 3 * SEGMENT + 3, WIDTH)
    expected = torch.cat(list(segment_by_segment(model, x)), dim=1)
    torch.testing.assert_close(network.states(x), expected, atol=1e-5, rtol=1e-4)


def test_a_segment_remembers_the_one_before_without_teaching_it() -> None:
    torch.manual_seed(0)
    network = small()
    x = torch.randn(1, 2 * SEGMENT, WIDTH, requires_grad=True)
    states = network.states(x)[0, SEGMENT:]
    states.sum().backward()
    assert x.grad is not None and not x.grad[0, :SEGMENT].any() and x.grad[0, SEGMENT:].any()
    other = torch.cat([torch.randn(1, SEGMENT, WIDTH), x[:, SEGMENT:]], dim=1)
    assert (network.states(other)[0, SEGMENT:] - states).abs().amax(1).min() > 1e-4


@pytest.fixture(scope="module")
def reader() -> LongformerNetwork:
    """Begun from the cross-encoder that ships."""
    torch.manual_seed(0)
    network = LongformerNetwork(LongformerConfig(tokens=64, window=16)).eval()
    folder = models.checkpoint("cross_encoder")
    load_checkpoint_tensors(network, network.translate_names(read_tensors(folder)), folder)
    return network


def joined(network: CrossNetwork, *lengths: int) -> PairInput:
    random = np.random.default_rng(0)
    a, b = (ModelInput(random.integers(1000, 20_000, n).astype(np.int32)) for n in lengths)
    return network.join(a, b)


@torch.no_grad()
def test_the_longformer_is_the_shipped_cross_encoder_within_its_window(reader: LongformerNetwork) -> None:
    own = cast(Any, models.load("cross_encoder")).network
    near, far = joined(own, 3, 2), joined(own, 20, 25)
    torch.testing.assert_close(reader.logits([near]), own.logits([near]), atol=1e-4, rtol=1e-4)
    assert (reader.logits([far]) - own.logits([far])).abs() > 1e-3


def merge(module: nn.Module) -> None:
    """Put plain layers, of weight W + (alpha / rank) · B A, in the place of updated ones."""
    for name, layer in [(n, m) for n, m in module.named_modules() if isinstance(m, LowRankLinear)]:
        layer.base.weight += layer.scale * (layer.up @ layer.down)
        module.set_submodule(name, layer.base)


@torch.no_grad()
def test_the_longformer_is_hugging_faces_with_token_types(reader: LongformerNetwork) -> None:
    network = deepcopy(reader)
    encoder = cast(Any, network.encoder)
    for i, layer in enumerate(encoder.overall):
        for part in layer.values():
            part.up.normal_(std=0.05 * (i + 1))  # so that [CLS] has projections of its own
        merge(layer)
    merge(encoder.bert)
    plain = AutoModel.from_pretrained(packaged_encoder())
    plain.load_state_dict(encoder.bert.state_dict(), strict=False)
    theirs = longformer(plain, 16, 64)
    for layer, overall in zip(theirs.encoder.layer, encoder.overall, strict=True):
        for part in ("query", "key", "value"):
            getattr(layer.attention.self, f"{part}_global").load_state_dict(overall[part].state_dict())
    pair = joined(network, 20, 25)
    ids, types, mask, _ = network.batch([pair])
    first = torch.zeros_like(ids)
    first[:, 0] = 1
    expected = theirs(ids, attention_mask=mask.long(), global_attention_mask=first, token_type_ids=types)
    torch.testing.assert_close(
        network.encoder(ids, mask, types), expected.last_hidden_state, atol=2e-4, rtol=1e-3
    )
