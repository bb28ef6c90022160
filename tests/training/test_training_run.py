"""Training on a corpus small enough for a test: it learns, stops, resumes to the same weights, and loads."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from colde import models
from colde.errors import ModelError
from colde.results.progress import Progress, Stage
from colde.training.training_run import train

pytestmark = pytest.mark.slow


def weights(folder: Path) -> dict[str, torch.Tensor]:
    from colde.models.checkpoint import read_tensors

    return read_tensors(folder)


def test_trains_and_the_checkpoint_loads(corpus: Path, settings: Path, tmp_path: Path) -> None:
    folder = train("colde:paper", [corpus], tmp_path / "run", settings, seed=1)
    model = models.load(folder)
    profile = model.profiles["toy"]
    assert profile.measured["auc"] > 0.95 and profile.measured["accuracy"] > 0.9
    assert {"general", "toy"} == set(model.profiles)


def test_stopped_and_resumed_gives_the_same(corpus: Path, settings: Path, tmp_path: Path) -> None:
    whole = weights(train("colde:paper", [corpus], tmp_path / "whole", settings, seed=2))

    class Stop(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.stage is Stage.TRAINING and progress.subject == "" and progress.done >= 8:
            raise Stop

    with pytest.raises(Stop):
        train("colde:paper", [corpus], tmp_path / "parts", settings, seed=2, on_progress=stop)
    seen: list[int] = []
    train(
        "colde:paper",
        [corpus],
        tmp_path / "parts",
        settings,
        seed=2,
        resume=True,
        on_progress=lambda p: seen.append(p.done) if p.stage is Stage.TRAINING and not p.subject else None,
    )
    assert seen and min(seen) > 8
    for name, value in weights(tmp_path / "parts").items():
        torch.testing.assert_close(value, whole[name], atol=0, rtol=0)


def test_same_seed_same_weights_other_seed_others(corpus: Path, settings: Path, tmp_path: Path) -> None:
    one, again, other = (
        weights(train("colde:paper", [corpus], tmp_path / str(i), settings, seed=s))
        for i, s in enumerate((3, 3, 4))
    )
    assert all(torch.equal(one[k], again[k]) for k in one)
    assert not all(torch.equal(one[k], other[k]) for k in one)


@pytest.mark.parametrize("variant", ["colde:no_aug", "colde:no_attention", "colde:no_lstm", "colde:no_cl"])
def test_variants_train(variant: str, corpus: Path, settings: Path, tmp_path: Path) -> None:
    model = models.load(train(variant, [corpus], tmp_path / "run", settings, seed=0))
    assert model.card.name == variant


@pytest.mark.parametrize("name", ["tfidf", "bm25", "minilm"])
def test_scores_without_training_get_thresholds(
    name: str, corpus: Path, settings: Path, tmp_path: Path
) -> None:
    model = models.load(train(name, [corpus], tmp_path / "run", settings))
    assert model.profiles["toy"].measured["auc"] > 0.95


def test_a_wrong_setting_is_named(corpus: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"training": {"stepps": 3}}', encoding="utf-8")
    with pytest.raises(ModelError, match=r"stepps.*steps"):
        train("colde:paper", [corpus], tmp_path / "run", wrong)
    with pytest.raises(ModelError, match="no model named"):
        train("no_such_model", [corpus], tmp_path / "run")
