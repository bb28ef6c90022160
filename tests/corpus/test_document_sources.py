"""What a folder stands for, and what a file that is named."""

from __future__ import annotations

from pathlib import Path

from colde.corpus.document_sources import document_sources


def test_a_folder_stands_for_its_documents_and_a_name_for_whatever_it_is(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.pdf", "a", "a.json", "tables/pairs.CSV", ".hidden", ".git/c.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("text")
    assert [entry.name for entry in document_sources([tmp_path])] == ["a", "b.txt", "sub/a.pdf"]
    assert [entry.name for entry in document_sources([tmp_path, tmp_path / "a.json", tmp_path / "b.txt"])] == [
        "a", "b.txt", "sub/a.pdf", "a.json",
    ]  # fmt: skip
