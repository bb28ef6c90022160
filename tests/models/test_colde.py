"""CoLDE's parts against the paper's equations, written out, and against Hugging Face."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from colde.models.colde import Colde, ColdeConfig, ColdeNetwork, StructuredEncoder, load_base
from colde.models.masked import pad
from colde.models.registry import CARDS
from colde.training.losses import supervised_contrastive

FORMS = [
    ColdeConfig(),
    ColdeConfig(form="paper"),
    ColdeConfig(recurrent=False),
    ColdeConfig(form="paper", recurrent=False),
]


def chunks(*counts: int, seed: int = 0) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(n, 384, generator=generator) for n in counts]


def network(config: ColdeConfig, seed: int = 0) -> ColdeNetwork:
    """A network whose zero-initialised parts are not zero, so that they are tested, too."""
    torch.manual_seed(seed)
    made = ColdeNetwork(config)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    return made.eval()


def test_sizes_are_the_papers() -> None:
    config = ColdeConfig()
    assert (config.heads, 2 * config.lstm, config.projection) == (4, 512, 256)  # 4.1.2


def test_attention_is_the_equation_with_learned_weights() -> None:
    net = network(ColdeConfig())
    x, mask = pad(chunks(3, 2))
    following = torch.tensor([1, 0])
    out, weights = net.attend(x, mask, following)
    attention = net.attention
    w_q, w_k, w_v = attention.in_proj_weight.chunk(3)
    b_q, b_k, b_v = attention.in_proj_bias.chunk(3)
    for section, after in ((0, 1), (1, 0)):
        rows, keys = x[section], x[after][mask[after]]  # Q: chunks of p; K, V: chunks of p + 1 (3.2)
        heads = []
        for h in range(4):
            part = slice(h * 96, (h + 1) * 96)
            q = (rows @ w_q.T + b_q)[:, part]
            k = (keys @ w_k.T + b_k)[:, part]
            v = (keys @ w_v.T + b_v)[:, part]
            share = torch.softmax(q @ k.T / math.sqrt(96), -1)
            torch.testing.assert_close(weights[section, h, :, : len(keys)], share, atol=1e-5, rtol=1e-4)
            heads.append(share @ v)
        expected = torch.cat(heads, -1) @ attention.out_proj.weight.T + attention.out_proj.bias
        torch.testing.assert_close(out[section], expected, atol=1e-4, rtol=1e-4)
    assert weights[0, :, :, 2:].abs().max() == 0  # padding of the successor gets nothing


@pytest.mark.parametrize("config", FORMS)
def test_padding_and_company_change_nothing(config: ColdeConfig) -> None:
    net = network(config)
    rows = chunks(5, 1, 3)
    together = net(*pad(rows))
    for i, row in enumerate(rows):
        torch.testing.assert_close(net(*pad([row]))[0], together[i], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(together.norm(dim=-1), torch.ones(3))


def test_the_lstm_reads_both_ways_in_order() -> None:
    net = network(ColdeConfig(form="paper"))
    (row,) = chunks(4)
    turned = net(*pad([row.flip(0)]))
    assert not torch.allclose(net(*pad([row])), turned, atol=1e-3)
    x, mask = pad([row])
    prepared = net.center_and_scale(x)
    out, _ = net.attend(prepared, mask, torch.tensor([0]))
    states, _ = net.states.lstm(prepared + out)  # a lone sequence needs no packing
    expected = torch.cat([states[0, -1, :256], states[0, 0, 256:]])
    torch.testing.assert_close(
        normalize(net.project(expected), dim=-1), net(x, mask)[0], atol=1e-5, rtol=1e-4
    )


def test_the_untrained_correction_is_nothing() -> None:
    torch.manual_seed(0)
    net = ColdeNetwork(ColdeConfig()).eval()
    rows = chunks(4, 2)
    torch.testing.assert_close(net(*pad(rows)), net(*pad(rows), correct=False))
    mean = torch.stack([net.center_and_scale(r).mean(0) for r in rows])  # the pool starts as the mean
    torch.testing.assert_close(net(*pad(rows)), normalize(net.project(mean), dim=-1), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("config", FORMS)
def test_every_parameter_receives_a_gradient(config: ColdeConfig) -> None:
    net = network(config).train()
    z = net(*pad(chunks(3, 4, 2, 3)), following=torch.tensor([1, 0, 3, 2]))
    positive = torch.tensor([[0, 0, 1, 1]]) == torch.tensor([[0, 0, 1, 1]]).T
    supervised_contrastive(z, positive, 0.5).backward()  # type: ignore[no-untyped-call]
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


@pytest.fixture(scope="module")
def structured() -> StructuredEncoder:
    config = ColdeConfig(section_rows=3, chunk_rows=4)
    return StructuredEncoder(load_base(config), config).eval()


@pytest.fixture
def ids() -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.tensor([[101, 2023, 4697, 102, 0], [101, 7592, 102, 0, 0]])
    return ids, (ids != 0).long()


class TestStructuredEncoder:
    def test_at_the_start_it_is_the_pretrained_encoder(
        self, structured: StructuredEncoder, ids: tuple[torch.Tensor, torch.Tensor]
    ) -> None:
        place = torch.tensor([0, 1])
        with torch.inference_mode():
            states = structured.encoder(input_ids=ids[0], attention_mask=ids[1]).last_hidden_state
            mean = (states * ids[1].unsqueeze(-1)).sum(1) / ids[1].sum(1, keepdim=True)
            torch.testing.assert_close(structured(*ids, place, place), mean, atol=1e-5, rtol=1e-4)

    def test_sections_and_chunks_beyond_the_tables_take_the_last_row(
        self, structured: StructuredEncoder, ids: tuple[torch.Tensor, torch.Tensor]
    ) -> None:
        with torch.inference_mode():
            structured.section.weight.normal_()
            structured.chunk.weight.normal_()
            last = structured(*ids, torch.tensor([2, 2]), torch.tensor([3, 3]))
            beyond = structured(*ids, torch.tensor([2, 99]), torch.tensor([50, 1000]))
            first = structured(*ids, torch.tensor([0, 0]), torch.tensor([0, 0]))
            structured.section.weight.zero_()
            structured.chunk.weight.zero_()
        torch.testing.assert_close(last, beyond)
        assert not torch.allclose(last, first, atol=1e-3)

    def test_both_tables_receive_a_gradient(
        self, structured: StructuredEncoder, ids: tuple[torch.Tensor, torch.Tensor]
    ) -> None:
        structured(*ids, torch.tensor([0, 1]), torch.tensor([1, 2])).sum().backward()
        for table in (structured.section, structured.chunk):
            assert table.weight.grad is not None and table.weight.grad.abs().sum() > 0


def test_section_vectors_use_the_next_section() -> None:
    model = Colde(network(ColdeConfig(form="paper")), card=CARDS["colde"])
    (rows,) = chunks(4)
    with torch.inference_mode():
        first = model._section_vectors(rows, [[0, 1], [2], [3]])
        other = rows.clone()
        other[2] = -other[2]  # the successor of section 0
        second = model._section_vectors(other, [[0, 1], [2], [3]])
    assert not np.allclose(first[0], second[0], atol=1e-4)
    assert np.allclose(first[2], second[2], atol=1e-6)  # section 2 looks at section 0 (cyclic), not at 1
