"""Training the encoder: gradient caching is exact, low-rank updates start at nothing, a run resumes to the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from colde import models
from colde.errors import ModelError
from colde.models.checkpoint import read_tensors
from colde.models.colde import ColdeConfig, ColdeNetwork, load_base, structured_encoder
from colde.models.colde.encoder import ChunkInput, encode_chunk_inputs
from colde.models.masked import masked_mean
from colde.results.progress import Progress
from colde.training.batch_loss import sections_of
from colde.training.run import train
from colde.training.settings import TrainConfig

pytestmark = pytest.mark.slow


def places(*lengths: int) -> list[ChunkInput]:
    generator = torch.Generator().manual_seed(0)
    return [
        ChunkInput(torch.randint(1000, 2000, (n,), generator=generator), i % 2, i)
        for i, n in enumerate(lengths)
    ]


def test_low_rank_and_new_embeddings_start_as_the_pretrained_encoder() -> None:
    some = places(12, 5)
    pretrained = load_base(ColdeConfig())
    found = encode_chunk_inputs(structured_encoder(ColdeConfig(fine_tuned="lora")).eval(), some)
    for place, vector in zip(some, found, strict=True):
        ids = place.ids.unsqueeze(0)
        with torch.no_grad():
            states = pretrained(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
        torch.testing.assert_close(
            vector, masked_mean(states, torch.ones_like(ids).bool())[0], atol=1e-4, rtol=1e-3
        )


@pytest.mark.parametrize("kind", ["lora", "top:2", "all"])
def test_cached_gradients_are_the_plain_ones(kind: str) -> None:
    some = places(9, 30, 4, 17)
    target = torch.randn(4, 384, generator=torch.Generator().manual_seed(1))

    def loss(vectors: torch.Tensor) -> torch.Tensor:  # of all vectors together, as a contrastive loss is
        return torch.logsumexp(vectors @ target.T, dim=1).sum() + (vectors @ vectors.T).pow(2).mean()

    def gradients(cached: bool) -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        encoder = structured_encoder(ColdeConfig(fine_tuned=kind)).eval()
        with torch.no_grad():
            for name, parameter in encoder.named_parameters():
                if name.endswith(("up", "section.weight", "chunk.weight")):
                    parameter.normal_(std=0.02, generator=torch.Generator().manual_seed(2))
        if cached:
            leaves = encode_chunk_inputs(encoder, some, tokens=32).requires_grad_(True)
            loss(leaves).backward()
            encode_chunk_inputs(encoder, some, tokens=32, gradient=leaves.grad)
        else:
            rows = [
                encoder(
                    p.ids.unsqueeze(0),
                    torch.ones_like(p.ids).unsqueeze(0),
                    torch.tensor([p.section]),
                    torch.tensor([p.chunk]),
                )
                for p in some
            ]
            loss(torch.cat(rows)).backward()
        return {n: p.grad for n, p in encoder.named_parameters() if p.grad is not None}

    cached, plain = gradients(True), gradients(False)
    assert cached.keys() == plain.keys() and len(plain) > 2
    largest = max(float(v.abs().max()) for v in plain.values())
    for name, value in plain.items():
        scale = max(float(value.abs().max()), 1e-3 * largest)  # some are zero but for rounding (key biases)
        torch.testing.assert_close(cached[name] / scale, value / scale, atol=2e-3, rtol=1e-2)


def test_only_what_is_named_can_be_trained() -> None:
    names = {
        n
        for n, p in structured_encoder(ColdeConfig(fine_tuned="top:1")).named_parameters()
        if p.requires_grad
    }
    assert {n.split(".layer.")[1].split(".")[0] for n in names if ".layer." in n} == {"5"}
    assert {"section.weight", "chunk.weight"} <= names
    with pytest.raises(ModelError, match="top:N"):
        structured_encoder(ColdeConfig(fine_tuned="half"))


def test_without_augmentation_nothing_is_split_and_no_place_is_learned() -> None:
    """CoLDE−Aug (4.5.1)."""
    config = ColdeConfig(fine_tuned="lora", augment=False)
    encoder = structured_encoder(config)
    trained = {n for n, p in encoder.named_parameters() if p.requires_grad}
    assert trained and not {"section.weight", "chunk.weight"} & trained
    assert not encoder.section.weight.any() and not encoder.chunk.weight.any()
    assert sections_of(ColdeNetwork(config), TrainConfig(sections=4)) == 1
    assert sections_of(ColdeNetwork(ColdeConfig()), TrainConfig(sections=4)) == 4


def test_trains_resumes_and_loads(corpus: Path, tmp_path: Path) -> None:
    training = {
        "steps": 4,
        "pool_steps": 2,
        "words_steps": 4,
        "pairs": 16,
        "validate_every": 2,
        "patience": 99,
        "encoder_steps": 4,
        "encoder_pairs": 6,
        "encoder_valid": 20,
        "bf16": False,
    }
    settings = tmp_path / "settings.json"
    model = {"fine_tuned": "lora", "rank": 2}
    settings.write_text(
        json.dumps({"model": model, "training": training, "vectors": str(corpus.parent / "vectors")})
    )
    whole = read_tensors(train("colde:residual", [corpus], tmp_path / "whole", settings))

    class Stop(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.subject == "the encoder" and progress.done == 2:
            raise Stop

    with pytest.raises(Stop):
        train("colde:residual", [corpus], tmp_path / "parts", settings, on_progress=stop)
    folder = train("colde:residual", [corpus], tmp_path / "parts", settings, resume=True)
    parts = read_tensors(folder)
    assert parts.keys() == whole.keys() and any(k.endswith("up") for k in parts)
    for name, value in parts.items():
        torch.testing.assert_close(value, whole[name], atol=0, rtol=0)
    assert any(float(v.abs().max()) > 0 for k, v in parts.items() if k.endswith("up"))
    assert models.load(folder).profiles["toy"].measured["auc"] > 0.9
