"""The explorer in a real browser: two files in, what they share on screen, nothing leaves this computer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from colde_explorer_app.match_table import HEADER, ROW
from colde_explorer_app.thumbnails import sample_verdicts
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from colde.corpus.samples import samples
from colde.models import DEFAULTS
from tests.browser.explorer import (
    SLOW,
    compare,
    download,
    finished,
    press,
    settled,
    text_file,
    upload,
    use_pair,
)
from tests.browser.looks import eventually, expect_inside, expect_no_sideways, scroll_to, settled_box
from tests.ingest.pdf_samples.pieces import scans
from tests.schemas import validate

ROOT = Path(__file__).resolve().parent.parent.parent
PAPERS = ("P07-1058.pdf", "P10-2049.pdf")
TIDES = "The tide turns twice a day along most coasts, and the pilot waits for it with his boat. " * 3
NOTES = f"# A coast\n\n## Harbours\n\n{TIDES}\n\n## Tides\n\n{TIDES}\n\n## Winds\n\n{TIDES}"

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def test_two_papers_from_upload_to_passages(
    visit: Callable[..., Page], shared: Callable[[str], Path]
) -> None:
    page = visit()
    for side, name in zip("AB", PAPERS, strict=True):
        upload(page, side, shared(f"documents/papers/{name}"))
    expect(page.get_by_test_id("text-a")).to_contain_text("Entailment", timeout=SLOW)
    expect(page.get_by_test_id("text-b")).to_contain_text("Anaphora", timeout=SLOW)
    compare(page)
    expect(page.get_by_test_id("verdict")).to_contain_text("in 100 were related")
    page.get_by_role("button", name="Why?").click()
    # their acknowledgements, all they have in common, are set aside
    expect(page.get_by_text("No shared passage stands out")).to_be_visible()
    page.keyboard.press("Escape")

    found = json.loads(download(page, "JSON").read_text(encoding="utf-8"))
    validate("comparison", found)
    assert [model["name"] for model in found["models"]] == ["colde_words", "colde", "tfidf", "bm25", "minilm"]

    values = found["maps"]["colde_words"]["section"]["values"]
    cells = [
        (value, i, j) for i, row in enumerate(values) for j, value in enumerate(row) if value is not None
    ]
    _, row, column = max(cells)
    canvas = page.get_by_test_id("heatmap")
    scroll_to(canvas)
    box = settled_box(canvas)
    assert box is not None
    page.mouse.click(
        box["x"] + box["width"] * (column + 0.5) / len(values[0]),
        box["y"] + box["height"] * (row + 0.5) / len(values),
    )
    for side in "ab":
        pane = page.get_by_test_id(f"text-{side}")
        passage = pane.locator("[aria-current=true]").first
        expect(passage).to_be_attached()
        expect(passage).to_be_in_viewport()
        expect_inside(passage, pane)

    page.get_by_label("Model").click()
    page.get_by_role("option", name="TF-IDF").click()
    expect(page.get_by_test_id("linked-view")).to_contain_text("TF-IDF weights", timeout=SLOW)


def test_pages_of_a_pdf_carry_the_passages(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, path in zip("AB", (samples()[0].a_pdf, samples()[0].b_pdf), strict=True):
        upload(page, side, path)
    compare(page)
    page.get_by_role("button", name="Show pages").first.click()
    sheets = page.get_by_test_id("pages-a")
    image = sheets.locator("img").first
    expect(image).to_be_visible(timeout=SLOW)
    assert image.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 600
    page.locator(".lv-matches").get_by_role("button", name="verbatim").first.click()
    marked = sheets.locator("[aria-current=true]").first
    expect(marked).to_be_in_viewport()
    expect_inside(marked, sheets)
    sheet = marked.locator("xpath=..")
    expect(sheet.locator("img")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Pages", exact=True).first.click()
    small = page.get_by_role("navigation", name="Small pages of text A")
    number = sheet.locator("xpath=..").get_attribute("data-page")
    here = small.get_by_role("button", name=re.compile(rf"^Page {number}, "))
    expect(here).to_have_attribute("aria-current", "true")
    first = small.get_by_role("button", name="Page 1").first
    first.press("Enter")
    expect(first).to_have_attribute("aria-current", "true")

    def at_the_top() -> None:
        assert sheets.evaluate("pane => pane.scrollTop") < 20

    eventually(page, at_the_top)


def test_markup_in_documents_stays_text(visit: Callable[..., Page]) -> None:
    hostile = '<img src=x onerror="alert(1)"> <script>alert(2)</script> **not bold** $x$ :smile: '
    text = "The keeper climbed the stairs and lit the lamp before the fog came in from the sea. " * 12
    page = visit()
    for side in "AB":
        upload(page, side, text_file(f"{side} <b>bold</b>.txt", f"{hostile}\n\n{text}{hostile}\n"))
    compare(page)
    for side in "ab":
        expect(page.get_by_test_id(f"text-{side}")).to_contain_text('<img src=x onerror="alert(1)">')
    assert page.locator("img[src=x]").count() == 0
    assert page.get_by_text("not bold", exact=True).count() == 0


def test_an_error_is_one_line_and_the_other_side_stays(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit()
    upload(page, "A", samples()[0].a)
    expect(page.get_by_text("The Glass That Caught the Flame")).to_be_visible(timeout=SLOW)
    picture = tmp_path / "image_only.pdf"
    picture.write_bytes(scans([False] * 3))
    upload(page, "B", picture)
    expect(page.get_by_role("alert")).to_contain_text("[no_text]", timeout=SLOW)
    expect(page.get_by_text("The Glass That Caught the Flame")).to_be_visible()
    expect(page.get_by_role("button", name="Compare", exact=True)).to_be_disabled()


def test_two_sessions_keep_apart(visit: Callable[..., Page]) -> None:
    text = (
        "We kept a long diary of the {} and wrote down what we saw there in every season of the year. " * 10
    )
    pages = {word: visit() for word in ("glacier", "volcano")}
    for word, page in pages.items():
        for side in "AB":
            upload(page, side, text_file(f"{word}-{side}.txt", text.replace("{}", word)))
        page.get_by_role("button", name="Compare", exact=True).and_(page.locator(":enabled")).click(
            timeout=SLOW
        )
    for word, page in pages.items():
        finished(page)
        (other,) = pages.keys() - {word}
        expect(page.get_by_test_id("text-a")).to_contain_text(word)
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
        fresh = visit(pages[word].url.removeprefix(page.evaluate("location.origin")))
        expect(fresh.get_by_role("button", name="Compare", exact=True)).to_be_disabled(timeout=SLOW)
        assert word not in fresh.content()


@pytest.mark.parametrize("path", ["collection", "search", "models", "how"])
def test_a_page_opened_by_its_own_address_logs_nothing(path: str, visit: Callable[..., Page]) -> None:
    page = visit(f"/{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=SLOW)
    assert page.url.endswith(f"/{path}")


def test_a_link_shows_the_view_of_a_sample_again(visit: Callable[..., Page]) -> None:
    page = visit()
    use_pair(page)
    finished(page)
    expect(page.get_by_test_id("verdict")).to_contain_text(sample_verdicts()["lighthouse"])  # as on its card
    page.locator(".lv-matches").get_by_role("button", name="verbatim").nth(1).click()
    page.wait_for_url("**view=**")
    passage = page.get_by_test_id("text-a").locator("[aria-current=true]").first.text_content() or ""
    assert passage
    link = page.url[page.url.index("?") :]
    assert "sample=lighthouse" in link

    other = visit(f"/{link}")
    finished(other)
    again = other.get_by_test_id("text-a").locator("[aria-current=true]").first
    expect(again).to_have_text(passage)
    expect_inside(again, other.get_by_test_id("text-a"))

    other.reload()
    settled(other)
    finished(other)
    expect(other.get_by_test_id("text-a").locator("[aria-current=true]").first).to_have_text(passage)


def test_matrices_stand_side_by_side_and_in_the_link(visit: Callable[..., Page]) -> None:
    page = visit()
    use_pair(page)
    finished(page)
    page.get_by_role("tab", name="Models").click()
    expect(page.get_by_test_id("multiple")).to_have_count(len(DEFAULTS), timeout=SLOW)
    page.wait_for_url("**%22tab%22**", timeout=SLOW)
    settled(page)
    page.get_by_test_id("multiple").nth(1).click()  # its middle, brought into sight first
    page.wait_for_url("**%22a%22**", timeout=SLOW)
    passage = page.get_by_test_id("text-a").locator("[aria-current=true]").first.text_content() or "-"
    assert _violations(page) == []

    other = visit(page.url[page.url.index("/?") :])
    expect(other.get_by_test_id("multiple")).to_have_count(len(DEFAULTS), timeout=SLOW)
    expect(other.get_by_test_id("text-a").locator("[aria-current=true]").first).to_have_text(passage)
    other.get_by_role("tab", name="Map").click()
    other.wait_for_url(lambda url: "%22tab%22" not in url, timeout=SLOW)
    expect(other.get_by_test_id("heatmap")).to_be_visible()


def test_a_row_of_the_table_selects_its_passages(visit: Callable[..., Page]) -> None:
    page = visit()
    use_pair(page)
    finished(page)
    folded = page.get_by_test_id("stExpander").filter(has_text="Top matches as a table")
    folded.locator("summary").click()
    table = folded.get_by_test_id("stDataFrame")
    expect(table).to_be_visible(timeout=SLOW)
    marked = [page.get_by_test_id(f"text-{side}").locator("[aria-current=true]").first for side in "ab"]
    for patience in (10_000, 30_000, SLOW / 2):  # a click that falls into a rerun is lost
        settled(page)
        scroll_to(table)
        box = settled_box(table)
        assert box is not None
        page.mouse.click(box["x"] + 16, box["y"] + HEADER + 1.5 * ROW)
        with suppress(PlaywrightTimeout):
            marked[0].wait_for(state="attached", timeout=patience)
            break
    for passage in marked:
        expect(passage).to_be_attached(timeout=SLOW)
    found = json.loads(download(page, "JSON").read_text(encoding="utf-8"))
    second = found["evidence"][1]
    for side in "ab":
        passage = found["documents"][side]["text"][second[side]["start"] : second[side]["end"]]
        current = page.get_by_test_id(f"text-{side}").locator("[aria-current=true]").first
        assert (current.text_content() or "-") in passage


def test_cancelling_keeps_the_texts(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, step in zip(
        "AB", (7_919, 6_007), strict=True
    ):  # long enough to be cancelled before they are compared
        lines = (
            f"Stone {i * step % 9_973} of the wall stands {i} paces from the gate. " for i in range(6_000)
        )
        upload(page, side, text_file(f"wall-{side}.txt", "\n\n".join(lines)))
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()
    press(page.get_by_role("button", name="Cancel"), page.get_by_text("Press Compare to start again"), 5_000)
    expect(page.get_by_test_id("text-a")).to_be_visible()
    expect(button).to_be_enabled()
    expect(page.get_by_text(re.compile(r"Cancelled after \d of \d models"))).to_be_visible()
    expect(page.get_by_test_id("linked-view")).not_to_contain_text("still reading")


def test_sections_are_put_right_and_compared_again(
    visit: Callable[..., Page], shared: Callable[[str], Path]
) -> None:
    page = visit()
    for side, name in zip("AB", ("J02-1001.pdf", "P10-2049.pdf"), strict=True):
        upload(page, side, shared(f"documents/papers/{name}"))
    pane = page.get_by_test_id("text-a")
    expect(pane).to_contain_text("Exhaustive Coindexing", timeout=SLOW)
    page.get_by_role("button", name="set aside").first.click()
    expect(pane.locator("details[open]")).to_be_visible()

    page.get_by_role("button", name="Edit sections of A").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="2.2 Packing").check(force=True, timeout=SLOW)
    dialog.get_by_role("button", name="Merge with “2.1").click(timeout=SLOW)
    expect(dialog.get_by_role("radio", name="2.2 Packing")).to_have_count(0, timeout=SLOW)
    expect(dialog.get_by_role("radio", name="2.1 Exhaustive")).to_have_count(1, timeout=SLOW)
    settled(page)  # a key during a rerun is lost
    assert _violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0, timeout=SLOW)
    expect(page.get_by_text("1 change by hand")).to_be_visible(timeout=SLOW)
    settled(page)  # while the pane is built anew, it has neither heading
    expect(pane.locator("h4").filter(has_text="2.1 Exhaustive")).to_have_count(1, timeout=SLOW)
    expect(pane.locator("h4").filter(has_text="2.2 Packing")).to_have_count(0, timeout=SLOW)


def test_swap_and_edited_sections_keep_the_result_of_uploads(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, word in (("A", "harbour"), ("B", "lantern")):
        upload(page, side, text_file(f"{word}.md", NOTES.replace("pilot", word)))
    compare(page)
    page.get_by_role("button", name="Swap").click()
    texts = page.get_by_test_id("text-a")  # for a moment the old view may still stand beside the new one
    expect(texts.filter(has_text="lantern")).to_be_visible(timeout=SLOW)
    expect(texts).to_have_count(1)
    finished(page)
    page.wait_for_timeout(1500)  # the page runs once more when the comparison has ended
    settled(page)
    expect(page.get_by_test_id("text-a")).to_contain_text("lantern")
    expect(page.get_by_test_id("verdict")).to_be_visible()

    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("button", name="Edit sections of A").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Tides").check(force=True, timeout=SLOW)
    dialog.get_by_role("button", name="Merge with “Harbours”").click(timeout=SLOW)
    expect(dialog.get_by_role("radio", name="Tides")).to_have_count(0, timeout=SLOW)
    settled(page)
    dialog.get_by_role("button", name="Close").last.click()
    expect(dialog).to_have_count(0, timeout=SLOW)
    finished(page)
    page.wait_for_timeout(1500)
    settled(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    expect(page.get_by_text("1 change by hand")).to_have_count(1)
    expect(page.get_by_text("2 changes by hand")).to_have_count(0)
    expect(page.get_by_test_id("text-a")).to_contain_text("lantern")


def _changed(page: Page, bar: Locator, said: str) -> None:
    """The view is drawn anew; for a moment the old one may still stand beside it."""
    expect(bar.filter(has_text=said)).to_have_count(1, timeout=SLOW)
    settled(page)
    expect(bar).to_have_count(1)


def test_a_wrong_heading_is_clicked_and_the_result_comes_again(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, word in (("A", "harbour"), ("B", "lantern")):
        upload(page, side, text_file(f"{word}.md", NOTES.replace("pilot", word)))
    compare(page)
    pane = page.get_by_test_id("text-a")
    bar = page.get_by_role("group", name="Sections of text A")
    page.get_by_role("button", name="Edit sections", exact=True).first.click()
    expect(bar).to_contain_text("Click a heading")
    pane.locator("h4").filter(has_text="Tides").click()
    expect(bar.get_by_role("textbox", name="Heading")).to_have_value("Tides")
    bar.get_by_role("button", name="Merge with “Harbours”").click()
    _changed(page, bar, "1 change")  # the bar goes on where the section went
    expect(pane.locator("h4")).to_have_count(2)
    pane.locator(".lv-sentence").nth(3).click()
    bar.get_by_role("button", name="It is a heading").click()
    _changed(page, bar, "2 changes")
    expect(pane.locator("h4")).to_have_count(3)
    assert _violations(page) == []
    bar.get_by_role("button", name="Undo").click()
    _changed(page, bar, "1 change")
    expect(pane.locator("h4")).to_have_count(2)
    bar.get_by_role("button", name="Done").click()
    finished(page)
    expect(bar).to_be_hidden()
    expect(pane.locator("h4")).to_have_count(2)
    expect(page.get_by_test_id("verdict")).to_be_visible()


def test_sections_of_a_pdf_stand_on_its_pages(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, path in zip("AB", (samples()[0].a_pdf, samples()[0].b_pdf), strict=True):
        upload(page, side, path)
    page.get_by_role("button", name="Show pages").first.click(timeout=SLOW)
    page.get_by_role("button", name="Edit sections", exact=True).first.click()
    bar = page.get_by_role("group", name="Sections of text A")
    sheets = page.get_by_test_id("pages-a")
    sheets.get_by_role("button", name="Fires on the headland").click()
    bar.get_by_role("textbox", name="Heading").fill("Bonfires")
    bar.get_by_role("textbox", name="Heading").press("Enter")
    _changed(page, bar, "1 change")
    named = sheets.get_by_role("button", name="Bonfires")
    expect(named).to_be_in_viewport()
    frame = sheets.locator(".lv-block[data-chosen]").first
    expect_inside(frame.locator("button"), sheets)
    bar.get_by_role("button", name="Undo").click()
    expect(sheets.get_by_role("button", name="Fires on the headland")).to_be_visible(timeout=SLOW)


def test_a_reload_brings_the_documents_back_and_no_other_tab_has_them(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, word in (("A", "harbour"), ("B", "lantern")):
        upload(page, side, text_file(f"{word}.md", NOTES.replace("pilot", word)))
    compare(page)
    page.wait_for_timeout(1500)  # the page runs once more when the comparison has ended
    settled(page)
    page.reload()
    finished(page)
    expect(page.get_by_test_id("text-b")).to_contain_text("lantern")
    assert page.evaluate("sessionStorage.getItem('colde-tab').length") == 32
    other = visit()
    expect(other.get_by_role("button", name="Use this pair").first).to_be_visible(timeout=SLOW)
    expect(other.get_by_test_id("text-a")).to_have_count(0)


def test_the_models_that_take_part_are_named_and_kept(visit: Callable[..., Page]) -> None:
    page = visit("/?sample=lighthouse&model=colde&profile=general")
    finished(page)

    def taking_part() -> list[str]:
        page.get_by_role("button", name="Settings").click()
        choice = page.get_by_test_id("stMultiSelect").filter(has_text="Take part")
        expect(choice).to_contain_text("TF-IDF", timeout=SLOW)
        names = [line for line in choice.inner_text().splitlines() if line][1:]
        page.keyboard.press("Escape")
        return names

    names = taking_part()
    assert names[0] == "CoLDE + words"
    assert len(names) == len(DEFAULTS)
    page.get_by_role("link", name="Models").click()
    expect(page.get_by_role("heading", name="Models")).to_be_visible(timeout=SLOW)
    settled(page)
    page.get_by_role("link", name="Compare").click()
    finished(page)
    assert taking_part() == names


def test_results_stand_on_one_screen(visit: Callable[..., Page]) -> None:
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


def expect_on_one_screen(page: Page, height: int) -> None:
    """Verdict, matrix, both texts and four matches lie within the window's height."""

    def fits() -> None:
        for part, least in (("heatmap", 120), ("text-a", 300), ("text-b", 300), ("verdict", 15)):
            box = settled_box(page.get_by_test_id(part))
            assert box is not None, part
            assert box["y"] >= 0, part
            assert box["height"] >= least, part
            assert box["y"] + box["height"] <= height, part
        seen = [settled_box(page.locator(".lv-match").nth(i)) for i in range(4)]
        assert all(box is not None and box["y"] + box["height"] <= height for box in seen)

    eventually(page, fits)


