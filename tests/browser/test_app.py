"""The explorer in a real browser: two files in, what they share on screen, nothing leaves this computer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from colde_explorer_app.page_parts.thumbnails import sample_verdicts
from playwright.sync_api import Locator, Page, expect

from colde.models import DEFAULTS
from tests.browser.explorer import (
    SLOW,
    compare,
    download,
    finished,
    press,
    repeat_until,
    settled,
    text_file,
    upload,
    use_pair,
)
from tests.browser.looks import (
    FOCUS_RING,
    Open,
    click_cell,
    eventually,
    expect_inside,
    expect_no_overlaps,
    expect_no_sideways,
    scroll_to,
    settled_box,
    tab_stops,
    violations,
)

PAPERS = ("P07-1058.pdf", "P10-2049.pdf")

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def test_two_papers_from_upload_to_passages(visit: Open, shared: Callable[[str], Path]) -> None:
    page = visit()
    for side, name in zip("AB", PAPERS, strict=True):
        upload(page, side, shared(f"documents/papers/{name}"))
    expect(page.get_by_test_id("text-a")).to_contain_text("Entailment", timeout=SLOW)
    expect(page.get_by_test_id("text-b")).to_contain_text("Anaphora", timeout=SLOW)
    compare(page)
    expect(page.get_by_test_id("verdict")).to_contain_text("Kind of documents: research papers")
    page.get_by_role("button", name="Why?").click()
    # their acknowledgements, all they have in common, are set aside
    expect(page.get_by_text("Closest sentences: ")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="How sure?").click()
    expect(page.get_by_role("slider").first).to_be_visible()
    assert violations(page, page.get_by_test_id("stPopoverBody")) == []
    page.keyboard.press("Escape")

    found = json.loads(download(page, "JSON").read_text(encoding="utf-8"))
    assert [model["name"] for model in found["models"]] == ["colde_words", "colde", "tfidf", "bm25", "minilm"]

    values = found["maps"]["colde_words"]["section"]["values"]
    cells = [
        (value, i, j) for i, row in enumerate(values) for j, value in enumerate(row) if value is not None
    ]
    _, row, column = max(cells)
    click_cell(page, row, column)
    for side in "ab":
        pane = page.get_by_test_id(f"text-{side}")
        passage = pane.locator("[aria-current=true]").first
        expect(passage).to_be_attached()
        expect(passage).to_be_in_viewport()
        expect_inside(passage, pane)

    page.get_by_label("Model").click()
    page.get_by_role("option", name="TF-IDF").click()
    expect(page.get_by_test_id("linked-view")).to_contain_text("TF-IDF weights", timeout=SLOW)
    page.get_by_role("button", name="not scored").first.click()
    expect(page.get_by_test_id("text-a").locator("details[open]")).to_be_visible()


def test_two_sessions_keep_apart_and_markup_stays_text(visit: Open) -> None:
    hostile = '<img src=x onerror="alert(1)"> <script>alert(2)</script> **not bold** $x$ :smile: '
    diary = "We kept a long diary of the {} and wrote down what we saw there in every season of the year. "
    text = f"{hostile}\n\n{diary * 10}{hostile}\n"
    pages = {"glacier": visit(alone=True), "volcano": visit()}
    for word, page in pages.items():
        for side in "AB":
            upload(page, side, text_file(f"{word}-{side} <b>bold</b>.txt", text.replace("{}", word)))
        page.get_by_role("button", name="Compare", exact=True).and_(page.locator(":enabled")).click(
            timeout=SLOW
        )
    for word, page in pages.items():
        finished(page)
        (other,) = pages.keys() - {word}
        expect(page.get_by_test_id("text-a")).to_contain_text(word)
        for side in "ab":
            expect(page.get_by_test_id(f"text-{side}")).to_contain_text('<img src=x onerror="alert(1)">')
        assert page.locator("img[src=x]").count() == 0
        assert page.get_by_text("not bold", exact=True).count() == 0
        assert other not in page.content()
        assert other not in download(page, "JSON").read_text(encoding="utf-8")
    for page in pages.values():  # nor by the address of the other, nor by what it was sent from the server
        page.evaluate("performance.setResourceTimingBufferSize(5000)")
    addresses = {
        word: page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
        for word, page in pages.items()
    }
    for word, page in pages.items():
        (other,) = pages.keys() - {word}
        # A download's own address is a hash of what is in it (docs/security.md): whoever holds it has the file.
        own = (
            a
            for a in addresses[word]  # scripts and styles are Streamlit's own, the same for all
            if a.startswith(page.url.split("/compare")[0]) and not re.search("/(media|static)/", a)
        )
        for address in {page.url, *own}:
            answer = pages[other].request.get(address)
            assert word not in answer.text()
    alone = pages["glacier"]
    fresh = visit(alone.url.removeprefix(alone.evaluate("location.origin")))
    expect(fresh.get_by_role("button", name="Compare", exact=True)).to_be_disabled(timeout=SLOW)
    assert "glacier" not in fresh.content()


def test_a_link_shows_the_view_of_a_sample_again_with_its_models(visit: Open) -> None:
    page = visit()
    use_pair(page)
    finished(page)
    for sentence in sample_verdicts()["lighthouse"]:  # as on its card
        expect(page.get_by_test_id("verdict")).to_contain_text(sentence)
    page.locator(".lv-items").get_by_role("button", name="identical").nth(1).click()
    page.wait_for_url("**view=**")
    passage = page.get_by_test_id("text-a").locator("[aria-current=true]").first.text_content() or ""
    assert passage
    link = page.url[page.url.index("?") :]
    assert "sample=lighthouse" in link

    other = visit(f"/{link}", alone=True)
    finished(other)
    again = other.get_by_test_id("text-a").locator("[aria-current=true]").first
    expect(again).to_have_text(passage)
    expect_inside(again, other.get_by_test_id("text-a"))

    other.reload()
    settled(other)
    finished(other)
    expect(other.get_by_test_id("text-a").locator("[aria-current=true]").first).to_have_text(passage)

    def taking_part() -> list[str]:
        other.get_by_role("button", name="Settings").click()
        choice = other.get_by_test_id("stMultiSelect").filter(has_text="Models")
        expect(choice).to_contain_text("TF-IDF", timeout=SLOW)
        names = [line for line in choice.inner_text().splitlines() if line][1:]
        other.keyboard.press("Escape")
        return names

    names = taking_part()
    assert names[0] == "CoLDE + words"
    assert len(names) == len(DEFAULTS)
    other.get_by_role("link", name="Models").click()
    expect(other.get_by_role("heading", name="Models")).to_be_visible(timeout=SLOW)
    settled(other)
    other.get_by_role("link", name="Compare").click()
    finished(other)
    assert taking_part() == names

    page.get_by_role("tab", name="Models").click()
    maps = len(DEFAULTS) - 1  # CoLDE + words has the map of CoLDE
    expect(page.get_by_test_id("multiple")).to_have_count(maps, timeout=SLOW)
    page.wait_for_url("**%22tab%22**", timeout=SLOW)
    settled(page)
    before = page.url
    expect_no_sideways(page, ".lv-rivals")
    page.get_by_test_id("multiple").nth(1).click()  # its middle, brought into sight first
    page.wait_for_url(lambda url: url != before and "%22a%22" in url, timeout=SLOW)
    passage = page.get_by_test_id("text-a").locator("[aria-current=true]").first.text_content() or "-"
    assert violations(page, page.get_by_test_id("linked-view")) == []

    other = visit(page.url[page.url.index("/?") :])
    expect(other.get_by_test_id("multiple")).to_have_count(maps, timeout=SLOW)
    expect(other.get_by_test_id("text-a").locator("[aria-current=true]").first).to_have_text(passage)
    other.get_by_role("tab", name="Map").click()
    other.wait_for_url(lambda url: "%22tab%22" not in url, timeout=SLOW)
    expect(other.get_by_test_id("heatmap")).to_be_visible()


def test_cancelling_keeps_the_texts(visit: Open) -> None:
    page = visit()
    for side, step in zip(
        "AB", (7_919, 6_007), strict=True
    ):  # long enough to be cancelled before they are compared
        lines = (
            f"Stone {i * step % 9_973} of the wall stands {i} paces from the gate. " for i in range(1_200)
        )
        upload(page, side, text_file(f"wall-{side}.txt", "\n\n".join(lines)))
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_enabled(timeout=SLOW)
    cancel = page.get_by_role("button", name="Cancel")
    press(button, cancel, 5_000)
    press(cancel, page.get_by_text("Press Compare to start again"), 5_000)
    expect(page.get_by_test_id("text-a")).to_be_visible()
    expect(button).to_be_enabled()
    expect(page.get_by_text(re.compile(r"Cancelled after \d of \d models"))).to_be_visible()
    expect(page.get_by_test_id("linked-view")).not_to_contain_text("still processing")


def test_results_stand_on_one_screen_and_bars_are_clicked(visit: Open) -> None:
    width, height = 1280, 720
    page = visit(viewport={"width": 1440, "height": 900})
    for side in "AB":
        expect(page.get_by_test_id("stFileUploader").filter(has_text=f"Document {side}")).to_be_visible()
    use_pair(page)
    finished(page)
    expect_on_one_screen(page, 900)
    page.set_viewport_size({"width": width, "height": height})
    expect_on_one_screen(page, height)
    uploader = page.get_by_test_id("stFileUploader").filter(has_text="Document A")
    expect(uploader).to_be_hidden()
    page.get_by_role("button", name="Change", exact=True).click()
    expect(uploader).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Hide the inputs").click()
    expect(uploader).to_be_hidden(timeout=SLOW)

    settled(page)
    page.set_viewport_size({"width": width // 2, "height": height // 2})  # as at 200 % zoom
    expect(page.get_by_test_id("heatmap")).to_be_visible()
    expect_no_sideways(page, "[data-testid=stMain]")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Settings")).to_be_hidden()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": width, "height": height})

    page.get_by_test_id("stExpander").filter(has_text="Scores of the models").locator("summary").click()
    label = page.locator(".js-plotly-plot .yaxislayer-above text").filter(has_text="BM25")

    def click_bar() -> None:
        scroll_to(label)  # the drawer opens below the fold
        bars, place = settled_box(page.locator(".js-plotly-plot .nsewdrag")), settled_box(label)
        assert bars is not None and place is not None
        page.mouse.click(bars["x"] + 0.5 * bars["width"], place["y"] + place["height"] / 2)

    repeat_until(click_bar, lambda wait: page.wait_for_url("**model=bm25**", timeout=wait))
    page.get_by_role("tab", name="Models").click()
    row = page.locator('.lv-score[data-model="bm25"]')
    expect(row).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    page.locator('.lv-score[data-model="minilm"]').click()
    page.wait_for_url("**model=minilm**", timeout=SLOW)


def expect_on_one_screen(page: Page, height: int) -> None:
    """Verdict, matrix, both texts and four passages lie within the window's height."""

    def fits() -> None:
        for part, least in (("heatmap", 120), ("text-a", 300), ("text-b", 300), ("verdict", 15)):
            box = settled_box(page.get_by_test_id(part))
            assert box is not None, part
            assert box["y"] >= 0, part
            assert box["height"] >= least, part
            assert box["y"] + box["height"] <= height, part
        seen = [settled_box(page.locator(".lv-item").nth(i)) for i in range(4)]
        assert all(box is not None and box["y"] + box["height"] <= height for box in seen)

    eventually(page, fits)


