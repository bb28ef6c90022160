"""The parts of `colde_paper` against the paper's equations, written out, and against Hugging Face."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

import colde
from colde.assets import packaged_encoder
from colde.encoders.bert.packed_bert import Bert
from colde.models.colde.contrastive import supervised_contrastive
from colde.models.colde_paper.paper_encoder import ChunkInput, PaperEncoder, chunk_inputs, read_chunks
from colde.models.colde_paper.paper_matcher import PaperColde, PaperEncoding
from colde.models.colde_paper.paper_network import PADDING, PaperConfig, PaperNetwork, batched
from colde.training.colde_models.colde_paper_objectives import (
    first_of_each,
    half_precision,
    pass_gradient,
    read_with_gradient,
)

FORMS = [
    PaperConfig(),
    PaperConfig(attends=False),
    PaperConfig(attends=False, recurrent=False),
]


def chunks(*counts: int, seed: int = 0) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(n, 384, generator=generator) for n in counts]


def network(config: PaperConfig, seed: int = 0) -> PaperNetwork:
    torch.manual_seed(seed)
    made = PaperNetwork(config)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))  # biases that begin at zero are tested, too
    return made.eval()


def test_sizes_are_the_papers() -> None:
    config = PaperConfig()
    assert (config.heads, 2 * config.lstm, config.projection, config.parts) == (4, 512, 256, 2)  # 3.1, 4.1.2


def test_attention_is_the_equation_with_learned_weights() -> None:
    net = network(PaperConfig())
    (x,) = chunks(5)
    part = torch.tensor([0, 0, 0, 1, 1])
    out, weights = net.attend(x[None], part[None])
    attention = net.attention
    w_q, w_k, w_v = attention.in_proj_weight.chunk(3)
    b_q, b_k, b_v = attention.in_proj_bias.chunk(3)
    for p in (0, 1):
        rows, keys = x[part == p], x[part == 1 - p]  # Q: chunks of p; K, V: chunks of p + 1, cyclic (3.2)
        heads = []
        for h in range(4):
            some = slice(h * 96, (h + 1) * 96)
            q = (rows @ w_q.T + b_q)[:, some]
            k = (keys @ w_k.T + b_k)[:, some]
            v = (keys @ w_v.T + b_v)[:, some]
            share = torch.softmax(q @ k.T / math.sqrt(96), -1)
            torch.testing.assert_close(
                weights[0, h][part == p][:, part == 1 - p], share, atol=1e-5, rtol=1e-4
            )
            heads.append(share @ v)
        expected = torch.cat(heads, -1) @ attention.out_proj.weight.T + attention.out_proj.bias
        torch.testing.assert_close(out[0, part == p], expected, atol=1e-4, rtol=1e-4)
        assert weights[0, :, part == p][:, :, part == p].abs().max() == 0


@pytest.mark.parametrize("config", FORMS)
def test_padding_and_company_change_nothing(config: PaperConfig) -> None:
    net = network(config)
    rows = chunks(5, 1, 3)
    parts = [torch.tensor(p) for p in ([0, 0, 1, 1, 1], [0], [0, 1, 1])]
    states, numbers = batched(rows, parts)
    assert (numbers == PADDING).sum() == 6
    together, by_part = net(states, numbers), net.parts(states, numbers)
    first = 0
    for i, (row, part) in enumerate(zip(rows, parts, strict=True)):
        torch.testing.assert_close(net(row[None], part[None])[0], together[i], atol=1e-5, rtol=1e-4)
        own = net.parts(row[None], part[None])
        torch.testing.assert_close(own, by_part[first : first + len(own)], atol=1e-5, rtol=1e-4)
        first += len(own)
    torch.testing.assert_close(together.norm(dim=-1), torch.ones(3))
    assert first == len(by_part) == 5


def test_the_lstm_reads_both_ways_in_order() -> None:
    net = network(PaperConfig())
    (row,) = chunks(4)
    part = torch.zeros(1, 4, dtype=torch.long)
    turned = net(row.flip(0)[None], part)
    assert not torch.allclose(net(row[None], part), turned, atol=1e-3)
    x = normalize(row, dim=-1)[None] * net.config.scale
    states, _ = net.states.lstm(x + net.attend(x, part)[0])  # a lone sequence needs no packing
    expected = torch.cat([states[0, -1, :256], states[0, 0, 256:]])
    found = net(row[None], part)[0]
    torch.testing.assert_close(normalize(net.project(expected), dim=-1), found, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("config", FORMS)
def test_every_parameter_receives_a_gradient(config: PaperConfig) -> None:
    net = network(config).train()
    z = net.parts(*batched(chunks(3, 4), [torch.tensor([0, 0, 1]), torch.tensor([0, 1, 1, 1])]))
    positive = torch.tensor([[0, 0, 1, 1]]) == torch.tensor([[0, 0, 1, 1]]).T
    supervised_contrastive(z, positive, 0.5).backward()  # type: ignore[no-untyped-call]
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


def test_a_section_looks_at_the_next() -> None:
    net = network(PaperConfig())
    (rows,) = chunks(4)
    part = torch.tensor([[0, 0, 1, 2]])
    other = rows.clone()
    other[2] = -other[2]  # the successor of section 0
    first, second = net.parts(rows[None], part), net.parts(other[None], part)
    assert not torch.allclose(first[0], second[0], atol=1e-4)
    torch.testing.assert_close(
        first[2], second[2], atol=1e-5, rtol=1e-4
    )  # looks at section 0 (cyclic), not at 1


def test_chunks_are_numbered_within_their_part() -> None:
    ids = [np.arange(n, dtype=np.int32) for n in (100, 100, 100, 100, 100)]
    inputs, part = chunk_inputs(ids, 2)
    assert part.tolist() == [i.part for i in inputs] == [0, 0, 1, 1, 1]
    assert [i.chunk for i in inputs] == [0, 1, 0, 1, 2]
    assert first_of_each(part, 2).tolist() == [0, 1, 2, 3]


@pytest.fixture(scope="module")
def encoder() -> PaperEncoder:
    return PaperEncoder(Bert.load(packaged_encoder()), PaperConfig(part_rows=3, chunk_rows=4)).eval()


@pytest.mark.parametrize(("split", "parts"), [(False, {0}), (True, {0, 1})])
def test_a_document_is_split_in_use_only_where_it_is_asked_for(split: bool, parts: set[int]) -> None:
    net = network(PaperConfig(split_in_use=split))  # 4.2: not split in testing
    encoder = PaperEncoder(Bert.load(packaged_encoder()), net.config)
    document = colde.read_text("# Ice\n\nIce melts in spring.\n\n# Fire\n\nFire burns wood.")
    (encoding,) = PaperColde(net, encoder).encode([document])
    assert isinstance(encoding, PaperEncoding)
    assert set(encoding.part.tolist()) == parts


class TestEncoder:
    @pytest.fixture
    def inputs(self) -> list[ChunkInput]:
        ids = [np.array([101, 2023, 102]), np.array([101, 7592, 4697, 102])]
        return [ChunkInput(ids[0], 0, 1), ChunkInput(ids[1], 1, 2)]

    def test_at_the_start_it_is_the_pretrained_encoder(
        self, encoder: PaperEncoder, inputs: list[ChunkInput], hugging_face: Any
    ) -> None:
        found = read_chunks(encoder, inputs)
        for chunk, state in zip(inputs, found, strict=True):
            with torch.inference_mode():
                states = hugging_face(input_ids=torch.from_numpy(chunk.ids)[None]).last_hidden_state
            torch.testing.assert_close(state, states[0].mean(0), atol=1e-4, rtol=1e-3)

    def test_places_count_and_those_beyond_the_tables_take_the_last_row(
        self, encoder: PaperEncoder, inputs: list[ChunkInput]
    ) -> None:
        ids = inputs[1].ids
        with torch.no_grad():
            for table in (encoder.part, encoder.chunk):
                table.weight.normal_(generator=torch.Generator().manual_seed(0))
            last, beyond, other = (
                read_chunks(encoder, [ChunkInput(ids, p, q)]) for p, q in ((2, 3), (99, 1000), (0, 0))
            )
            for table in (encoder.part, encoder.chunk):
                table.weight.zero_()
        torch.testing.assert_close(last, beyond)
        assert not torch.allclose(last, other, atol=1e-3)

    def test_what_is_trained(self, encoder: PaperEncoder) -> None:
        names = set(encoder.trained())
        assert {"part.weight", "chunk.weight"} <= names
        assert {n.split(".")[2] for n in names if n.startswith("bert.")} == {"4", "5"}
        frozen = PaperEncoder(Bert.load(packaged_encoder()), PaperConfig(trained_layers=0, placed=False))
        assert not frozen.trained()

    def test_cached_gradients_are_the_plain_ones(
        self, encoder: PaperEncoder, inputs: list[ChunkInput], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "colde.training.colde_models.colde_paper_objectives.TOKENS", 4
        )  # a chunk at a time
        target = torch.randn(2, 384, generator=torch.Generator().manual_seed(1))

        def loss(states: torch.Tensor) -> torch.Tensor:  # of all states together, as a contrastive loss is
            return torch.logsumexp(states @ target.T, dim=1).sum() + (states @ states.T).pow(2).mean()

        found = []
        for cached in (True, False):
            encoder.zero_grad()
            if cached:
                states = read_with_gradient(encoder, inputs)
                loss(states).backward()  # type: ignore[no-untyped-call]
                assert states.grad is not None
                pass_gradient(encoder, inputs, states.grad)
            else:
                with half_precision():
                    states = encoder(inputs)
                loss(states).backward()  # type: ignore[no-untyped-call]
            found.append({n: p.grad.clone() for n, p in encoder.named_parameters() if p.grad is not None})
        cached_ones, plain = found
        assert cached_ones.keys() == plain.keys() == set(encoder.trained())
        for name in ("part.weight", "chunk.weight"):
            scale = float(plain[name].abs().max())
            assert scale > 0
            torch.testing.assert_close(cached_ones[name] / scale, plain[name] / scale, atol=0.05, rtol=0.05)
