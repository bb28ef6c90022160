"""`colde train` for a baseline, from recipe to checkpoint, and the table made of its runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde import models
from colde.corpus.corpus_folder import read_documents, read_pairs
from colde.errors import ModelError
from colde.models.registry import specs
from colde.results.progress import Progress, Stage
from colde.training.pair_training import PairwiseConfig
from colde.training.training_run import build_config, train
from studies.papers import baselines_table
from tests.corpora import toy_corpus

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
    return written(corpora / "settings.json", steps=4, pairs=8, validate_every=2)


@pytest.fixture(scope="module")
def brief(corpora: Path) -> Path:
    """Settings of a run whose figures are not looked at."""
    return written(corpora / "brief.json", steps=2, pairs=2, validate_every=2)


def written(path: Path, **training: int) -> Path:
    settings = {
        "model": {"tokens": 24, "layers": 1, "rank": 2},
        "training": {**training, "learning_rate": 1e-3},
    }
    path.write_text(json.dumps(settings), encoding="utf-8")
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
    for pair in pairs:
        a, b = model.encode([documents[pair.source], documents[pair.target]], explain=False)
        right += (model.match(a, b, explain=False).score >= profile.threshold) == bool(pair.label)
    assert right / len(pairs) == pytest.approx(
        profile.measured["accuracy"], abs=0.051
    )  # float16 moves scores
    assert profile.measured["auc"] > 0.9


def test_the_same_seed_gives_the_same_checkpoint(corpora: Path, brief: Path, tmp_path: Path) -> None:
    one, again, other = (
        train("s_bert", [corpora / "toy"], tmp_path / str(i), brief, seed=s) for i, s in enumerate((3, 3, 4))
    )
    weights = [(f / "model.safetensors").read_bytes() for f in (one, again, other)]
    assert weights[0] == weights[1] != weights[2]


def test_a_wrong_setting_is_named(corpora: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    for content, message in (
        ({"training": {"stepps": 3}}, r"stepps.*steps"),
        ({"model": {"tokenz": 3}}, "tokenz"),
    ):
        wrong.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(ModelError, match=message):
            train("s_bert", [corpora / "toy"], tmp_path / "run", wrong)


def test_a_run_goes_on_with_its_own_settings_only(corpora: Path, config: Path, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.stage is Stage.TRAINING:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train("s_bert", [corpora / "toy"], tmp_path, config, seed=1, on_progress=stop)
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


def test_table_of_results(corpora: Path, brief: Path, tmp_path: Path) -> None:
    arguments = [str(corpora), "--only", "toy", "--work", str(tmp_path / "runs"), "--models", "s_bert"]
    arguments += [
        "--config",
        str(brief),
        "--seeds",
        "2",
        "--output",
        str(tmp_path / "out"),
        "--draws",
        "9",
    ]
    baselines_table.main([*arguments, "--prepare"])
    assert list((tmp_path / "runs" / "prepared").glob("toy-*.npz")) and not (tmp_path / "out").exists()
    baselines_table.main(arguments)
    rows = json.loads((tmp_path / "out" / "baselines.json").read_text())
    assert [r["training"]["seed"] for r in rows] == [0, 1]
    stored = models.load(tmp_path / "runs" / "s_bert").profiles["toy"].measured
    measures = rows[0]["corpora"]["toy"]["measures"]
    assert measures["roc_auc"]["value"] == pytest.approx(stored["auc"], abs=0.02)  # scored again in float16
    assert measures["accuracy"]["low"] <= measures["accuracy"]["value"] <= measures["accuracy"]["high"]
    table = (tmp_path / "out" / "baselines.md").read_text()
    assert "S-BERT" in table and "±" in table
    before = (tmp_path / "runs" / "s_bert" / "config.json").stat().st_mtime_ns
    baselines_table.main([*arguments[:-6], "--seeds", "1", *arguments[-4:]])
    assert (tmp_path / "runs" / "s_bert" / "config.json").stat().st_mtime_ns == before  # not trained again
