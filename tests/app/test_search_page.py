"""The Search page: choose an index, ask with a file or a paragraph, open what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from colde_explorer_app.explorer_pages import index_folders, search_page
from streamlit.testing.v1 import AppTest

from colde.index import Index, IndexedDocument
from tests.app.pages import open_page, open_page_that_can_be_left, said, visit_another_page
from tests.index.light import load, write_files


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("COLDE_INDEXES", str(tmp_path))
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    files = write_files(tmp_path / "files", 4)
    Index(tmp_path / "my.index", loader=load).add([files])
    return tmp_path


@pytest.fixture
def page(root: Path, light: None) -> AppTest:
    return open_page("search_page").run()


@pytest.fixture
def ids(page: AppTest, root: Path) -> dict[str, str]:
    """The ids of the indexed documents by name, after a search with a file."""
    data = (root / "files" / "file001.md").read_bytes()
    page.file_uploader(key="search_file").set_value(("mine.md", data, "text/markdown")).run()
    page.button(key="search_go").click().run()
    return {d.name: d.id for d in Index(root / "my.index").documents()}


def search_file(page: AppTest) -> Any:
    return next(one for one in page.file_uploader if one.label == "Document to search with")


def first_hit(page: AppTest) -> str:
    return next(m.value for m in page.markdown if m.value.startswith("**1."))


def test_a_paragraph_finds_its_document(page, root) -> None:
    page.text_area(key="search_text").set_value((root / "files" / "file002.md").read_text()).run()
    page.button(key="search_go").click().run()
    assert not page.exception
    assert page.header[0].value == "4 hits"
    assert "Title 2" in first_hit(page)
    assert "> " in said(page)


def test_a_hit_opens_beside_the_query(page, ids, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(search_page, "open_pair", lambda *args: opened.append(args))
    page.button(key=f"open_{ids['file003.md']}").click().run()
    query, hit, names, _ = opened[0]
    assert (query.name, hit.name, names) == ("mine.md", "file003.md", ("colde_words",))
    assert "tower 3" in hit.ready.text


def test_a_hit_becomes_the_query_and_is_searched_with_at_once(page, ids) -> None:
    page.button(key=f"more_{ids['file003.md']}").click().run()
    assert not page.exception
    assert "Searching with “Title 3”" in said(page)
    assert "Title 3" in first_hit(page)
    assert search_file(page).value is None, "what was put in before has gone"


@pytest.mark.parametrize("key", ["search_file", "search_text"])
def test_the_query_and_its_hits_stay_while_another_page_is_visited(root: Path, light: None, key: str) -> None:
    page = open_page_that_can_be_left("search_page").run()
    data = (root / "files" / "file001.md").read_bytes()
    if key == "search_file":
        page.file_uploader(key=key).set_value(("mine.md", data, "text/markdown")).run()
    else:
        page.text_area(key=key).set_value(data.decode()).run()
    page.button(key="search_go").click().run()
    first = first_hit(page)
    visit_another_page(page)
    assert first_hit(page) == first
    assert ("Searching with “mine" in said(page)) == (key == "search_file")
    assert page.text_area(key="search_text").value == ("" if key == "search_file" else data.decode())


def test_hits_belong_to_the_index_that_was_searched(page, ids, root) -> None:
    """A document of one index is none of another."""
    Index(root / "other.index", loader=load).add([root / "files" / "file002.md"])
    page.run()
    assert page.header
    page.selectbox(key="search_index").set_value(root / "other.index").run()
    assert not page.exception and not page.header
    page.button(key="search_go").click().run()
    assert page.header[0].value == "1 hit"


def test_one_section_can_be_searched_with(page, root) -> None:
    page.text_area(key="search_text").set_value((root / "files" / "file002.md").read_text()).run()
    options = page.selectbox(key="search_part").options
    assert options[0] == "the whole text" and "section “Words”" in options
    page.selectbox(key="search_part").set_value(1).run()
    page.selectbox(key="search_by").set_value("the best passage").run()
    page.button(key="search_go").click().run()
    assert not page.exception
    assert "Title 2" in first_hit(page)


def test_an_index_is_made_of_a_folder(page, root) -> None:
    page.text_input(key="making_name").set_value("new.index").run()
    page.button(key="making_go").click().run()
    assert not page.exception
    assert "4 files added" in said(page)
    assert len(Index(root / "new.index").documents()) == 4


def test_an_index_of_other_weights_says_the_way_out(page, root) -> None:
    path = root / "my.index" / "index.json"
    path.write_text(path.read_text().replace('"weights": "', '"weights": "0'))
    page.text_area(key="search_text").set_value("Some paragraph of more than twenty words. " * 5).run()
    page.button(key="search_go").click().run()
    assert "colde index rebuild" in page.error[0].value.replace("\\", "")


def test_indexes_and_names_are_those_of_the_folder(root) -> None:
    assert [p.name for p in index_folders.index_folders_in(root)] == ["my.index"]
    assert [p.name for p in index_folders.folders(root)] == ["files"]
    assert index_folders.index_folders_in(root / "nowhere") == []
    for name in ("", "..", "../elsewhere", "/tmp/x", "files", ".hidden", "a/b"):
        assert index_folders.new_name(root, name) is None
    assert index_folders.new_name(root, "my.index") == root / "my.index"


def test_conditions_quote_what_people_choose() -> None:
    assert index_folders.condition([], [], None, None) is None
    assert index_folders.condition(["pdf"], ["it's"], 2020, 2021) == (
        "format IN ('pdf') AND folder IN ('it''s') AND modified >= '2020-01-01' AND modified <= '2021-12-31'"
    )
    held = [IndexedDocument("1", "a", "", 1, 1, modified="2020-05-01"), IndexedDocument("2", "b", "", 1, 1)]
    assert index_folders.years(held) == [2020]
