"""The view of a document's sources in Chromium: marks, ranking, both texts, exclusions, a decision, no violation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from colde.index.sources.counted_sources import Sources
from colde.ingest import read_text
from colde.report.linked_view import script, style
from colde.report.sources.sources_html import sources_html
from colde.report.sources.sources_payload import sources_payload
from colde.results.saved.record import text_hash
from colde.results.saved.review_decisions import Mark
from tests.browser.looks import COMPONENT, LATE, Open, violations, violations_in
from tests.index.source_texts import HARBOUR, LAMP, query_text, shared_passages

PART = HARBOUR.split(", so that ")[0]


@pytest.fixture
def sources() -> Sources:
    """`harbour.txt` has two passages of a text, `lamps.txt` has one of them and `chess.txt` a part of the other."""
    document = read_text(query_text(LAMP, "He wrote this down as well.", HARBOUR))
    names = {"harbour.txt": (LAMP, HARBOUR), "lamps.txt": (LAMP,), "chess.txt": (PART,)}
    return shared_passages(document, names)


@pytest.fixture
def page(sources: Sources, open_file: Open, tmp_path: Path) -> Page:
    path = tmp_path / "sources.html"
    path.write_text(sources_html(sources), encoding="utf-8")
    return open_file(path)


@pytest.fixture
def place(open_file: Open, tmp_path: Path) -> Page:
    """An empty page with the style sheet."""
    path = tmp_path / "empty.html"
    head = '<!doctype html><meta charset="utf-8"><title>view</title>'
    path.write_text(f"{head}<style>{style()}</style>", encoding="utf-8")
    return open_file(path, alone=True)


def total(page: Page) -> str:
    return page.get_by_test_id("sources-total").inner_text()


def test_the_page_counts_as_the_program_does(page: Page, sources: Sources) -> None:
    def compare(now: Sources) -> None:
        rows = page.get_by_test_id("source")
        expect(rows).to_have_count(len(now))
        for row, source in zip(rows.all(), now, strict=True):
            text = row.inner_text()
            assert source.name in text
            assert f"{source.words} words ({source.own_words} of no source above)" in text
        assert f"of {now.words} words" in total(page)
        expect(page.get_by_text("every word counts once")).to_have_count(1)
        expect(page.get_by_role("heading", name="Ranked sources")).to_have_count(1)

    compare(sources)
    page.get_by_role("checkbox", name="Count harbour.txt").uncheck()
    compare(sources.excluding(documents=["harbour.txt"]))
    page.get_by_label("Passages below (words)").fill("30")
    page.keyboard.press("Tab")
    compare(sources.excluding(documents=["harbour.txt"], fewest_words=30))
    page.get_by_role("checkbox", name="Count harbour.txt").check()
    compare(sources.excluding(fewest_words=30))


def test_a_click_opens_both_texts_at_the_passage(page: Page) -> None:
    text, side = page.get_by_test_id("sources-text"), page.get_by_test_id("sources-side")
    expect(text.locator("mark")).to_have_count(2)
    text.get_by_role("button", name="1+1, harbour.txt").first.click()
    for pane in (text, side):
        mark = pane.locator("mark[aria-current=true]")
        expect(mark).to_have_text(LAMP)
        expect(mark).to_be_in_viewport()
    side.get_by_role("button", name="2. lamps.txt").click()
    expect(side.get_by_role("heading", name="lamps.txt")).to_be_visible()
    expect(side.locator("mark[aria-current=true]")).to_have_text(LAMP)
    side.get_by_role("button", name="Back to all sources").click()
    expect(page.get_by_test_id("source")).to_have_count(3)
    expect(text.locator("mark[aria-current=true]")).to_have_count(0)


def test_a_decision_stays_with_its_passage(page: Page) -> None:
    text, side = page.get_by_test_id("sources-text"), page.get_by_test_id("sources-side")
    text.get_by_role("button").first.click()
    side.get_by_role("button", name="Accept").click()
    expect(side.get_by_role("button", name="Accept")).to_have_attribute("aria-pressed", "true")
    side.get_by_label("Note").fill("quoted without a source")
    side.get_by_role("button", name="Back to all sources").click()
    side.get_by_role("button", name="harbour.txt").click()
    expect(side.get_by_text("accepted")).to_be_visible()
    text.get_by_role("button").first.click()
    expect(side.get_by_label("Note")).to_have_value("quoted without a source")


def test_a_rejected_passage_does_not_count_until_that_is_undone(page: Page, sources: Sources) -> None:
    text, side = page.get_by_test_id("sources-text"), page.get_by_test_id("sources-side")
    (chess,) = (p for p in next(s for s in sources if s.name == "chess.txt").passages)
    side.get_by_role("button", name="chess.txt").click()
    side.get_by_role("button", name="words, identical").click()
    side.get_by_role("button", name="Reject").click()
    expect(side.get_by_role("button", name="Reject")).to_be_focused()
    expect(side.get_by_role("heading", name="chess.txt")).to_be_visible()
    side.get_by_role("button", name="Back to all sources").click()
    expect(side.get_by_text("1 passage, rejected")).to_be_visible()
    rejected = sources.reviewed({chess.index: Mark(chess.a, chess.b, "rejected")})
    expect(page.get_by_test_id("source")).to_have_count(len(rejected))
    assert [s.name for s in rejected] == ["harbour.txt", "lamps.txt"]
    expect(text.get_by_role("button", name="+")).to_have_count(1)
    side.get_by_role("button", name="words, identical").click()
    side.get_by_role("button", name="Undo").click()
    expect(side.get_by_role("button", name="Undo")).to_be_disabled()
    side.get_by_role("button", name="Back to all sources").click()
    expect(page.get_by_test_id("source")).to_have_count(3)


def draw(page: Page, sources: Sources) -> None:
    """The view as Streamlit draws it, for a reader whose browser keeps decisions."""
    reviews = {
        one.document.id: {
            "id": "",
            "pair": [text_hash(sources.document), text_hash(one.text)],
            "marks": [],
            "out": "",
        }
        for one in sources.sharing
    }
    page.evaluate(COMPONENT, [script(), sources_payload(sources, reviews)])


def test_decisions_are_there_after_a_reload_and_can_be_undone(place: Page, sources: Sources) -> None:
    def open_first() -> None:
        draw(place, sources)
        place.get_by_test_id("sources-text").get_by_role("button").first.click()

    open_first()
    accept, note = place.get_by_role("button", name="Accept"), place.get_by_label("Note")
    accept.click()
    note.press_sequentially("quoted")
    place.reload()
    open_first()
    expect(accept).to_have_attribute("aria-pressed", "true")
    expect(note).to_have_value("quoted")
    place.wait_for_function("window.sent.some(([name]) => name === 'review')")
    told = place.evaluate("window.sent.findLast(([name]) => name === 'review')[1].value")
    assert [(m["decision"], m["note"]) for m in told["harbour.txt"]] == [("accepted", "quoted")]
    undo = place.get_by_role("button", name="Undo")
    undo.click()
    expect(note).to_have_value("")
    undo.click()
    expect(accept).to_have_attribute("aria-pressed", "false")
    expect(undo).to_be_disabled()


def test_a_view_that_streamlit_makes_anew_stays_as_the_reader_has_set_it(
    place: Page, sources: Sources
) -> None:
    draw(place, sources)
    place.get_by_role("checkbox", name="Count chess.txt").uncheck()
    place.get_by_test_id("sources-text").get_by_role("button").first.click()
    accept = place.get_by_role("button", name="Accept")
    accept.click()
    payload = sources_payload(sources)
    place.evaluate("data => { window.place(); window.draw(data); }", payload)
    expect(accept).to_be_focused()
    expect(accept).to_have_attribute("aria-pressed", "true")
    expect(place.get_by_test_id("source-text").locator("mark[aria-current=true]")).to_be_in_viewport()
    place.get_by_role("button", name="Back to all sources").click()
    expect(place.get_by_role("checkbox", name="Count chess.txt")).not_to_be_checked()
    place.evaluate(LATE, payload)
    expect(place.get_by_role("checkbox", name="Count chess.txt")).to_be_checked()


def test_check_boxes_stand_on_their_lines_and_no_state_has_a_violation(page: Page) -> None:
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 720})
        for source in page.get_by_test_id("source").all():
            box, name = (
                found.bounding_box()
                for found in (source.get_by_role("checkbox"), source.get_by_role("button").first)
            )
            assert box is not None and name is not None
            assert box["y"] < name["y"] + name["height"] and name["y"] < box["y"] + box["height"]
            assert box["x"] + box["width"] <= name["x"]
    assert violations(page) == []
    assert violations_in(page, "dark") == []
    page.get_by_test_id("sources-text").get_by_role("button").first.click()
    assert violations(page) == []
    assert violations_in(page, "light") == []
    page.set_viewport_size({"width": 1280, "height": 720})
    assert violations(page) == []
    page.get_by_role("button", name="Back to all sources").click()
    page.get_by_test_id("source").first.get_by_role("button").first.click()
    assert violations(page) == []
