"""Unit vectors of sentences: in which batches they are read, and that nothing is read twice."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import colde
from colde.encoders import sentence_encoder
from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.sentence_encoder import CachedSentenceEncoder, first_occurrences
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_cache import VectorCache
from colde.text.chunks import default_tokenizer
from colde.text.document import Span
from colde.text.sections.passage_removal import keep_only
from tests.encoders.counting import CountingEncoder

TIDE, MOON = "The tide follows the moon with a delay of an hour.", "The moon follows its own path."


def test_equal_sentences_of_a_document_are_read_once() -> None:
    document = colde.read_text(f"# Tides\n\n{TIDE} {MOON} {TIDE}\n\n# Moons\n\n{MOON} {TIDE} It turns.\n")
    layout = read_sentences(document, default_tokenizer())
    first = first_occurrences(layout.ids)
    different = sorted({ids.tobytes() for ids in layout.ids})
    assert len(different) == len(set(first.tolist())) == 5 and len(layout.ids) == 8
    counting = CountingEncoder()
    CachedSentenceEncoder(counting).read([document], [layout])
    assert sorted(counting.read) == different
    (vectors,) = CachedSentenceEncoder(shared_encoder()).read([document], [layout])
    for ids, vector in zip(layout.ids, vectors, strict=True):
        (alone,) = shared_encoder().mean_states([ids])
        np.testing.assert_allclose(vector, alone / np.linalg.norm(alone), atol=1e-5)


def test_a_document_is_read_once_and_forgotten_when_it_is_deleted() -> None:
    counting = CountingEncoder()
    encoder = CachedSentenceEncoder(counting)
    document = colde.read_text("The keeper trimmed the lamp before the fog came in over the bar. " * 4)
    layouts = [read_sentences(document, default_tokenizer())]
    for _ in range(2):
        encoder.read([document], layouts)
    assert len(counting.read) == len(encoder._in_use) == 1
    del document
    gc.collect()
    assert not encoder._in_use


def test_a_document_is_tokenized_once_and_its_tokens_forgotten_when_it_is_deleted() -> None:
    encoder = CachedSentenceEncoder(CountingEncoder())
    document, other = colde.read_text(f"{TIDE} {MOON}"), colde.read_text(f"{MOON} {TIDE}")
    layout = encoder.layout(document)
    assert encoder.layout(document) is layout is not encoder.layout(other)
    assert [i.tolist() for i in layout.ids] == [
        i.tolist() for i in read_sentences(document, encoder.tokenizer).ids
    ]
    del document
    gc.collect()
    assert list(encoder._layouts) == [id(other)]


def test_a_text_is_read_once_into_the_cache_on_disk(tmp_path: Path) -> None:
    counting, results = CountingEncoder(), []
    for _ in range(2):
        encoder = CachedSentenceEncoder(counting, VectorCache(tmp_path, counting.tag))
        document = colde.read_text("The keeper trimmed the lamp before the fog came in over the bar. " * 4)
        results += encoder.read([document], [read_sentences(document, default_tokenizer())])
    assert len(counting.read) == 1
    np.testing.assert_array_equal(*results)
    assert not any(b"keeper" in p.read_bytes() for p in tmp_path.iterdir())


def test_every_batch_is_a_sample_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"The pilot {i} lies behind the bar at dawn." for i in range(200)]
    text = "\n\n".join(f"# Part {s}\n\n{' '.join(lines[s::5])}" for s in range(5))
    layout = read_sentences(colde.read_text(text), default_tokenizer())
    encoder = CachedSentenceEncoder(CountingEncoder())
    monkeypatch.setattr(sentence_encoder, "SMALLEST_BATCH", 10_000)
    assert len(encoder.batches(layout)) == 1, "too short to be divided"
    monkeypatch.setattr(sentence_encoder, "SMALLEST_BATCH", 100)
    batches = encoder.batches(layout)
    assert len(batches) == 4
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(layout.ids)))
    for batch in batches:
        assert set(layout.section[batch].tolist()) == set(layout.section.tolist())
        assert layout.lengths[batch].tolist() == sorted(layout.lengths[batch].tolist())
    monkeypatch.setattr(sentence_encoder, "TOKENS", 200)
    tokens = [int(layout.lengths[batch].sum()) for batch in encoder.batches(layout)]
    assert len(tokens) >= layout.lengths.sum() / 200 and max(tokens) < 300


def test_vectors_of_a_part_are_kept_as_long_as_the_document_is() -> None:
    counting = CountingEncoder()
    encoder = CachedSentenceEncoder(counting)
    document = colde.read_text(f"# Tides\n\n{TIDE} {MOON} It turns.\n")
    sentences = [s for _, s in document.sentences()][:2]
    part = keep_only(document, [Span(s.start, s.end) for s in sentences])
    tokenizer = default_tokenizer()
    encoder.read([part], [read_sentences(part, tokenizer)])
    encoder.keep_with(document, part)
    del part
    gc.collect()
    encoder.read([document], [read_sentences(document, tokenizer)])
    assert len(counting.read) == len(set(counting.read)) == 3
    del document
    gc.collect()
    assert not encoder._in_use and not encoder._kept_with


def test_equal_sentences_of_two_documents_are_read_once() -> None:
    """Also where one of them is known before, and an equal one comes twice."""
    tokenizer = default_tokenizer()
    a = colde.read_text(f"# Tides\n\n{TIDE} {MOON} It turns.\n")
    b = colde.read_text(f"# Harbours\n\n{MOON} Mud settles in basins. {TIDE} {MOON}\n")
    layouts = [read_sentences(d, tokenizer) for d in (a, b)]
    different = sorted({ids.tobytes() for layout in layouts for ids in layout.ids})
    for known in ([], [0], [1]):
        counting = CountingEncoder()
        encoder = CachedSentenceEncoder(counting)
        documents = [a, b]
        for one in known:
            encoder.read([documents[one]], [layouts[one]])
        seen: list[int] = []

        def on_batch(done: int, total: int, vectors: object, seen: list[int] = seen) -> None:
            seen.append(total - done)

        both = encoder.read(documents, layouts, on_batch)
        assert sorted(counting.read) == different
        assert seen[-1] == 0
        for layout, vectors in zip(layouts, both, strict=True):
            (alone,) = CachedSentenceEncoder(CountingEncoder()).read([a], [layout])
            np.testing.assert_array_equal(vectors, alone)


def test_a_document_that_repeats_another_is_kept_on_disk(tmp_path: Path) -> None:
    tokenizer = default_tokenizer()
    a, b = (colde.read_text(text) for text in (f"# Tides\n\n{TIDE} {MOON}\n", f"# Tides\n\n{MOON} {TIDE}\n"))
    layouts = [read_sentences(d, tokenizer) for d in (a, b)]
    counting = CountingEncoder()
    both = CachedSentenceEncoder(counting, VectorCache(tmp_path, counting.tag)).read([a, b], layouts)
    read = len(counting.read)
    (again,) = CachedSentenceEncoder(counting, VectorCache(tmp_path, counting.tag)).read([b], layouts[1:])
    assert read == len(set(counting.read)) == len(counting.read)
    np.testing.assert_array_equal(both[1], again)
