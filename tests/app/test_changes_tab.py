"""The tab of the changes as the page feeds it: versions with their changes, and decisions on these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import streamlit as st
from colde_explorer_app.linked_view import linked_view_panel
from colde_explorer_app.linked_view.linked_view_component import ViewData
from colde_explorer_app.results import downloads
from colde_explorer_app.results.downloads import Shown
from colde_explorer_app.session.state import View
from streamlit.testing.v1 import AppTest

from colde.comparison.claim_chart import claim_chart
from colde.comparison.ledger import ledger
from colde.report.ledger_and_chart.row_tables_payload import chart_payload, ledger_payload
from colde.results.comparison import Comparison
from colde.results.counterparts import CounterpartSearch
from tests.app.test_page import LONG, upload
from tests.report.versions import KINDS, NEW, OLD

NOTE = "Agreed by phone."
QUOTING = """# The {0}

“A guest shall leave his lantern at the door, and shall pay for every pane of glass that he breaks in the house.”
"""


class BrowserView:
    """Stands in for the view in the browser: keeps what it is given, and sends `values` once."""

    def __init__(self) -> None:
        self.data: list[ViewData] = []
        self.keys: list[str] = []
        self.values: dict[str, Any] = {}

    def __call__(self, data: ViewData, callbacks: Mapping[str, Callable[[], None]], key: str) -> None:
        self.data.append(data)
        self.keys.append(key)
        values, self.values = self.values, {}
        for name, value in values.items():
            st.session_state[key] = {name: {"value": value, "id": 1}}
            callbacks[name]()


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> BrowserView:
    stand_in = BrowserView()
    monkeypatch.setattr(linked_view_panel, "linked_view", stand_in)
    return stand_in


def compare(page: AppTest, a: str, b: str) -> None:
    page.multiselect(key="taking_part").set_value(["tfidf"]).run()
    upload(page, 0, "a.md", a.encode())
    upload(page, 1, "b.md", b.encode())
    page.button(key="compare").click().run()
    assert not page.exception


def test_versions_come_with_their_changes_and_decisions_are_kept_and_exported(
    page: AppTest, view: BrowserView, shown: list[Shown]
) -> None:
    compare(page, OLD, NEW)
    data = view.data[-1].to_json()
    assert data["changes"]["versions"] is True and data["can_review"]
    assert [change["kind"] for change in data["changes"]["list"]] == KINDS
    assert "tab" not in data["settings"], "the view opens on its first tab"

    first, last = data["changes"]["list"][0], data["changes"]["list"][-1]
    mark = {side: [first[side]["start"], first[side]["end"]] for side in "ab"}
    gone = {"a": None, "b": [last["b"]["start"], last["b"]["end"]]}
    marks = [
        {**mark, "decision": "accepted", "note": NOTE, "change": True},
        {**gone, "decision": "rejected", "note": "", "change": True},
    ]
    view.values = {"review": marks}
    page.run()
    page.run()
    assert view.data[-1].to_json()["review"]["marks"] == marks
    files = {
        file.label: file.make(shown[-1]).decode()
        for file in downloads.files(shown[-1])
        if file.mime.startswith("text/") or file.suffix.endswith("json")
    }
    lines = files["Changes (CSV)"].splitlines()
    assert lines[1].startswith(f"1,negation,accepted,{NOTE}") and ",rejected," in lines[-1]
    for name in ("JSON", "HTML report", "Review file"):
        assert NOTE in files[name], name
    assert NOTE not in files["Shared passages (CSV)"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Shown]:
    """What the files were made of at each run of the page."""
    kept: list[Shown] = []
    made = downloads._shown
    monkeypatch.setattr(downloads, "_shown", lambda *a, **k: kept.append(made(*a, **k)) or kept[-1])
    return kept


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Comparison]:
    """The comparison of each search for counterparts."""
    found: list[Comparison] = []
    search = Comparison.counterpart_search

    def counted(comparison: Comparison) -> CounterpartSearch | None:
        found.append(comparison)
        return search(comparison)

    monkeypatch.setattr(Comparison, "counterpart_search", counted)
    return found


def made_files(shown: list[Shown], label: str) -> list[bytes]:
    return [file.make(shown[-1]) for file in downloads.files(shown[-1]) if file.label.startswith(label)]


def test_the_ledger_is_made_once_for_its_tab_and_its_files(
    page: AppTest, view: BrowserView, shown: list[Shown], searches: list[Comparison]
) -> None:
    compare(page, OLD, NEW)
    assert not searches, "it takes seconds, so it is made when it is asked for"
    assert len(made_files(shown, "Ledger")) == 3
    view.values = {"settings": {"tab": "ledger"}}
    page.run()
    page.run()
    assert view.data[-1].ledger == ledger_payload(ledger(shown[-1].comparison))
    assert len(searches) == 2, "the test has made another one"
    compare(page, NEW, OLD)
    assert made_files(shown, "Ledger")
    assert len(searches) == 3


def test_the_chart_is_searched_once_and_its_files_have_the_decisions_of_now(
    page: AppTest, view: BrowserView, shown: list[Shown], searches: list[Comparison]
) -> None:
    compare(page, OLD, NEW)
    view.values = {"settings": {"tab": "chart"}}
    page.run()
    page.run()
    assert len(searches) == 1
    row = view.data[-1].chart["rows"][0]
    mark = {"a": row["a"], "b": row["b"], "decision": "accepted", "note": NOTE, "row": "listed"}
    for note in (NOTE, "Withdrawn."):
        view.values = {"review": [{**mark, "note": note}]}
        page.run()
        page.run()
        files = made_files(shown, "Claim chart")
        assert len(files) == 4
        assert [note.encode() in file for file in files if file[:2] != b"PK"] == [True, True]
    assert len(searches) == 1

    end = view.data[-1].chart["rows"][-1]["a"][1]
    view.values = {"review": [{**mark, "a": [end - 30, end], "b": None, "row": "added"}]}
    page.run()
    page.run()
    assert len(made_files(shown, "Claim chart")) == 4
    assert len(searches) == 2, "a row more"


def test_excluded_passages_are_no_counterparts_in_the_chart(
    page: AppTest, view: BrowserView, shown: list[Shown]
) -> None:
    compare(page, *(QUOTING.format(word) for word in ("harbour", "library")))
    view.values = {"settings": {"tab": "chart"}}
    page.run()
    page.run()
    before = view.data[-1].chart
    page.multiselect(key="leave_out").set_value(["quotes"]).run()
    chart = claim_chart([shown[-1].comparison])
    assert view.data[-1].chart == chart_payload(chart, "requirements", ()) != before
    assert made_files(shown, "Claim chart (JSON)") == [chart.to_json().encode()]


def test_another_pair_opens_on_its_own_first_tab(page: AppTest, view: BrowserView) -> None:
    compare(page, OLD, NEW)
    view.values = {"settings": {"tab": "map", "shading": "word_attention"}}
    page.run()
    page.run()
    assert view.data[-1].settings == {"tab": "map", "shading": "word_attention"}
    page.button(key="swap").click().run()
    assert view.data[-1].settings["tab"] == "map", "the same pair"
    compare(page, OLD, LONG * 3)
    assert view.data[-1].settings == {"shading": "word_attention"}
    changes = view.data[-1].to_json()["changes"]
    assert changes["versions"] is False and "not compared as versions" in changes["note"]
    assert page.session_state[f"state.{View.__name__}"].settings == {"shading": "word_attention"}


def test_an_edit_of_a_section_keeps_the_view(page: AppTest, view: BrowserView) -> None:
    """Another view would have no focus, and begin at the top of both texts."""
    compare(page, OLD, NEW)
    before = view.data[-1].to_json()
    edit = {"side": "b", "do": "rename", "at": 0, "sentence": None, "heading": "Renamed", "pages": False}
    view.values = {"sections": edit}
    page.run()
    page.run()
    after = view.data[-1].to_json()
    assert (
        after["texts"] != before["texts"] and after["documents"]["b"]["sections"][0]["heading"] == "Renamed"
    )
    assert len(set(view.keys[-2:])) == 1 and view.keys[-1] == view.keys[0]
    page.button(key="swap").click().run()
    assert view.keys[-1] != view.keys[0]
