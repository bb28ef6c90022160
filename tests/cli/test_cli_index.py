"""`colde index` with the model that ships: what the commands print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde.cli import main
from colde.corpus.samples import samples

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """An index of two samples and a file that cannot be read."""
    work = tmp_path_factory.mktemp("work")
    (work / "broken.pdf").write_bytes(b"%PDF nothing")
    sample = samples()[0]
    made = work / "made.index"
    assert (
        main(["index", "add", str(sample.a), str(sample.b), str(work / "broken.pdf"), "--index", str(made)])
        == 0
    )
    return made


def run(capfd, *args: str) -> tuple[int, str, str]:
    capfd.readouterr()
    status = main(["index", *args])
    return status, *capfd.readouterr()


def test_what_was_added_is_listed(capfd, folder) -> None:
    status, out, _ = run(capfd, "list", "--index", str(folder), "--json")
    held = json.loads(out)["documents"]
    assert status == 0
    assert {d["name"] for d in held} == {samples()[0].a.name, samples()[0].b.name}
    for d in held:
        assert d["id"] and d["title"] and d["sections"] > 1 and d["chunks"] > 1
    assert held[0]["name"] in run(capfd, "list", "--index", str(folder))[1]


def test_adding_again_says_what_is_there(capfd, folder) -> None:
    status, out, err = run(capfd, "add", str(samples()[0].a), "--index", str(folder))
    assert (status, out, err) == (0, "", "added 0, 1 there already\n")


def test_nothing_but_bad_files_is_status_3(capfd, folder) -> None:
    status, out, err = run(capfd, "add", str(folder.parent / "broken.pdf"), "--index", str(folder))
    assert (status, out) == (3, "")
    assert "broken.pdf" in err and "[corrupt]" in err


def test_search_prints_hits_and_their_passages(capfd, folder) -> None:
    sample = samples()[0]
    status, out, _ = run(capfd, "search", str(sample.a), "--index", str(folder), "--limit", "2", "--json")
    hits = json.loads(out)["hits"]
    assert status == 0
    assert [h["name"] for h in hits] == [sample.a.name, sample.b.name]
    assert hits[0]["score"] == pytest.approx(1, abs=1e-3)
    assert hits[0]["score"] > hits[1]["score"]
    query, found = sample.a.read_text(encoding="utf-8"), sample.b.read_text(encoding="utf-8")
    for passage in hits[1]["passages"]:
        assert set(passage["text"].split()[:3]) <= set(found.split())
        assert 0 <= passage["query"]["start"] < passage["query"]["end"] <= len(query)
    status, out, _ = run(capfd, "search", str(sample.a), "--index", str(folder))
    assert status == 0 and sample.b.name in out


def test_the_score_is_that_of_compare(capfd, folder) -> None:
    sample = samples()[0]
    _, out, _ = run(capfd, "search", str(sample.a), "--index", str(folder), "--json")
    score = {h["name"]: h["score"] for h in json.loads(out)["hits"]}[sample.b.name]
    capfd.readouterr()
    assert main(["compare", str(sample.a), str(sample.b), "--model", "colde_words", "--json", "-"]) == 0
    assert json.loads(capfd.readouterr().out)["models"][0]["score"] == pytest.approx(score, abs=2e-3)


def test_stats_remove_and_what_is_not_there(capfd, folder, tmp_path) -> None:
    found = json.loads(run(capfd, "stats", "--index", str(folder), "--json")[1])
    assert found["documents"] == 2 and found["model"] == "colde_words"
    assert "2 documents" in run(capfd, "stats", "--index", str(folder))[1]
    assert run(capfd, "remove", samples()[0].b.name, "--index", str(folder))[0] == 0
    status, _, err = run(capfd, "remove", samples()[0].b.name, "--index", str(folder))
    assert status == 3 and err.startswith("colde: ") and err.count("\n") == 1
    assert run(capfd, "list", "--index", str(tmp_path / "none"))[0] == 3
