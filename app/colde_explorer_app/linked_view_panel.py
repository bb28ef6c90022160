"""The linked view, in step with the address of the page and with the table of top matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from colde.report.view_payload import EndState
from colde.results.comparison import Comparison
from colde.results.match import Match
from colde.text.document import Document
from colde_explorer_app import (
    linked_view_edits,
    on_demand_explanations,
    session_reviews,
    view_link,
    what_if_answers,
)
from colde_explorer_app.document_source import SIDES, included_roles, source_of
from colde_explorer_app.linked_view_component import clean, linked_view
from colde_explorer_app.match_table import chosen_row
from colde_explorer_app.page_images import PageImage, page_image
from colde_explorer_app.sample_cards import Origin


def texts(a: Document, b: Document) -> None:
    """Draw the two documents alone."""
    key = _key()
    linked_view(
        Comparison(a, b, (), (), (), {}, (), {}),
        model=None,
        pages=_pages(key),
        sections=linked_view_edits.for_view(),
        on_sections=lambda: _sections_changed(key),
        key=key,
    )


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
    """Draw both documents with the maps and matches of one model, and put the view into the address.

    Args:
        active: whether the comparison goes on.
        stopped: how it ended, where it has not finished.
        on_model: called with the name of a model whose maps the reader asks for.
    """

    def asked() -> None:
        name = (st.session_state.get(key) or {}).get("model")
        if isinstance(name, str):
            on_model(name)

    def review_changed() -> None:
        session_reviews.keep_marks(
            comparison.a, comparison.b, (st.session_state.get(key) or {}).get("review")
        )

    def settings_changed() -> None:
        _keep_settings(comparison, key)

    key = _key()
    if wanted_out := st.session_state.pop("wanted_out", ""):
        session_reviews.set_left_out(comparison.a, comparison.b, wanted_out)
    out = session_reviews.left_out(comparison.a, comparison.b)
    row = chosen_row(comparison, model)
    wanted = st.session_state.get("wanted_view") if row is None else passages(row)
    settings = {**st.session_state.get("view_settings", {}), **({"out": out} if out else {})}
    if not active and settings.get("tab") == "why":
        comparison = on_demand_explanations.with_pair_faithfulness(comparison, model, key)
    state = linked_view(
        comparison,
        model=model,
        selected=wanted,
        pages=_pages(key),
        settings=settings,
        active=active,
        stopped=stopped,
        answer=None
        if active
        else what_if_answers.answer(comparison, key) or what_if_answers.last_answer(comparison, out),
        can_ask=not active and bool(comparison.results),
        words=None if active else on_demand_explanations.chosen_words(comparison, model, key),
        asks_itself=what_if_answers.answers_fast(comparison),
        on_model=asked,
        tour=st.session_state.get("tour", 0),
        review=session_reviews.for_view(comparison.a, comparison.b),
        on_review=review_changed,
        on_settings=settings_changed,
        sections=linked_view_edits.for_view(),
        on_sections=lambda: _sections_changed(key),
        key=key,
    )
    if row is not None or state.selected is not None:
        st.session_state.pop("wanted_view", None)
    view_link.write(origin, model, profile, {**(state.selected or wanted or {}), **settings})


def passages(evidence: Match) -> dict[str, Any]:
    """A selection of the linked view: these two passages, whatever map is shown."""
    return {"a": [evidence.a.start, evidence.a.end], "b": [evidence.b.start, evidence.b.end]}


def _sections_changed(key: str) -> None:
    """Take an edit of the sections that this view shows, if they are still those of the page."""
    if key == _key():
        linked_view_edits.apply_edit_request((st.session_state.get(key) or {}).get("sections"))


def _keep_settings(comparison: Comparison, key: str) -> None:
    """Keep how the reader has set the view, for the next pair, too; what they left out is kept for this pair alone."""
    new_settings = clean((st.session_state.get(key) or {}).get("settings"))
    session_reviews.set_left_out(comparison.a, comparison.b, new_settings.pop("out", ""))
    st.session_state["view_settings"] = new_settings


def _key() -> str:
    """One view for each pair of documents, so that nothing selected in one is asked of another."""
    digests = [source.digest[:16] for source in map(source_of, SIDES) if source is not None]
    return "_".join(["view", *digests, *included_roles()])


def _pages(key: str) -> dict[str, dict[int, PageImage]] | None:
    """The page image that the view asked for last; it keeps those it has. None without any PDF."""
    sources = {side: source for side in SIDES if (source := source_of(side)) is not None and source.is_pdf}
    if not sources:
        return None
    images: dict[str, dict[int, PageImage]] = {side: {} for side in SIDES}
    asked = (st.session_state.get(key) or {}).get("pages")
    if asked and asked["side"] in sources:
        side, page = asked["side"], asked["page"]
        images[side][page] = page_image(sources[side], page)
    return images
