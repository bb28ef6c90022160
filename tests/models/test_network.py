"""The network whose parts are all trained: levels that nest, parts that take part."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel

import colde
from colde import models
from colde.assets import asset
from colde.corpus.corpus_folder import record_to_document
from colde.encoders.encoder import encoder_folder
from colde.encoders.sentence_layout import (
    MOST_SEGMENTS,
    SEGMENT_TOKENS,
    fill_chunks,
    read_sentences,
    split_parts,
    split_segments,
)
from colde.encoders.vector_math import normalised
from colde.errors import ModelError
from colde.models.base import Storable
from colde.models.checkpoint import read_config
from colde.models.colde.config import ColdeConfig
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.embedding import Embedder
from colde.models.colde.matcher import Colde
from colde.models.colde.network import GROUPS
from colde.results.encoding import require_encoding
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

TEXT = "# Ships\n\n" + " ".join(f"The pilot reads tide {i} and the wind before dawn." for i in range(90))
OTHER = "\n\n# Harbours\n\n" + " ".join(f"A harbour of {i} berths lies behind the bar." for i in range(60))


@pytest.fixture(scope="module")
def document() -> Document:
    return colde.read_text(TEXT + OTHER)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    torch.manual_seed(0)
    return Embedder.fresh(ColdeConfig())


def test_chunks_are_sentences_of_one_section_and_at_most_512_tokens(document: Document) -> None:
    found = read_sentences(document, default_tokenizer())
    assert np.bincount(found.chunk, found.tokens).max() <= 510
    for c in range(len(found.part)):
        assert len(set(found.section[found.chunk == c].tolist())) == 1
    assert list(found.chunk) == sorted(found.chunk) and set(found.part.tolist()) == {0, 1}
    assert list(found.place[found.part == 1]) == list(range(int((found.part == 1).sum())))
    headings = [
        document.text[s.start : s.end] for s, i in zip(found.spans, found.source, strict=True) if i < 0
    ]
    assert headings == ["Ships", "Harbours"]


def test_no_token_is_lost_of_a_very_long_sentence() -> None:
    text = "word " * 900 + "end."
    found = read_sentences(colde.read_text(text), default_tokenizer())
    assert len(found.ids) > 1 and max(len(i) for i in found.ids) <= 256
    (tokens,) = default_tokenizer()([text])
    assert int(found.tokens.sum()) == len(tokens)


def test_a_document_without_sentences_is_not_taken_for_a_few() -> None:
    """Each of its sections would be one sentence: scores of such documents were wrong without a word."""
    record = {"id": "x", "title": "", "sections": [{"heading": "Tides", "paragraphs": [TEXT]}]}
    assert read_sentences(record_to_document(record), default_tokenizer()).ids
    with pytest.raises(ModelError, match="without sentences"):
        read_sentences(record_to_document(record, sentences=False), default_tokenizer())


def test_chunks_fill_up_and_parts_are_about_even() -> None:
    assert fill_chunks([300, 300, 100, 5], np.array([0, 0, 0, 1])).tolist() == [0, 1, 1, 2]
    assert split_parts(np.array([500.0, 500, 500, 100]), 2).tolist() == [0, 0, 1, 1]
    assert split_parts(np.array([10.0]), 2).tolist() == [0]


@given(
    tokens=st.lists(st.integers(0, 254), min_size=1, max_size=60),
    borders=st.sets(st.integers(1, 59)),
    long=st.booleans(),
)
def test_segments_are_runs_of_sentences_of_one_chunk(
    tokens: list[int], borders: set[int], long: bool
) -> None:
    count = np.array(tokens) * (10_000 if long else 1)
    section = np.array([sum(b <= i for b in borders) for i in range(len(tokens))])
    chunk = fill_chunks(tokens, section)
    segment, of = split_segments(count, chunk)
    assert np.isin(np.diff(segment), [0, 1]).all() and segment[0] == 0 and len(of) == segment[-1] + 1
    assert (of[segment] == chunk).all()
    wanted = max(SEGMENT_TOKENS, count.sum() / MOST_SEGMENTS)
    for c in np.unique(chunk):
        own = np.bincount(segment[chunk == c] - segment[chunk == c].min(), count[chunk == c])
        assert len(own) <= max(1, np.round(own.sum() / wanted))
        assert (own <= own.sum() / max(1, np.round(own.sum() / wanted)) + count[chunk == c].max()).all()


def test_sentences_are_read_as_by_hugging_face(embedder: Embedder) -> None:
    encoder = AutoModel.from_pretrained(encoder_folder("packaged")).eval()
    found = read_sentences(
        colde.read_text("Pilots read the tide. The bar is high at dawn, they wait. Go."), default_tokenizer()
    )
    read = embedder.reader.read_all(found)
    for ids, own in zip(found.ids, read, strict=True):
        batch = torch.from_numpy(ids).long().unsqueeze(0)
        with torch.no_grad():
            states = encoder(input_ids=batch, attention_mask=torch.ones_like(batch)).last_hidden_state[0]
        alone = normalised(states.mean(0).numpy()[None])[0]
        assert float(alone @ own) > 0.999  # bfloat16 where the processor computes in it


def test_every_level_is_the_sum_of_the_one_below(document: Document, embedder: Embedder) -> None:
    found = read_sentences(document, default_tokenizer())
    units = embedder.reader.read_all(found)
    embedded = embedder.embed(found, units)
    network = embedder.network
    x = np.zeros((len(found.segment_chunk), network.config.width), dtype=np.float32)
    shares = found.tokens / found.segment_mass[found.segment]
    np.add.at(x, found.segment, units * shares[:, None].astype(np.float32))
    with torch.inference_mode():
        means = network.center_and_scale(torch.from_numpy(x)).unsqueeze(0)
        mass = torch.from_numpy(embedded.mass).unsqueeze(0)
        whole = network.vectors(means, mass)[0].numpy()
        side = network.attention_input(means, mass)
        values = (side.values[0] / network.attention.self_similarity_root(side)[0]).numpy()
    np.testing.assert_allclose(embedded.parts.sum(0), whole, atol=1e-5)
    summed = np.zeros_like(values)
    np.add.at(summed, found.segment, embedded.values)
    np.testing.assert_allclose(summed, values, atol=1e-4)


def test_contributions_add_up_at_every_level(document: Document, embedder: Embedder) -> None:
    model = Colde(embedder)
    a, b = model.encode([document, colde.read_text(OTHER)])
    result = model.match(a, b)
    values = {}
    for level in ("section", "chunk", "sentence"):
        cells = result.maps[f"contribution_{level}"]
        assert cells.reference is not None and cells.residual is not None
        assert cells.values.sum() + cells.reference + cells.residual == pytest.approx(result.score, abs=1e-4)
        assert abs(cells.residual) < 1e-3
        values[level] = cells.values
    of = read_sentences(document, default_tokenizer()).chunk
    rows = np.zeros((of.max() + 1, values["sentence"].shape[1]), dtype=np.float32)
    np.add.at(rows, of, values["sentence"])
    np.testing.assert_allclose(rows.sum(1), values["chunk"].sum(1), atol=1e-4)
    assert result.parts == ()


def test_a_document_is_itself_and_the_order_of_the_two_is_nothing(
    document: Document, embedder: Embedder
) -> None:
    model = Colde(embedder)
    a, b = model.encode([document, colde.read_text(OTHER)], explain=False)
    assert model.match(a, a, explain=False).score == pytest.approx(1, abs=1e-5)
    assert model.match(a, b, explain=False).score == pytest.approx(model.match(b, a, explain=False).score)


def test_under_general_a_reference_is_the_centre(document: Document, embedder: Embedder) -> None:
    model = Colde(embedder)
    kind = [document, colde.read_text(OTHER), colde.read_text(TEXT)]
    known = model.encode(kind, explain=False)
    assert model.for_profile("papers", known) is model and model.for_profile("general") is model
    around = model.for_profile("general", known)
    means = []
    for d in kind:
        found = read_sentences(d, default_tokenizer())
        shares = (found.tokens / found.segment_mass[found.segment])[:, None]
        x = np.zeros((len(found.segment_chunk), embedder.reader.width), dtype=np.float32)
        np.add.at(x, found.segment, np.asarray(embedder.reader.read_all(found) * shares, dtype=np.float32))
        means.append(around.embedder.network.center_and_scale(torch.from_numpy(x)).mean(0))
    assert torch.stack(means).mean(0).abs().max() < 1e-5
    assert float(embedder.network.centre.abs().max()) == 0  # the model that was asked is as it was
    one, other = around.encode(kind[:2])
    cells = around.match(one, other).maps["contribution_section"]
    whole = cells.values.sum() + (cells.reference or 0) + (cells.residual or 0)
    assert whole == pytest.approx(around.match(one, other).score, abs=1e-4)


def test_attention_is_what_the_equations_say(embedder: Embedder) -> None:
    """By hand, one pair of chunks at a time."""
    attention = embedder.network.attention
    random = torch.Generator().manual_seed(0)
    x, y = torch.randn(3, 384, generator=random), torch.randn(2, 384, generator=random)
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.6, 0.4])
    a, b = (
        embedder.network.attention_input(x[None], p[None]),
        embedder.network.attention_input(y[None], q[None]),
    )
    with torch.no_grad():
        total = 0.0
        near = attention.log_sharpness.exp() * a.keys[0] @ b.keys[0].T
        forth, back = near.softmax(1), near.softmax(0)
        for i in range(3):
            for j in range(2):
                count = (p[i] * forth[i, j] + q[j] * back[i, j]) / 2
                total += float(count * (a.values[0, i] @ b.values[0, j]))
        assert float(attention.unnormalised_score(a, b)[0]) == pytest.approx(total, rel=1e-4)


def test_padding_changes_nothing(embedder: Embedder) -> None:
    network = embedder.network
    random = torch.Generator().manual_seed(1)
    x = torch.randn(2, 3, 384, generator=random)
    mass = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.4, 0.0]])
    x[1, 2] = 0
    with torch.no_grad():
        both = network.attention_input(x, mass)
        together = network.attention.unnormalised_score(both[:1], both[1:])
        short = network.attention_input(x[1:, :2], mass[1:, :2])
        alone = network.attention.unnormalised_score(network.attention_input(x[:1], mass[:1]), short)
        lengths = network.attention.self_similarity_root(both)
        torch.testing.assert_close(lengths[1:], network.attention.self_similarity_root(short))
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)


def test_attention_takes_part_in_the_score(document: Document, embedder: Embedder) -> None:
    model = Colde(embedder)
    other = colde.read_text(OTHER)
    before = model.match(*model.encode([document, other], explain=False), explain=False).score
    sharpness = embedder.network.attention.log_sharpness
    kept = sharpness.detach().clone()
    with torch.no_grad():
        sharpness.fill_(-20.0)  # every chunk alike
    after = model.match(*model.encode([document, other], explain=False), explain=False).score
    with torch.no_grad():
        sharpness.copy_(kept)
    assert abs(before - after) > 1e-4


def test_every_parameter_belongs_to_a_part_and_moved_counts_it(embedder: Embedder) -> None:
    names = {n for n, _ in embedder.network.named_parameters()}
    held = [set(embedder.network.group(g)) for g in GROUPS]
    assert set().union(*held) == names and sum(len(h) for h in held) == len(names)
    start = {n: p.detach().clone() for n, p in embedder.network.named_parameters()}
    assert set(embedder.network.relative_change(start).values()) == {0.0}


def test_a_document_of_one_chunk_is_compared(embedder: Embedder) -> None:
    short = colde.read_text("Pilots read the tide before they bring a ship over the bar. They wait, then go.")
    model = Colde(embedder)
    result = model.match(*model.encode([short, short]))
    assert result.score == pytest.approx(1, abs=1e-5)
    assert result.maps["chunk_attention"].values.tolist() == [[1.0]]


def test_what_ships_has_moved() -> None:
    relative_change = read_config(asset("models", "colde")).training["moved"]
    assert set(relative_change) == set(GROUPS) and relative_change["projection"] > 0.1


@pytest.mark.parametrize("name", ["colde", "colde_words"])
def test_what_an_index_keeps_gives_the_same_score(name: str) -> None:
    model = models.load(name)
    assert isinstance(model, Storable)
    tide = "The pilot reads the tide and the wind before dawn. " * 8
    a, b = (
        colde.read_text(text) for text in (tide, tide + "A harbour of ten berths lies behind the bar. " * 4)
    )
    one, other = model.encode([a, b])
    kept = model.match(one, model.restore(model.condense(other)), explain=False).score
    assert kept == pytest.approx(model.match(one, other, explain=False).score, abs=1e-4)  # half precision


def test_chunks_are_the_sums_of_their_segments(embedder: Embedder) -> None:
    """Attention from segment to segment, by hand: its map over chunks, and what each pair of chunks adds."""
    words = np.random.default_rng(0).permutation(
        [f"{a}{b}" for a in "bcdfglmprt" for b in ("ar", "el", "on")]
    )
    a, b = (
        colde.read_text(
            "\n\n".join(
                " ".join(words[(i * k + s) % 30] for i in range(12)).capitalize() + "." for k in range(1, 70)
            )
        )
        for s in (0, 5)
    )
    model = Colde(embedder)
    one, other = (require_encoding(e, ColdeEncoding) for e in model.encode([a, b]))
    assert len(one.mass) > len(one.chunk_spans) > 1
    network = embedder.network
    with torch.no_grad():
        attention_input = [
            network.attention_input(
                network.center_and_scale(torch.from_numpy(e.states))[None], torch.from_numpy(e.mass)[None]
            )
            for e in (one, other)
        ]
        pair_weights, forth, _ = (
            found[0].numpy() for found in network.attention.pair_weights(*attention_input)
        )
        lengths = float(
            network.attention.self_similarity_root(attention_input[0])[0]
            * network.attention.self_similarity_root(attention_input[1])[0]
        )
        adds = (
            pair_weights * (attention_input[0].values[0] @ attention_input[1].values[0].T).numpy() / lengths
        )
    expected, attention = (np.zeros((len(one.chunk_spans), len(other.chunk_spans))) for _ in range(2))
    for i, p in enumerate(one.found.segment_chunk):
        for j, q in enumerate(other.found.segment_chunk):
            expected[p, q] += adds[i, j]
            attention[p, q] += forth[i, j] * one.mass[i] / one.mass[one.found.segment_chunk == p].sum()
    maps = model.match(one, other).maps
    np.testing.assert_allclose(maps["contribution_chunk"].values, expected, atol=1e-4)
    np.testing.assert_allclose(maps["chunk_attention"].values, attention, atol=1e-4)
    np.testing.assert_allclose(attention.sum(1), 1, atol=1e-5)
