"""The tab of the changes, which opens first for two versions, with decisions in every file; and that of the ledger."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from colde.report.content.changes_report import NO_CHANGES, UNFINISHED
from colde.report.html.view_payload import view_payload
from tests.browser.explorer import SLOW, download, settled, text_file, upload
from tests.browser.looks import Open, Show, current, expect_in_sight, violations
from tests.report.example import example
from tests.report.versions import KINDS, NEW, OLD, versions
from tests.schemas import validate

NOTE = "Agreed by phone <i>on Monday</i>."

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def change(page: Page, number: int) -> None:
    page.locator(f'[data-noun=change] [data-item="{number - 1}"]').click()


def expect_decided(page: Page) -> None:
    listed = page.locator("[data-noun=change]")
    expect(page.get_by_role("tab", name="Changes", selected=True)).to_be_visible(timeout=SLOW)
    expect(listed).to_contain_text("5 of 5 shown · 1 accepted · 1 rejected", timeout=SLOW)


def expect_marks(page: Page) -> None:
    """The review file has the decision on the first change with its note, and the rejected sentence that A lacks."""
    marks = json.loads(read(page, "Review file"))["marks"]
    assert [(m["decision"], m["note"], m["change"]) for m in marks] == [
        ("accepted", NOTE, True),
        ("rejected", "", True),
    ]
    assert marks[1]["a"] is None


def expect_exported(page: Page) -> None:
    """Every other file has the decisions, too."""
    data = json.loads(read(page, "JSON"))
    validate("comparison", data)
    assert [mark["note"] for mark in data["review"]["marks"]] == [NOTE, ""]
    assert len(data["changes"]) == len(KINDS)
    with zipfile.ZipFile(download(page, "CSV tables")) as packed:
        zipped = packed.read("changes.csv").decode()
    for table in (zipped, read(page, "Changes (CSV)")):
        rows = list(csv.DictReader(io.StringIO(table)))
        assert [row["decision"] for row in rows] == ["accepted", "open", "open", "open", "rejected"]
        assert rows[0]["note"] == NOTE and "shall not move" in rows[0]["a_text"]
    report = read(page, "HTML report")
    assert report.index("<h2>Changes</h2>") < report.index("<h2>Scores</h2>")
    assert "Agreed by phone &lt;i&gt;on Monday&lt;/i&gt;." in report


def read(page: Page, name: str) -> str:
    return Path(download(page, name)).read_text("utf-8")


def test_changes_of_versions_open_first_and_are_reviewed(visit: Open) -> None:
    page = visit()
    upload(page, "A", text_file("old.md", OLD))
    upload(page, "B", text_file("new.md", NEW))
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()
    expect(page.get_by_role("tab", name="Changes", selected=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Export")).to_be_visible(timeout=SLOW)
    settled(page)

    change(page, 1)
    expect(page.locator("[data-noun=change] .lv-removed").first).to_have_text("not")
    assert "<b>written</b>" in current(page, "a")
    page.keyboard.press("n")
    expect(page.locator('[data-noun=change] [aria-pressed=true][data-item="1"]')).to_be_visible()
    assert "may retain" in current(page, "a") and "shall retain" in current(page, "b")
    expect_in_sight(page, "b")
    page.get_by_role("button", name="Previous change").click()
    page.get_by_role("button", name="✓ Accept").click()
    page.get_by_role("textbox", name="Note on change 1").fill(NOTE)
    page.get_by_role("button", name="only in B 1").click()
    change(page, 5)
    expect(page.get_by_test_id("text-a").locator(".lv-missing")).to_have_count(1)
    page.keyboard.press("r")
    expect(page.locator("[data-noun=change]")).to_contain_text("1 of 5 shown · 1 accepted · 1 rejected")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-noun=change]")).to_contain_text("1 accepted · 0 rejected")
    page.keyboard.press("r")
    page.get_by_role("button", name="only in B 1").click()
    expect_decided(page)
    assert violations(page, page.get_by_test_id("linked-view")) == []
    expect_marks(page)
    expect_exported(page)

    page.reload()
    expect_decided(page)
    expect(page.locator("[data-noun=change]")).to_contain_text(NOTE)
    expect_marks(page)
    expect_rows_of_the_ledger_to_scroll_both_texts(page)


def expect_rows_of_the_ledger_to_scroll_both_texts(page: Page) -> None:
    """The tab of the ledger: a table of every sentence, by mouse and by keyboard; its files have the same rows."""
    page.get_by_role("tab", name="Ledger").click()
    table = page.get_by_role("table", name="Every sentence of both texts, with what became of it")
    expect(table).to_be_visible(timeout=SLOW)
    assert violations(page, page.get_by_test_id("linked-view")) == []
    kinds = page.get_by_role("group", name="Kinds of sentence to list")
    kinds.get_by_role("button", name="opposite").click()
    expect(table.locator("tbody tr")).to_have_count(1)
    table.locator("tbody tr", has_text="negation").get_by_role("button").click()
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
    sheet = openpyxl.load_workbook(io.BytesIO(download(page, "Ledger (XLSX)").read_bytes())).worksheets[0]
    assert sheet.max_row == 1 + len(rows)


def test_kinds_are_filtered_and_an_empty_list_says_why(show: Show) -> None:
    page = show(view_payload(versions(), "tfidf"))
    kinds = page.get_by_role("group", name="Kinds of change to list")
    assert kinds.get_by_role("button").all_text_contents() == [
        "negation 1",
        "obligation 1",
        "number or date 2",
        "only in B 1",
    ]
    kinds.get_by_role("button", name="number or date 2").click()
    kinds.get_by_role("button", name="negation 1").press("Enter")
    expect(page.locator("[data-noun=change] .lv-item")).to_have_count(3)
    page.get_by_label("Words in the passages").fill("crowns")
    expect(page.locator("[data-noun=change] .lv-item")).to_have_count(1)
    page.get_by_role("tab", name="Passages").click()
    expect(page.get_by_role("group", name="Kinds of passage to list")).to_be_visible()

    same = show(view_payload(replace(versions(), changes=()), "tfidf"))
    expect(same.get_by_role("tabpanel", name="What differs")).to_contain_text(NO_CHANGES)
    other = show(view_payload(replace(example(), shared=None, sentences=None), "colde"))
    expect(other.get_by_role("tab", name="Map", selected=True)).to_be_visible()
    other.get_by_role("tab", name="Changes").click()
    expect(other.get_by_role("tabpanel", name="What differs")).to_contain_text(UNFINISHED)


def test_differences_of_form_are_folded_at_the_end_behind_their_number(show: Show) -> None:
    payload = view_payload(versions(), "tfidf")
    listed = payload["changes"]["list"]
    listed += [{**listed[1], "kind": "form"}, {**listed[2], "kind": "form"}]
    page = show(payload)
    items = page.locator("[data-noun=change] .lv-item")
    expect(items).to_have_count(5)
    fold = page.get_by_role("button", name="2 differences of form")
    fold.press("Enter")
    expect(items).to_have_count(7)
    expect(fold).to_be_focused()
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(items).to_have_count(5)
    page.get_by_role("button", name="form 2", exact=True).click()
    expect(items).to_have_count(2)
    expect(fold).to_have_count(0)


def test_a_long_list_is_drawn_in_parts(show: Show) -> None:
    payload = view_payload(versions(), "tfidf")
    payload["changes"] = {**payload["changes"], "list": payload["changes"]["list"] * 24}
    page = show(payload)
    items = page.locator("[data-noun=change] .lv-item")
    expect(items).to_have_count(50)
    page.get_by_role("button", name="Show 51 to 100").click()
    expect(items).to_have_count(100)
    expect(page.locator('[data-item="50"]')).to_be_focused()
    expect(page.locator("[data-noun=change] .lv-item[aria-pressed=true]")).to_have_count(0)
    page.locator('[data-item="99"]').click()
    page.keyboard.press("n")
    expect(page.locator('[data-item="100"]')).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Show 51 to 100").click()
    expect(page.locator('[data-item="50"]')).to_be_focused()
    expect(page.locator('[data-item="100"]')).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="only in B 24").click()
    expect(items).to_have_count(24)
