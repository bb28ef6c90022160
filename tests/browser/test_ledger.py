"""The tab of the ledger: a table of every sentence that scrolls both texts, by mouse and by keyboard."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from tests.browser.explorer import SLOW, compare_versions, download, settled
from tests.browser.looks import Open, current, expect_in_sight, violations
from tests.report.versions import NEW, OLD

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def row(page: Page, words: str) -> None:
    page.locator(".lv-table tbody tr", has_text=words).get_by_role("button").click()


def test_a_row_of_the_ledger_scrolls_both_texts(visit: Open) -> None:
    page = visit()
    compare_versions(page, OLD, NEW)
    page.get_by_role("tab", name="Ledger").click()
    table = page.get_by_role("table", name="Every sentence of both texts, with what became of it")
    expect(table).to_be_visible(timeout=SLOW)
    assert violations(page) == []
    kinds = page.get_by_role("group", name="Kinds of sentence to list")
    kinds.get_by_role("button", name="opposite").click()
    expect(table.locator("tbody tr")).to_have_count(1)
    row(page, "negation")
    assert "shall not move" in current(page, "a")
    expect_in_sight(page, "b")
    settled(page)
    expect(table.locator("[aria-pressed=true]")).to_have_count(1)
    kinds.get_by_role("button", name="opposite").press("Enter")
    kinds.get_by_role("button", name="new").press("Enter")
    only = table.get_by_role("button").first
    only.press("Enter")
    expect(only).to_be_focused()
    expect(page.get_by_test_id("text-a").locator(".lv-missing")).to_have_count(1)
    expect(page.get_by_test_id("text-b").locator("[aria-current=true]").first).to_be_visible()
    rows = json.loads(read(page, "Ledger (JSON)"))["rows"]
    assert len(rows) == len(list(csv.DictReader(io.StringIO(read(page, "Ledger (CSV)")))))
    sheet = openpyxl.load_workbook(io.BytesIO(Path(download(page, "Ledger (XLSX)")).read_bytes())).worksheets[
        0
    ]
    assert sheet.max_row == 1 + len(rows)


def read(page: Page, name: str) -> str:
    return Path(download(page, name)).read_text("utf-8")