def test_a_click_on_a_bar_shows_that_model(visit: Callable[..., Page]) -> None:
    page = visit()
    use_pair(page)
    finished(page)
    page.get_by_test_id("stExpander").filter(has_text="Scores of the models").locator("summary").click()
    label = page.locator(".js-plotly-plot .yaxislayer-above text").filter(has_text="BM25")
    # A click is lost where Streamlit draws the chart anew just then.
    for patience in (10_000, 30_000, SLOW / 2):
        scroll_to(label)  # the drawer opens below the fold
        bars = settled_box(page.locator(".js-plotly-plot .nsewdrag"))
        place = settled_box(label)
        assert bars is not None and place is not None
        page.mouse.click(bars["x"] + 0.5 * bars["width"], place["y"] + place["height"] / 2)
        with suppress(PlaywrightTimeout):
            page.wait_for_url("**model=bm25**", timeout=patience)
            break
    page.get_by_role("tab", name="Models").click()
    row = page.locator('.lv-score[data-model="bm25"]')
    expect(row).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    page.locator('.lv-score[data-model="minilm"]').click()
    page.wait_for_url("**model=minilm**", timeout=SLOW)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(color_scheme=scheme)
    found = [("first screen", _violations(page))]
    use_pair(page)
    finished(page)
    found.append(("results", _violations(page)))
    for tab in ("Matches", "Why", "Models"):
        page.get_by_role("tab", name=tab).click()
        found.append((tab, _violations(page)))
    page.get_by_role("button", name="How sure?").click()
    expect(page.get_by_role("slider").first).to_be_visible()
    found.append(("how sure", _violations(page)))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Models").click()
    expect(page.get_by_role("heading", name="Models")).to_be_visible(timeout=SLOW)
    settled(page)
    found.append(("models", _violations(page)))
    assert [entry for entry in found if entry[1]] == []


