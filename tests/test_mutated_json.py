"""Damaged files of every kind of JSON that comes from outside: each is read, or refused with the error of its kind."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from colde_explorer_app.linked_view import view_link
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from colde import strict_json
from colde.assets import asset
from colde.corpus.corpus_folder import PLAIN_DOCUMENTS, read_documents
from colde.errors import CheckpointError, CorpusError, ModelError, StoreError
from colde.evaluation.known_errors import MistakesFile
from colde.index.store import read_meta
from colde.ingest.sandbox.protocol import pack, unpack
from colde.judge.calibration import judge
from colde.judge.profiles import GENERAL
from colde.models.checkpoint import CONFIG, read_config
from colde.models.colde.network import ColdeConfig
from colde.report.content.review_export import ReviewError, read_review, review_to_json
from colde.results.saved.review_decisions import Decisions, Mark
from colde.strict_json import JsonError
from colde.text.document import Span
from colde.training.training_run import read_settings
from tests.json_mutations import mutations
from tests.report.example import example

PAIR = example()
REVIEW = review_to_json(
    PAIR.a,
    PAIR.b,
    Decisions(
        (Mark(Span(0, 5), Span(2, 9), "accepted", "Seen."), Mark(Span(1, 4), None, "", "New.", True)),
        (Span(0, 20),),
        (Span(3, 7),),
    ),
    texts=True,
)
CHECKPOINT = asset("models", "colde", CONFIG).read_text(encoding="utf-8")
INDEX = (
    '{"version": 2, "model": "colde", "weights": "abc", "dimension": 256, "tables": "rebuilt-1", "made": "x"}'
)
SETTINGS = '{"model": {"width": 64, "encoder": "packaged"}, "training": {"steps": 5}, "work": "runs/work"}'
RECORD = '{"id": "a", "title": "Tides", "sections": [{"heading": "Moon", "paragraphs": ["The sea.", "It rises."]}]}'
MISTAKES = json.loads(asset("mistakes.json").read_text(encoding="utf-8"))
VIEW = '{"tab": "map", "cell": [3, 4], "level": "section"}'

many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def short_mistakes() -> str:
    """One model and one profile of the file that ships."""
    name, model = next(iter(MISTAKES["models"].items()))
    profile, errors = next(iter(model["profiles"].items()))
    return json.dumps({"models": {name: {**model, "profiles": {profile: errors}}}})


def test_files_that_ship_and_those_above_are_read(tmp_path: Path) -> None:
    for config in asset("models").glob(f"*/{CONFIG}"):
        stored = read_config(config.parent)
        assert GENERAL in stored.profiles, config
    review = read_review(REVIEW.encode())
    assert review.documents == (PAIR.a, PAIR.b) and len(review.decisions.marks) == 2
    strict_json.decode(json.dumps(MISTAKES), MistakesFile)
    (tmp_path / "index.json").write_text(INDEX)
    assert read_meta(tmp_path).dimension == 256


@given(mutations(REVIEW))
@many
def test_reviews(data: bytes) -> None:
    try:
        review = read_review(data)
    except ReviewError as error:
        assert "\n" not in str(error)
        return
    for document in review.documents or ():
        document.text.encode()
    review.fits(PAIR.a, PAIR.b)
    for mark in review.decisions.marks:
        mark.note.encode()
    review_to_json(PAIR.a, PAIR.b, review.decisions, texts=False)


@given(mutations(CHECKPOINT), st.floats(0, 1))
@many
def test_checkpoints_and_their_profiles(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, score: float
) -> None:
    folder = tmp_path_factory.mktemp("checkpoint")
    (folder / CONFIG).write_bytes(data)
    try:
        stored = read_config(folder)
    except CheckpointError as error:
        assert "\n" not in str(error)
        return
    for name, profile in stored.profiles.items():
        judged = judge(score, stored.profiles, name)
        numbers = [profile.threshold, judged.probability, judged.percentile, judged.threshold_probability]
        assert all(number is None or math.isfinite(number) for number in numbers)
        " ".join((*profile.corpora, *profile.languages)).encode()
    stored.fingerprint()
    try:
        assert isinstance(stored.config(ColdeConfig).width, int)
    except ModelError as error:
        assert "\n" not in str(error)


@given(mutations(json.dumps(pack(PAIR.a))))
@many
def test_documents(data: bytes) -> None:
    try:
        document = unpack(data)
    except JsonError as error:
        assert "\n" not in str(error)
        return
    document.text.encode()
    assert all(document.text[s.start : s.end] is not None for s in document.sections)
    assert unpack(json.dumps(pack(document)).encode()) == document


@given(mutations(INDEX))
@many
def test_descriptions_of_an_index(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("index")
    (folder / "index.json").write_bytes(data)
    try:
        assert 0 < read_meta(folder).dimension <= 2**16
    except StoreError as error:
        assert "\n" not in str(error)


@given(mutations(SETTINGS))
@many
def test_settings_of_a_training(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.json"
    file.write_bytes(data)
    try:
        values = read_settings(file)
    except ModelError as error:
        assert "\n" not in str(error)
        return
    assert isinstance(values.get("model", {}), dict) and isinstance(values.get("training", {}), dict)


@given(mutations(RECORD))
@many
def test_lines_of_a_corpus(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / PLAIN_DOCUMENTS).write_bytes(data)
    try:
        for name, document in read_documents(folder):
            (name + document.text + document.title).encode()
    except CorpusError as error:
        assert "\n" not in str(error)


@given(mutations(short_mistakes()))
@many
def test_results_that_are_loaded_on_the_page(data: bytes) -> None:
    from colde_explorer_app.explorer_pages import mistakes_page

    try:
        strict_json.decode(data, MistakesFile)
        results: dict[str, Any] = strict_json.decode_object(data)
    except JsonError as error:
        assert "\n" not in str(error)
        return
    for model in results["models"].values():
        for profile in model["profiles"].values():
            mistakes_page.common(profile)
            for shown in profile["shown"]:
                mistakes_page._title(shown)
                mistakes_page._picture(shown["map"])


@given(mutations(VIEW))
@many
def test_views_in_an_address(data: bytes) -> None:
    query = {"sample": "lighthouse", "view": data.decode("utf-8", "replace")}
    requested = view_link.read(query)
    assert requested is not None and (requested.view is None or isinstance(requested.view, dict))
