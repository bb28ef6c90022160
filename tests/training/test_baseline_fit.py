"""`colde train` for a baseline, from recipe to checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde import models
from colde.corpus.corpus_folder import read_documents, read_pairs
from colde.errors import ModelError
from colde.models.checkpoint import build_config
from colde.models.registry import specs
from colde.results.progress import Progress
from colde.training.pair_networks.pair_training import PairwiseConfig
from colde.training.training_run import train
from tests.corpora import toy_corpus
from tests.training.stopping import Stop, stop_at

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one corpus of 24 short documents on two subjects."""
    root = tmp_path_factory.mktemp("corpora")
    toy_corpus(root / "toy", ("tides", "bread"), words=10, train=30, valid=20)
    return root


@pytest.fixture(scope="module")
def config(corpora: Path) -> Path:
    """Settings that learn the two subjects."""
    path = corpora / "settings.json"
    training = {"steps": 4, "pairs": 8, "validate_every": 2, "learning_rate": 1e-3}
    model = {"tokens": 24, "layers": 1, "rank": 2}
    path.write_text(json.dumps({"model": model, "training": training}), encoding="utf-8")
    return path


def test_trains_to_a_checkpoint_that_scores_as_training_did(
    corpora: Path, config: Path, tmp_path: Path
) -> None:
    seen: list[Progress] = []
    folder = train("s_bert", [corpora / "toy"], tmp_path / "run", config, seed=1, on_progress=seen.append)
    assert any(p.stage.startswith("training") for p in seen)
    model = models.load(folder)
    assert model.card.name == "s_bert" and set(model.profiles) == {"general", "toy"}
    assert (folder / "model.safetensors").stat().st_size < 100_000
    profile = model.profiles["toy"]
    documents = dict(read_documents(corpora / "toy", sentences=False))
    right = 0
    pairs = read_pairs(corpora / "toy" / "valid.tsv")
    encoded = dict(zip(documents, model.encode(list(documents.values()), explain=False), strict=True))
    for pair in pairs:
        score = model.match(encoded[pair.source], encoded[pair.target], explain=False).score
        right += (score >= profile.threshold) == bool(pair.label)
    assert right / len(pairs) == pytest.approx(
        profile.measured["accuracy"], abs=0.051
    )  # float16 moves scores
    assert profile.measured["auc"] > 0.9


def test_a_run_goes_on_with_its_own_settings_only(corpora: Path, config: Path, tmp_path: Path) -> None:
    with pytest.raises(Stop):
        train("s_bert", [corpora / "toy"], tmp_path, config, seed=1, on_progress=stop_at(1))
    with pytest.raises(ModelError, match="other settings"):
        train("s_bert", [corpora / "toy"], tmp_path, config, seed=2, resume=True)
    train("s_bert", [corpora / "toy"], tmp_path, config, seed=1, resume=True)
    assert models.load(tmp_path).card.name == "s_bert"


TRAINED = [name for name, s in specs().items() if s.fit == "colde.training.baseline_fit:fit"]


@pytest.mark.parametrize("name", TRAINED)
def test_every_recipe_has_known_settings(name: str) -> None:
    assert specs()[name].card.needs_training
    assert build_config(PairwiseConfig, dict(specs()[name].training), "training").steps > 0
    specs()[name].matcher_class().build(specs()[name].model)
