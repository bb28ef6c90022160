"""What ships and was made of weights and sample texts was made of those that ship; who changes them is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from colde import assets
from colde.assets import asset
from colde.models.checkpoint import CONFIG, read_config
from studies.release import made_with, refresh


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of assets/ that may be changed: what this test does not change are links."""
    there, here = asset(), tmp_path / "assets"
    for folder in (here, here / "models", tmp_path / "colde"):
        folder.mkdir()
    for path in (*there.iterdir(), *(there / "models").iterdir()):
        copy = here / path.relative_to(there)
        if path.name in ("colde_words", "samples"):
            shutil.copytree(path, copy)
        elif path.name == "made_with.json":
            shutil.copy(path, copy)
        elif path.name != "models":
            copy.symlink_to(path)
    monkeypatch.setattr(assets, "_PACKAGE", tmp_path / "colde")
    return here


def change(folder: Path, **values: Any) -> None:
    """Put other values into a model's config."""
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    (folder / CONFIG).write_text(json.dumps({**config, **values}), encoding="utf-8")


def test_what_ships_was_made_with_the_weights_and_texts_that_ship() -> None:
    for artefact, changed in made_with.stale().items():
        pytest.fail(f"{artefact} was made before these changed: {', '.join(changed)}: run make fresh")


def test_a_changed_text_makes_cards_and_screenshots_stale(ours: Path) -> None:
    assert made_with.stale() == {}
    text = ours / "samples" / "lens_history.md"
    text.write_text(text.read_text(encoding="utf-8") + "\nOne line more.\n", encoding="utf-8")
    changed = ["assets/samples/lens_history.md"]
    assert made_with.stale() == {made_with.CARDS: changed, made_with.SCREENSHOTS: changed}
    made_with.record(made_with.CARDS)
    assert made_with.stale() == {made_with.SCREENSHOTS: changed}


def test_other_weights_make_everything_stale_that_shows_the_model(ours: Path) -> None:
    change(ours / "models" / "colde_words", weights="0" * 64)
    assert made_with.stale() == {artefact: ["model colde_words"] for artefact in made_with.INPUTS}


def test_other_thresholds_leave_the_values_of_maps_as_they_are(ours: Path) -> None:
    folder = ours / "models" / "colde_words"
    profiles = json.loads((folder / CONFIG).read_text(encoding="utf-8"))["profiles"]
    profiles["general"]["threshold"] += 0.01
    change(folder, profiles=profiles)
    unchanged = {made_with.CELLS, made_with.EXPLANATIONS, made_with.FIGURES}
    assert set(made_with.stale()) == set(made_with.INPUTS) - unchanged


def test_what_a_config_records_of_the_training_makes_nothing_stale(ours: Path) -> None:
    folder = ours / "models" / "colde_words"
    before = read_config(folder).fingerprint()
    change(folder, training={"seconds": 1})
    assert read_config(folder).fingerprint() == before
    assert made_with.stale() == {}


def test_measured_for_one_model_it_is_noted_for_this_one_alone(ours: Path) -> None:
    change(ours / "models" / "colde_words", weights="0" * 64)
    made_with.record(made_with.FIGURES, ["tfidf"])
    assert made_with.stale()[made_with.FIGURES] == ["model colde_words"]
    made_with.record(made_with.FIGURES, ["colde_words"])
    assert made_with.FIGURES not in made_with.stale()


def test_a_try_that_is_written_elsewhere_is_not_noted(ours: Path, tmp_path: Path) -> None:
    before = (ours / "made_with.json").read_text(encoding="utf-8")
    made_with.record(tmp_path / "figures.json")
    assert (ours / "made_with.json").read_text(encoding="utf-8") == before


def test_figures_are_measured_anew_for_the_models_that_changed(tmp_path: Path) -> None:
    needs, command = refresh.measuring(
        refresh.FIGURES, ["model colde", "model han"], tmp_path, tmp_path / "runs"
    )
    assert needs == [tmp_path]
    assert command[-2:] == ["--models", "colde,han"]
    assert refresh.measuring("assets/explanations.json", ["model colde"], tmp_path, tmp_path) == ([], [])
