"""The index on the page: files are dropped in, skipped ones are named with the reason, others renamed and removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from colde_explorer_app.explorer_pages import index_panel
from streamlit.testing.v1 import AppTest

from colde.index import Index
from tests.app.pages import open_page, said
from tests.index.light import load, write_files

TEXT = (
    "The ferry leaves the pier at noon, and the captain reads the forecast aloud to all passengers on deck. "
    * 3
)


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("COLDE_INDEXES", str(tmp_path))
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    Index(tmp_path / "my.index", loader=load).add([write_files(tmp_path / "files", 3)])
    return tmp_path


@pytest.fixture
def page(root: Path, light: None) -> AppTest:
    return open_page("search_page").run()


def names(root: Path, index: str = "my.index") -> list[str]:
    return [d.name for d in Index(root / index).documents()]


def drop(page: AppTest, key: str) -> None:
    files = [
        ("ferry.md", TEXT.encode(), "text/markdown"),
        ("short.md", b"Three short words.", "text/markdown"),
    ]
    page.file_uploader(key=key).set_value(files).run()


def select(monkeypatch: pytest.MonkeyPatch, rows: list[int]) -> None:
    """Have every table of the page report these rows as selected."""
    monkeypatch.setattr(index_panel.st, "dataframe", lambda *args, **more: {"selection": {"rows": rows}})


def test_dropped_files_join_the_index_and_a_bad_one_is_named(page: AppTest, root: Path) -> None:
    drop(page, "adding_files_0")
    page.button(key="adding_go").click().run()
    assert not page.exception
    assert "1 file added, 0 already indexed, 1 skipped" in said(page)
    assert "ferry.md" in names(root) and len(names(root)) == 4
    skipped = next(d.value for d in page.dataframe if "Skipped file" in d.value)
    assert list(skipped.iloc[0])[:2] == ["short.md", "too_short"]


def test_a_second_index_is_made_of_dropped_files_alone(page: AppTest, root: Path) -> None:
    drop(page, "making_files_0")
    page.text_input(key="making_name").set_value("second.index").run()
    page.button(key="making_go").click().run()
    assert names(root, "second.index") == ["ferry.md"] and len(names(root)) == 3
    page.run()
    assert [Path(option).name for option in page.selectbox(key="search_index").options] == [
        "my.index",
        "second.index",
    ]


def test_a_long_list_is_searched_by_name(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_panel, "MAX_LISTED", 2)
    page.run()
    assert "3 files, 2 of them listed" in said(page)
    page.text_input(key="index_filter").set_value("FILE002").run()
    listed = next(d.value for d in page.dataframe if "Sections" in d.value)
    assert list(listed["Name"]) == ["file002.md"]


def test_a_folder_is_added_to_the_index(page: AppTest, root: Path) -> None:
    more = write_files(root / "more", 4)
    page.run()
    page.selectbox(key="adding_folder").set_value(more).run()
    page.button(key="adding_go").click().run()
    assert "1 file added, 3 already indexed" in said(page)


def test_a_selected_file_is_renamed(page: AppTest, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    select(monkeypatch, [1])
    page.run()
    field = next(field for field in page.text_input if field.label == "New name")
    assert field.value == "file001.md" and page.button(key="index_rename").disabled
    field.set_value("essays/tower.md").run()
    page.button(key="index_rename").click().run()
    assert sorted(names(root)) == ["essays/tower.md", "file000.md", "file002.md"]


def test_selected_files_are_removed(page: AppTest, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    select(monkeypatch, [0, 2])
    page.run()
    page.button(key="index_remove").click()
    select(monkeypatch, [])
    page.run()
    assert not page.exception and names(root) in (["file001.md"], ["file000.md", "file001.md", "file002.md"])
