"""The tab of what made the score: links into the texts, a waterfall, and what is left without some sections."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from colde.report.html.view_payload import view_payload
from tests.browser.looks import Show
from tests.report.example import example


def why_tab(page: Page) -> Locator:
    """Open the tab of what made the score."""
    page.get_by_role("tab", name="Why").click()
    return page.get_by_role("region", name="Contribution to score")


@pytest.fixture(scope="module")
def payload() -> dict[str, Any]:
    return view_payload(example(), boxes=False)


def test_the_parts_lead_into_the_texts_and_up_to_the_score(show: Show, payload: dict[str, Any]) -> None:
    page = show(payload)
    why = why_tab(page)
    bars = why.get_by_role("list", name="Parts of the score").get_by_role("listitem")
    expect(bars.first).to_contain_text("Baseline")
    expect(bars.last).to_contain_text("Score")
    bars.get_by_role("button").first.click()
    page.wait_for_function("window.said.length > 0")
    assert page.evaluate("window.said.at(-1).a.length") == 2


def test_the_passages_that_made_the_score_are_listed_with_their_shares(
    show: Show, payload: dict[str, Any]
) -> None:
    changed = copy.deepcopy(payload)
    made = changed["models"][0]["made"]
    finer = {
        "a": {"start": 40, "end": 60},
        "b": {"start": 70, "end": 95},
        "part": 0.004,
        "share": 0.01,
        "inside": [],
    }
    pair = made["pairs"][0] | {"share": 0.06, "inside": [finer]}
    made |= {
        "of": "the score",
        "passages": "sections",
        "finer": "sentences",
        "cells": 144,
        "pairs": [pair] * 12,
    }
    page = show(changed)
    why = why_tab(page)
    bars = why.get_by_role("list", name="Parts of the score").locator("> li")
    pairs = bars.filter(has_text="6.0 %")
    expect(pairs).to_have_count(8)
    expect(why).to_contain_text("The 8 pairs of sections listed here (of 144) make up 48 % of the score.")
    why.get_by_role("button", name="List the 12 strongest").click()
    expect(pairs).to_have_count(12)
    expect(why).to_contain_text("The 12 pairs of sections listed here (of 144) make up 72 % of the score.")
    pairs.first.get_by_text("Strongest sentences").click()
    pairs.first.get_by_role("listitem").get_by_role("button").click()
    page.wait_for_function("window.said.at(-1)?.a[0] === 40")
    assert page.evaluate("window.said.at(-1).b") == [70, 95]


def test_words_that_add_lead_to_where_they_stand_and_what_speaks_against_is_named(
    show: Show, payload: dict[str, Any]
) -> None:
    changed = copy.deepcopy(payload)
    first = changed["models"][0]
    first["made"] |= {
        "words": [
            {"word": "tide", "part": 0.04, "a": {"start": 0, "end": 5}, "b": {"start": 2, "end": 9}},
            {"word": "bar", "part": 0.02, "a": {"start": 0, "end": 5}, "b": {"start": 2, "end": 9}},
        ],
        "opposed": {"document": "b", "section": 0, "part": -0.0042},
    }
    page = show(changed)
    why = why_tab(page)
    expect(why).to_contain_text("The words “tide” and “bar” add 0.06.")
    expect(why).to_contain_text("in B lowers the score by 0.004.")
    why.get_by_role("button", name="“bar”").click()
    page.wait_for_function("window.said.length > 0")
    assert page.evaluate("window.said.at(-1)")["b"] == [2, 9]


def test_a_chosen_passage_stands_word_by_word(show: Show, payload: dict[str, Any]) -> None:
    changed = copy.deepcopy(payload)
    model = changed["models"][0]
    passage = changed["passages"][0]
    a, b = ([passage[side]["start"], passage[side]["end"]] for side in "ab")
    asked = json.dumps({"a": a, "b": b, "model": model["name"]}, separators=(",", ":"))
    pairs = [[a[0], a[0] + 3, b[0], b[0] + 4, 0.0015], [a[0] + 4, a[0] + 6, b[0], b[0] + 4, -0.0002]]
    changed["words"] = {"asked": asked, "total": 0.0021, "residual": 1e-9, "pairs": pairs}
    page = show(changed)
    words = page.get_by_role("region", name="Word by word")
    expect(words).to_be_hidden()
    page.get_by_role("list", name="Shared passages").get_by_role("button").first.click()
    expect(words.get_by_role("status")).to_contain_text("add +0.002 to the score of 0.349")
    listed = words.get_by_role("list", name="Pairs of words").get_by_role("listitem")
    expect(listed.first).to_contain_text("71 %")
    expect(listed.nth(1)).to_contain_text("−10 %")
    expect(page.get_by_test_id("text-a").locator(".lv-answers")).to_have_text(
        ["".join(changed["documents"]["a"]["text"][a[0] : a[0] + 3])]
    )
    page.locator("[role=tab][data-tab=changes]").click()
    expect(words).to_be_hidden()
    page.locator("[role=tab][data-tab=map]").click()
    expect(words).to_be_visible()
    page.keyboard.press("Escape")


def test_a_section_ticked_off_is_an_estimate_with_a_way_back(show: Show, payload: dict[str, Any]) -> None:
    page = show(payload)
    why = why_tab(page)
    bar = page.get_by_role("region", name="Left out")
    box = why.get_by_role("list", name="Sections of A").get_by_role("checkbox").first
    expect(bar).to_be_hidden()
    box.uncheck()
    expect(bar.get_by_role("status")).to_contain_text("Estimate: about")
    page.wait_for_function("window.set.some((s) => (s.out || '').startsWith('a:'))")
    expect(bar.get_by_role("button", name="Ask the models")).to_have_count(0)  # nobody to ask in a report
    bar.get_by_role("button", name="Undo").click()
    expect(box).to_be_checked()
    expect(bar).to_be_hidden()


def test_a_passage_of_the_text_is_left_out_and_put_back(show: Show, payload: dict[str, Any]) -> None:
    page = show(payload)
    text = page.get_by_test_id("text-a")
    expect(page.get_by_role("button", name="Leave out")).to_have_count(0)
    sentence = text.locator(".lv-sentence").nth(1)
    sentence.click()
    page.get_by_role("button", name="Leave out").first.click()
    expect(sentence).to_have_class(re.compile("lv-out"))
    page.wait_for_function("window.set.some((s) => /^a@[0-9]+-[0-9]+$/.test(s.out || ''))")
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(sentence).not_to_have_class(re.compile("lv-out"))
    page.get_by_role("button", name="Keep only this").first.click()
    expect(text.locator(".lv-sentence").nth(2)).to_have_class(re.compile("lv-out"))
    expect(sentence).not_to_have_class(re.compile("lv-out"))
    page.get_by_role("tab", name="Why").click()
    boxes = page.get_by_role("list", name="Sections of A").get_by_role("checkbox")
    expect(boxes.first).to_be_checked()  # in part
    expect(boxes.nth(1)).not_to_be_checked()


def test_a_part_of_the_split_leads_through_its_passages(show: Show, payload: dict[str, Any]) -> None:
    one, *_ = payload["passages"]
    spans = [(0, 20, 0, 25), (30, 40, 30, 45)]
    passages = [
        {
            **one,
            "a": {"start": a0, "end": a1},
            "b": {"start": b0, "end": b1},
            "kind": "identical",
            "words": [count, count],
            "parts": [payload["kinds"].index("identical"), a0, a1, b0, b1],
        }
        for count, (a0, a1, b0, b1) in zip((4, 2), spans, strict=True)
    ]
    stretches = [0, 20, 0, 4, 0, 20, 30, -1, 6, 0, 30, 40, 0, 2, 0]
    split = {
        "kinds": [{"label": "identical", "means": "The same words."}],
        "rest": {"label": "rest", "means": "None of these."},
        "note": "Of 12 words.",
        "missing": "",
        "a": stretches,
        "b": stretches,
    }
    page = show({**payload, "split": split, "passages": passages})
    bar = page.get_by_role("group", name="Split of text B")
    expect(bar.locator(".lv-split-bar span")).to_have_count(2)
    part = bar.get_by_role("button", name="50 % identical")
    for start, end, *_ in spans:
        part.click()
        page.wait_for_function("end => window.said.at(-1)?.a[1] === end", arg=end)
        assert page.evaluate("window.said.at(-1).a[0]") == start
    page.get_by_role("tab", name="Passages").click()
    page.get_by_label("Minimum words").fill("3")  # the shorter passage no longer counts
    expect(bar.get_by_role("button")).to_have_text("33 % identical")
    expect(bar).to_contain_text("without what you excluded")


def test_what_an_address_left_out_and_what_the_server_said_is_shown(
    show: Show, payload: dict[str, Any]
) -> None:
    scores = [
        {
            "title": "CoLDE",
            "before": 0.29,
            "after": 0.2497,
            "threshold": 0.25,
            "says": "unrelated",
            "probability": [0.83, 0.12],
        }
    ]
    asked = {
        "settings": {"tab": "why", "out": "a:0"},
        "what_if": {"asked": "a:0", "out": "a:0", "note": "", "scores": scores, "error": ""},
    }
    page = show({**payload, **asked})
    why = page.get_by_role("region", name="Contribution to score")
    row = page.get_by_role("table", name="Scores without these passages").get_by_role("row").last
    expect(row).to_have_text("CoLDE0.2900 → 0.24970.250083 % → 12 %unrelated")
    expect(why.get_by_role("list", name="Sections of A").get_by_role("checkbox").first).not_to_be_checked()