Scheme: TypeAlias = Literal["light", "dark"]
BY_ADDRESS: dict[str, Scheme] = {"collection": "light", "search": "light", "models": "dark", "how": "dark"}
POPOVERS = ("Why?", "How sure?", "Settings", "Review", "Export")


def test_nobody_is_shut_out(visit: Open) -> None:
    found: list[tuple[str, list[str]]] = []

    def look(page: Page, name: str, scheme: Scheme, part: Locator | None = None) -> None:
        """What is seen in light, too, is checked in dark for its colours."""
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)  # drop zones come later than the page
        expect(page.locator("[data-testid=stFileUploaderDropzone][role=presentation]")).to_have_count(0)
        of_colours = scheme == "dark" and name not in BY_ADDRESS
        found.append((f"{name}, {scheme}", violations(page, part, of_colours=of_colours)))
        if scheme == "light" and name not in POPOVERS:
            expect_no_overlaps(page, name)

    for path, scheme in BY_ADDRESS.items():
        page = visit(f"/{path}", color_scheme=scheme)  # opened by its own address, a page logs nothing
        expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=SLOW)
        assert page.url.endswith(f"/{path}")
        look(page, path, scheme)
    page = visit(color_scheme="dark")
    look(page, "first screen", "dark")
    colour(page, "light")
    look(page, "first screen", "light")
    use_pair(page)
    finished(page)
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        colour(page, scheme)
        page.get_by_role("tab", name="Map").click()
        stops = tab_stops(page, 60)
        assert stops[-1]["isTab"], stops
        assert [stop for stop in stops if stop["contrast"] < 3] == []
        page.get_by_role("button", name="Skip to the results").press("Enter")
        assert page.evaluate(FOCUS_RING)["isTab"]
        look(page, "results", scheme)
        for tab in ("Passages", "Changes", "Why", "Models"):
            page.get_by_role("tab", name=tab).click()
            look(page, tab, scheme, page.get_by_test_id("linked-view"))
        for name in POPOVERS:
            page.get_by_role("button", name=name).first.click()
            expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
            look(page, name, scheme, page.get_by_test_id("stPopoverBody"))
            page.keyboard.press("Escape")
    page.get_by_role("link", name="Known errors").click()
    expect(page.get_by_role("heading", name="Known errors")).to_be_visible(timeout=SLOW)
    settled(page)
    look(page, "known errors", "dark")
    colour(page, "light")
    look(page, "known errors", "light")
    page.get_by_role("link", name="Models").click()
    expect(page.get_by_role("heading", name="Models")).to_be_visible(timeout=SLOW)
    settled(page)
    look(page, "models", "light")
    assert [entry for entry in found if entry[1]] == []


def colour(page: Page, scheme: Scheme) -> None:
    """Have the system ask for a scheme, which the page and the view follow."""
    page.emulate_media(color_scheme=scheme)
    ground = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 24, 27)"}[scheme]
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", ground)
    expect(page.locator(f"[data-testid=linked-view]:not([data-theme={scheme}])")).to_have_count(0)
    settled(page)
