"""The encoder that can be trained: Hugging Face's numbers, without its import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from colde.assets import packaged_encoder
from colde.encoders.bert.padded_bert import PaddedBert
from colde.errors import ModelError
from tests.forks import fork_python
from tests.programs import ROOT


def test_states_are_hugging_faces(hugging_face: Any) -> None:
    torch.manual_seed(0)
    ids = torch.randint(1_000, 30_000, (2, 40))
    mask = torch.arange(40)[None] < torch.tensor([[40], [23]])
    types = (torch.arange(40) > 15).long().expand(2, 40)
    ours = PaddedBert.load(packaged_encoder())
    with torch.inference_mode():
        expected = hugging_face(
            input_ids=ids, attention_mask=mask.long(), token_type_ids=types
        ).last_hidden_state
        torch.testing.assert_close(ours(ids, mask, types)[mask], expected[mask], atol=1e-5, rtol=1e-4)
        alone = hugging_face(input_ids=ids[:1]).last_hidden_state
        torch.testing.assert_close(ours(ids[:1], mask[:1]), alone, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(ours.first(ids, mask, types), expected[:, 0], atol=1e-5, rtol=1e-4)


def test_dropout_is_for_training_alone() -> None:
    network = PaddedBert.load(packaged_encoder(), dropout=0.5)
    ids, mask = torch.arange(1_000, 1_020)[None], torch.ones(1, 20, dtype=torch.bool)
    with torch.no_grad():
        torch.testing.assert_close(network(ids, mask), network(ids, mask))
        network.train()
        assert not torch.allclose(network(ids, mask), network(ids, mask))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no encoder of Hugging Face"):
        PaddedBert.load(tmp_path)
    config = json.loads((packaged_encoder() / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_act": "relu"}), encoding="utf-8")
    (tmp_path / "model.safetensors").symlink_to(packaged_encoder() / "model.safetensors")
    with pytest.raises(ModelError, match="relu"):
        PaddedBert.load(tmp_path)


def test_no_model_needs_transformers() -> None:
    program = (
        "import sys; sys.modules['transformers'] = None\n"
        "from colde import models\n"
        "for name in models.resolve('all'): models.load(name)"
    )
    fork_python("-c", program, cwd=ROOT)
