"""Vectors against Hugging Face; batches; OpenVINO against torch where it is installed."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel

import colde
from colde.encoders import encoder as module
from colde.encoders.encoder import TorchEncoder, batches, encode_ids, encoder_folder, load_encoder
from colde.encoders.frozen import FrozenEncoder
from colde.errors import MissingExtraError, ModelError
from colde.text.tokens import default_tokenizer, frame_texts, packaged_encoder

TEXTS = ["A lamp.", "The keeper trimmed the lamp before the fog came in over the bar.", "Fog " * 200]


@pytest.fixture(scope="module")
def plain() -> TorchEncoder:
    return TorchEncoder(packaged_encoder())


def test_mean_states_are_hugging_faces(plain: TorchEncoder) -> None:
    ids = frame_texts(TEXTS, default_tokenizer())
    theirs = AutoModel.from_pretrained(packaged_encoder()).eval()
    found = encode_ids(plain, ids)
    for row, one in zip(found, ids, strict=True):
        with torch.inference_mode():
            states = theirs(input_ids=torch.from_numpy(one).long().unsqueeze(0)).last_hidden_state[0]
        np.testing.assert_allclose(row, states.mean(0).numpy(), atol=2e-5)


@given(st.lists(st.integers(1, 512), max_size=60), st.integers(512, 5000))
def test_batches_hold_every_text_once_and_not_too_much(lengths: list[int], most: int) -> None:
    found = [b.tolist() for b in batches(lengths, most)]
    assert sorted(i for b in found for i in b) == list(range(len(lengths)))
    assert all(max(lengths[i] for i in b) * len(b) <= most for b in found)


def test_a_document_is_encoded_once_and_forgotten_with_its_text(plain: TorchEncoder) -> None:
    calls = 0

    class Counting:
        dimension = plain.dimension
        tag = plain.tag

        def mean_states(self, ids: torch.Tensor, mask: torch.Tensor) -> np.ndarray:
            nonlocal calls
            calls += 1
            return plain.mean_states(ids, mask)

    frozen = FrozenEncoder(Counting(), default_tokenizer())
    document = colde.read_text("The keeper trimmed the lamp before the fog came in over the bar. " * 4)
    frozen.encode_chunks([document])
    before = calls
    frozen.encode_chunks([document])
    assert calls == before > 0
    assert len(frozen._states) == 1
    del document
    gc.collect()
    assert not frozen._states


def test_an_encoder_by_folder_and_by_a_name_that_cannot_be_had() -> None:
    assert encoder_folder(str(packaged_encoder())) == encoder_folder("packaged") == packaged_encoder()
    with pytest.raises(ModelError, match="no such folder"):
        encoder_folder("no/such-encoder/anywhere")


def test_a_missing_runtime_names_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLDE_RUNTIME", "openvino")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'colde-explorer\[fast\]'"):
        load_encoder()


def test_openvino_agrees_with_torch(
    plain: TorchEncoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("openvino")  # an extra
    monkeypatch.setenv("COLDE_RUNTIME", "openvino")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ids = frame_texts(TEXTS, default_tokenizer())
    for _ in range(2):  # converted, then from the cache
        fast = load_encoder()
        for one, other in zip(encode_ids(fast, ids), encode_ids(plain, ids), strict=True):
            cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
            assert cosine > 0.999
