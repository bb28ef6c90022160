"""The Collection page: many files in, matrix, map and pairs out; a bad file is named; pairs open beside each other."""

from __future__ import annotations

import numpy as np
import pytest
import streamlit as st
from colde_explorer_app.charts.collection_charts import (
    MAX_CLICKABLE_CELLS,
    document_map,
    labelled_points,
    layout_2d,
    matrix,
)
from colde_explorer_app.explorer_pages import collection_page
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.document_source import Source
from streamlit.testing.v1 import AppTest

from colde import ingest
from colde.api import Collection
from colde.comparison import checks
from studies.quality import standard_data
from tests.app.pages import open_page, open_page_that_can_be_left, said, visit_another_page
from tests.comparison.test_all_pairs import BANKS, LAMPS, TIDES, text
from tests.index.light import Light
from tests.patience import PATIENCE

FILES = {
    "a.md": text(LAMPS, "Fresnel"),
    "b.md": text(LAMPS, "Argand"),
    "c.md": text(TIDES, "Newton"),
    "d.md": text(BANKS, "Bagehot"),
    "short.md": "Three short words.",
}


@pytest.fixture
def page(light: None) -> AppTest:
    return open_page("collection_page").run()


def compare_all(page: AppTest) -> None:
    files = [(name, words.encode(), "text/markdown") for name, words in FILES.items()]
    page.file_uploader(key="collection_files").set_value(files).run()
    page.button(key="compare_all").click().run()
    assert not page.exception


def test_without_two_files_there_is_nothing_to_press(page) -> None:
    assert page.button(key="compare_all").disabled


def test_what_is_compared_is_what_a_pair_of_them_compares() -> None:
    """Acknowledgements are set aside here, too."""
    thanks = f"# A paper\n\n## Results\n\n{LAMPS * 3}\n\n## Acknowledgements\n\nWe thank the reviewers for their time."
    sources = [Source(name, thanks.encode()) for name in ("a.md", "b.md")]
    documents, _ = collection_page.read_files(sources, {}, {}, lambda progress: None)
    for document in Collection.of(documents, models="colde", loader=lambda name: Light()).documents:
        assert [section.heading for _, section in document.compared()] == ["Results"]


def test_a_document_of_too_many_chunks_is_left_out_and_named(monkeypatch) -> None:
    monkeypatch.setattr(checks, "MAX_CHUNKS", 1)
    sections = "\n\n".join(f"## Section {i}\n\n{LAMPS}" for i in range(3))
    sources = [Source("short.md", f"{LAMPS} {TIDES}".encode()), Source("long.md", sections.encode())]
    documents, unread = collection_page.read_files(sources, {}, {}, lambda progress: None)
    assert [d.source for d in documents] == ["short.md"]
    assert [(e.source, e.reason) for e in unread] == [("long.md", "too_large")]


@pytest.mark.slow
def test_prior_art_ranks_above_another_device_in_the_same_language_as_in_python(monkeypatch, now) -> None:
    texts = {(d["genre"], d["name"]): d["text"] for d in standard_data.documents()}
    names = [("patent", "easel"), ("patent", "pump"), ("prior", "easel")]
    monkeypatch.setattr(comparison_jobs, "worker", lambda: now)
    page = open_page("collection_page").run()
    files = [(f"{genre} {name}.md", texts[genre, name].encode(), "text/markdown") for genre, name in names]
    page.file_uploader(key="collection_files").set_value(files).run()
    page.button(key="compare_all").click().run()
    table = page.dataframe[0].value
    assert {table["Document 1"][0], table["Document 2"][0]} == {
        "Easel for painting out of doors",
        "Painting on the moor",
    }
    in_python = Collection.of(ingest.read_text(texts[name]) for name in names)
    assert list(table["Score"]) == pytest.approx([pair.score for pair in in_python.pairs], abs=1e-5)


def test_files_are_compared_and_the_bad_one_is_named(page) -> None:
    compare_all(page)
    assert "4 documents" in said(page)
    assert "short" in said(page) and "at least 20 are needed" in said(page)
    table = page.dataframe[0].value
    assert len(table) == 6
    assert {table["Document 1"][0], table["Document 2"][0]} == {"Fresnel", "Argand"}
    assert "nearly the same text" in table["Why"][0]


