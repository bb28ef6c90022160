"""Commands over many documents name one that fails, go on with the others, and count it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from colde import ingest
from colde.corpus import corpus_folder
from colde.models.lexical.tfidf import TfIdf
from tests.index.light import write_files
from tests.programs import Run

BAD = "file001.md"
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A \ud800 lamp\n", "It was lit at dusk. " * 9]}
    ],
    "metadata": {"title": "Lamps \udfff"},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path / "files", 4)


@pytest.fixture
def bad_file(monkeypatch: pytest.MonkeyPatch) -> None:
    read = ingest.read

    def fails(path, **options):
        if Path(path).name == BAD:
            raise RuntimeError("odd file")
        return read(path, **options)

    monkeypatch.setattr(ingest, "read", fails)


def test_a_folder_is_compared_without_the_file_that_fails(run: Run, files: Path, bad_file: None) -> None:
    status, out, err = run("compare", files, "--model", "tfidf", "--json", "-")
    assert status == 0
    compared = json.loads(out)
    assert [d["source"] for d in compared["documents"]] == ["file000.md", "file002.md", "file003.md"]
    assert [(u["source"], u["reason"]) for u in compared["unread"]] == [(BAD, "failed")]
    assert f"skipped {BAD}: " in err and "RuntimeError: odd file" in err and "Traceback" not in err


def test_a_document_that_cannot_be_compared_is_named_too(
    run: Run, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = TfIdf.encode

    def fails(self, documents, **options):
        if any(d.source == BAD for d in documents):
            raise FloatingPointError("odd number")
        return encode(self, documents, **options)

    monkeypatch.setattr(TfIdf, "encode", fails)
    status, out, err = run("compare", files, "--model", "tfidf", "--json", "-")
    assert (status, len(json.loads(out)["documents"])) == (0, 3)
    assert err.count(f"skipped {BAD}: ") == 1


def test_vectors_of_the_other_files_are_written(
    run: Run, files: Path, bad_file: None, tmp_path: Path
) -> None:
    vectors = tmp_path / "vectors"
    status, _, err = run("encode", *sorted(files.iterdir()), files / "missing.md", "--output", vectors)
    assert status == 3
    assert sorted(p.name for p in vectors.glob("*.json")) == [
        "file000.md.json", "file002.md.json", "file003.md.json",
    ]  # fmt: skip
    assert np.load(vectors / "file003.md.document.npy").ndim == 1
    assert f"colde: {BAD}: " in err and "skipped missing.md: there is no such file" in err
    status, _, err = run("encode", files / BAD, "--output", tmp_path / "none")
    assert status == 3 and not (tmp_path / "none").exists() and err.count("\n") == 1


@pytest.fixture
def bad_record(monkeypatch: pytest.MonkeyPatch) -> None:
    made = corpus_folder.record_to_document

    def fails(record, **options):
        if record["id"] == "d9":
            raise RecursionError("odd record")
        return made(record, **options)

    monkeypatch.setattr(corpus_folder, "record_to_document", fails)


def test_pairs_of_a_document_that_fails_get_empty_cells(
    score: Run, bad_record: None, tmp_path: Path, corpus: Path
) -> None:
    output = tmp_path / "scores.tsv"
    status, _, err = score(output)
    assert status == 0 and err.count("no score for the pairs of d9: ") == 1
    header, *rows = (line.split("\t") for line in output.read_text(encoding="utf-8").splitlines())
    scores = {(row[0], row[1]): row[header.index("score") :] for row in rows}
    assert len(scores) == 18
    assert all((cells == ["", "", ""]) == ("d9" in pair) for pair, cells in scores.items())
    complete = output.read_bytes()
    output.write_bytes(b"\n".join(complete.split(b"\n")[:9]) + b"\n")
    assert score(output)[0] == 0
    assert output.read_bytes() == complete, "it goes on after rows without a score"


def test_the_other_pairs_are_measured(run: Run, corpus: Path, bad_record: None, tmp_path: Path) -> None:
    target = tmp_path / "measures.json"
    options = (
        "--corpus",
        corpus,
        "--pairs",
        corpus / "pairs.tsv",
        "--model",
        "tfidf",
        "--profile",
        "general",
    )
    status, _, err = run("evaluate", *options, "--json", target)
    assert status == 0 and "tfidf: pairs are left out: d9: " in err
    measured = json.loads(target.read_text(encoding="utf-8"))["models"][0]
    assert measured["pairs_by_profile"] == {"general": 12}


def test_half_surrogates_do_not_stop_any_command(run: Run, files: Path, tmp_path: Path) -> None:
    notebook = files / "odd.ipynb"
    notebook.write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    (files / "odd.md").write_text(
        '---\ntitle: "Lamp \\ud800"\n---\n\n' + "The lamp was lit at dusk. " * 9, encoding="utf-8"
    )
    status, out, _ = run("read", notebook, "--json")
    assert status == 0 and json.loads(out)["title"] == "Lamps �"
    report = tmp_path / "report"
    outputs = [x for kind in ("json", "html", "docx") for x in (f"--{kind}", f"{report}.{kind}")]
    status, _, err = run("compare", notebook, files / "odd.md", "--model", "tfidf", "--csv", report, *outputs)
    assert (status, "bug" in err) == (0, False)
    status, out, _ = run("compare", files, "--model", "tfidf", "--json", "-")
    assert status == 0 and len(json.loads(out)["documents"]) == 6
