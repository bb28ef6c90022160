"""The report of a version history in a browser: a press on a sentence shows who changed it."""

from __future__ import annotations

from playwright.sync_api import expect

import colde
from colde.report.history.history_html import history_html
from tests.browser.looks import violations
from tests.comparison.test_version_history import FIRST, FOURTH, NAMES, SECOND, THIRD


def test_a_press_on_a_sentence_shows_who_changed_it(open_file, tmp_path) -> None:
    documents = [colde.read_text(text) for text in (FIRST, SECOND, THIRD, FOURTH)]
    path = tmp_path / "history.html"
    path.write_text(history_html(colde.version_history(documents, NAMES)), encoding="utf-8")
    page = open_file(path)
    rent = page.locator("details", has_text="450 crowns")
    rent.locator("summary").click()
    expect(rent.get_by_text("Version 2 (Lawyer): number or date")).to_be_visible()
    expect(rent.locator("del")).to_have_text("400")
    assert violations(page) == []
    page.get_by_label("Show").select_option("4")
    expect(rent).to_be_hidden()
    expect(page.locator("details", has_text="No fire is lit")).to_be_visible()
