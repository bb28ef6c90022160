"""Decisions and notes on matches: they stay with their match, and keys work, while the page sends news."""

from __future__ import annotations

from dataclasses import replace

from colde.explain.text_overlap import shared_text
from playwright.sync_api import expect

from colde.report.view_payload import view_payload
from colde.results.shared_text import SentenceMatches
from tests.browser.looks import Show, update
from tests.report.example import example, two_strong


def test_matches_are_numbered_decided_noted_and_filtered(show: Show) -> None:
    whole = example()
    evidence = two_strong(whole)
    shared = shared_text(whole.a, whole.b, SentenceMatches(()))
    payload = view_payload(replace(whole, evidence=evidence, shared=shared), "colde")
    page = show({**payload, "review": {"id": "empty", "marks": []}})
    for side, document in (("a", whole.a), ("b", whole.b)):
        first = page.get_by_test_id(f"text-{side}").locator('[data-number~="1"]').first
        passage = evidence[0].a if side == "a" else evidence[0].b
        assert document.text[passage.start : passage.end].startswith((first.text_content() or "-")[:20])
    split = page.get_by_role("group", name="Split of text A")
    before = split.text_content() or ""
    assert "% identical" in before
    page.get_by_role("tab", name="Matches").click()
    page.keyboard.press("n")
    page.keyboard.press("r")
    expect(page.get_by_text("2 of 10 shown · 0 accepted · 1 rejected")).to_be_visible()
    expect(page.locator('[data-number~="1"]')).to_have_count(0)
    expect(split).to_contain_text("without what you excluded")
    assert before not in (split.text_content() or ""), "a rejected match is not counted"
    page.keyboard.press("n")
    page.keyboard.press("a")
    page.get_by_label("Note on match 2").fill("Taken word for word?")
    page.wait_for_function("window.review?.length === 2 && window.review[1].note")
    marks = page.evaluate("window.review")
    assert [(m["decision"], m["note"]) for m in marks] == [
        ("rejected", ""),
        ("accepted", "Taken word for word?"),
    ]
    page.get_by_label("Decision").select_option("accepted")
    expect(page.locator(".lv-item")).to_have_count(1)
    again = show({**payload, "review": {"id": "opened", "marks": marks}, "settings": {"tab": "matches"}})
    expect(again.get_by_text("1 accepted · 1 rejected")).to_be_visible()
    expect(again.get_by_text("Taken word for word?")).to_be_visible()


def test_a_note_goes_on_where_it_was_while_the_page_sends_news(show: Show) -> None:
    """Each decision is answered by the page, and so is each pause in a note: keys must not go to the list then."""
    payload = view_payload(example(), "colde")
    page = show(payload)
    page.get_by_role("tab", name="Matches").click()
    page.keyboard.press("n")
    page.get_by_role("button", name="Accept").click()
    note = page.get_by_role("textbox", name="Note on match 1")
    note.click()
    page.keyboard.type("Draft")
    field = note.element_handle()
    update(page, payload)
    assert page.evaluate("field => field.isConnected", field), "a field in use is drawn anew without need"
    page.keyboard.type("s")
    expect(note).to_have_value("Drafts")
    page.get_by_role("button", name="Undo").click()
    expect(note).to_have_value("")

    note.click()
    page.keyboard.type("Tkn")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    update(page, {**payload, "generation": "with more results"})
    page.keyboard.type("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("e")
    expect(note).to_have_value("Taken")
    expect(page.get_by_text("1 accepted · 0 rejected")).to_be_visible()
    page.wait_for_function("window.review?.length === 1 && window.review[0].note === 'Taken'")

    page.get_by_label("Words in the passages").click()
    page.keyboard.type("ti")
    update(page, {**payload, "generation": "with all results"})
    page.keyboard.type("de")
    expect(page.get_by_label("Words in the passages")).to_have_value("tide")


def test_keys_work_on_after_the_focused_match_has_left_the_list(show: Show) -> None:
    page = show(view_payload(replace(example(), evidence=two_strong(example())), "colde"))
    page.get_by_role("tab", name="Matches").click()
    page.get_by_label("Decision").select_option("open")
    listed = page.locator(".lv-item")
    count = listed.count()
    listed.first.click()
    page.keyboard.press("r")
    expect(listed).to_have_count(count - 1)
    page.keyboard.press("u")
    expect(listed).to_have_count(count)


def test_the_chosen_match_stays_chosen_where_others_go_before_it(show: Show) -> None:
    whole = example()
    payload = view_payload(replace(whole, evidence=two_strong(whole)), "colde")
    page = show(payload)
    page.get_by_role("tab", name="Matches").click()
    page.keyboard.press("n")
    page.keyboard.press("n")
    chosen = page.locator(".lv-item[aria-pressed=true] q").first.text_content()
    models = [{**model, "evidence": (model["evidence"] or [])[1:]} for model in payload["models"]]
    update(page, {**payload, "models": models, "generation": "without the first"})
    expect(page.locator(".lv-item[aria-pressed=true] q").first).to_have_text(chosen or "-")
    page.keyboard.press("r")
    expect(page.locator(".lv-item[data-decision=rejected] q").first).to_have_text(chosen or "-")
    models = [{**model, "evidence": (model["evidence"] or [])[2:]} for model in payload["models"]]
    update(page, {**payload, "models": models, "generation": "without the chosen one"})
    expect(page.locator(".lv-item[aria-pressed=true]")).to_have_count(0)
