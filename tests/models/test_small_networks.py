"""The contract of all models on small networks, and what training and batches need of every network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from colde import models
from colde.errors import CheckpointError, ModelError
from colde.evaluation.model_contract import (
    CHECKS,
    TWENTY,
    Check,
    Subject,
    handles_short_and_long_texts,
    sample_pair,
    subject,
)
from colde.ingest import read_text
from colde.models.registry import spec, specs
from colde.models.shared.bi_cross_encoder import BaselineNetwork, BiEncoder, CrossEncoder, checkpoint_tensors
from colde.models.shared.network_input import ModelInput
from colde.text.document import Document, Section
from tests.models.block_sizes import any_size_in_any_blocks
from tests.models.groups import OF_CARD_AND_RESULT, reads_documents_once
from tests.models.small import SMALL, small_matcher, small_network

pytestmark = pytest.mark.slow

PAPERS = [name for name, s in specs().items() if s.module.startswith("studies.papers.")]
LONG = ("rnn", "duet", "c_dssm", "gru_han", "cig")
"""Of the papers' other systems a long document is cut by the same lines."""

LAST_WINDOW = ".layer.5.attention.self."
"""The Longformer's head reads [CLS] alone, with projections of its own: those of the last window change nothing."""

ODD = {
    "nothing": Document("", ()),
    "heading": Document("Only a heading", (Section(0, 14, 14, "Only a heading"),)),
    "word": read_text("Tide."),
    "references": read_text("# References\n\nSmith 2001."),
    "long": read_text("tide " * 600),
}


def cuts_as_its_base_does(name: str) -> bool:
    """Whether a model is a variant whose texts and maps are cut by the lines of its base; only scores differ."""
    base, _, variant = name.partition(":")
    return bool(variant) and base != "match_ignition"


@pytest.fixture(scope="module", params=list(SMALL))
def under_test(request: pytest.FixtureRequest) -> Subject:
    return subject(small_matcher(request.param))


def test_contract_of_card_and_result(under_test: Subject) -> None:
    for check in OF_CARD_AND_RESULT:
        check(under_test)


@pytest.mark.parametrize(
    "check", [c for c in CHECKS if c not in OF_CARD_AND_RESULT], ids=lambda check: check.__name__
)
def test_contract(under_test: Subject, check: Check) -> None:
    name = under_test.model.card.name
    as_another = cuts_as_its_base_does(name) or (name in PAPERS and name not in LONG)
    if check is handles_short_and_long_texts and as_another:
        pytest.skip("a long document is cut by the same lines")
    check(under_test)


def test_any_size_in_any_blocks(under_test: Subject) -> None:
    if cuts_as_its_base_does(under_test.model.card.name):
        pytest.skip("blocks are cut by the lines of its base")
    any_size_in_any_blocks(under_test.model, examples=3)


def test_texts_of_any_length(under_test: Subject) -> None:
    """Scores, maps and coverage of texts with nothing to compare, with one word, and of very long ones."""
    model = under_test.model
    if cuts_as_its_base_does(model.card.name):
        pytest.skip("texts are cut by the lines of its base")
    encoded = model.encode([*ODD.values(), under_test.pair[0]])
    for a in encoded[:-1]:
        for b in (encoded[-1], a):
            result = model.match(a, b)
            assert np.isfinite(result.score)
            assert all(np.isfinite(m.values).all() for m in result.maps.values())
        coverage = a.coverage
        assert 0 <= coverage.tokens_read <= coverage.tokens
        assert bool(coverage.unread) == (coverage.tokens_read < coverage.tokens)
        assert all(a.document.text[s.start : s.end].strip() for s in coverage.unread)


@pytest.mark.parametrize("name", [name for name in SMALL if models.is_trained(name)])
def test_a_document_is_read_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads_documents_once(small_matcher(name), monkeypatch)


def inputs_of(network: BaselineNetwork) -> list[ModelInput]:
    return [network.prepare(d) for d in (ODD["word"], read_text(TWENTY), *sample_pair())]