def test_the_files_and_settings_stay_while_another_page_is_visited(light: None) -> None:
    page = open_page_that_can_be_left("collection_page").run()
    page.selectbox(key="collection_model").set_value("tfidf").run()
    page.selectbox(key="collection_profile").set_value("papers").run()
    compare_all(page)
    visit_another_page(page)
    assert page.selectbox(key="collection_model").value == "tfidf"
    assert page.selectbox(key="collection_profile").value == "papers"
    assert f"{len(FILES)} files chosen before" in said(page)
    page.button(key="compare_all").click().run()
    assert not page.exception and "4 documents" in said(page)


def test_what_was_not_compared_is_counted_and_a_button_compares_it(page) -> None:
    cover = "I declare that this report is my own work and that I have named every source that I used in it."
    thanks = "## Acknowledgements\n\nWe thank the reviewers for the time that they gave to this report."
    files = [
        (f"{name}.md", f"# {name}\n\n{cover}\n\n## Work\n\n{body * 2}\n\n{thanks}".encode(), "text/markdown")
        for name, body in (("Lamps", LAMPS), ("Tides", TIDES), ("Banks", BANKS))
    ]
    page.file_uploader(key="template_files").set_value([("form.md", cover.encode(), "text/markdown")]).run()
    page.file_uploader(key="collection_files").set_value(files).run()
    page.button(key="compare_all").click().run()
    assert not page.exception
    kinds = ["acknowledgements and licences", "template"]
    assert sorted(page.table[0].value["What"]) == sorted(3 * kinds)
    page.button(key="include_template").click().run()
    page.run()
    assert not page.exception
    assert "template" not in set(page.table[0].value["What"]) >= {kinds[0]}
    assert page.multiselect(key="include").value == ["template"]


def test_any_pair_opens_in_compare(page, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(collection_page, "open_pair", lambda *args: opened.append(args))
    compare_all(page)
    page.selectbox(key="collection_other").set_value(2).run()
    page.button(key="open_pair").click().run()
    a, b, names, _ = opened[0]
    assert (a.name, b.name) == ("a.md", "c.md")
    assert names == (page.selectbox(key="collection_model").value,)


def test_a_pair_that_is_opened_is_in_the_inputs_and_compared(monkeypatch, now) -> None:
    monkeypatch.setattr(comparison_jobs, "worker", lambda: now)
    st.cache_resource.clear()

    def script() -> None:
        import streamlit as st
        from colde_explorer_app.explorer_pages import compare_page

        if (pair := st.session_state.pop("pair", None)) is not None:
            compare_page.open_pair(*pair, ("tfidf",), "papers")
        compare_page.page()

    page = AppTest.from_function(script, default_timeout=PATIENCE)
    page.session_state["pair"] = tuple(Source(name, FILES[name].encode()) for name in ("a.md", "b.md"))
    page.run()
    assert not page.exception
    request = page.session_state["state.Comparing"].request
    assert (request.models, request.profile) == (("tfidf",), "papers")
    assert "related" in said(page)


@pytest.fixture
def found() -> Collection:
    documents = [ingest.read_text(FILES[name], title=name) for name in sorted(FILES) if name != "short.md"]
    return Collection.of(documents, models="colde", loader=lambda name: Light())


def test_the_matrix_has_a_mark_for_each_cell_that_names_its_pair(found) -> None:
    drawn = matrix(found)
    marks = drawn.data[1]
    assert len(marks.x) == 12  # of four documents, none with itself
    scores = found.scores["colde"]
    for (a, b, *_), colour in zip(marks.customdata, marks.marker.color, strict=True):
        assert colour == pytest.approx(scores[a, b])
    assert len(found.documents) <= MAX_CLICKABLE_CELLS


def test_the_map_keeps_distances_of_points_on_a_plane(found) -> None:
    at = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, 0.4]])
    distance = np.linalg.norm(at[:, None] - at[None], axis=2)
    again = layout_2d((1 - distance).astype(np.float32))
    assert np.allclose(np.linalg.norm(again[:, None] - again[None], axis=2), distance, atol=1e-5)
    drawn = document_map(found)
    assert sum(len(trace.x) for trace in drawn.data) == 4


def test_names_in_the_map_cover_no_point_and_no_other_name() -> None:
    apart = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert labelled_points(apart, ["a title"] * 3) == {0, 1, 2}
    together = np.array([[0.0, 0.0], [0.0, 0.01], [0.0, 0.03], [1.0, 1.0]])
    assert labelled_points(together, ["a title"] * 4) == {2, 3}, "the upper one of three, and the one apart"