def _violations(page: Page) -> list[str]:
    """Rule and place of every violation of WCAG 2.1 AA."""
    result = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    return [
        f"{violation['id']}: {node['target']} {node['html'][:160]}"
        for violation in result.response["violations"]
        for node in violation["nodes"]
    ]


def test_one_click_compares_what_was_set_aside(visit: Callable[..., Page]) -> None:
    page = visit()
    body = (
        "The pilot waits for the tide before he takes a ship in over the bar at dawn, and reads the swell. "
        * 3
    )
    for side in "AB":
        works = f"## References\n\nOrrin {side}. The harmonic development of tides. Hale, 1921.\n"
        upload(page, side, text_file(f"bar-{side}.md", f"# Bars\n\n{body}\n\n## Swell\n\n{body}\n\n{works}"))
    page.get_by_role("button", name="Compare", exact=True).click(timeout=SLOW)
    finished(page)
    panel = page.get_by_test_id("stExpander").filter(has_text="Not compared (10 words of A, 10 of B)")
    panel.locator("summary").click(timeout=SLOW)
    expect(panel).to_contain_text("a list of works")
    panel.get_by_role("button", name="Compare references").click()
    expect(panel).to_have_count(0, timeout=SLOW)
    finished(page)
    expect(page.get_by_role("button", name="set aside")).to_have_count(0)
