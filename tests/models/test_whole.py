"""The network whose parts are all trained: levels that nest, parts that take part."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import colde
from colde.encoders.encoder import encoder_folder, load_hugging_face
from colde.encoders.packed import Bert
from colde.encoders.vectors import normalised
from colde.models.colde.aggregate import Aggregate, summed
from colde.models.colde.embedding import Embedder, layout_of
from colde.models.colde.layers import Below, above, length_runs, sentence_means
from colde.models.colde.sentences import fill_chunks, read_sentences, split_parts
from colde.models.colde.whole import GROUPS
from colde.models.colde.whole_config import WholeConfig
from colde.models.colde.whole_matcher import WholeColde
from colde.text.document import Document
from colde.text.tokens import default_tokenizer

TEXT = "# Ships\n\n" + " ".join(f"The pilot reads tide {i} and the wind before dawn." for i in range(90))
OTHER = "\n\n# Harbours\n\n" + " ".join(f"A harbour of {i} berths lies behind the bar." for i in range(60))


@pytest.fixture(scope="module")
def document() -> Document:
    return colde.read_text(TEXT + OTHER)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    torch.manual_seed(0)
    return Embedder.fresh(WholeConfig())


def test_chunks_are_sentences_of_one_section_and_at_most_512_tokens(document: Document) -> None:
    found = read_sentences(document, default_tokenizer())
    assert found.mass.max() <= 510
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


def test_chunks_fill_up_and_parts_are_about_even() -> None:
    assert fill_chunks([300, 300, 100, 5], np.array([0, 0, 0, 1])).tolist() == [0, 1, 1, 2]
    assert split_parts(np.array([500.0, 500, 500, 100]), 2).tolist() == [0, 0, 1, 1]
    assert split_parts(np.array([10.0]), 2).tolist() == [0]


def test_packed_layers_give_what_the_encoder_gives() -> None:
    encoder = load_hugging_face(encoder_folder("packaged")).eval()
    packed = Bert.load(encoder_folder("packaged"))
    below, upper = Below(packed, 4), above(packed, 4)
    texts = ["Pilots read the tide.", "The bar is high at dawn, they wait.", "Go."]
    ids = sorted((t.ids for t in default_tokenizer()(texts)), key=len)
    runs = length_runs(np.array([len(i) for i in ids]))
    with torch.no_grad():
        x = below(torch.from_numpy(np.concatenate(ids)).long(), runs)
        for layer in upper:
            x = layer(x, runs)
        for i, own in zip(ids, sentence_means(x, runs), strict=True):
            batch = torch.from_numpy(i).long().unsqueeze(0)
            alone = (
                encoder(input_ids=batch, attention_mask=torch.ones_like(batch)).last_hidden_state[0].mean(0)
            )
            torch.testing.assert_close(own, alone, atol=1e-5, rtol=1e-4)


def test_every_level_is_the_sum_of_the_one_below(document: Document, embedder: Embedder) -> None:
    found = read_sentences(document, default_tokenizer())
    read = embedder.read_all(found)
    embedded = embedder.aggregate(found, read)
    with torch.inference_mode():
        layout = layout_of(found)
        out = embedder.network.aggregate(torch.from_numpy(read[:, :385]), layout)
        whole = summed(out.chunks, out.mass, layout.owner, 1)[0].numpy()
        chunks = (out.chunks * out.mass.unsqueeze(1)).numpy()
    np.testing.assert_allclose(embedded.vector, whole, atol=1e-5)
    np.testing.assert_allclose(embedded.sums(found.chunk, len(found.part)), chunks, atol=1e-4)


def test_contributions_add_up_at_every_level(document: Document, embedder: Embedder) -> None:
    model = WholeColde(embedder)
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


def test_chunks_attend_to_the_part_that_follows(document: Document, embedder: Embedder) -> None:
    found = read_sentences(document, default_tokenizer())
    attention = embedder.aggregate(found, embedder.read_all(found)).attention
    sizes = np.bincount(found.part)
    for part, other in ((0, 1), (1, 0)):
        rows = attention[part, :, : sizes[part]]
        np.testing.assert_allclose(rows[..., : sizes[other]].sum(-1), 1, atol=1e-5)


def test_attention_takes_part_in_the_vector(document: Document, embedder: Embedder) -> None:
    found = read_sentences(document, default_tokenizer())
    read = embedder.read_all(found)
    before = embedder.aggregate(found, read).vector
    query = embedder.network.aggregate.attention.query.weight
    kept = query.detach().clone()
    with torch.no_grad():
        query.copy_(torch.randn_like(query))
    after = embedder.aggregate(found, read).vector
    with torch.no_grad():
        query.copy_(kept)
    assert float(before @ after) < 0.9999


def test_section_and_chunk_numbers_change_what_is_read(document: Document, embedder: Embedder) -> None:
    found = read_sentences(document, default_tokenizer())
    some = np.flatnonzero(found.chunk == 0)
    before = embedder.read(found, some)
    for table in (embedder.network.upper.section, embedder.network.upper.chunk):
        kept = table.weight.detach().clone()
        with torch.no_grad():
            table.weight.add_(torch.randn_like(table.weight))
        assert not np.allclose(embedder.read(found, some), before, atol=1e-3)
        with torch.no_grad():
            table.weight.copy_(kept)


def test_every_parameter_belongs_to_a_part_and_moved_counts_it(embedder: Embedder) -> None:
    names = {n for n, _ in embedder.network.named_parameters()}
    held = [set(embedder.network.group(g)) for g in GROUPS]
    assert set().union(*held) == names and sum(len(h) for h in held) == len(names)
    start = {n: p.detach().clone() for n, p in embedder.network.named_parameters()}
    assert set(embedder.network.moved(start).values()) == {0.0}


def test_a_document_of_one_chunk_attends_to_itself(embedder: Embedder) -> None:
    short = colde.read_text("Pilots read the tide before they bring a ship over the bar. They wait, then go.")
    found = read_sentences(short, default_tokenizer())
    embedded = embedder.aggregate(found, embedder.read_all(found))
    assert embedded.attention.shape == (1, 4, 1, 1) and np.isfinite(embedded.vector).all()
    np.testing.assert_allclose(normalised(embedded.vector[None])[0], embedded.vector, atol=1e-6)


def test_without_attention_the_network_has_none() -> None:
    assert "attention" not in {
        n.split(".")[0] for n, _ in Aggregate(WholeConfig(attends=False)).named_parameters()
    }
