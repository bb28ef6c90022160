"""Judging against a folder without labels: what is read of it, what it changes, what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from colde import models
from colde.comparison.fitted_model import apply_reference
from colde.errors import ModelError
from colde.ingest import read_text
from colde.judge.calibration import Background, Calibration, Profile, judge
from colde.judge.reference import FEWEST, MOST, Reference, read_reference
from colde.models.colde_words import ColdeWords
from tests.corpora import record, write_corpus

WORDS = (
    *("tide", "moon", "harbour", "current", "ebb", "flood", "shore", "pilot", "estuary", "swell"),
    *("flour", "yeast", "oven", "crust", "dough", "loaf"),
)


def text(seed: int) -> str:
    random = np.random.default_rng(seed)
    return "\n\n".join(" ".join(random.choice(WORDS, 14)).capitalize() + "." for _ in range(4))


@pytest.fixture(scope="module")
def documents() -> Reference:
    return Reference("harbours", tuple(read_text(text(i)) for i in range(12)))


def test_files_and_corpora_are_read_and_what_cannot_be_is_named(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for i in range(FEWEST):
        (files / f"{i:02d}.txt").write_text(text(i), encoding="utf-8")
    (files / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    found = read_reference(files)
    assert found.name == "files" and len(found.documents) == FEWEST and found.unread == ("broken.pdf",)
    corpus = write_corpus(tmp_path / "corpus", [record(str(i), text(i)) for i in range(MOST + 50)])
    assert len(read_reference(corpus).documents) == MOST
    whole = read_reference(corpus).documents  # what reads sentences makes nothing of a text without any
    assert all(
        section.sentences for d in whole for section in d.sections if d.text[section.start : section.end]
    )
    (files / "00.txt").unlink()
    with pytest.raises(ModelError, match=f"{FEWEST - 1} documents"):
        read_reference(files)
    with pytest.raises(ModelError, match="no such folder"):
        read_reference(tmp_path / "nowhere")


@pytest.mark.slow
def test_the_background_is_that_of_its_random_pairs(documents: Reference) -> None:
    matcher, background = apply_reference(models.load("tfidf"), "papers", documents)
    assert background is not None and background.documents == 12
    encoded = matcher.encode(list(documents.documents), explain=False)
    every = [matcher.match(a, b, explain=False).score for i, a in enumerate(encoded) for b in encoded[:i]]
    assert min(every) - 1e-6 <= background.quantiles[0] and background.quantiles[-1] <= max(every) + 1e-6
    assert background.score_std == pytest.approx(np.std(every), rel=0.15)
    assert apply_reference(models.load("tfidf"), "papers", documents)[1] == background


@pytest.mark.slow
def test_the_trained_network_keeps_its_vote_under_a_reference(documents: Reference) -> None:
    plain = models.load("colde_words")
    assert isinstance(plain, ColdeWords)
    judged, background = apply_reference(plain, "general", documents)
    assert isinstance(judged, ColdeWords)
    assert judged.weights == plain.mixture.reference and judged.weights.dense > 0
    assert background is not None and background.score_std > 0
    same, own = apply_reference(models.load("colde"), "general", documents)
    assert own is not None and same.card.name == "colde"


def test_the_threshold_of_general_moves_with_the_spread_and_that_of_a_kind_stays() -> None:
    profile = Profile("papers", 0.3, Calibration(10.0, -3.0), (0.0, 1.0), score_std=0.1, threshold_sd=3.0)
    everything = Profile("general", 0.3, Calibration(10.0, -3.0), (0.0, 1.0), score_std=0.1, threshold_sd=2.0)
    profiles = {"papers": profile, "general": everything}
    background = Background("field", 50, 0.2, tuple(np.linspace(-0.2, 0.8, 101)))
    judged, plain = judge(0.31, profiles, "papers", background), judge(0.31, profiles, "papers")
    assert (judged.threshold, judged.similar, judged.probability) == (0.3, True, plain.probability)
    assert judged.percentile == pytest.approx(0.51) and plain.percentile == pytest.approx(0.31)
    strange = judge(0.39, profiles, "general", background)
    assert strange.threshold == pytest.approx(0.4) and not strange.similar
    assert strange.probability is None  # no calibration holds for documents of a kind never seen
    assert judge(0.61, profiles, "papers").threshold == 0.3
