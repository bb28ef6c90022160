"""What an index takes: files of records, files in memory, and folders with a manifest of what was read before."""

from __future__ import annotations

import json

import pytest

from colde.corpus import digest_manifest
from colde.corpus.document_sources import FileSource, UploadedSource
from colde.errors import Cancelled, CorpusError, StoreError
from colde.results.progress import Progress


def test_a_file_of_records_gives_a_document_for_each_line(index, tmp_path) -> None:
    lines = [
        {
            "id": f"r{k}",
            "title": f"Record {k}",
            "sections": [{"heading": "", "paragraphs": [f"Word{k} and more. " * 12]}],
        }
        for k in range(3)
    ]
    before = len(index.documents())
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert index.add([file]).added == ["r0", "r1", "r2"]
    assert index.add([file]).known == ["r0", "r1", "r2"]
    assert len(index.documents()) == before + 3
    file.write_text("no record\n")
    with pytest.raises(CorpusError, match="line 1: not a record"):
        index.add([file])


def test_with_a_manifest_only_new_and_changed_files_are_opened(index, files, tmp_path, monkeypatch) -> None:
    manifest = tmp_path / "files.manifest"
    index.add([files], manifest=manifest)
    opened = []
    digest = FileSource.digest
    monkeypatch.setattr(FileSource, "digest", lambda source: opened.append(source.name) or digest(source))
    assert len(index.add([files], manifest=manifest).known) == 6 and opened == []
    changed = files / "file002.md"
    changed.write_text(changed.read_text() + "\n\nOne more paragraph about the tower.\n")
    assert index.add([files], manifest=manifest).added == ["file002.md"] and opened == ["file002.md"]
    index.remove("file004.md")
    assert index.add([files], manifest=manifest).added == ["file004.md"] and opened == ["file002.md"]


def test_a_stopped_run_goes_on_with_its_manifest(index, files, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(digest_manifest, "COMMIT_EVERY", 1)
    manifest = tmp_path / "files.manifest"

    opened = []
    digest = FileSource.digest
    monkeypatch.setattr(FileSource, "digest", lambda source: opened.append(source.name) or digest(source))

    def stop(progress: Progress) -> None:
        if progress.done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        index.add([files], manifest=manifest, on_progress=stop)
    assert len(index.add([files], manifest=manifest).known) == 6
    assert sorted(opened) == [f"file{k:03}.md" for k in range(6)], "each file was opened once"


def test_a_file_that_is_no_manifest_is_refused(index, files) -> None:
    with pytest.raises(StoreError, match="cannot be used as a manifest"):
        index.add([files], manifest=files / "file000.md")


def test_a_file_in_memory_is_added_by_its_content(index, tmp_path) -> None:
    text = "The ferry leaves the pier at noon, and the captain reads the forecast aloud to all passengers on deck. "
    upload = UploadedSource("ferry.md", (text * 3).encode())
    assert index.add([upload, upload]).added == ["ferry.md"]
    unread = index.add([UploadedSource("empty.pdf", b"")]).unread
    assert [(skipped.name, skipped.error.reason) for skipped in unread] == [("empty.pdf", "empty")]
