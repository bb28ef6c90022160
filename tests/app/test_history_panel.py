"""Versions of one document on the page Collection: their order, the table, the sentences, and a pair that opens."""

from __future__ import annotations

import pytest
from colde_explorer_app.explorer_pages import history_panel
from streamlit.testing.v1 import AppTest

from tests.app.pages import open_page, said
from tests.comparison.test_version_history import FIRST, FOURTH, SECOND, THIRD

VERSIONS = {"v10.md": FOURTH, "v2.md": SECOND, "v1.md": FIRST, "v9.md": THIRD}


@pytest.fixture
def page(light: None) -> AppTest:
    page = open_page("collection_page").run()
    files = [(name, text.encode(), "text/markdown") for name, text in VERSIONS.items()]
    page.file_uploader(key="collection_files").set_value(files).run()
    return page


def shown_sentences(page: AppTest) -> str:
    (html,) = (element.proto.body for element in page.get("html") if "<details" in element.proto.body)
    return str(html)


def show_history(page: AppTest) -> None:
    page.button(key="history_go").click().run()
    assert not page.exception


def test_versions_stand_in_the_order_of_their_numbers(page: AppTest) -> None:
    show_history(page)
    table = page.dataframe[0].value
    assert list(table["Name"]) == ["v1.md", "v2.md", "v9.md", "v10.md"]
    assert list(table["Added"]) == ["0", "0", "1", "1"]
    assert "4 versions" in said(page)


def test_the_reader_sets_order_and_names(page: AppTest) -> None:
    order = next(m for m in page.multiselect if m.label == "Versions, oldest first")
    order.set_value([2, 0]).run()
    page.text_input(key="history_names").set_value("Owner").run()
    assert page.button(key="history_go").disabled and "1 name for 2 versions" in said(page)
    page.text_input(key="history_names").set_value("Owner, Tenant").run()
    show_history(page)
    assert list(page.dataframe[0].value["Name"]) == ["Owner", "Tenant"]
    assert "Version 2 (Tenant): number or date" in shown_sentences(page)


def test_one_version_is_filtered_and_opens_beside_the_one_before(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    monkeypatch.setattr(history_panel, "open_pair", lambda *args: opened.append(args))
    show_history(page)
    every = shown_sentences(page)
    page.selectbox(key="history_shown").set_value(2).run()
    some = shown_sentences(page)
    assert some.count("<details") == 2 < every.count("<details")
    page.button(key="history_compare").click().run()
    a, b, *_ = opened[0]
    assert (a.name, b.name) == ("v1.md", "v2.md")


def test_one_file_has_no_history() -> None:
    page = open_page("collection_page").run()
    assert not [button for button in page.button if button.key == "history_go" and not button.disabled]
