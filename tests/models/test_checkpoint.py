"""A checkpoint whose settings or tensors do not fit is named; none is a bug, and none is run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError

from colde import models
from colde.assets import asset
from colde.cli import main
from colde.errors import CheckpointError, ModelError
from colde.models.checkpoint import read_config, write_checkpoint
from tests.encoders.hub_requests import count_fetches


def changed_copy(name: str, folder: Path, **settings: Any) -> Path:
    """A copy of a shipped checkpoint with other settings."""
    shutil.copytree(asset("models", name), folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["settings"] |= settings
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["colde", "dssm", "arc_i", "smith"])
@pytest.mark.parametrize(
    "wrong", [{"no_such_setting": 1}, {"projection": "wide", "hidden": "x", "window": 2, "tokens": []}]
)
def test_settings_that_do_not_exist_or_do_not_fit(name: str, wrong: dict[str, Any], tmp_path: Path) -> None:
    known = {k: v for k, v in wrong.items() if k in read_config(asset("models", name)).settings}
    folder = changed_copy(name, tmp_path / "checkpoint", **(known or {"no_such_setting": 1}))
    with pytest.raises(CheckpointError, match="checkpoint"):
        models.load(folder)


@pytest.mark.parametrize(
    "config",
    ["[" * 100_000, "[]", '"x"', '{"name": ["colde"], "profiles": {}, "settings": {}, "parameters": 1}',
     '{"name": "colde", "profiles": [1], "settings": {}, "parameters": 1}', "\xff"],
)  # fmt: skip
def test_a_config_of_other_types_is_damaged(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(config, encoding="latin-1")
    with pytest.raises(CheckpointError, match="damaged"):
        models.load(tmp_path)


def test_the_command_line_calls_it_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = changed_copy("colde", tmp_path / "checkpoint", no_such_setting=1)
    text = tmp_path / "a.txt"
    text.write_text("The keeper wound the clock and trimmed the lamp. " * 5, encoding="utf-8")
    assert main(["compare", str(text), str(text), "--model", str(folder)]) == 3
    assert "no_such_setting" in capsys.readouterr().err


@pytest.mark.parametrize("at", [100, -100])
def test_a_flipped_bit_in_the_weights_is_named_and_gives_no_score(at: int, tmp_path: Path) -> None:
    folder = changed_copy("dssm", tmp_path / "checkpoint")
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[at] ^= 4
    (folder / "model.safetensors").write_bytes(weights)
    with pytest.raises(CheckpointError, match="not the weights"):
        models.load(folder)


def test_a_full_disk_leaves_the_checkpoint_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(tensors: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise SafetensorError("I/O error: No space left on device (os error 28)")

    def write() -> None:
        write_checkpoint(
            tmp_path / "run",
            name="dssm",
            settings={},
            profiles={},
            parameters=1,
            training={},
            tensors={"x": torch.ones(2)},
            base=False,
        )

    write()
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    monkeypatch.setattr("safetensors.torch.save_file", full)
    with pytest.raises(CheckpointError, match=r"No space left.*--resume"):
        write()
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


PROFILE = {"threshold": 0.4, "calibration": {"slope": 9.0, "offset": -3.0}, "quantiles": [0.1, 0.2, 0.2, 0.9]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threshold": 1e308}, "threshold: expected float <= 100"),
        ({"threshold": "0.4"}, "threshold: expected float, got str"),
        ({"threshold": None}, "threshold: expected float, got null"),
        ({"quantiles": [0.1, 0.3, 0.2]}, "quantiles: they do not rise"),
        ({"quantiles": [0.1, None]}, "quantiles.1.: expected float, got null"),
        ({"calibration": "steep"}, "calibration: expected object"),
        ({"calibration": {"slope": 1}}, "calibration: object missing required field offset"),
        ({"calibration": {"slope": 10**400, "offset": 0}}, "out of range|<= 1"),
        ({"languages": [None]}, "languages.0.: expected str"),
        ({"languages": ["English"]}, "languages.0.: expected str matching"),
        ({"corpora": "acl"}, "corpora: expected array"),
        ({"weights": {"words": 1.5}}, "expected float <= 1"),
        ({"measured": {"auc": -1}}, "expected float >= 0"),
        ({"score_std": -0.1}, "score_std: expected float >= 0"),
        ({"trained_on": 1}, "trained_on: expected bool"),
    ],
)
def test_a_profile_of_other_values_is_damaged_and_the_field_is_named(
    wrong: dict[str, Any], message: str, tmp_path: Path
) -> None:
    config = {"name": "tfidf", "settings": {}, "parameters": 0, "profiles": {"general": PROFILE}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert read_config(tmp_path).profiles["general"].threshold == 0.4
    config["profiles"] = {"general": PROFILE | wrong}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(CheckpointError, match=rf"damaged \(profile general, .*(?:{message})"):
        models.load(tmp_path)


@pytest.mark.parametrize("weight", ["NaN", "1e999", "-0.1", '"x"', "null"])
def test_weights_of_a_mixture_are_shares(weight: str, tmp_path: Path) -> None:
    folder = changed_copy("colde_words", tmp_path / "checkpoint")
    text = (folder / "config.json").read_text("utf-8")
    changed = re.sub(r'("mixture": \{\s*"\w+": \{\s*"\w+": )[0-9.]+', rf"\g<1>{weight}", text)
    assert changed != text
    (folder / "config.json").write_text(changed, encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"damaged|not a checkpoint of"):
        models.load(folder)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("colde", {"vector_share": 1e300}),
        ("colde", {"sharpness": 0}),
        ("colde", {"dropout": 5.0}),
        ("colde", {"projection": 0}),
        ("colde", {"encoder": 5}),
        ("colde_words", {"mixture": {"general": {"words": 0.9, "exact": 0.9}}}),
        ("colde_words", {"mixture": {"general": {"words": None}}}),
        ("dssm", {"hidden": [-3]}),
        ("dssm", {"hidden": 3}),
        ("dssm", {"buckets": 10**15}),
    ],
)
def test_settings_out_of_their_range_are_refused(name: str, wrong: dict[str, Any], tmp_path: Path) -> None:
    folder = changed_copy(name, tmp_path / "checkpoint", **wrong)
    with pytest.raises(CheckpointError, match="checkpoint") as caught:
        models.load(folder)
    assert "\n" not in str(caught.value)


def test_weights_of_a_profile_that_the_model_does_not_have_are_an_error(tmp_path: Path) -> None:
    folder = changed_copy("colde_words", tmp_path / "checkpoint")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["profiles"]["papers"]["weights"] = {"meaning": 0.5}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ModelError, match="weights of the profile papers has no setting 'meaning'"):
        models.load(folder).for_profile("papers")  # type: ignore[attr-defined]


def test_a_checkpoint_has_no_encoder_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = count_fetches(monkeypatch)
    folder = changed_copy("colde", tmp_path / "checkpoint", encoder="someone/encoder")
    with pytest.raises(CheckpointError, match="someone/encoder: this encoder is not on this machine"):
        models.load(folder)
    assert fetched == []
