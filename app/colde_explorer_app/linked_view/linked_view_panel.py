"""The linked view on the Compare page, in step with the address and with the table of shared passages.

The pages of a PDF are drawn in another process when they are first shown.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypedDict

import streamlit as st

from colde.comparison.claim_chart import ClaimChart, added_rows, claim_chart
from colde.comparison.ledger import Ledger, ledger
from colde.errors import ReadError
from colde.ingest import sandbox
from colde.ingest.pdf.page_image import Image
from colde.report.formatting import sentence_case
from colde.report.html.view_payload import EndState, view_payload
from colde.report.ledger_and_chart.row_tables_payload import chart_payload, ledger_payload
from colde.report.maps.map_tiles import requested_tiles
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions
from colde.text.clauses_and_requirements.requirements import ROWS, Rows
from colde.text.document import Document
from colde_explorer_app.inputs.sample_cards import Origin
from colde_explorer_app.linked_view import (
    linked_view_edits,
    on_demand_explanations,
    view_link,
    what_if_answers,
)
from colde_explorer_app.linked_view.linked_view_component import ViewData, clean, linked_view, sent_value
from colde_explorer_app.session import session_reviews
from colde_explorer_app.session.document_source import SIDES, Source
from colde_explorer_app.session.session_documents import included_roles, source_of
from colde_explorer_app.session.state import AnswerCache, Comparing, View, component_value, state

PAGE_WIDTH = 1100
"""Width of the image of a page in pixels: sharp in half of a wide screen."""


class PageImage(TypedDict, total=False):
    """A page for the linked view: an image, or in `error` why there is none."""

    url: str
    width: int
    height: int
    error: str


def texts(a: Document, b: Document) -> None:
    """Draw the two documents alone."""
    key = pair_key()
    payload = {**view_payload(Comparison(a, b, (), (), (), {}, {})), "models": []}
    data = ViewData(payload, sections=linked_view_edits.for_view(), pages=_pages(key))
    linked_view(data, {"sections": lambda: _sections_changed(key)}, key)


def view(
    comparison: Comparison,
    model: str,
    profile: str,
    origin: Origin | None,
    *,
    active: bool = False,
    stopped: EndState | None = None,
    on_model: Callable[[str], None],
) -> None:
    """Draw both documents with their shared passages and the maps of one model, and put the view into the address.

    Args:
        active: whether the comparison goes on.
        stopped: how it ended, if it did not finish.
        on_model: called with the name of a model whose maps the reader asks for.
    """
    key = pair_key()
    wanted = state(View).requested_selection
    settings = _settings(comparison)
    data = _view_data(comparison, model, key, wanted, settings, active=active, stopped=stopped)
    selected = linked_view(data, _callbacks(comparison, key, on_model), key)
    if selected is not None:
        state(View).requested_selection = None
    view_link.write(origin, model, profile, {**(selected or wanted or {}), **settings})


def _settings(comparison: Comparison) -> dict[str, str]:
    """The settings with the passages left out of this pair, at first those that the address names."""
    requested, state(View).requested_exclusions = state(View).requested_exclusions, ""
    if requested:
        session_reviews.set_left_out(comparison.a, comparison.b, requested)
    out = session_reviews.left_out(comparison.a, comparison.b)
    return clean({**state(View).settings, **({"out": out} if out else {})})


def _view_data(
    comparison: Comparison,
    model: str,
    key: str,
    wanted: dict[str, Any] | None,
    settings: dict[str, str],
    *,
    active: bool,
    stopped: EndState | None,
) -> ViewData:
    what_if = words = listed = chart = None
    if not active:
        if settings.get("tab") == "why":
            comparison = on_demand_explanations.with_pair_faithfulness(comparison, model, key)
        what_if = what_if_answers.answer(comparison, key)
        what_if = what_if or what_if_answers.last_answer(comparison, settings.get("out", ""))
        words = on_demand_explanations.chosen_words(comparison, model, key)
        if settings.get("tab") == "ledger":
            listed = _ledger(comparison, key)
        if settings.get("tab") == "chart":
            chart = _chart(comparison, key)
    return ViewData(
        view_payload(comparison, model, beside=settings.get("tab") == "models", stopped=stopped),
        tiles=requested_tiles(comparison, component_value(key, "tiles")),
        wanted=wanted,
        settings=settings,
        active=active,
        what_if=what_if,
        can_ask=not active and bool(comparison.models),
        asks_itself=what_if_answers.answers_fast(comparison),
        words=words,
        ledger=listed,
        chart=chart,
        tour=_tour(),
        review=session_reviews.for_view(comparison.a, comparison.b),
        sections=linked_view_edits.for_view(),
        pages=_pages(key),
    )


def _ledger(comparison: Comparison, key: str) -> Mapping[str, Any]:
    answers = state(View).answers
    return answers.get(
        _question("ledger table", key, comparison),
        comparison,
        lambda: ledger_payload(kept_ledger(answers, key, comparison)),
    )


def kept_ledger(answers: AnswerCache, key: str, comparison: Comparison) -> Ledger:
    """The ledger of the pair with this key, made once for its tab and its files."""
    return answers.get(_question("ledger", key, comparison), comparison, lambda: ledger(comparison))


def _chart(comparison: Comparison, key: str) -> Mapping[str, Any]:
    decisions, rows = session_reviews.decisions(comparison.a, comparison.b), chart_rows_shown()
    answers, added = state(View).answers, added_rows(decisions)
    reviewed = replace(comparison, review=decisions)
    return answers.get(
        (*_question("chart table", key, comparison), rows, added),
        comparison,
        lambda: chart_payload(kept_chart(answers, key, reviewed, rows), rows, added),
    )


def kept_chart(answers: AnswerCache, key: str, comparison: Comparison, rows: Rows) -> ClaimChart:
    """The claim chart of the pair with this key, searched once for its tab and its files, with the decisions of now."""
    review = comparison.review or Decisions()
    question = (*_question("chart", key, comparison), rows, added_rows(review))
    chart = answers.get(question, comparison, lambda: claim_chart([comparison], rows))
    return chart.with_decisions([review])


def _question(name: str, key: str, comparison: Comparison) -> tuple[Any, ...]:
    """About the pair with this key and its passages, which the encoder has found and the reader may exclude."""
    excluded = () if comparison.shared is None else comparison.shared.left_out
    return name, key, comparison.encoder, excluded


def chart_rows_shown() -> Rows:
    """Which passages of A the reader has made the rows of the claim chart."""
    chosen = state(View).settings.get("rows")
    return next((rows for rows in ROWS if rows == chosen), ROWS[0])


def _tour() -> int:
    """The number of the tour that was asked for about this pair, 0 for another pair."""
    comparing = state(Comparing)
    request = comparing.request
    return comparing.tour if request is not None and request.pair == comparing.tour_pair else 0


def _callbacks(
    comparison: Comparison, key: str, on_model: Callable[[str], None]
) -> dict[str, Callable[[], None]]:
    """What is done when the view sends a value, by its name."""

    def model_asked() -> None:
        name = sent_value(key, "model")
        if isinstance(name, str):
            on_model(name)

    def settings_changed() -> None:
        """Settings are kept for the next pair, too; the passages left out are kept for this pair alone."""
        settings = clean(sent_value(key, "settings"))
        session_reviews.set_left_out(comparison.a, comparison.b, settings.pop("out", ""))
        state(View).settings = settings

    return {
        "model": model_asked,
        "settings": settings_changed,
        "review": lambda: session_reviews.keep_marks(comparison.a, comparison.b, sent_value(key, "review")),
        "sections": lambda: _sections_changed(key),
    }


def _sections_changed(key: str) -> None:
    """Make an edit of the sections, if this view still shows those of the page."""
    if key == pair_key():
        linked_view_edits.apply_edit_request(sent_value(key, "sections"))


def pair_key() -> str:
    """Key of the pair of files and of its view, so that a selection in one view is not applied to another.

    An edit of sections keeps the view, which keeps the place of the reader and the focus.
    """
    files = [source.file[:16] for source in map(source_of, SIDES) if source is not None]
    return "_".join(["view", *files, *included_roles()])


def _pages(key: str) -> dict[str, dict[str, PageImage]] | None:
    """The page image that the view asked for last; the view keeps earlier ones. None without a PDF."""
    sources = {side: source for side in SIDES if (source := source_of(side)) is not None and source.is_pdf}
    if not sources:
        return None
    images: dict[str, dict[str, PageImage]] = {side: {} for side in SIDES}
    asked = component_value(key, "pages")
    side, page = (asked.get("side"), asked.get("page")) if isinstance(asked, Mapping) else (None, None)
    if side in sources and isinstance(page, int):
        images[side][str(page)] = page_image(sources[side], page)
    return images


def page_image(source: Source, page: int) -> PageImage:
    """A page, counted from 1, as a WebP data URL, or why it cannot be shown."""
    image = _draw(source.file, page, source)
    if isinstance(image, ReadError):
        return {"error": f"{sentence_case(image.what)}: {image.advice}."}
    url = f"data:image/webp;base64,{base64.b64encode(image.data).decode()}"
    return {"url": url, "width": image.width, "height": image.height}


@st.cache_data(scope="session", max_entries=24, ttl="1h", show_spinner=False)
def _draw(digest: str, page: int, _source: Source) -> Image | ReadError:
    """An error is kept, too: a page that takes too long is not tried again at every rerun."""
    try:
        return sandbox.draw_in_sandbox(_source.data, _source.name, page, _source.password, PAGE_WIDTH)
    except ReadError as error:
        return error
