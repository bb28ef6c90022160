"""Vectors against Hugging Face; batches; what a document's vectors depend on."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel

import colde
from colde.encoders.encoder import Ids, PackedEncoder, batches, encode_ids, encoder_folder
from colde.encoders.packed_bert import Bert
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.encoders.sentence_layout import read_sentences
from colde.errors import ModelError
from colde.text.chunks import default_tokenizer, frame_texts, packaged_encoder

TEXTS = ["A lamp.", "The keeper trimmed the lamp before the fog came in over the bar.", "Fog " * 200]


@pytest.fixture(scope="module")
def plain() -> PackedEncoder:
    return PackedEncoder(packaged_encoder(), torch.float32)


def test_mean_states_are_hugging_faces(plain: PackedEncoder) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    theirs = AutoModel.from_pretrained(packaged_encoder()).eval()
    found = encode_ids(plain, ids)
    for row, one in zip(found, ids, strict=True):
        with torch.inference_mode():
            states = theirs(input_ids=torch.from_numpy(one).long().unsqueeze(0)).last_hidden_state[0]
        np.testing.assert_allclose(row, states.mean(0).numpy(), atol=2e-5)


def test_the_whole_encoder_moves_to_another_device() -> None:
    """`meta` computes nothing, but refuses tables of different devices as a GPU does."""
    bert = Bert.load(packaged_encoder()).to("meta")
    with torch.inference_mode():
        found = bert(torch.zeros(11, dtype=torch.int64, device="meta"), [(2, 4), (1, 3)])
    assert (found.device.type, tuple(found.shape)) == ("meta", (11, bert.embeddings.words.embedding_dim))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so(plain: PackedEncoder) -> None:
    with pytest.raises(ModelError, match="torch sees no GPU here"):
        plain.to_gpu()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_on_a_gpu_vectors_are_those_of_the_processor(plain: PackedEncoder) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    before, states = encode_ids(plain, ids), plain.token_states(ids)
    moved = PackedEncoder(packaged_encoder(), torch.float64)  # weights of its own
    moved.to_gpu()
    np.testing.assert_allclose(encode_ids(moved, ids), before, atol=1e-4)
    for there, here in zip(moved.token_states(ids), states, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-3)
    assert moved.tag.endswith("-cuda")


def test_bf16_moves_cosines_by_few_thousandths(plain: PackedEncoder) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    halves = encode_ids(PackedEncoder(packaged_encoder(), torch.bfloat16), ids)
    whole = encode_ids(plain, ids)

    def cosines(rows: np.ndarray) -> np.ndarray:
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return units @ units.T

    # .0015 to .0021: processors that have no bf16 of their own, and then do not use it, round otherwise
    assert np.abs(cosines(halves) - cosines(whole)).max() <= 0.003


def test_a_text_has_its_vector_whatever_is_encoded_beside_it() -> None:
    encoder = PackedEncoder(packaged_encoder())
    ids = frame_texts([*TEXTS, TEXTS[0], *("word " * n for n in range(1, 60))], default_tokenizer())
    together = encode_ids(encoder, ids)
    alone = np.concatenate([encode_ids(encoder, [i]) for i in ids[:4]])
    np.testing.assert_allclose(together[:4], alone, atol=2e-2)
    np.testing.assert_array_equal(together[0], together[3])


def test_equal_texts_are_encoded_once(plain: PackedEncoder) -> None:
    seen: list[int] = []

    class Counting:
        dimension = plain.dimension
        tag = plain.tag

        def mean_states(self, ids: Sequence[Ids]) -> np.ndarray:
            seen.append(len(ids))
            return plain.mean_states(ids)

    ids = frame_texts(["One.", "Two, and more.", "One.", "One."], default_tokenizer())
    found = encode_ids(Counting(), ids)
    assert sum(seen) == 2
    np.testing.assert_array_equal(found, encode_ids(plain, ids[:2])[[0, 1, 0, 0]])


@given(st.lists(st.integers(1, 512), max_size=60), st.integers(512, 5000))
def test_batches_hold_every_text_once_and_not_too_much(lengths: list[int], most: int) -> None:
    found = [b.tolist() for b in batches(lengths, most)]
    assert sorted(i for b in found for i in b) == list(range(len(lengths)))
    assert all(max(lengths[i] for i in b) * len(b) <= most for b in found)


def test_a_document_is_encoded_once_and_forgotten_with_its_text(plain: PackedEncoder) -> None:
    calls = 0

    class Counting:
        dimension = plain.dimension
        tag = plain.tag

        def mean_states(self, ids: Sequence[Ids]) -> np.ndarray:
            nonlocal calls
            calls += 1
            return plain.mean_states(ids)

    reader = CachedSentenceEncoder(Counting())
    document = colde.read_text("The keeper trimmed the lamp before the fog came in over the bar. " * 4)
    found = [read_sentences(document, default_tokenizer())]
    reader.read([document], found)
    before = calls
    reader.read([document], found)
    assert calls == before > 0
    assert len(reader._in_use) == 1
    del document
    gc.collect()
    assert not reader._in_use


def test_an_encoder_by_folder_and_by_a_name_that_cannot_be_had() -> None:
    assert encoder_folder(str(packaged_encoder())) == encoder_folder("packaged") == packaged_encoder()
    with pytest.raises(ModelError, match="no such folder"):
        encoder_folder("no/such-encoder/anywhere")


def test_a_folder_without_a_bert_is_refused(tmp_path) -> None:
    (tmp_path / "config.json").write_text('{"hidden_act": "relu"}', encoding="utf-8")
    with pytest.raises(ModelError, match="no BERT encoder"):
        PackedEncoder(tmp_path)
