"""`colde fit` adds a profile to a trained model; commands, reports and the explorer then use it and name its corpus."""

from __future__ import annotations

import json
import shlex
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy import sparse

from colde import models
from colde.judge.calibration import judge
from colde.judge.profile_fit import fit_channel_weights, fit_profile
from colde.models.checkpoint import CONFIG, read_config
from colde.models.colde_words import ColdeWords
from colde.models.user_profiles import profiles_folder, user_profiles
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.profile_scores import score_corpus
from tests.corpora import record, toy_corpus, write_corpus
from tests.fenced_blocks import fenced_blocks
from tests.programs import ROOT, Run
from tests.test_readme import commands

pytestmark = pytest.mark.slow

GUIDE = ROOT / "docs" / "architecture.md"
SAMPLES = ROOT / "assets" / "samples"
PAIR = [str(SAMPLES / "banks_river.md"), str(SAMPLES / "banks_money.md")]


@pytest.fixture(autouse=True)
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_vectors: None) -> Path:
    """The user's folder of profiles."""
    folder = tmp_path / "profiles"
    monkeypatch.setenv("COLDE_PROFILES", str(folder))
    return folder


def compared(run: Run, model: str | Path, profile: str) -> dict[str, Any]:
    status, out, err = run("compare", *PAIR, "--model", model, "--profile", profile, "--quiet", "--json", "-")
    assert status == 0, err
    (score,) = json.loads(out)["models"]
    return dict(score)


def test_the_commands_of_the_guide_run(
    run: Run, small_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(small_corpus, "contracts")
    for name, source in zip(("a.md", "b.md"), PAIR, strict=True):
        shutil.copy(source, name)
    lines = [
        line for _, block in fenced_blocks(GUIDE.read_text(encoding="utf-8")) for line in commands(block)
    ]
    assert len([line for line in lines if line.startswith("colde fit")]) == 2
    for line in lines:
        status, _, err = run(*shlex.split(line)[1:])
        assert status == 0, f"{line}: {err}"


@pytest.mark.parametrize("model", ["tfidf", "colde_words"])
def test_a_shipped_model_gets_a_profile_that_every_command_takes(
    run: Run, small_corpus: Path, model: str
) -> None:
    shipped = models.load(model).profiles
    status, out, err = run("fit", model, "--corpus", small_corpus, "--profile", "legal")
    assert (status, out) == (0, "") and "12 pairs are few" in err and "wrote" in err
    assert models.load(model).profiles == {**shipped, "legal": models.stored(model).profiles["legal"]}
    profile = models.stored(model).profiles["legal"]
    assert (profile.corpora, profile.languages, profile.measured["pairs"]) == (("small",), ("en",), 12)
    assert profile.calibration is None and len(profile.quantiles) == 101
    score = compared(run, model, "legal")
    assert score["threshold"] == pytest.approx(profile.threshold, abs=1e-4)
    assert score["corpora"] == ["small"] and score["probability"] is None
    assert score["fit"] == {"pairs": 12, "kinds": None, "calibration_error": None}
    _, out, _ = run("compare", *PAIR, "--model", model, "--profile", "legal", "--quiet")
    printed = " ".join(out.split())
    assert "12 validation pairs of the corpus “small”" in printed and "fewer than 100" in printed
    assert "legal" in models.info(model)["profiles"] and "legal" in models.profiles([model])


def test_the_explorer_offers_the_profile(run: Run, small_corpus: Path) -> None:
    from colde_explorer_app.session import available_models

    available_models.info.clear()
    assert "legal" not in available_models.profiles()
    assert run("fit", "tfidf", "--corpus", small_corpus, "--profile", "legal", "--quiet")[0] == 0
    available_models.info.clear()
    assert available_models.profiles()[-1] == "legal"
    available_models.info.clear()


def test_a_corpus_with_the_name_of_one_that_ships_is_not_described_as_that(
    run: Run, small_corpus: Path
) -> None:
    corpus = small_corpus.with_name("acl")
    shutil.copytree(small_corpus, corpus, dirs_exist_ok=True)
    assert run("fit", "tfidf", "--corpus", corpus, "--profile", "legal", "--quiet")[0] == 0
    _, out, _ = run("compare", *PAIR, "--model", "tfidf", "--profile", "legal", "--quiet")
    assert "pairs of the corpus “acl”" in " ".join(out.split()) and "research papers" not in out


def test_a_checkpoint_with_the_profile_is_used_like_any_other(
    run: Run, small_corpus: Path, tmp_path: Path, profiles: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert run("fit", "dssm", "--corpus", small_corpus, "--profile", "papers", "--output", first)[0] == 0
    assert read_config(first).profiles["papers"].corpora == ("small",)
    assert read_config(first).profiles.keys() == read_config(models.checkpoint("dssm")).profiles.keys()
    assert read_config(first).weights == read_config(models.checkpoint("dssm")).weights
    assert not profiles.exists()
    # From a folder, into another one and into the same one.
    assert run("fit", first, "--corpus", small_corpus, "--profile", "legal", "--output", second)[0] == 0
    assert run("fit", second, "--corpus", small_corpus, "--profile", "leases", "--output", second)[0] == 0
    assert {"legal", "leases"} <= set(read_config(second).profiles)
    assert compared(run, second, "leases")["corpora"] == ["small"]
    for taken in (first, second):
        args = ("fit", "dssm", "--corpus", small_corpus, "--profile", "legal", "--output", taken)
        status, _, err = run(*args)
        assert status == 2 and "holds a checkpoint already: replace it with --force" in err
    status, _, err = run("fit", second, "--corpus", small_corpus, "--profile", "legal", "--output", second)
    assert status == 2 and "has a profile 'legal' already" in err
    # A profile for the weights of a folder applies to the model that ships with the same weights, too.
    assert run("fit", second, "--corpus", small_corpus, "--profile", "deeds", "--quiet")[0] == 0
    assert "deeds" in models.stored("dssm").profiles and "deeds" not in models.stored("tfidf").profiles


def test_a_profile_is_replaced_only_when_asked(run: Run, small_corpus: Path, profiles: Path) -> None:
    args = ("fit", "tfidf", "--corpus", small_corpus, "--profile", "legal", "--quiet")
    assert run(*args)[0] == 0
    (file,) = profiles.rglob("*.json")
    before = file.stat().st_mtime_ns
    status, _, err = run(*args)
    assert status == 2 and "tfidf has a profile 'legal' already: replace it with --force" in err
    assert file.stat().st_mtime_ns == before
    assert run(*args, "--force")[0] == 0
    assert file.stat().st_mtime_ns > before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("papers", "the profile 'papers' ships"),
        ("general", "the profile 'general' ships"),
        ("auto", "--profile auto means something else"),
        ("../legal", "is not a valid name of a profile"),
        ("", "is not a valid name of a profile"),
    ],
)
def test_names_that_cannot_be_used(run: Run, small_corpus: Path, name: str, message: str) -> None:
    status, _, err = run("fit", "tfidf", "--corpus", small_corpus, "--profile", name)
    assert status == 2 and message in err


