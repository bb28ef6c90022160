"""The report of many documents in a browser: one file, nothing asked for, the drilled pair opens inside it."""

from __future__ import annotations

from playwright.sync_api import expect

from colde.api import Collection
from colde.corpus.samples import sample_named
from colde.report.collection.collection_html import MIN_PIXELS


def test_the_report_shows_its_matrix_and_the_pair_in_full(open_file, tmp_path) -> None:
    paths = [
        path
        for sample in (sample_named("lighthouse"), sample_named("banks"))
        for path in (sample.a, sample.b)
    ]
    found = Collection.read(paths, models="tfidf")
    path = tmp_path / "collection.html"
    pair = found.pairs[0]
    path.write_text(found.to_html([(pair.a, pair.b)]), encoding="utf-8")
    page = open_file(path)
    expect(page.locator("svg.matrix image")).to_be_visible()
    size = page.evaluate(
        "async () => { const i = new Image(); i.src = document.querySelector('svg.matrix image').getAttribute('href');"
        " await i.decode(); return [i.width, i.height]; }"
    )
    assert size == [MIN_PIXELS, MIN_PIXELS]
    inside = page.frame_locator("iframe.pair")
    expect(inside.get_by_test_id("linked-view")).to_be_visible()
    expect(inside.get_by_test_id("verdict")).not_to_be_empty()
