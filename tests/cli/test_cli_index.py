"""`colde index` with the model that ships: what the commands print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde.cli import main
from colde.corpus.samples import sample_named
from tests.programs import Run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """An index of two samples and a file that cannot be read."""
    work = tmp_path_factory.mktemp("work")
    (work / "broken.pdf").write_bytes(b"%PDF nothing")
    sample = sample_named("lighthouse")
    made = work / "made.index"
    files = map(str, (sample.a, sample.b, work / "broken.pdf"))
    assert main(["index", "add", *files, "--index", str(made)]) == 0
    return made


@pytest.fixture
def index(run: Run, folder: Path) -> Run:
    """A command of `colde index` on that index."""
    return lambda command, *args: run("index", command, *args, "--index", folder)


def test_what_was_added_is_listed(index: Run) -> None:
    status, out, _ = index("list", "--json")
    held = json.loads(out)["documents"]
    assert status == 0
    assert {d["name"] for d in held} == {sample_named("lighthouse").a.name, sample_named("lighthouse").b.name}
    for d in held:
        assert d["id"] and d["title"] and d["sections"] > 1 and d["chunks"] > 1
    assert held[0]["name"] in index("list")[1]


def test_adding_again_says_what_is_there(index: Run) -> None:
    status, out, err = index("add", sample_named("lighthouse").a)
    assert (status, out, err) == (0, "", "added 0, 1 already indexed\n")


def test_nothing_but_bad_files_is_status_3(index: Run, folder: Path) -> None:
    status, out, err = index("add", folder.parent / "broken.pdf")
    assert (status, out) == (3, "")
    assert "broken.pdf" in err and "[corrupt]" in err


def test_search_prints_hits_and_their_passages(index: Run) -> None:
    sample = sample_named("lighthouse")
    status, out, _ = index("search", sample.a, "--limit", "2", "--json")
    hits = json.loads(out)["hits"]
    assert status == 0
    assert [h["name"] for h in hits] == [sample.a.name, sample.b.name]
    assert hits[0]["score"] == pytest.approx(1, abs=1e-3)
    assert hits[0]["score"] > hits[1]["score"]
    query, found = sample.a.read_text(encoding="utf-8"), sample.b.read_text(encoding="utf-8")
    for passage in hits[1]["passages"]:
        assert set(passage["text"].split()[:3]) <= set(found.split())
        assert 0 <= passage["query"]["start"] < passage["query"]["end"] <= len(query)
    status, out, _ = index("search", sample.a)
    assert status == 0 and sample.b.name in out


def test_the_score_is_that_of_compare(run: Run, index: Run) -> None:
    sample = sample_named("lighthouse")
    _, out, _ = index("search", sample.a, "--json")
    score = {h["name"]: h["score"] for h in json.loads(out)["hits"]}[sample.b.name]
    _, out, _ = run("compare", sample.a, sample.b, "--model", "colde_words", "--json", "-")
    assert json.loads(out)["models"][0]["score"] == pytest.approx(score, abs=2e-3)


def test_stats_remove_and_what_is_not_there(run: Run, index: Run, tmp_path: Path) -> None:
    found = json.loads(index("stats", "--json")[1])
    assert found["documents"] == 2 and found["model"] == "colde_words"
    assert "2 documents" in index("stats")[1]
    assert index("remove", sample_named("lighthouse").b.name)[0] == 0
    status, _, err = index("remove", sample_named("lighthouse").b.name)
    assert status == 3 and err.startswith("colde: ") and err.count("\n") == 1
    assert run("index", "list", "--index", tmp_path / "none")[0] == 3