def test_without_a_folder_for_profiles_one_has_to_be_named(
    run: Run, small_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLDE_PROFILES", "off")
    status, _, err = run("fit", "tfidf", "--corpus", small_corpus, "--profile", "legal")
    assert status == 2 and "set COLDE_PROFILES" in err and "--output" in err
    monkeypatch.delenv("COLDE_PROFILES")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert profiles_folder() == tmp_path / "colde" / "profiles"


def test_a_folder_that_cannot_be_written_is_named_before_the_fit(
    run: Run, small_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COLDE_PROFILES", str(tmp_path / "file" / "profiles"))
    assert dict(user_profiles(read_config(models.checkpoint("tfidf")))) == {}
    for more in ((), ("--output", tmp_path / "file" / "output")):
        status, _, err = run("fit", "tfidf", "--corpus", small_corpus, "--profile", "legal", *more)
        assert status == 2 and f"cannot be written: {tmp_path / 'file'} is a file" in err


RECORDS = [record(str(i), f"The tide comes in at hour {i} and goes out again.") for i in range(6)]
DIFFERENT = [("0", str(i), 0) for i in range(1, 6)] * 2


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (None, "valid.tsv: no such pairs file"),
        (DIFFERENT[:9], "9 labelled pairs; a profile needs at least 10"),
        (DIFFERENT, "every pair has the label 0"),
        ([(a, b, 1) for a, b, _ in DIFFERENT], "every pair has the label 1"),
        ([*DIFFERENT, ("0", "nine", 1)], "names the document 'nine', which is not there"),
        ([*DIFFERENT, ("0", "1", "")], "a pair has no label"),
        ([("0", "1", 1), *[("0", "1", 0)] * 9], "every document is related to every other"),
    ],
)
def test_a_corpus_that_fits_no_threshold(
    run: Run, tmp_path: Path, profiles: Path, pairs: Any, message: str
) -> None:
    corpus = write_corpus(tmp_path / "corpus", RECORDS, **({} if pairs is None else {"valid": pairs}))
    status, _, err = run("fit", "tfidf", "--corpus", corpus, "--profile", "legal", "--quiet")
    assert status == 3 and message in err and len(err.splitlines()) == 1
    assert not profiles.exists()


