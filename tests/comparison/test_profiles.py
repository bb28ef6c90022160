"""A profile of a checkpoint is used where it exists, and every sentence about it names the corpora it was fitted on."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import colde
from colde import ingest
from colde.models.checkpoint import CONFIG, read_config
from colde.report.html.html_report import to_html
from colde.report.terminal.terminal_report import print_report
from colde.report.wording.verdict import verdict
from colde.training.training_run import train

LEASE = (
    "The tenant agrees to treat the flat with care and to report every damage to the landlord without delay. The rent "
    "is due on the third working day of every month, and the deposit is returned with the keys at the end. "
)
LOAN = (
    "The bank grants the borrower a credit line for the purchase of machines. Interest accrues daily and is charged "
    "each quarter. The borrower pledges its stock as security and reports its turnover to the bank every spring. "
)


@pytest.fixture(scope="module")
def legal(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TF-IDF with thresholds of a user's own corpus, under a profile of the user's own."""
    return train("tfidf", [small_corpus], tmp_path_factory.mktemp("runs") / "legal", profile="legal")


def compared(model: Path, profile: str) -> colde.Comparison:
    a, b = (ingest.read_text(text * 3) for text in (LEASE, LOAN))
    return colde.compare(a, b, models=str(model), profile=profile)


def printed(comparison: colde.Comparison) -> str:
    console = Console(width=10_000, record=True, file=io.StringIO())
    print_report(comparison, console)
    return console.export_text()


def test_a_profile_records_its_corpora_and_their_languages(legal: Path) -> None:
    profiles = read_config(legal).profiles
    assert set(profiles) == {"general", "legal"}
    assert all(p.corpora == ("small",) and p.languages == ("en",) for p in profiles.values())


@pytest.mark.parametrize("profile", ["legal", "general"])
def test_every_sentence_names_the_corpora_of_the_profile(legal: Path, profile: str) -> None:
    comparison = compared(legal, profile)
    (score,) = comparison.models
    assert score.profile == profile and score.corpora == ("small",)
    assert score.fit is not None and (score.fit.pairs, score.probability) == (12, None)
    for output in (verdict(comparison).basis, printed(comparison), to_html(comparison)):
        assert "the corpus “small”" in output
        for other in ("four kinds", "research papers", "encyclopedia", "documents of the kind"):
            assert other not in output


@pytest.mark.parametrize("profile", ["papers", "textbooks"])
def test_without_the_profile_there_is_no_probability(legal: Path, profile: str) -> None:
    comparison = compared(legal, profile)
    (score,) = comparison.models
    assert (score.probability, score.threshold, score.similar, score.percentile) == (None,) * 4
    assert score.profile is None and score.corpora == ()
    said = verdict(comparison)
    assert said.related == f"No verdict: the model has no profile {profile}."
    for output in (said.basis, printed(comparison), to_html(comparison)):
        assert f"no profile {profile}" in output and "validation pairs of" not in output
    (entry,) = comparison.to_dict()["models"]
    assert entry["no_verdict"] == f"the model has no profile {profile}" and entry["similar"] is None


def test_a_checkpoint_without_a_record_of_its_corpora_says_so(legal: Path, tmp_path: Path) -> None:
    config = json.loads((legal / CONFIG).read_text(encoding="utf-8"))
    for profile in config["profiles"].values():
        del profile["corpora"], profile["languages"]
    (tmp_path / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    for file in legal.iterdir():
        if file.is_file() and file.name != CONFIG:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    comparison = compared(tmp_path, "general")
    assert comparison.models[0].threshold is not None
    for output in (verdict(comparison).basis, to_html(comparison)):
        assert "does not record" in output and "four kinds" not in output and "scientific" not in output


def test_shipped_profiles_name_the_corpora_they_were_fitted_on() -> None:
    kinds = {"papers": "acl", "encyclopedia": "wiki", "proposals": "peps", "textbooks": "textbooks"}
    trained = [name for name in colde.models.cards() if colde.models.is_trained(name)]
    for name in trained:
        for profile in colde.models.stored(name).profiles.values():
            assert profile.corpora == (
                (kinds[profile.name],) if profile.name in kinds else tuple(kinds.values())
            )
            assert profile.languages == ("en",)
    a, b = (ingest.read_text(text * 3) for text in (LEASE, LOAN))
    basis = verdict(colde.compare(a, b, models="tfidf", profile="papers")).basis
    assert "validation pairs of research papers." in basis and "encyclopedia" not in basis
    basis = verdict(colde.compare(a, b, models="tfidf", profile="general")).basis
    assert "research papers, encyclopedia articles, technical proposals and sections of" in basis
