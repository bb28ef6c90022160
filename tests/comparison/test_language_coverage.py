"""Pairs in two languages, or in one that the model does not read, get no verdict by threshold anywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

import colde
from colde import ingest
from colde.api import Collection
from colde.comparison.language_coverage import judge_pair, language_gap
from colde.encoders import encoder_names
from colde.index import Index
from colde.judge.calibration import Background, Calibration, Profile
from colde.models.registry import CARDS
from colde.report.collection.collection_html import collection_html, summary
from colde.report.html.html_report import to_html
from colde.report.wording.disagreement import disagreement
from colde.report.wording.verdict import SAME, provisional_verdict, verdict
from colde.results.progress import Progress, Provisional, Stage
from tests.index.light import Light

ENGLISH = (
    "The tenant agrees to treat the flat with care and to report every damage to the landlord without delay. The rent "
    "of 850 euros is due on the third working day of every month, and Mrs Keller of Goslar keeps the keys. The lease "
    "begins on 1 March 2024 and ends after 24 months."
)
GERMAN = (
    "Der Mieter verpflichtet sich, die Wohnung pfleglich zu behandeln und jeden Schaden dem Vermieter unverzüglich zu "
    "melden. Die Miete von 850 Euro ist am dritten Werktag eines jeden Monats fällig, und die Schlüssel hat Frau "
    "Keller aus Goslar. Der Vertrag beginnt am 1. März 2024 und endet nach 24 Monaten."
)
OTHER_GERMAN = (
    "Am 3. Mai legte das Schiff in Bremen ab. Der Kapitän, Herr Jansen, schrieb jeden Morgen in das Tagebuch, wie der "
    "Wind stand und wie viele Meilen die Mannschaft gesegelt war. Nach 24 Tagen sahen sie die Küste von Island."
)
CHINESE = "承租人应当妥善使用房屋，发现损坏应立即通知房东。租金应于每月第三个工作日支付。" * 4
MODELS = "tfidf,bm25"


@pytest.fixture(autouse=True)
def without_the_multilingual_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_names, "has_multilingual", lambda: False)


class Calibrated(Light):
    profiles = MappingProxyType({"general": Profile("general", 0.0, Calibration(1.0, 0.0))})


def compared(one: str, other: str, models: str = MODELS) -> colde.Comparison:
    return colde.compare(ingest.read_text(one), ingest.read_text(other), models=models)


@pytest.mark.parametrize(
    ("languages", "gap"),
    [
        (("en", "en"), ""),
        (("en", None), ""),
        ((None, None), ""),
        (("en", "de"), "A is English, B is German, and the model reads English only"),
        (("fr", "fr"), "both texts are French, and the model reads English only"),
        ((None, "ja"), "B is Japanese, and the model reads English only"),
    ],
)
def test_what_a_model_of_english_covers(languages: tuple[str | None, str | None], gap: str) -> None:
    assert language_gap(languages, CARDS["colde"], Profile("general", 0.5)) == gap


@pytest.mark.parametrize(("score", "similar"), [(0.45, True), (0.35, False)])
def test_a_threshold_of_translations_holds_for_two_languages(score: float, similar: bool) -> None:
    class Model(Light):
        profiles = MappingProxyType(
            {"general": Profile("general", 0.2, Calibration(1.0, 0.0), translation_threshold=0.4)}
        )

    judged = judge_pair(score, Model(), "general", ("en", "de"))
    assert (judged.similar, judged.threshold, judged.probability) == (similar, 0.4, None)
    in_one_language = judge_pair(score, Model(), "general", ("en", "en"))
    assert in_one_language.threshold == 0.2 and in_one_language.probability is not None
    for unknown in (("en", None), (None, None)):
        assert judge_pair(score, Model(), "general", unknown).threshold == 0.2


def test_a_profile_fitted_on_german_texts_holds_for_german_where_the_model_counts_words() -> None:
    german = Profile("legal", 0.5, languages=("de",))
    assert language_gap(("de", "de"), CARDS["tfidf"], german) == ""
    assert "chosen on texts in German only" in language_gap(("en", "en"), CARDS["tfidf"], german)
    assert "reads English only" in language_gap(("de", "de"), CARDS["colde"], german)
    both = replace(german, languages=("de", "en"))
    reads_all = replace(CARDS["colde"], languages=())
    assert "two texts in one language" in language_gap(("de", "en"), reads_all, both)
    assert "compares words" in language_gap(("de", "en"), CARDS["tfidf"], both)


def test_a_reference_keeps_its_percentile() -> None:
    class Model(Light):
        profiles = MappingProxyType({"general": Profile("general", 0.5, Calibration(1.0, 0.0))})

    background = Background("mine", 20, 0.1, (0.0, 1.0))
    judged = judge_pair(0.25, Model(), "general", ("de", "de"), background=background)
    assert (judged.similar, judged.probability, judged.threshold, judged.percentile) == (
        None,
        None,
        None,
        0.25,
    )
    assert judge_pair(0.25, Model(), "general", ("en", "en")).probability is not None


@pytest.mark.parametrize(("one", "other"), [(ENGLISH, GERMAN), (GERMAN, ENGLISH), (GERMAN, OTHER_GERMAN)])
def test_no_verdict_in_any_output(one: str, other: str) -> None:
    comparison = compared(one, other)
    for score in comparison.models:
        assert (score.probability, score.similar, score.threshold, score.percentile) == (None,) * 4
        assert score.score > 0
    said = verdict(comparison)
    assert said.label == "No verdict" and "German" in said.related
    assert "Common to both texts" in said.detail and "number" in said.detail
    assert not any("agree" in sentence for sentence in disagreement(comparison))
    for output in (str(said), to_html(comparison)):
        for claim in ("ly unrelated:", "ly related", "Related:", "in 100 such pairs"):
            assert claim not in output
    assert all(entry["no_verdict"] for entry in comparison.to_dict()["models"])


def test_what_both_texts_share_is_counted() -> None:
    detail = verdict(compared(ENGLISH, GERMAN)).detail
    assert detail == "Common to both texts: 2 names and 4 numbers (each counted once)."


@pytest.mark.parametrize("text", [GERMAN, CHINESE])
def test_a_copy_in_another_language_is_not_hidden(text: str) -> None:
    said = verdict(compared(text, text))
    assert said.label == SAME and "identical" in str(said)


def test_copied_passages_in_another_language_are_counted() -> None:
    rest = " ".join(f"Absatz {n} handelt von etwas anderem und gehört nicht hierher." for n in range(12))
    detail = verdict(compared(GERMAN, f"{GERMAN} {rest}")).detail
    assert detail.startswith("100 % of A and ") and "of B are in the other text word for word." in detail


def test_english_texts_and_texts_of_unknown_language_keep_their_verdict() -> None:
    names = " ".join(f"Hans Müller, Karl Schäfer, Uwe Köhler {n}," for n in range(8))
    assert ingest.read_text(names).language is None
    for one, other in ((ENGLISH, ENGLISH), (ENGLISH, names), (names, names)):
        comparison = colde.compare(
            ingest.read_text(one), ingest.read_text(other), models=MODELS, profile="general"
        )
        assert all(score.probability is not None and not score.no_verdict for score in comparison.models)


def test_a_score_on_the_way_has_no_threshold_either() -> None:
    class Reading(Calibrated):
        def encode(self, documents, *, explain=True, on_progress=None):  # type: ignore[no-untyped-def]
            if on_progress is not None:
                on_progress(Progress(Stage.SENTENCES, 1, 2, provisional=Provisional(0.4, 0.01, 0.5)))
            return super().encode(documents, explain=explain)

    for other, limit in ((GERMAN, None), (ENGLISH, 0.0)):
        seen: list[Progress] = []
        a, b = ingest.read_text(ENGLISH), ingest.read_text(other)
        colde.compare(a, b, models="colde", on_progress=seen.append, loader=lambda name: Reading())
        (so_far,) = {p.provisional for p in seen if p.provisional is not None}
        assert so_far.threshold == limit


def test_a_provisional_score_without_a_threshold_is_no_verdict() -> None:
    headline, detail = provisional_verdict(Provisional(0.4, 0.05, 0.5))
    assert headline == "So far: no verdict, only a score." and "threshold" not in detail
    assert provisional_verdict(Provisional(0.4, 0.05, 0.5, threshold=0.2))[0] == "So far: related."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = GERMAN.replace("Goslar", "Celle")
    for name, text in {"en.md": ENGLISH, "de.md": GERMAN, "copy.md": copy, "zh.md": CHINESE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_collection_joins_other_languages_by_their_text_alone(folder: Path) -> None:
    found = Collection.read([folder], models="colde", loader=lambda name: Calibrated())
    names = [document.source for document in found.documents]
    assert {frozenset(names[i] for i in group) for group in found.clusters} == {
        frozenset({"de.md", "copy.md"}),
        frozenset({"en.md"}),
        frozenset({"zh.md"}),
    }
    assert all(pair.probability is None for pair in found.pairs)
    assert all("the model reads English only" in pair["why"] for pair in json.loads(found.to_json())["pairs"])
    assert "3 documents are in German and Chinese" in summary(found) or "Chinese and German" in summary(found)
    assert "reads English only" in collection_html(found)


def test_a_collection_joins_translations_from_their_threshold_on(folder: Path) -> None:
    class Translating(Light):
        card = replace(Light.card, languages=())
        profiles = MappingProxyType(
            {"general": Profile("general", 0.9, languages=("en", "de", "zh"), translation_threshold=0.0)}
        )

    joined = Collection.read([folder], models="colde", loader=lambda name: Translating())
    assert len(joined.clusters) == 1 and all(pair.similar for pair in joined.pairs)


def test_a_collection_without_the_profile_says_so(folder: Path) -> None:
    class Other(Light):
        profiles = MappingProxyType({"papers": Profile("papers", 0.0)})

    found = Collection.read([folder], models="colde", profile="general", loader=lambda name: Other())
    assert found.threshold is None and found.groups == ()
    assert "the model has no profile general" in collection_html(found)


def test_a_search_gives_no_probability_across_languages(folder: Path, tmp_path: Path) -> None:
    index = Index(tmp_path / "index", loader=lambda name: Calibrated())
    index.add([folder])
    hits = {hit.document.name: hit for hit in index.search(ingest.read_text(ENGLISH), limit=4)}
    assert hits["en.md"].probability is not None and hits["en.md"].similar and not hits["en.md"].no_verdict
    assert hits["de.md"].to_dict()["no_verdict"] == (
        "the query is English, the document is German, and the model reads English only"
    )
    for name in ("de.md", "copy.md", "zh.md"):
        assert hits[name].probability is None and hits[name].similar is None