def test_a_damaged_profile_is_ignored_with_a_warning_that_names_it(
    run: Run, small_corpus: Path, profiles: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("legal", "leases"):
        assert run("fit", "tfidf", "--corpus", small_corpus, "--profile", name, "--quiet")[0] == 0
    (file,) = profiles.rglob("legal.json")
    entry = json.loads(file.read_text())
    for text in (
        "",
        "[]",
        "{}",
        json.dumps({**entry, "fitted_for": "0" * 64}),
        json.dumps({**entry, "profile": {"threshold": "high"}}),
        json.dumps({**entry, "profile": {"threshold": float("nan")}}),
    ):
        file.write_text(text)
        caplog.clear()
        assert set(user_profiles(read_config(models.checkpoint("tfidf")))) == {"leases"}
        assert str(file) in caplog.text and "is ignored" in caplog.text
    status, _, err = run("compare", *PAIR, "--model", "tfidf", "--profile", "legal", "--quiet")
    assert status == 2 and "there is no profile named 'legal'; there are: " in err


def test_a_profile_of_other_weights_is_refused_with_the_reason(
    run: Run, small_corpus: Path, profiles: Path, tmp_path: Path
) -> None:
    assert run("fit", "dssm", "--corpus", small_corpus, "--profile", "legal", "--quiet")[0] == 0
    other = tmp_path / "other"
    shutil.copytree(models.checkpoint("dssm"), other)
    config = json.loads((other / CONFIG).read_text())
    (other / CONFIG).write_text(json.dumps({**config, "weights": None}))
    status, _, err = run("compare", *PAIR, "--model", other, "--profile", "legal", "--quiet")
    assert status == 2 and "'legal' was fitted for other weights of dssm; fit it again: colde fit dssm" in err


def test_what_is_interrupted_leaves_nothing(
    run: Run, small_corpus: Path, profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("colde.training.user_profile.score_corpus", interrupted)
    assert run("fit", "tfidf", "--corpus", small_corpus, "--profile", "legal")[0] == 130
    assert not profiles.exists()


def test_enough_pairs_choose_the_weights_of_colde_and_words(run: Run, tmp_path: Path) -> None:
    corpus = toy_corpus(tmp_path / "toy", ("tides", "bread", "bees"), documents=9, train=40, valid=60)
    assert run("fit", "colde_words", "--corpus", corpus, "--profile", "legal", "--quiet")[0] == 0
    profile = models.stored("colde_words").profiles["legal"]
    assert set(profile.weights) == {"words", "exact"} and profile.measured["pairs"] == 120
    matcher = cast(ColdeWords, models.load("colde_words"))
    assert asdict(matcher.for_profile("legal").weights) == profile.weights
    assert matcher.for_profile("papers").weights == matcher.mixture.weights("papers")


@pytest.mark.parametrize(
    ("channels", "chosen"),
    [
        ((0.0, 1.0, 0.0), "words"),
        ((0.0, 0.0, 1.0), "exact"),
        ((1.0, 1.0, 1.0), "those of the model"),
    ],
)
def test_weights_follow_the_channel_that_tells_pairs_apart(channels: tuple[float, ...], chosen: str) -> None:
    """Each channel is the label, or noise."""
    random = np.random.default_rng(0)
    labels = np.arange(400) % 2
    noise = random.random((400, 3))
    values = np.where(np.array(channels) == 1, labels[:, None] + 0.1 * noise, noise)
    names, present = ("dense", "words", "exact"), (0.5, 0.2, 0.3)
    weights = fit_channel_weights(values, labels, present)
    if chosen == "those of the model":
        assert weights == pytest.approx(present)
    else:
        assert weights[names.index(chosen)] > present[names.index(chosen)]
        assert sum(weights) == pytest.approx(1) and weights[0] > 0.05


def test_a_text_without_words_is_scored_by_colde_alone() -> None:
    values = np.array([[0.9, np.nan, np.nan], [0.1, np.nan, np.nan], [0.8, 0.1, 0.1], [0.2, 0.9, 0.9]])
    assert fit_channel_weights(values, np.array([1, 0, 1, 0]), (0.1, 0.4, 0.5))[0] > 0.1


def test_a_corpus_with_few_related_pairs_is_calibrated_for_as_many_of_both(small_corpus: Path) -> None:
    """One pair in ten is related; `--prior 0.1` then gives the share among them, and is applied once."""
    random = np.random.default_rng(0)
    labels = (random.random(20_000) < 0.1).astype(np.int64)
    scores = random.normal(
        np.where(labels == 1, 0.6, 0.4), 0.1
    )  # the true log-odds of balanced pairs: 20 (s − 0.5)
    count = len(labels)
    pairs = HeldOutPairs(
        "mine",
        "mine",
        tuple(map(str, range(2 * count))),
        np.arange(2 * count).reshape(-1, 2),
        labels,
        sparse.csr_matrix((2 * count, 2 * count), dtype=bool),
    )

    def score(_: HeldOutPairs, asked: np.ndarray) -> np.ndarray:
        return np.asarray(scores[asked[:, 0] // 2], dtype=np.float32)

    profile = fit_profile("mine", [score_corpus(pairs, small_corpus, score, 0, 100)])
    judged = judge(0.55, {"mine": profile}, "mine")
    balanced = 1 / (1 + np.exp(-20 * 0.05))
    assert profile.threshold == pytest.approx(0.5, abs=0.01)
    assert judged.probability == pytest.approx(balanced, abs=0.02)
    near = np.abs(scores - 0.55) < 0.01
    assert judged.at_prior(0.1).probability == pytest.approx(labels[near].mean(), abs=0.03)
