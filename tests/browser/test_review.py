"""Decisions and notes on passages: they stay with their passage, and keys work, while the page sends news."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from playwright.sync_api import Locator, Page, expect

from colde.report.html.view_payload import view_payload
from colde.results.shared_text import ClosestPair
from colde.results.similarity_map import Letter
from colde.text.document import Span
from tests.browser.looks import Show, update
from tests.report.example import example


def with_standard(number: int) -> dict[str, Any]:
    """The example, whose last passages are standard text."""
    whole = example()
    shared = whole.shared
    assert shared is not None
    passages = [
        replace(p, standard=i >= len(shared.passages) - number) for i, p in enumerate(shared.passages)
    ]
    standard: Mapping[Letter, set[int]] = {
        "a": {p.a.start for p in passages if p.standard},
        "b": {p.b.start for p in passages if p.standard},
    }
    stretches = {
        side: tuple(replace(s, kind="standard") if s.start in standard[side] else s for s in of_side)
        for side, of_side in shared.stretches.items()
    }
    return view_payload(
        replace(whole, shared=replace(shared, passages=tuple(passages), stretches=stretches)), "colde"
    )


def split_of_a(page: Page) -> Locator:
    return page.get_by_role("group", name="Split of text A")


def test_passages_are_numbered_decided_noted_and_filtered(show: Show) -> None:
    whole = example()
    assert whole.shared is not None
    first_passage = whole.shared.passages[0]
    payload = view_payload(whole, "colde")
    page = show({**payload, "review": {"id": "empty", "marks": []}})
    for side, document, passage in (("a", whole.a, first_passage.a), ("b", whole.b, first_passage.b)):
        first = page.get_by_test_id(f"text-{side}").locator('[data-number~="1"]').first
        assert document.text[passage.start : passage.end].startswith((first.text_content() or "-")[:20])
    before = split_of_a(page).text_content() or ""
    assert "% identical" in before
    page.get_by_role("tab", name="Passages").click()
    page.keyboard.press("n")
    page.keyboard.press("r")
    expect(page.get_by_text("10 of 10 shown · 0 accepted · 1 rejected")).to_be_visible()
    expect(page.locator('[data-number~="1"]')).to_have_count(0)
    expect(split_of_a(page)).to_contain_text("without what you excluded")
    assert before not in (split_of_a(page).text_content() or ""), "a rejected passage is not counted"
    page.keyboard.press("n")
    page.keyboard.press("a")
    page.get_by_label("Note on passage 2").fill("Taken word for word?")
    page.wait_for_function("window.review?.length === 2 && window.review[1].note")
    marks = page.evaluate("window.review")
    assert [(m["decision"], m["note"]) for m in marks] == [
        ("rejected", ""),
        ("accepted", "Taken word for word?"),
    ]
    page.get_by_label("Decision").select_option("accepted")
    expect(page.locator(".lv-item")).to_have_count(1)
    again = show({**payload, "review": {"id": "opened", "marks": marks}, "settings": {"tab": "passages"}})
    expect(again.get_by_text("1 accepted · 1 rejected")).to_be_visible()
    expect(again.get_by_text("Taken word for word?")).to_be_visible()


def test_a_passage_opens_to_its_parts_and_both_texts_shade_them(show: Show) -> None:
    whole = example()
    shared = whole.shared
    assert shared is not None
    one, two = (p for p in shared.passages[:2])
    a, b = (Span(min(x.start, y.start), max(x.end, y.end)) for x, y in ((one.a, two.a), (one.b, two.b)))
    joined = replace(one, a=a, b=b, parts=(*one.parts, *two.parts))
    page = show(view_payload(replace(whole, shared=replace(shared, passages=(joined,))), "colde"))
    page.get_by_role("tab", name="Passages").click()
    expect(page.get_by_role("list", name="Parts of the passage")).to_have_count(0)
    page.locator(".lv-item").click()
    parts = page.get_by_role("list", name="Parts of the passage").get_by_role("button")
    expect(parts).to_have_count(2)
    assert sorted(parts.locator(".lv-item-kind").all_text_contents()) == sorted((one.kind, two.kind))
    for side in "ab":
        shaded = page.get_by_test_id(f"text-{side}").locator(".lv-inside")
        assert shaded.count() == 2
    parts.first.click()
    for side, document in (("a", whole.a), ("b", whole.b)):
        first = min((p for p in joined.parts), key=lambda p: p.a.start)
        span = first.a if side == "a" else first.b
        current = page.get_by_test_id(f"text-{side}").locator("[aria-current=true]")
        assert "".join(current.all_text_contents()) == document.text[span.start : span.end]


def test_standard_text_comes_last_and_one_press_counts_it_with_the_rest_or_leaves_it_out(show: Show) -> None:
    page = show(with_standard(3))
    page.get_by_role("tab", name="Passages").click()
    items, heading = (
        page.locator(".lv-item"),
        page.get_by_role("heading", name="Standard text that both have"),
    )
    split, tab = split_of_a(page), page.get_by_role("tab", name="Passages")
    expect(items).to_have_count(10)
    expect(heading).to_have_count(1)
    expect(split).to_contain_text("% standard")
    expect(tab).to_contain_text("7")
    paraphrased = page.get_by_role("group", name="Kinds of passage").get_by_role("button", name="paraphrased")
    apart = paraphrased.text_content() or ""

    page.get_by_role("button", name="with the rest").click()
    expect(items).to_have_count(10)
    expect(heading).to_have_count(0)
    expect(split).not_to_contain_text("% standard")
    expect(tab).to_contain_text("10")
    assert paraphrased.text_content() != apart

    page.get_by_role("button", name="left out").click()
    expect(items).to_have_count(7)
    expect(heading).to_have_count(0)
    expect(split).not_to_contain_text("% standard")
    expect(split).to_contain_text("without what you excluded")
    expect(tab).to_contain_text("7")
    expect(page.get_by_test_id("text-a").locator('[data-number~="10"]')).to_have_count(0)
    page.get_by_role("tab", name="Map").click()
    expect(items).to_have_count(7)


def test_no_passage_is_one_sentence_and_the_closest_sentences_are_folded(show: Show) -> None:
    whole = example()
    shared = whole.shared
    assert shared is not None
    closest = tuple(ClosestPair(p.a, p.b, 0.31) for p in shared.passages[:2])
    none = replace(whole, shared=replace(shared, passages=(), closest=closest))
    page = show(view_payload(none, "colde"))
    expect(page.get_by_text("The two texts share no passage.")).to_have_count(1)
    page.get_by_role("tab", name="Passages").click()
    expect(page.get_by_text("The two texts share no passage.")).to_have_count(1)
    folded = page.get_by_text("Closest other sentences 2")
    pair = page.locator(".lv-closest .lv-part").first
    expect(pair).to_be_hidden()
    folded.click()
    pair.click()
    current = page.get_by_test_id("text-a").locator("[aria-current=true]")
    span = closest[0].a
    assert "".join(current.all_text_contents()) == whole.a.text[span.start : span.end]


def test_decisions_on_passages_that_are_not_in_the_list_are_said(show: Show) -> None:
    mark = {"a": [0, 5], "b": [0, 7], "decision": "accepted", "note": ""}
    payload = view_payload(example(), "colde")
    review = {"id": "earlier", "marks": [mark]}
    page = show({**payload, "review": review, "settings": {"tab": "passages"}})
    expect(page.get_by_text("1 decision could not be placed")).to_be_visible()


def test_a_note_goes_on_where_it_was_while_the_page_sends_news(show: Show) -> None:
    """Each decision is answered by the page, and so is each pause in a note: keys must not go to the list then."""
    payload = view_payload(example(), "colde")
    page = show(payload)
    page.get_by_role("tab", name="Passages").click()
    page.keyboard.press("n")
    page.get_by_role("button", name="Accept").click()
    note = page.get_by_role("textbox", name="Note on passage 1")
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


def test_keys_work_on_after_the_focused_passage_has_left_the_list(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    page.get_by_role("tab", name="Passages").click()
    page.get_by_label("Decision").select_option("open")
    listed = page.locator(".lv-item")
    count = listed.count()
    listed.first.click()
    page.keyboard.press("r")
    expect(listed).to_have_count(count - 1)
    page.keyboard.press("u")
    expect(listed).to_have_count(count)


def test_the_chosen_passage_stays_chosen_where_others_go_before_it(show: Show) -> None:
    payload = view_payload(example(), "colde")
    page = show(payload)
    page.get_by_role("tab", name="Passages").click()
    page.keyboard.press("n")
    page.keyboard.press("n")
    chosen = page.locator(".lv-item[aria-pressed=true] .lv-item-places").text_content()
    update(page, {**payload, "passages": payload["passages"][1:], "generation": "without the first"})
    expect(page.locator(".lv-item[aria-pressed=true] .lv-item-places")).to_have_text(chosen or "-")
    page.keyboard.press("r")
    expect(page.locator(".lv-item[data-decision=rejected] .lv-item-places")).to_have_text(chosen or "-")
    update(page, {**payload, "passages": payload["passages"][2:], "generation": "without the chosen one"})
    expect(page.locator(".lv-item[aria-pressed=true]")).to_have_count(0)
