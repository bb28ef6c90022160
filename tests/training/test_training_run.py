"""Training on a corpus small enough for a test: it learns, stops, resumes to the same weights, and loads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from colde import models
from colde.errors import ModelError
from colde.models.checkpoint import read_tensors
from colde.results.progress import Progress, Stage
from colde.training.training_run import train
from tests.training.stopping import Stop, stop_at

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(corpus: Path, settings: Path) -> Path:
    """A run without an interruption."""
    return train("colde:paper", [corpus], corpus.parent / "whole", settings, seed=2)


@pytest.fixture(scope="module")
def stopped(corpus: Path, settings: Path) -> Path:
    """The same run, stopped after its eighth step."""
    folder = corpus.parent / "stopped"
    with pytest.raises(Stop):
        train("colde:paper", [corpus], folder, settings, seed=2, on_progress=stop_at(8))
    return folder


def test_trains_and_the_checkpoint_loads(whole: Path) -> None:
    model = models.load(whole)
    profile = model.profiles["toy"]
    assert profile.measured["auc"] > 0.95 and profile.measured["accuracy"] > 0.9
    assert {"general", "toy"} == set(model.profiles)


@pytest.mark.parametrize("change", ["seed", "rate", None])
def test_a_stopped_run_resumes_to_the_same_and_only_as_itself(
    change: str | None, corpus: Path, settings: Path, tmp_path: Path, stopped: Path, whole: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(stopped, folder)
    given = json.loads(settings.read_text("utf-8"))
    if change == "rate":
        given["training"]["rate"] = 0.123
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(given), encoding="utf-8")
    seen: list[int] = []

    def show(progress: Progress) -> None:
        if progress.stage is Stage.TRAINING and not progress.subject:
            seen.append(progress.done)

    def resume() -> None:
        seed = 3 if change == "seed" else 2
        train("colde:paper", [corpus], folder, changed, seed, resume=True, on_progress=show)

    if change is not None:
        with pytest.raises(ModelError, match="seed 2, now 3" if change == "seed" else "learning_rate"):
            resume()
        return
    resume()
    assert min(seen) > 8
    for name, value in read_tensors(folder).items():
        torch.testing.assert_close(value, read_tensors(whole)[name], atol=0, rtol=0)


def test_same_seed_same_weights_other_seed_others(
    whole: Path, corpus: Path, settings: Path, tmp_path: Path
) -> None:
    one = read_tensors(whole)
    again, other = (
        read_tensors(train("colde:paper", [corpus], tmp_path / str(s), settings, seed=s)) for s in (2, 4)
    )
    assert all(torch.equal(one[k], again[k]) for k in one)
    assert not all(torch.equal(one[k], other[k]) for k in one)


@pytest.mark.parametrize("variant", ["colde:no_lstm", "colde:no_cl"])  # they leave out all that the others do
def test_variants_train(variant: str, corpus: Path, settings: Path, tmp_path: Path) -> None:
    model = models.load(train(variant, [corpus], tmp_path / "run", settings, seed=0))
    assert model.card.name == variant


@pytest.mark.parametrize("name", ["tfidf", "bm25", "minilm"])
def test_scores_without_training_get_thresholds(
    name: str, corpus: Path, settings: Path, tmp_path: Path
) -> None:
    model = models.load(train(name, [corpus], tmp_path / "run", settings))
    assert model.profiles["toy"].measured["auc"] > 0.95


@pytest.mark.parametrize("model", ["colde:paper", "s_bert"])
@pytest.mark.parametrize(
    ("content", "message"),
    [({"training": {"stepps": 3}}, r"stepps.*steps"), ({"model": {"tokenz": 3}}, "tokenz")],
)
def test_a_wrong_setting_is_named(
    model: str, content: dict[str, Any], message: str, corpus: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        train(model, [corpus], tmp_path / "run", wrong)


def test_an_unknown_model_is_named(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model named"):
        train("no_such_model", [corpus], tmp_path / "run")
