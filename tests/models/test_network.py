"""CoLDE's network against its equations: levels that nest, attention, the untrained view, and what an index stores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import colde
from colde import models
from colde.encoders.sentence_layout import read_sentences
from colde.judge.calibration import Profile
from colde.models.base import Storable
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.matcher import Colde
from colde.models.colde.network import GROUPS, ColdeConfig, ColdeNetwork
from colde.models.colde.out_of_domain import VECTOR_SHARE
from colde.results.encoding import require_encoding
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

SHIPS = " ".join(f"The pilot reads tide {i} and the wind before dawn." for i in range(90))
HARBOURS = "# Harbours\n\n" + " ".join(f"A harbour of {i} berths lies behind the bar." for i in range(60))


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return [colde.read_text(text) for text in (f"# Ships\n\n{SHIPS}\n\n{HARBOURS}", HARBOURS, SHIPS)]


@pytest.fixture(scope="module")
def model() -> Colde:
    torch.manual_seed(0)
    return Colde(ColdeNetwork(ColdeConfig()))


@pytest.fixture(scope="module")
def network(model: Colde) -> ColdeNetwork:
    return model.network


def encoded(model: Colde, documents: list[Document]) -> list[ColdeEncoding]:
    return [require_encoding(e, ColdeEncoding) for e in model.encode(documents)]


def segment_means(model: Colde, document: Document) -> np.ndarray:
    """Means of unit vectors by segment, weighted by tokens, one sentence after the other: [segments, width]."""
    layout = read_sentences(document, default_tokenizer())
    (units,) = model.sentence_encoder.read([document], [layout])
    sums, tokens = np.zeros((len(layout.segment_chunk), 384)), np.zeros(len(layout.segment_chunk))
    for segment, count, unit in zip(layout.segment, layout.tokens, units, strict=True):
        sums[segment] += count * unit
        tokens[segment] += count
    return (sums / tokens[:, None]).astype(np.float32)


def test_every_level_is_the_sum_of_the_one_below(documents: list[Document], model: Colde) -> None:
    (encoding,) = encoded(model, documents[:1])
    network = model.network
    with torch.inference_mode():
        x = network.center_and_scale(torch.from_numpy(segment_means(model, documents[0])))[None]
        mass = torch.from_numpy(encoding.mass)[None]
        attention_input = network.attention_input(x, mass)
        vector = network.vectors(x, mass)[0].numpy()
        norm = network.attention.self_similarity_root(attention_input)[0]
        values = (attention_input.values[0] / norm).numpy()
    np.testing.assert_allclose(encoding.parts.sum(0), vector, atol=1e-5)
    np.testing.assert_allclose(encoding.segment_values, values, atol=1e-4)


def test_kinds_that_were_not_trained_on_get_the_untrained_view(
    documents: list[Document], model: Colde
) -> None:
    """The identity, the document vectors in the score, and under `general` the centre of the reference."""
    kinds = {"papers": Profile("papers", 0.3, trained_on=True), "laws": Profile("laws", 0.3)}
    trained = Colde(model.network, profiles=kinds)
    reference = trained.encode(documents, explain=False)
    assert trained.for_profile("papers", reference) is trained
    around = trained.for_profile("general", reference)
    means = [
        around.network.center_and_scale(torch.from_numpy(segment_means(model, d))).mean(0) for d in documents
    ]
    assert torch.stack(means).mean(0).abs().max() < 1e-5
    for name in ("general", "laws"):
        view = trained.for_profile(name, reference if name == "laws" else ()).network
        assert torch.equal(view.centre, model.network.centre)
        assert torch.equal(view.project.weight, torch.eye(384)) and view.config.vector_share == VECTOR_SHARE
    assert float(model.network.centre.abs().max()) == 0, "the model that was asked has not changed"


def test_the_score_is_attention_and_document_vectors_and_its_parts_add_up(
    documents: list[Document], model: Colde
) -> None:
    view = model.for_profile("general")
    a, b = encoded(view, documents[:2])
    assert a.vector is not None and b.vector is not None
    attention_alone = Colde(untrained_with_share(view.network, 0.0), model.sentence_encoder)
    by_attention = attention_alone.match(*encoded(attention_alone, documents[:2]), explain=False).score
    result = view.match(a, b)
    expected = (1 - VECTOR_SHARE) * by_attention + VECTOR_SHARE * float(a.vector @ b.vector)
    assert result.score == pytest.approx(expected, abs=1e-5)
    for level in ("section", "chunk", "sentence"):
        cells = result.maps[f"contribution_{level}"]
        total = cells.values.sum(dtype=np.float64) + (cells.reference or 0) + (cells.residual or 0)
        assert total == pytest.approx(result.score, abs=1e-4)
        assert abs(cells.residual or 0) < 1e-4


def untrained_with_share(network: ColdeNetwork, share: float) -> ColdeNetwork:
    changed = ColdeNetwork(replace(network.config, vector_share=share))
    changed.load_state_dict(network.state_dict())
    return changed


def test_attention_is_what_the_equations_say(network: ColdeNetwork) -> None:
    """One pair of segments at a time."""
    attention = network.attention
    random = torch.Generator().manual_seed(0)
    x, y = torch.randn(3, 384, generator=random), torch.randn(2, 384, generator=random)
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.6, 0.4])
    a, b = network.attention_input(x[None], p[None]), network.attention_input(y[None], q[None])
    with torch.no_grad():
        logits = attention.log_sharpness.exp() * a.keys[0] @ b.keys[0].T
        a_to_b, b_to_a = logits.softmax(1), logits.softmax(0)
        total = 0.0
        for i in range(3):
            for j in range(2):
                weight = (p[i] * a_to_b[i, j] + q[j] * b_to_a[i, j]) / 2
                total += float(weight * (a.values[0, i] @ b.values[0, j]))
        assert float(attention.unnormalised_score(a, b)[0]) == pytest.approx(total, rel=1e-4)


def test_padding_changes_nothing(network: ColdeNetwork) -> None:
    attention = network.attention
    x = torch.randn(2, 3, 384, generator=torch.Generator().manual_seed(1))
    mass = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.4, 0.0]])
    x[1, 2] = 0
    with torch.no_grad():
        padded, short = network.attention_input(x, mass), network.attention_input(x[1:, :2], mass[1:, :2])
        together = attention.unnormalised_score(padded[:1], padded[1:])
        alone = attention.unnormalised_score(padded[:1], short)
        norms = attention.self_similarity_root(padded)
        torch.testing.assert_close(norms[1:], attention.self_similarity_root(short))
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)


def test_attention_takes_part_in_the_score(documents: list[Document], model: Colde) -> None:
    sharpness = model.network.attention.log_sharpness
    trained = sharpness.detach().clone()
    scores = []
    for value in (trained, torch.tensor(-20.0)):  # attends evenly to every segment
        with torch.no_grad():
            sharpness.copy_(value)
        scores.append(model.match(*model.encode(documents[:2], explain=False), explain=False).score)
    with torch.no_grad():
        sharpness.copy_(trained)
    assert abs(scores[0] - scores[1]) > 1e-4


def test_every_parameter_belongs_to_a_part_and_moved_counts_it(network: ColdeNetwork) -> None:
    names = {n for n, _ in network.named_parameters()}
    groups = [set(network.group(g)) for g in GROUPS]
    assert set().union(*groups) == names and sum(len(g) for g in groups) == len(names)
    start = {n: p.detach().clone() for n, p in network.named_parameters()}
    assert set(network.relative_change(start).values()) == {0.0}


def test_a_document_of_one_chunk_is_compared(model: Colde) -> None:
    short = colde.read_text("Pilots read the tide before they bring a ship over the bar. They wait, then go.")
    result = model.match(*model.encode([short, short]))
    assert result.score == pytest.approx(1, abs=1e-5) and result.parts == ()
    assert result.maps["chunk_attention"].values.tolist() == [[1.0]]


@pytest.mark.parametrize("name", ["colde", "colde_words"])
def test_what_an_index_keeps_gives_the_same_score(name: str) -> None:
    model = models.load(name)
    assert isinstance(model, Storable)
    tide = "The pilot reads the tide and the wind before dawn. " * 8
    documents = [
        colde.read_text(tide + more) for more in ("", "A harbour of ten berths lies behind the bar. " * 4)
    ]
    a, b = model.encode(documents)
    restored = model.match(a, model.restore(model.condense(b)), explain=False).score
    assert restored == pytest.approx(model.match(a, b, explain=False).score, abs=1e-4)  # half precision


def test_chunks_are_the_sums_of_their_segments(model: Colde) -> None:
    """The attention map over chunks and the contributions of chunks, from segment to segment."""
    words = np.random.default_rng(0).permutation(
        [f"{a}{b}" for a in "bcdfglmprt" for b in ("ar", "el", "on")]
    )
    paragraphs = [
        [" ".join(words[(i * k + s) % 30] for i in range(12)).capitalize() + "." for k in range(1, 70)]
        for s in (0, 5)
    ]
    a, b = encoded(model, [colde.read_text("\n\n".join(p)) for p in paragraphs])
    assert len(a.mass) > len(a.chunk_spans) > 1
    network, attention = model.network, model.network.attention
    with torch.no_grad():
        left, right = (
            network.attention_input(
                network.center_and_scale(torch.from_numpy(e.states))[None], torch.from_numpy(e.mass)[None]
            )
            for e in (a, b)
        )
        weights = attention.pair_weights(left, right)[0][0].numpy()
        norms = float(attention.self_similarity_root(left)[0] * attention.self_similarity_root(right)[0])
        cells = weights * (left.values[0] @ right.values[0].T).numpy() / norms
    contributions, attended = (np.zeros((len(a.chunk_spans), len(b.chunk_spans))) for _ in range(2))
    for i, p in enumerate(a.layout.segment_chunk):
        for j, q in enumerate(b.layout.segment_chunk):
            contributions[p, q] += cells[i, j]
            attended[p, q] += weights[i, j]
    attended /= attended.sum(1, keepdims=True)
    maps = model.match(a, b).maps
    np.testing.assert_allclose(maps["contribution_chunk"].values, contributions, atol=1e-4)
    np.testing.assert_allclose(maps["chunk_attention"].values, attended, atol=1e-4)
    np.testing.assert_allclose(attended.sum(1), 1, atol=1e-5)
