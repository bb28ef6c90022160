"""A document that raises an exception of any type is skipped by an index, a worker and a corpus; the others stay."""

from __future__ import annotations

import json

import pytest

from colde import ingest
from colde.comparison.checks import check_comparable
from colde.corpus.corpus_builder import build_corpus
from colde.corpus.document_sources import document_sources
from colde.errors import Cancelled
from colde.index import Index, ray_workers, write_buffer
from colde.judge.reference import read_reference
from tests.index.adding import count
from tests.index.light import Light, write_files

BAD = "file003.md"
NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "metadata": {}, "source": ["The keeper \ud800 lit the lamp. " * 9]}],
    "metadata": {"title": "Lamps \udfff"},
    "nbformat": 4,
    "nbformat_minor": 5,
}


class FailsToEncode(Light):
    def _encode(self, document):
        if document.source == BAD:
            raise IndexError("odd vector")
        return super()._encode(document)


@pytest.fixture(params=["read", "prepare", "encode", "rows", "digest"])
def model(request, monkeypatch) -> Light:
    """A model, while one step fails over one of the files."""

    def failing(function, is_bad):
        def fails(*of, **options):
            if is_bad(of):
                raise TypeError("odd document")
            return function(*of, **options)

        return fails

    match request.param:
        case "read":
            monkeypatch.setattr(ingest, "read", failing(ingest.read, lambda of: of[0].name == BAD))
        case "prepare":
            checked = failing(check_comparable, lambda of: of[0].source == BAD)
            monkeypatch.setattr(write_buffer, "check_comparable", checked)
        case "encode":
            return FailsToEncode()
        case "rows":
            rows = failing(write_buffer.rows_of, lambda of: of[2] == BAD)
            monkeypatch.setattr(write_buffer, "rows_of", rows)
        case "digest":
            from colde.corpus.document_sources import FileSource

            monkeypatch.setattr(
                FileSource, "digest", failing(FileSource.digest, lambda of: of[0].name == BAD)
            )
    return Light()


def test_an_index_takes_the_files_behind_one_that_fails(tmp_path, model) -> None:
    files = write_files(tmp_path / "files", 12)
    index = Index(tmp_path / "index", loader=lambda name: model)
    added = index.add([files])
    assert len(added.added) == 11 and [u.name for u in added.unread] == [BAD]
    assert added.unread[0].error.reason == "failed"
    count(index.folder, 11)
    assert index.search(files / "file011.md", limit=1)[0].document.name == "file011.md"
    assert len(index.add([files]).known) == 11


def test_a_worker_takes_the_files_behind_one_that_fails(tmp_path, model) -> None:
    files = write_files(tmp_path / "files", 5)
    index = Index(tmp_path / "index", loader=lambda name: model)
    index.open_or_create()
    job = ray_workers.Job(index.folder, tmp_path / "shards", "colde", lambda name: model)
    items = [ray_workers.item_of(source) for source in document_sources([files])]
    batch = {name: [item[name] for item in items] for name in ray_workers.COLUMNS}
    answer = json.loads(ray_workers.Worker(job)(batch)["said"][0])
    assert answer["shard"] and answer["done"] == 5
    assert [fields[:2] for fields in answer["unread"]] == [[BAD, "failed"]]


def test_cancelling_still_ends_it_and_keeps_what_was_added(tmp_path) -> None:
    files = write_files(tmp_path / "files", 5)
    index = Index(tmp_path / "index", loader=lambda name: Light())

    def stop(progress) -> None:
        if progress.done == 3:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        index.add([files], on_progress=stop)
    count(index.folder, 3)


def test_half_surrogates_reach_neither_titles_nor_texts_of_an_index(tmp_path) -> None:
    files = write_files(tmp_path / "files", 3)
    (files / "a.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    index = Index(tmp_path / "index", loader=lambda name: Light())
    assert len(index.add([files]).added) == 4
    held = {d.name: d for d in index.documents()}["a.ipynb"]
    assert held.title == "Lamps �"
    assert "keeper � lit" in index.read(held.id).text


def test_a_reference_and_a_corpus_name_a_file_that_fails(tmp_path, monkeypatch) -> None:
    files = write_files(tmp_path / "files", 12)
    read = ingest.read

    def fails(path, **options):
        if path.name == BAD:
            raise RuntimeError("odd file")
        return read(path, **options)

    monkeypatch.setattr(ingest, "read", fails)
    reference = read_reference(files)
    assert (len(reference.documents), reference.unread) == (11, (BAD,))
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "source\ttarget\tlabel\n" + "".join(f"file{k:03}.md\tfile{k + 1:03}.md\t1\n" for k in range(11)),
        encoding="utf-8",
    )
    built = build_corpus(files, pairs, tmp_path / "corpus")
    assert built.documents == 11 and [e.source for e in built.unreadable] == [BAD]
