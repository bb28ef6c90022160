"""`colde sources`: what it prints and writes, of an index and of a folder."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import docx
import pytest

from colde.cli import main
from tests.index.source_texts import HARBOUR, LAMP, query_text, write_sources
from tests.programs import Run
from tests.schemas import validate

pytestmark = pytest.mark.slow
NAMES = ("lamps.txt", "harbour.txt")


@pytest.fixture(scope="module")
def work(tmp_path_factory) -> Path:
    """An index of the four documents, and a text that takes a passage of two of them."""
    folder = tmp_path_factory.mktemp("work")
    write_sources(folder / "files")
    (folder / "thesis.txt").write_text(query_text(LAMP, "He wrote this down as well.", HARBOUR))
    assert main(["index", "add", str(folder / "files"), "--index", str(folder / "index"), "--quiet"]) == 0
    return folder


def test_the_ranking_is_printed(run: Run, work: Path) -> None:
    status, out, _ = run("sources", work / "thesis.txt", "--index", work / "index")
    assert status == 0
    text = " ".join(out.split())
    assert "2 documents of the index; every word counts once." in text
    assert "Not counted: versions of the document." in text
    ranked = [line.split()[:2] for line in out.splitlines() if "%" in line and ".txt" in line]
    assert sorted(ranked) in ([["1", a], ["2", b]] for a, b in (NAMES, NAMES[::-1]))


def test_a_folder_of_files_is_indexed_for_the_search_alone(run: Run, work: Path) -> None:
    before = sorted(work.rglob("*"))
    status, out, _ = run("sources", work / "thesis.txt", "--index", work / "files", "--json", "-")
    assert status == 0
    written = json.loads(out)
    validate("sources", written)
    assert {source["name"] for source in written["sources"]} == {"lamps.txt", "harbour.txt"}
    assert sorted(work.rglob("*")) == before


def test_exclusions_change_the_count(run: Run, work: Path) -> None:
    command = ("sources", work / "thesis.txt", "--index", work / "index", "--json", "-")
    everything = json.loads(run(*command)[1])
    without = json.loads(run(*command, "--exclude", "lamps.txt")[1])
    assert [source["name"] for source in without["sources"]] == ["harbour.txt"]
    assert without["shared_words"] < everything["shared_words"]
    assert json.loads(run(*command, "--fewest-words", "500")[1])["sources"] == []
    status, _, err = run(*command, "--exclude", "nobody.txt")
    assert status == 2 and "nobody.txt is no source" in err
    status, _, err = run(*command, "--leave-out", "chapters")
    assert status == 2 and "chapters is none of" in err


def test_tables_and_documents_are_written(run: Run, work: Path, tmp_path: Path) -> None:
    targets = ("--csv", tmp_path / "tables", "--docx", tmp_path / "a.docx", "--pdf", tmp_path / "a.pdf")
    status, _, _ = run("sources", work / "thesis.txt", "--index", work / "index", *targets)
    assert status == 0
    with (tmp_path / "tables" / "passages.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["a_text"] for row in rows} == {LAMP, HARBOUR} == {row["b_text"] for row in rows}
    with (tmp_path / "tables" / "sources.csv").open(newline="") as file:
        assert [row["number"] for row in csv.DictReader(file)] == ["1", "2"]
    report = docx.Document(str(tmp_path / "a.docx"))
    cells = [cell.text for table in report.tables for row in table.rows for cell in row.cells]
    assert "lamps.txt" in cells and any(LAMP in text for text in cells)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_missing_index_is_named(run: Run, work: Path) -> None:
    status, _, err = run("sources", work / "thesis.txt", "--index", work / "nothing")
    assert status == 3 and "holds no index" in err
