"""The kind of a document, detected from its text; layout, length and language do not mislead it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import colde
from colde.judge.kind_detector import FEWEST_WORDS, DocumentKindDetector, compared_text, detect_document_kind
from colde.judge.kind_features import STYLE_FEATURES, style, term_counts, term_rates
from colde.judge.profiles import DETECT, GENERAL, NONE, profile_for, profile_table
from colde.results.verdicts.pair_kind import MOST_EVIDENCE, NO_KIND, DocumentKind, PairKind
from tests.programs import ROOT

PAPERS = DocumentKind("papers", 0.9, 1.0)
CERTAINLY = DocumentKind("papers", 1.0, 9.0)
PROPOSAL = DocumentKind("proposals", 0.8, 1.0)
DOUBTFUL = DocumentKind("papers", 0.5, -0.5)
UNLIKELY = DocumentKind("papers", 0.2, -3.0)
NOTHING = DocumentKind("textbooks", 0.2, -1.0)
FITTED = {"general", "papers", "proposals"}


@pytest.mark.parametrize(
    ("asked", "kind", "fitted", "profile"),
    [
        (DETECT, PairKind(PAPERS, PAPERS), FITTED, "papers"),
        (DETECT, PairKind(PAPERS, PROPOSAL), FITTED, NONE),
        (DETECT, PairKind(PAPERS, NOTHING), FITTED, NONE),
        (DETECT, PairKind(PAPERS, DOUBTFUL), FITTED, "papers"),
        (DETECT, PairKind(DOUBTFUL, PAPERS), FITTED, "papers"),
        (DETECT, PairKind(DOUBTFUL, DOUBTFUL), FITTED, NONE),
        (DETECT, PairKind(CERTAINLY, UNLIKELY), FITTED, NONE),
        (DETECT, PairKind(NO_KIND, NO_KIND), FITTED, NONE),
        (DETECT, PairKind(NOTHING, NOTHING), FITTED, NONE),
        (DETECT, PairKind(PAPERS, PAPERS), {"general", "proposals"}, NONE),
        (DETECT, PairKind(PAPERS, PAPERS), {"general", "mine"}, GENERAL),
        ("general", PairKind(PAPERS, PAPERS), FITTED, GENERAL),
        ("proposals", PairKind(PAPERS, PAPERS), FITTED, "proposals"),
    ],
)
def test_a_pair_has_the_profile_for_which_both_give_enough_evidence(
    asked: str, kind: PairKind, fitted: set[str], profile: str
) -> None:
    assert profile_for(asked, kind, fitted) == profile


def test_terms_and_style_are_rates() -> None:
    text = "We show that it works. It works in the end (Smith, 1999)."
    rates = term_rates(term_counts(text), {"works": 0, "it": 1, "absent": 2})
    assert rates.tolist() == pytest.approx([(2 / 12) ** 0.5, (2 / 12) ** 0.5, 0])
    assert style(text).shape == (STYLE_FEATURES,)
    assert style(text * 30) == pytest.approx(style(text * 60), abs=0.2)
    assert style("") is not None


def test_the_detector_that_ships_knows_the_kinds_of_the_profiles() -> None:
    detector = DocumentKindDetector.load()
    assert set(detector.kinds) == {p.name for p in profile_table().values() if p.corpus is not None}
    assert detector.weights.shape == (len(detector.kinds), len(detector.columns) + STYLE_FEATURES)


def test_short_and_foreign_texts_are_of_no_kind() -> None:
    short = "In this paper we propose a model of parsing (Smith, 1999). " * (FEWEST_WORDS // 12)
    german = "In dieser Arbeit zeigen wir ein Modell der Syntax (Schmidt, 1999), das besser ist. " * 40
    for text in (short, german):
        assert detect_document_kind(colde.read_text(text)) == NO_KIND


@pytest.mark.parametrize("name", ["pep-0509", "pep-0567", "pep-0705"])
def test_a_proposal_is_one_in_every_format(shared: Callable[[str], Path], name: str) -> None:
    for suffix in ("rst", "html", "docx"):
        kind = detect_document_kind(colde.read(shared(f"documents/peps/{name}.{suffix}")))
        assert kind.name == "proposals", suffix


@pytest.mark.parametrize("name", ["C02-1143", "P07-1058", "W05-1518"])
def test_a_paper_in_a_pdf_is_a_paper(shared: Callable[[str], Path], name: str) -> None:
    assert detect_document_kind(colde.read(shared(f"documents/papers/{name}.pdf"))).name == "papers"


OTHER_GENRES = (
    "05-clause-added-or-gone/sent.md",
    "04-party-renamed/v1.md",
    "18-news-rewritten/agency.md",
    "20-patent-prior-art/application.md",
    "20-patent-prior-art/prior-art.md",
    "21-cv-and-job/cv.md",
    "21-cv-and-job/job.md",
    "12-paraphrased-essay/pupil-1.md",
)


@pytest.mark.parametrize("name", OTHER_GENRES)
def test_other_genres_are_of_no_kind(shared: Callable[[str], Path], name: str) -> None:
    assert detect_document_kind(colde.read(shared(f"quality/{name}"))).name is None


@pytest.mark.parametrize(
    ("corpus", "kind"),
    [("acl", "papers"), ("wiki", "encyclopedia"), ("peps", "proposals"), ("textbooks", "textbooks")],
)
def test_documents_of_the_corpora_have_their_kind(
    shared: Callable[[str], Path], corpus: str, kind: str
) -> None:
    from colde.corpus.corpus_folder import record_to_document

    with gzip.open(shared(f"corpora/{corpus}/documents.jsonl.gz"), "rt", encoding="utf-8") as lines:
        documents = [record_to_document(json.loads(line)) for _, line in zip(range(40), lines, strict=False)]
    names = [detect_document_kind(document).name for document in documents]
    assert names.count(kind) >= 28
    assert sum(name not in (kind, None) for name in names) <= 4


def test_the_text_is_that_which_is_compared() -> None:
    document = colde.read(b"# One\n\nSome text stands here.\n\n# Two\n\nMore of it.", name="a.md")
    assert " ".join(compared_text(document).split()) == "One Some text stands here. Two More of it."


def test_json_has_the_kinds() -> None:
    pair = PairKind(PAPERS, NOTHING)
    assert pair.to_dict() == {
        "a": {"name": "papers", "certainty": 0.9},
        "b": {"name": None, "certainty": 0.2},
    }


def test_the_detector_that_ships_is_the_one_that_was_measured() -> None:
    measured = json.loads((ROOT / "docs/results/document_kind.json").read_text(encoding="utf-8"))
    detector = DocumentKindDetector.load()
    limits = dict(zip(detector.kinds, detector.limit.tolist(), strict=True))
    assert limits == pytest.approx(measured["limit"], abs=1e-3)
    assert measured["most evidence"] == MOST_EVIDENCE
    assert detector.weights.shape == (len(detector.kinds), measured["features"])
