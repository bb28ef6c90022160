"""`colde compare DIR` and of three files and more."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from colde.corpus.samples import sample_named
from tests.programs import Run


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "folder"
    (made / "below").mkdir(parents=True)
    for sample in (sample_named("lighthouse"), sample_named("banks")):
        shutil.copy(sample.a, made)
        shutil.copy(sample.b, made / "below")
    shutil.copy(sample_named("lighthouse").a, made / "copy.md")
    (made / "broken.pdf").write_bytes(b"%PDF nothing")
    return made


@pytest.fixture
def compare(run: Run) -> Run:
    return lambda *args: run("compare", *args, "--model", "tfidf,bm25")


def test_a_folder_as_json(compare: Run, folder: Path) -> None:
    status, out, err = compare(folder, "--json", "-")
    assert status == 0
    assert "skipped broken.pdf" in err
    data = json.loads(out)
    assert data.keys() >= {"version", "documents", "models", "scores", "clusters", "pairs"}
    assert data["models"] == ["tfidf", "bm25"] == list(data["scores"])
    names = [d["source"] for d in data["documents"]]
    assert len(names) == 5 and f"below/{sample_named('lighthouse').b.name}" in names
    assert all("text" not in d for d in data["documents"])
    assert sorted(i for group in data["clusters"] for i in group) == [0, 1, 2, 3, 4]
    for matrix in data["scores"].values():
        assert [len(row) for row in matrix] == [5] * 5
    first = data["pairs"][0]
    assert {names[first["a"]], names[first["b"]]} == {"copy.md", sample_named("lighthouse").a.name}
    assert first["score"] == pytest.approx(1, abs=1e-5)
    assert "nearly the same text: 100 %" in first["why"]


def test_three_files_on_the_terminal(compare: Run, folder: Path) -> None:
    files = sorted(str(p) for p in folder.glob("*.md"))
    assert len(files) == 3
    status, out, _ = compare(*files)
    assert status == 0
    assert "3 documents" in out and "nearly the same text" in " ".join(out.split())


def test_every_file_that_is_asked_for_is_written(compare: Run, folder: Path, tmp_path: Path) -> None:
    html, graph, tables = tmp_path / "x.html", tmp_path / "x.graphml", tmp_path / "tables"
    status, out, _ = compare(folder, "--html", html, "--graphml", graph, "--csv", tables, "--drill", "1")
    assert (status, out) == (0, "")
    page = html.read_text(encoding="utf-8")
    assert 'id="pair-' in page and "srcdoc=" in page
    assert graph.read_text(encoding="utf-8").startswith("<graphml")
    assert {p.name for p in tables.iterdir()} == {
        "documents.csv", "pairs.csv", "tfidf.scores.csv", "bm25.scores.csv", "set_aside.csv", "unread.csv",
    }  # fmt: skip


def test_a_name_that_is_no_text_is_no_obstacle(compare: Run, folder: Path, tmp_path: Path) -> None:
    try:
        shutil.copy(sample_named("lighthouse").a, folder / os.fsdecode(b"\xff lens.md"))
    except OSError:
        pytest.skip("the system allows no such name")
    targets = [tmp_path / name for name in ("out.json", "out.html", "tables")]
    options = zip(("--json", "--html", "--csv"), map(str, targets), strict=True)
    status, _, err = compare(folder, *(word for pair in options for word in pair))
    assert status == 0, err
    assert "? lens.md" in [d["source"] for d in json.loads(targets[0].read_text("utf-8"))["documents"]]


def test_an_output_among_the_inputs_is_refused(compare: Run, folder: Path) -> None:
    status, _, err = compare(folder, "--html", folder / "copy.md")
    assert status == 2 and "is an input" in err


def test_nothing_to_compare_with_is_an_error_of_its_input(compare: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF nothing")
    shutil.copy(sample_named("lighthouse").a, tmp_path)
    assert compare(tmp_path)[0] == 3
    (tmp_path / "broken.pdf").unlink()
    status, _, err = compare(tmp_path)
    assert status == 3 and "at least two are needed" in err


def test_graph_and_drill_are_for_many(compare: Run, folder: Path) -> None:
    files = sorted(str(p) for p in folder.glob("*.md"))[:2]
    assert compare(*files, "--graphml", "x.graphml")[0] == 2
    assert compare(files[0])[0] == 2
