"""A rebuild loses nothing that is added, and brings nothing back that is removed, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from filelock import FileLock

from colde.errors import Cancelled, StoreError
from colde.index import Index
from colde.index.storage import folder_storage
from colde.results.progress import Progress
from tests.index.adding import count
from tests.index.light import Light, load, store_of


def new_file(at: Path, name: str) -> Path:
    at.mkdir(exist_ok=True)
    path = at / name
    path.write_text(
        f"# {name}\n\nThe harbour of {name} has a lamp of its own, and a keeper for it. " + "Ships pass. " * 9
    )
    return path


def names(index: Index) -> list[str]:
    return [d.name for d in Index(index.folder, loader=load).documents()]


def stop_at(number: int, index: Index) -> None:
    """A rebuild that ends in the middle."""

    def stop(progress: Progress) -> None:
        if progress.done == number:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        index.rebuild(on_progress=stop)


def begun(index: Index) -> Path:
    """Where the rebuild of an index lies."""
    return index.folder.with_name(f"{index.folder.name}.rebuild")


def test_nobody_else_writes_meanwhile_and_everybody_reads(anywhere, files, tmp_path) -> None:
    more = new_file(tmp_path / "more", "new.md")

    def meanwhile(progress: Progress) -> None:
        if progress.done != 3:
            return
        other = Index(anywhere.folder, loader=load)
        for write in (lambda: other.add([more]), lambda: other.remove("file001.md"), other.rebuild):
            with pytest.raises(StoreError, match="being written by another program"):
                write()
        assert len(other.search(files / "file000.md")) == 6

    anywhere.rebuild(on_progress=meanwhile)
    assert names(anywhere) == [f"file{k:03}.md" for k in range(6)]
    assert anywhere.add([more]).added == ["new.md"]
    count(anywhere.folder, 6 + 1, sections=13)


def test_who_opened_the_index_before_uses_the_new_one(index, files, tmp_path) -> None:
    before, removing = Index(index.folder, loader=load), Index(index.folder, loader=load)
    assert len(before.documents()) == len(removing.documents()) == 6
    Index(index.folder, loader=load).rebuild()
    assert before.add([new_file(tmp_path / "more", "new.md")]).added == ["new.md"]
    assert "new.md" in names(index)
    Index(index.folder, loader=load).rebuild()
    assert before.search(files / "file002.md")[0].document.name == "file002.md"
    removing.remove("file002.md")
    assert "file002.md" not in names(index)
    count(index.folder, 6, sections=11)


def test_who_opened_it_with_other_weights_is_refused(index, tmp_path) -> None:
    before = Index(index.folder, loader=load)
    store = store_of(before)
    meta = json.loads((index.folder / "index.json").read_text())
    (index.folder / "index.json").write_text(json.dumps({**meta, "weights": "0" * 64, "made": "later"}))
    with pytest.raises(StoreError, match="rebuilt by another version"), store.writing():
        pass
    with pytest.raises(StoreError, match="was made with other weights"):
        before.add([new_file(tmp_path / "more", "new.md")])


def test_stopped_and_gone_on_with_it_has_what_the_index_has_then(index, files, tmp_path) -> None:
    stop_at(4, index)
    index.remove("file001.md")
    index.remove("file003.md")
    (files / "file003.md").rename(tmp_path / "renamed.md")
    more = new_file(tmp_path / "more", "new.md")
    assert index.add([more, tmp_path / "renamed.md"]).added == ["new.md", "renamed.md"]
    expected = names(index)
    model = Light()
    Index(index.folder, loader=lambda name: model).rebuild()
    assert names(index) == expected == [*(f"file{k:03}.md" for k in (0, 2, 4, 5)), "new.md", "renamed.md"]
    assert model.encoded == 4, "two of the six were encoded before"
    count(index.folder, 6, sections=11)
    assert not begun(index).exists()


@pytest.mark.parametrize(
    "change",
    [
        {"weights": "0" * 64}, {"model": "colde_paper"}, {"version": 1}, {"version": 99}, {"version": "none"},
        {"dimension": 0}, None,
    ],
)  # fmt: skip
def test_what_was_begun_otherwise_is_begun_anew(index, change: dict[str, object] | None) -> None:
    stop_at(4, index)
    path = begun(index) / "index.json"
    if change is None:
        path.unlink()
    else:
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    model = Light()
    found = Index(index.folder, loader=lambda name: model).rebuild()
    assert (len(found.added), len(found.known)) == (6, 0)
    count(index.folder, 6)
    assert not begun(index).exists()


def test_damaged_tables_of_a_rebuild_are_made_anew(index) -> None:
    stop_at(4, index)
    for path in (begun(index) / "documents.lance").rglob("*.lance"):
        path.write_bytes(b"nothing")
    assert len(Index(index.folder, loader=load).rebuild().added) == 6
    count(index.folder, 6)


def test_other_things_where_it_would_lie_stay(index) -> None:
    begun(index).mkdir()
    (begun(index) / "photo.jpg").write_bytes(b"something")
    with pytest.raises(StoreError, match="contains no index, but other files"):
        index.rebuild()
    assert (begun(index) / "photo.jpg").exists()
    assert len(names(index)) == 6


def test_between_two_renames_nobody_undoes_the_first(index, monkeypatch) -> None:
    monkeypatch.setattr(folder_storage, "REPLACE_WAIT_SECONDS", 0.2)
    old = index.folder.with_name("index.old")
    with FileLock(index.folder / "lock"):
        os.replace(index.folder, old)
        assert not Index(index.folder, loader=load).exists
        assert old.is_dir()
    assert Index(index.folder, loader=load).exists, "the program that renamed it is dead"
    assert len(names(index)) == 6
