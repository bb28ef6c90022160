"""What a folder stands for, and what a file that is named."""

from __future__ import annotations

from pathlib import Path

from colde.corpus.document_sources import FileSource, UploadedSource, document_sources


def test_a_folder_stands_for_its_documents_and_a_name_for_whatever_it_is(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.pdf", "a", "a.json", "tables/pairs.CSV", ".hidden", ".git/c.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("text")
    assert [entry.name for entry in document_sources([tmp_path])] == ["a", "b.txt", "sub/a.pdf"]
    assert [entry.name for entry in document_sources([tmp_path, tmp_path / "a.json", tmp_path / "b.txt"])] == [
        "a", "b.txt", "sub/a.pdf", "a.json",
    ]  # fmt: skip


def test_names_hold_nothing_that_steers_a_terminal_or_hides_text(tmp_path: Path) -> None:
    """They stand in tables, reports and messages of an index or a collection; what is read keeps its path."""
    path = tmp_path / "\x1b[31mreport\u202etxt.\nexe\u202c.md"
    path.write_text("text", encoding="utf-8")
    records = tmp_path / "letters.jsonl"
    records.write_text(
        '{"id": "\\u001b[2Jone\\u2028\\ud800", "title": "", "sections": []}\n', encoding="utf-8"
    )
    file, uploaded, hidden, record = document_sources(
        [path, UploadedSource("\x9b2J=SUM(1)\u2066.txt", b"text"), UploadedSource("\u200b", b"text"), records]
    )
    assert [s.name for s in (file, uploaded, hidden, record)] == [
        "[31mreporttxt.exe.md", "2J=SUM(1).txt", "?", "[2Jone\ufffd",
    ]  # fmt: skip
    assert isinstance(file, FileSource) and file.path == path and len(file.digest()) == 64
