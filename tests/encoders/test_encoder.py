"""Vectors of texts against Hugging Face, batches, and what a text's vector depends on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from colde.assets import packaged_encoder
from colde.encoders.batches import by_length, padded_batches
from colde.encoders.bert.packed_bert import Bert
from colde.encoders.encoder import Ids, PackedEncoder
from colde.encoders.encoder_names import encoder_folder, require_local_encoder
from colde.errors import ModelError
from colde.text.chunks import default_tokenizer
from studies.encode_texts import frame_texts
from tests.encoders.hub_requests import count_fetches

TEXTS = ["A lamp.", "The keeper trimmed the lamp before the fog came in over the bar.", "Fog " * 200]


@pytest.fixture(scope="module")
def plain() -> PackedEncoder:
    return PackedEncoder.load(packaged_encoder(), torch.float32)


def vectors(encoder: PackedEncoder, ids: Sequence[Ids]) -> np.ndarray:
    """Each text in a batch of its own: [texts, dimension]."""
    return np.concatenate([encoder.mean_states([i]) for i in ids])


def test_states_are_hugging_faces(plain: PackedEncoder, hugging_face: Any) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    for mean, tokens, text in zip(vectors(plain, ids), plain.token_states(ids), ids, strict=True):
        with torch.inference_mode():
            states = hugging_face(input_ids=torch.from_numpy(text).long()[None]).last_hidden_state[0]
        np.testing.assert_allclose(mean, states.mean(0).numpy(), atol=2e-5)
        np.testing.assert_allclose(tokens, states.numpy(), atol=2e-4)


def test_states_after_some_layers_are_hugging_faces(plain: PackedEncoder, hugging_face: Any) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    for layers in ((3, 6), (2,)):
        by_layer = plain.states_of_layers(ids, layers)
        assert len(by_layer) == len(layers)
        for number, text in enumerate(ids):
            with torch.inference_mode():
                found = hugging_face(torch.from_numpy(text).long()[None], output_hidden_states=True)
            for done, states in zip(layers, by_layer, strict=True):
                np.testing.assert_allclose(states[number], found.hidden_states[done][0].numpy(), atol=2e-4)


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
    moved = PackedEncoder.load(packaged_encoder(), torch.float64)  # its weights are not shared
    moved.to_gpu()
    np.testing.assert_allclose(vectors(moved, ids), vectors(plain, ids), atol=1e-4)
    for there, here in zip(moved.token_states(ids), plain.token_states(ids), strict=True):
        np.testing.assert_allclose(there, here, atol=1e-3)
    assert moved.tag.endswith("-cuda")


def test_bf16_moves_cosines_by_few_thousandths(plain: PackedEncoder) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())

    def cosines(rows: np.ndarray) -> np.ndarray:
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return units @ units.T

    halves = vectors(PackedEncoder.load(packaged_encoder(), torch.bfloat16), ids)
    # 0.0015 to 0.0021: processors without bf16, which is not used there, round differently
    assert np.abs(cosines(halves) - cosines(vectors(plain, ids))).max() <= 0.003


def test_a_text_has_its_vector_whatever_is_encoded_beside_it() -> None:
    encoder = PackedEncoder.load(packaged_encoder())
    texts = [*TEXTS, TEXTS[0], *("word " * n for n in range(1, 60, 3))]
    ids = sorted(frame_texts(texts, default_tokenizer()), key=len)
    together = encoder.mean_states(ids)
    np.testing.assert_allclose(together, vectors(encoder, ids), atol=2e-2)
    lamps = [
        i for i, text in enumerate(ids) if np.array_equal(text, frame_texts(TEXTS, default_tokenizer())[0])
    ]
    np.testing.assert_array_equal(*together[lamps])


@given(st.lists(st.integers(1, 512), max_size=60), st.integers(512, 5000))
def test_batches_hold_every_text_once_and_not_too_much(lengths: list[int], most: int) -> None:
    padded, packed = ([b.tolist() for b in way(lengths, most)] for way in (padded_batches, by_length))
    for batches in (padded, packed):
        assert sorted(chain(*batches)) == list(range(len(lengths)))
    assert all(max(lengths[i] for i in b) * len(b) <= most for b in padded)
    assert all(sum(lengths[i] for i in b) < most + 512 for b in packed)
    assert [lengths[i] for b in packed for i in b] == sorted(lengths)


def test_an_encoder_by_folder_and_by_a_name_that_cannot_be_had() -> None:
    assert encoder_folder(str(packaged_encoder())) == encoder_folder("packaged") == packaged_encoder()
    with pytest.raises(ModelError, match="no such folder"):
        encoder_folder("no/such-encoder/anywhere")


def test_a_folder_without_a_bert_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"hidden_act": "relu"}', encoding="utf-8")
    with pytest.raises(ModelError, match="no BERT encoder"):
        PackedEncoder.load(tmp_path)


def test_only_a_user_who_names_an_encoder_of_a_hub_has_it_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = count_fetches(monkeypatch)
    with pytest.raises(ModelError, match="--encoder some/encoder fetches it"):
        require_local_encoder("some/encoder")
    assert fetched == []
    with pytest.raises(ModelError, match="no hub"):
        encoder_folder("some/encoder")
    assert fetched == ["some/encoder"]


@pytest.mark.parametrize("name", ["packaged", "multilingual", str(packaged_encoder())])
def test_encoders_of_this_machine_may_be_named_by_a_file(name: str) -> None:
    require_local_encoder(name)