@pytest.mark.parametrize("name", list(SMALL))
def test_inputs_come_back_padding_changes_nothing_and_every_trained_parameter_learns(name: str) -> None:
    network = small_network(name)
    inputs = inputs_of(network)
    for prepared in inputs:
        again = network.input_type.of(prepared.arrays())
        assert type(again) is type(prepared)
        for key, value in again.arrays().items():
            assert value.dtype == np.int32 and np.array_equal(value, prepared.arrays()[key])
    pairs = torch.tensor([[0, 1], [1, 2], [2, 3], [3, 0]])
    if isinstance(network, BiEncoder):
        together = network.vectors(inputs)
        alone = torch.cat([network.vectors([i]) for i in inputs])
        network.init_from_data(together.detach(), pairs)
        logits = network.pair_logits(together[pairs[:, 0]], together[pairs[:, 1]])
    else:
        assert isinstance(network, CrossEncoder)
        joined = [network.join(inputs[i], inputs[j]) for i, j in pairs.tolist()]
        together = logits = network.logits(joined)
        alone = torch.cat([network.logits([one]) for one in joined])
    torch.testing.assert_close(together, alone, atol=2e-5, rtol=1e-4)
    binary_cross_entropy_with_logits(logits, torch.tensor([1.0, 0, 1, 0])).backward()
    reached = {k for k, p in network.named_parameters() if p.grad is not None and np.any(p.grad.numpy())}
    trained = {k for k, p in network.named_parameters() if p.requires_grad}
    assert reached <= trained
    assert not [k for k in trained - reached if not (name == "longformer" and LAST_WINDOW in k)]


@pytest.mark.parametrize("name", ["arc_i", "dssm"])
def test_sections_are_the_network_run_on_sections(name: str) -> None:
    model, pair = small_matcher(name), sample_pair()
    found = model.match(*model.encode(pair)).maps["section"]
    passages = zip(pair, (found.rows[1], found.columns[2]), strict=True)
    texts = [document.text[span.start : span.end] for document, span in passages]
    alone = model.encode([Document(t, (Section(0, len(t)),)) for t in texts], explain=False)
    assert found.values[1, 2] == pytest.approx(model.match(*alone, explain=False).score, abs=1e-5)


@pytest.mark.parametrize("name", ["arc_i", "dssm"])
def test_learns_which_texts_belong_together(name: str) -> None:
    network = small_network(name)
    texts = ["fog over the bar", "pilots at the pier", "warm bread", "yeast and flour in ovens"]
    inputs = [network.prepare(read_text(t)) for t in texts]
    pairs, labels = torch.tensor([[0, 1], [2, 3], [0, 2], [1, 3]]), torch.tensor([1.0, 1, 0, 0])
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01)
    for _ in range(60):
        vectors = network.vectors(inputs)
        logits = network.pair_logits(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        loss = binary_cross_entropy_with_logits(logits, labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.2


def test_weights_of_another_network_are_refused(tmp_path) -> None:
    small_matcher("dssm").save(tmp_path)
    config = tmp_path / "config.json"
    config.write_text(config.read_text().replace('"out": 16', '"out": 17'))
    with pytest.raises(CheckpointError, match="not those of this network"):
        models.load(tmp_path)
    with pytest.raises(ModelError, match="has no setting"):
        spec("s_bert").matcher_class().load(tmp_path, replace(spec("s_bert").card))


def test_every_baseline_and_system_has_a_small_network() -> None:
    """Models whose network `build` makes; SMITH-Short, NP and WP have parts that others test."""
    fits = ("colde.training.baseline_fit:fit", "studies.papers.bert_han_fit:fit")
    bases = {s.base for s in specs().values() if s.fit in fits}
    assert bases == {spec(name).base for name in SMALL}


def test_systems_of_the_papers_are_listed_on_request_alone() -> None:
    assert set(PAPERS) <= set(models.recipes())
    assert not set(PAPERS) & set(models.cards())
    with pytest.raises(ModelError, match="not trained"):
        models.resolve("rnn")


def test_checkpoints_are_small() -> None:
    """Megabytes of float16: frozen parts are not stored."""
    for name, most in {
        "arc_i": 0.8,
        "dssm": 1.5,
        "smith": 8,
        "s_bert": 7.2,
        "s_long": 1,
        "cross_encoder": 1,
    }.items():
        network = spec(name).matcher_class().build(spec(name).model)
        assert sum(v.numel() for v in checkpoint_tensors(network).values()) * 2e-6 < most, name
