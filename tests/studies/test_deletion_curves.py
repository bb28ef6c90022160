"""The deletion curves: scores from sums over chunks are those of the models, and so are the parts of the score."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from colde import models
from colde.corpus.corpus_folder import Pair, record_to_document
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.encoders.sentence_layout import read_sentences
from colde.models.base import Matcher
from colde.models.colde.matcher import Colde
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from colde.text.sections.passage_removal import leave_out
from studies.explanations import chunk_scores, deletion_controls, deletion_curves
from tests.corpora import SUBJECTS
from tests.models.drawn_states import States, over_drawn_states

WORDS = f"{SUBJECTS['tides']} {SUBJECTS['bread']}".split()


@pytest.fixture(scope="module")
def known() -> dict[str, Matcher]:
    """Models over drawn states; CoLDE's projection moved, since rotations alone, as drawn, are all the same to it."""
    found: dict[str, Matcher] = {**over_drawn_states(), "tfidf": models.load("tfidf")}
    colde = found["colde"]
    assert isinstance(colde, Colde)
    with torch.no_grad():
        weight = colde.network.project.weight
        weight.mul_(torch.linspace(0.2, 2.0, len(weight))[:, None])
    return found


def document(seed: int, sections: int) -> Document:
    drawn = random.Random(seed)
    found = [
        {
            "heading": f"Part {k}",
            "paragraphs": [
                " ".join(drawn.choices(WORDS, k=drawn.randint(8, 20))).capitalize() + "." for _ in range(3)
            ],
        }
        for k in range(sections)
    ]
    return record_to_document({"id": str(seed), "title": "Sea", "sections": found})


@pytest.mark.parametrize("name", ["colde", "colde_words", "minilm", "tfidf"])
def test_scores_and_parts_are_those_of_the_model(
    name: str, known: dict[str, Matcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_scores.models, "load", known.__getitem__)
    model, scored = known[name], chunk_scores.scored(name, "papers")
    if name == "colde_words":
        model = scored.model
    a, b = document(1, 4), document(2, 3)
    sides = []
    for d in (a, b):
        found = read_sentences(d, default_tokenizer())
        (units,) = CachedSentenceEncoder(States()).read([d], [found])
        sides.append(chunk_scores.side_of(d, found, np.arange(len(found.ids)), units))
    result = model.match(*model.encode([a, b]))
    made = result.maps["contribution_chunk"]
    np.testing.assert_allclose(scored.chunk_contributions(*sides), made.values, atol=1e-5)
    anew = chunk_scores.with_random_weights(scored)
    assert (anew is None) == (name in ("minilm", "tfidf"))
    if anew is not None:  # other weights, other parts; the model itself stays as it was
        assert np.abs(anew.chunk_contributions(*sides) - made.values).max() > 1e-4
        np.testing.assert_allclose(scored.chunk_contributions(*sides), made.values, atol=1e-5)
        assert set(deletion_curves.measured(scored, *sides, 0, anew)) == {
            *deletion_curves.ORDERS,
            deletion_curves.RANDOM_WEIGHTS,
        }
    kept = np.array([[1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 1, 0, 1, 1], [0, 0, 0, 1, 1, 1, 0]], dtype=np.float64)
    scores = scored.scores(*sides, kept[:, :4], kept[:, 4:])
    assert scores[0] == pytest.approx(result.score, abs=1e-5)
    for row, score in zip(kept, scores, strict=True):
        left = [
            leave_out(d, [s for s, keep in zip(side.spans, own, strict=True) if not keep])
            for d, side, own in zip((a, b), sides, (row[:4], row[4:]), strict=True)
        ]
        assert score == pytest.approx(model.match(*model.encode(left)).score, abs=1e-5)


def test_a_curve_knows_what_matters_and_its_interval_holds_its_mean() -> None:
    lines = []
    for seed in range(6):
        sides = [
            chunk_scores.side_of(d, f, np.arange(len(f.ids)), np.ones((len(f.ids), 3), dtype=np.float32))
            for d in (document(2 * seed, 6), document(2 * seed + 1, 6))
            for f in [read_sentences(d, default_tokenizer())]
        ]
        lines.append(
            {"source": str(seed), "found": deletion_curves.measured(chunk_scores.TfidfScorer(), *sides, seed)}
        )
    found = deletion_curves.summary(lines)
    areas = {name: one["mean"] for name, one in found["area"]["deletion"].items()}
    assert found["pairs"] == 6 and areas["contribution"][0] > areas["random"][0]
    assert all(low <= mean <= high for mean, low, high in areas.values())
    assert found["area"]["deletion"]["contribution"]["less"] == [0, 0, 0]
    assert "| tfidf | acl, 6 |" in deletion_curves.table({"tfidf": {"acl": found}}, "deletion")


def test_each_kind_of_pair_is_compared_with_a_network_without_training(known: dict[str, Matcher]) -> None:
    colde = known["colde"]
    assert isinstance(colde, Colde)
    model = chunk_scores.ColdeScorer(colde)
    control = chunk_scores.with_random_weights(model)
    assert control is not None
    texts = []
    for seed in range(8):
        d = document(seed, 6)
        found = read_sentences(d, default_tokenizer())
        (units,) = CachedSentenceEncoder(States()).read([d], [found])
        texts.append(chunk_scores.side_of(d, found, np.arange(len(found.ids)), units))
    pairs = [(Pair("", "", k % 2), texts[2 * k], texts[2 * k + 1]) for k in range(4)]
    drawn = list(deletion_controls.judged_pairs(model, -1.0, pairs, 1))
    assert [(kind, number) for kind, number, *_ in drawn] == [
        ("unrelated, judged related", 0),
        ("related", 1),
    ]
    assert {kind for kind, *_ in deletion_controls.judged_pairs(model, 1.1, pairs, 9)} == {
        "unrelated",
        "related, judged unrelated",
    }
    losses = [deletion_controls.losses(model, control, a, b, k) for k, (_, a, b) in enumerate(pairs)]
    summary = deletion_controls.summary(losses)
    assert summary["pairs"] == 4 and set(summary["loss"]) == set(deletion_controls.ORDERS)
    assert summary["loss"]["contribution"][0] > summary["loss"]["random"][0]
    difference = summary["loss"]["contribution"][0] - summary["loss"]["weights drawn anew"][0]
    assert summary["more than"]["weights drawn anew"][0] == pytest.approx(difference, abs=2e-5)
    assert "| colde | related, 4 |" in deletion_controls.tables({"colde": {"related": summary}})
