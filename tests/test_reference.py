"""Judging against a folder without labels: what is read of it, what it changes, what it leaves alone."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from colde import models
from colde.calibration import judge
from colde.errors import ModelError
from colde.ingest import read_text
from colde.models.base import Background, Calibration, Profile
from colde.reference import FEWEST, MOST, Reference, against, read_reference
from colde.vectors import normalised

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
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    with gzip.open(corpus / "documents.jsonl.gz", "wt", encoding="utf-8") as out:
        for i in range(MOST + 50):
            section = {"heading": "", "paragraphs": [text(i)]}
            out.write(json.dumps({"id": str(i), "title": "", "sections": [section]}) + "\n")
    assert len(read_reference(corpus).documents) == MOST
    (files / "00.txt").unlink()
    with pytest.raises(ModelError, match=f"{FEWEST - 1} documents"):
        read_reference(files)
    with pytest.raises(ModelError, match="no such folder"):
        read_reference(tmp_path / "nowhere")


def test_the_background_is_that_of_its_random_pairs(documents: Reference) -> None:
    matcher, background = against(models.load("tfidf"), "papers", documents)
    assert background is not None and background.documents == 12
    encoded = matcher.encode(list(documents.documents), explain=False)
    every = [matcher.compare(a, b) for i, a in enumerate(encoded) for b in encoded[:i]]
    assert min(every) - 1e-6 <= background.quantiles[0] and background.quantiles[-1] <= max(every) + 1e-6
    assert background.spread == pytest.approx(np.std(every), rel=0.15)
    assert against(models.load("tfidf"), "papers", documents)[1] == background


def test_colde_is_centred_on_the_reference(documents: Reference) -> None:
    plain = models.load("colde")
    centred, background = against(plain, "papers", documents)
    states = [e.arrays["states"] for e in plain.encode(list(documents.documents), explain=False)]
    expected = np.mean([normalised(s).mean(0) for s in states], axis=0)
    np.testing.assert_allclose(centred.network.centre.numpy(), expected, atol=1e-5)  # type: ignore[attr-defined]
    assert background is not None and background.spread > 0
    assert not np.allclose(plain.network.centre.numpy(), expected, atol=1e-3)  # type: ignore[attr-defined]


def test_threshold_and_probability_move_with_the_spread() -> None:
    profile = Profile("papers", 0.3, Calibration(10.0, -3.0), (0.0, 1.0), spread=0.1, relative=3.0)
    everything = Profile("general", 0.3, Calibration(10.0, -3.0), (0.0, 1.0), spread=0.1, relative=2.0)
    profiles = {"papers": profile, "general": everything}
    background = Background("field", 50, 0.2, tuple(np.linspace(-0.2, 0.8, 101)))
    judged = judge(0.61, profiles, "papers", background)
    assert judged.threshold == pytest.approx(0.6) and judged.similar
    assert judged.probability == pytest.approx(1 / (1 + np.exp(-(10 * 0.305 - 3))))
    assert judged.percentile == pytest.approx(0.81)
    strange = judge(0.39, profiles, "general", background)
    assert strange.threshold == pytest.approx(0.4) and not strange.similar
    assert strange.probability is None  # no calibration holds for documents of a kind never seen
    assert judge(0.61, profiles, "papers").threshold == 0.3
