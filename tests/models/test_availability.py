"""Models that can run are listed; what the others lack is said, with the way to get it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde import assets, models
from colde.cli import main
from colde.evaluation.model_contract import TWENTY
from colde.models.checkpoint import write_checkpoint
from colde.models.registry import specs
from tests.forks import fork_python
from tests.programs import ROOT

NOT_INSTALLED = "get the repository of CoLDE Explorer"
FROM_CHECKOUT = [name for name, s in specs().items() if s.module.startswith("studies.")]


@pytest.fixture
def without_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installation from a wheel: above the package there are no studies."""
    (tmp_path / "site-packages").mkdir()
    monkeypatch.setattr(assets, "CHECKOUT", tmp_path / "site-packages")


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        path.write_text(f"# Tides\n\n{TWENTY}\n", encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    """A checkpoint folder of a system whose code is in a checkout alone."""
    folder = tmp_path / "trained"
    write_checkpoint(
        folder, name="rnn", settings={}, profiles={}, parameters=1, training={}, tensors=None, base=False
    )
    return str(folder)


def error_of(capfd: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line that a command refuses with, as wrong usage."""
    capfd.readouterr()
    assert main(args) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


def listed(capfd: pytest.CaptureFixture[str], *options: str) -> str:
    capfd.readouterr()
    assert main(["models", *options]) == 0
    return capfd.readouterr().out


def test_the_list_holds_what_can_run(capfd: pytest.CaptureFixture[str]) -> None:
    known = {**models.cards(), **models.recipes()}
    begun = {line.split()[0] for line in listed(capfd).splitlines() if line[:1].strip()}
    assert begun & set(known) == {name for name in known if models.is_trained(name)}


@pytest.mark.usefixtures("without_checkout")
def test_all_models_are_listed_with_what_they_lack(capfd: pytest.CaptureFixture[str]) -> None:
    lines = listed(capfd, "--all").splitlines()
    assert any(line.startswith("smith:np   a recipe, without weights   ") for line in lines)
    for name in FROM_CHECKOUT:
        assert any(line.startswith(f"{name}   a recipe, without code and weights") for line in lines), name
    entries = json.loads(listed(capfd, "--json"))
    assert {e["name"] for e in entries if not e["trained"]} >= {"smith:np", *FROM_CHECKOUT}
    assert models.missing("rnn") == "code and weights" and models.missing("tfidf") == ""


def test_in_a_checkout_weights_alone_are_missing(capfd: pytest.CaptureFixture[str], texts: list[str]) -> None:
    assert models.missing("rnn") == "weights"
    message = error_of(capfd, "compare", *texts, "--model", "rnn")
    assert "rnn is not trained" in message and "`colde train rnn --corpus DIR --output DIR`" in message


@pytest.mark.usefixtures("without_checkout")
def test_without_a_checkout_the_code_is_missing(
    capfd: pytest.CaptureFixture[str], texts: list[str], checkpoint: str, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    for args in (
        ("train", "rnn", "--corpus", str(tmp_path), "--output", str(output)),
        ("train", "lda", "--corpus", str(tmp_path), "--output", str(output)),
        ("compare", *texts, "--model", "rnn"),
        ("compare", *texts, "--model", checkpoint),
    ):
        message = error_of(capfd, *args)
        assert NOT_INSTALLED in message and "--model" not in message, args
    assert not output.exists()


@pytest.mark.slow
def test_a_system_of_the_papers_is_trained_from_a_checkout(
    capfd: pytest.CaptureFixture[str], small_corpus: Path, texts: list[str], tmp_path: Path
) -> None:
    brief = tmp_path / "brief.json"
    settings = {
        "model": {"words": 8, "hidden": 6, "tokens": 24},
        "training": {"steps": 1, "pairs": 2, "unrelated_pairs": 10},
    }
    brief.write_text(json.dumps(settings), encoding="utf-8")
    output = tmp_path / "output"
    arguments = ["--corpus", str(small_corpus), "--output", str(output), "--config", str(brief)]
    assert main(["train", "rnn", *arguments]) == 0
    assert main(["compare", *texts, "--model", str(output), "--json", "-"]) == 0
    (result,) = json.loads(capfd.readouterr().out)["models"]
    assert result["title"] == "RNN"


def test_no_other_command_imports_the_studies(texts: list[str]) -> None:
    code = (
        "import sys; from colde.cli import main; from colde import models; "
        "from colde.models.registry import spec; "
        f"main(['models', '--all']); main(['compare', *{texts!r}, '--model', 'tfidf']); "
        "[spec(n).matcher_class() for n in models.cards()]; "
        "sys.exit(', '.join(m for m in sys.modules if m.partition('.')[0] == 'studies') or 0)"
    )
    fork_python("-c", code, cwd=ROOT)


def test_a_model_without_weights_lacks_a_threshold_and_not_a_training(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_training = models.not_trained("tfidf")
    assert "tfidf has no threshold: it needs no training" in str(without_training)
    assert "fit one with `colde train tfidf --corpus DIR --output DIR`" in str(without_training)
    assert "dssm is not trained: no weights ship" in str(models.not_trained("dssm"))
