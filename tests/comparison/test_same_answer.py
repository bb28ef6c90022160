"""One pair has one answer: in Python, on the command line, in collections, in a search, in the service, on the page."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import colde
from colde.cli import main
from colde.index import Index
from colde.report.wording.verdict import verdict
from colde.serve.routes import create_app

pytestmark = pytest.mark.slow

TEXTS = Path("studies/verdicts/own_texts.jsonl.gz")
NAMES = ("recipe/a1", "recipe/a2", "recipe/b1")
MODEL = "colde_words"


@dataclass(frozen=True)
class Answer:
    """What is said of a pair; scores of an index come from vectors in half precision."""

    score: float
    probability: float
    similar: bool
    says: str

    @classmethod
    def of(cls, entry: dict[str, Any]) -> Answer:
        score, probability = (pytest.approx(entry[name], abs=0.01) for name in ("score", "probability"))
        return cls(score, probability, entry["similar"], entry["says"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two recipes of one soup, and one of a cake."""
    path = tmp_path_factory.mktemp("recipes")
    for line in gzip.decompress(TEXTS.read_bytes()).splitlines():
        entry = json.loads(line)
        if entry["id"] in NAMES:
            (path / f"{entry['id'][-2:]}.txt").write_text(entry["text"], encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["a2", "b1"])
def pair(request: pytest.FixtureRequest, folder: Path) -> tuple[Path, Path]:
    return folder / "a1.txt", folder / f"{request.param}.txt"


def in_python(a: Path, b: Path) -> colde.Comparison:
    return colde.compare(colde.read(str(a)), colde.read(str(b)), MODEL)


def test_python_says_what_the_texts_are(folder: Path) -> None:
    soups, others = (in_python(folder / "a1.txt", folder / name).models[0] for name in ("a2.txt", "b1.txt"))
    assert soups.similar and soups.probability is not None and soups.profile == "none"
    assert not others.similar and others.probability is not None


def test_command_line_and_service_say_the_same(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = Answer.of(in_python(*pair).models[0].to_dict())
    assert main(["compare", *map(str, pair), "--model", MODEL, "--json", "-", "--quiet"]) == 0
    assert Answer.of(json.loads(capsys.readouterr().out)["models"][0]) == expected
    with TestClient(create_app(warm=()), base_url="http://localhost") as client:
        files = {side: (path.name, path.read_bytes()) for side, path in zip("ab", pair, strict=True)}
        answer = client.post("/compare", files=files, data={"model": MODEL}).json()
    assert Answer.of(answer["models"][0]) == expected


def test_collection_says_the_same(
    pair: tuple[Path, Path], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = Answer.of(in_python(*pair).models[0].to_dict())
    assert main(["compare", str(folder), "--model", MODEL, "--json", "-", "--quiet"]) == 0
    names = sorted(path.name for path in folder.glob("*.txt"))
    numbers = sorted(names.index(path.name) for path in pair)
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    (entry,) = [entry for entry in pairs if sorted((entry["a"], entry["b"])) == numbers]
    assert Answer.of(entry) == expected


def test_search_says_the_same(pair: tuple[Path, Path], folder: Path, tmp_path: Path) -> None:
    expected = Answer.of(in_python(*pair).models[0].to_dict())
    index = Index(tmp_path / "recipes.index")
    index.add(sorted(folder.glob("*.txt")))
    (hit,) = [hit for hit in index.search(pair[0]) if hit.document.name == pair[1].name]
    assert Answer.of(hit.to_dict()) == expected


def test_the_page_says_the_same(pair: tuple[Path, Path]) -> None:
    comparison = in_python(*pair)
    assert verdict(comparison).label == comparison.models[0].says == comparison.to_dict()["models"][0]["says"]
