"""Encoders of other architectures, from folders made here, against the networks of transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer

from colde.encoders.encoder import PackedEncoder
from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.transformers_encoder import TransformersEncoder
from colde.encoders.vector_math import normalised
from colde.errors import ModelError
from tests.small_encoders import NETWORKS, WIDE, write_encoder, write_tokenizer

TEXTS = ["the keeper lit the lamp", "a wick was trimmed before dusk by a keeper who had the lamp", "lamp"]


@pytest.mark.parametrize("kind", NETWORKS)
def test_vectors_are_those_of_transformers(kind: str, tmp_path: Path) -> None:
    network = write_encoder(tmp_path, kind)
    encoder = shared_encoder(str(tmp_path))
    assert isinstance(encoder, TransformersEncoder if kind == "distilbert" else PackedEncoder)
    tokenizer = encoder.tokenizer
    ids = [
        np.array([tokenizer.first, *t.ids, tokenizer.last], np.int32)
        for t in sorted(tokenizer(TEXTS), key=len)
    ]
    with torch.inference_mode():
        states = [network(torch.from_numpy(i).long()[None]).last_hidden_state[0].numpy() for i in ids]
    expected = normalised(np.stack([s.mean(0) for s in states]))
    drift = 1 - (normalised(encoder.mean_states(ids)) * expected).sum(1)
    assert drift.max() <= 0.005
    for one, other in zip(encoder.token_states(ids), states, strict=True):
        assert (1 - (normalised(one) * normalised(other)).sum(1)).max() <= 0.005
    assert encoder.dimension == 32 and str(tmp_path) == encoder.name


def test_positions_of_a_roberta_begin_behind_its_padding(tmp_path: Path) -> None:
    """Without the offset, the vectors differ: the test above can fail."""
    network = write_encoder(tmp_path, "xlm-roberta")
    ids = torch.arange(4, 12)[None]
    with torch.inference_mode():
        usual, shifted = (
            network(ids, position_ids=torch.arange(first, first + 8)[None]).last_hidden_state.mean(1)
            for first in (2, 0)
        )
    assert torch.cosine_similarity(usual, shifted).item() < 0.98


def test_a_tokenizer_of_another_encoder_is_refused(tmp_path: Path) -> None:
    write_encoder(tmp_path, "bert")
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    tokenizer.add_tokens([f"more{n}" for n in range(100)])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ModelError, match="word pieces, the encoder 40"):
        shared_encoder(str(tmp_path))


def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    write_encoder(tmp_path, "bert")
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"no usable tokenizer\.json"):
        shared_encoder(str(tmp_path))


def test_an_encoder_that_reads_few_tokens_is_refused(tmp_path: Path) -> None:
    transformers.BertModel(
        transformers.BertConfig(**{**WIDE, "max_position_embeddings": 64})
    ).save_pretrained(tmp_path)
    write_tokenizer(tmp_path)
    with pytest.raises(ModelError, match="reads 64 tokens at most; sentences have up to 256"):
        shared_encoder(str(tmp_path))
