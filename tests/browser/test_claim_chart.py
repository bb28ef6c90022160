"""The tab of the claim chart: rows are accepted, noted and added; the files that are exported have all of it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explorer import SLOW, compare_versions, download, settled
from tests.browser.looks import Open, current, expect_in_sight, violations
from tests.report.versions import NEW, OLD
from tests.schemas import validate

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

NOTE = "The days have doubled."
VISITS = "All visitors sign the book at the gate."


def rows(page: Page) -> list[dict[str, str]]:
    content = Path(download(page, "Claim chart (CSV)")).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(content)))


def test_a_row_of_the_chart_is_accepted_noted_and_exported(visit: Open) -> None:
    page = visit()
    compare_versions(page, OLD, NEW.replace("Samples are drawn", "Nobody may enter; samples are drawn"))
    page.get_by_role("tab", name="Chart").click()
    table = page.get_by_role("table", name="Claim chart: each requirement of A")
    row = table.locator("tbody tr", has_text="shall not move").get_by_role("button").first
    row.click(timeout=SLOW)
    assert "shall not move" in current(page, "a")
    expect_in_sight(page, "b")
    page.keyboard.press("a")
    note = page.get_by_role("textbox", name="Note on row")
    note.fill(NOTE)
    note.blur()
    settled(page)
    assert violations(page, page.get_by_test_id("linked-view")) == []
    expect(table.locator(".lv-decision")).to_have_text("✓ accepted")

    page.get_by_role("group", name="Rows of the claim chart").get_by_role("button", name="clauses").click()
    expect(table.locator("tbody tr", has_text="Interest of two per cent")).to_be_visible(timeout=SLOW)
    page.get_by_role("group", name="Rows of the claim chart").get_by_role(
        "button", name="requirements"
    ).click()
    expect(table.locator("tbody tr", has_text="Interest of two per cent")).to_have_count(0, timeout=SLOW)
    page.get_by_test_id("text-a").get_by_text(VISITS).click()
    page.get_by_role("button", name="Add to chart").click()
    added = table.locator("tbody tr", has_text="added by you")
    expect(added).to_contain_text("All visitors sign", timeout=SLOW)
    settled(page)

    exported = rows(page)
    (decided,) = (r for r in exported if "shall not move" in r["a_text"])
    assert (decided["decision"], decided["note"], decided["found"]) == ("accepted", NOTE, "found")
    (own,) = (r for r in exported if r["a_text"] == VISITS)
    assert own["decision"] == "open"
    written = json.loads(Path(download(page, "Claim chart (JSON)")).read_text("utf-8"))
    validate("chart", written)
    assert len(written["rows"]) == len({r["number"] for r in exported})
    marks = json.loads(Path(download(page, "Review file")).read_text("utf-8"))["marks"]
    assert {mark["row"] for mark in marks} == {"listed", "added"}

    page.reload()
    expect(added).to_be_visible(timeout=SLOW)
    expect(table.locator("tbody tr", has_text=NOTE)).to_contain_text("✓ accepted")
    added.get_by_role("button").first.click()
    page.get_by_role("button", name="Remove row").click()
    expect(added).to_have_count(0, timeout=SLOW)
    page.get_by_role("button", name="Undo").click()
    expect(added).to_be_visible(timeout=SLOW)
