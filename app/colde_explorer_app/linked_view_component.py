"""The linked view as a Streamlit component: matrix and both texts in one, no server in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from colde.report.linked_view import script, style
from colde.report.map_names import LEVELS
from colde.report.map_tiles import requested_tiles
from colde.report.view_payload import EndState, view_payload
from colde.results.comparison import Comparison

_component = st.components.v2.component(
    "colde_linked_view", html='<div class="lv-root"></div>', css=style(), js=script()
)

SETTINGS = ("tab", "beside", "shading", "out")
TABS = ("map", "matches", "why", "models")
"""Tabs between the texts, the first of them as long as nothing else was chosen."""
_OUT = r"[ab](?::\d{1,4}(?:-\d{1,4})?|@\d{1,9}-\d{1,9})"
LEFT_OUT_PATTERN = re.compile(f"{_OUT}(?:,{_OUT}){{0,200}}")
"""Sections and stretches of both texts, as `colde what-if --without` takes them."""
_NAME = re.compile(r"[a-z0-9_]{1,60}")


@dataclass(frozen=True, slots=True)
class ViewState:
    """The state in which the reader has left the view.

    Attributes:
        selected: `{"level", "map", "row", "column", "path", "a": [start, end], "b": [start, end]}` of the
            cell or match selected last, or None; given to `linked_view` as `selected`, it is shown again.
        page: `("a" | "b", number)` of the page image that is wanted, or None.
    """

    selected: dict[str, Any] | None
    page: tuple[str, int] | None


def linked_view(
    comparison: Comparison,
    *,
    model: str | None,
    selected: Mapping[str, Any] | None = None,
    pages: Mapping[str, Mapping[int, Mapping[str, Any]]] | None = None,
    settings: Mapping[str, str] | None = None,
    active: bool = False,
    stopped: EndState | None = None,
    answer: Mapping[str, Any] | None = None,
    can_ask: bool = False,
    asks_itself: bool = False,
    words: Mapping[str, Any] | None = None,
    tour: int = 0,
    review: Mapping[str, Any] | None = None,
    on_review: Callable[[], None] | None = None,
    on_settings: Callable[[], None] | None = None,
    on_model: Callable[[], None] | None = None,
    sections: Mapping[str, Any] | None = None,
    on_sections: Callable[[], None] | None = None,
    key: str = "view",
) -> ViewState:
    """Draw the view and say what is selected in it.

    Args:
        comparison: finished or still growing; a new one leaves the reader where they are, unless its
            documents are others.
        model: whose maps and matches are shown; None for a page without them.
        selected: a selection to show. Each is obeyed once, as soon as there is a map for it; it never undoes
            what the reader does afterwards.
        pages: images of pages by side and number, `{"a": {3: {"url", "width", "height"}}, "b": {}}`; None
            where none can be made, and then no switch to pages is offered.
        settings: how the view is set: `tab`, what stands between the texts (with `models` the maps of the other models
            go along), `beside`, the level of those maps, `shading`, the weights that shade the texts, and `out`, the
            passages that the reader left out; without what
            is as usual. What the reader sets stands in the session under `key`.
        answer: what the models say without some passages (`colde_explorer_app.what_if_answers_answers`); can_ask:
            whether the reader can ask for it. What is asked stands in the session under `key` as `what_if`.
            asks_itself: the view asks whenever other passages are left out.
        words: two sentences word by word (`colde_explorer_app.on_demand_explanations`); those that the reader chose
            stand in the session under `key` as `words`.
        active: whether more is to come. The view asks for it when it hears nothing for some seconds: a message to a
            browser can be lost.
        tour: a number above 0 begins the guided minute, once for each number, as soon as all is there.
        stopped: how the comparison ended, where it has not finished.
        review: what was said of the matches and left out, `{"id", "marks", "out"}`, taken on once for each id; None
            where nothing can be.
        on_review: called when the reader has decided or noted something; all marks then stand in the session under
            `key` as `review`.
        on_settings: called when the reader has set the view, or left something out; the settings then stand in the
            session under `key` as `settings`.
        on_model: called when the reader asks for the maps of another model, whose name then stands in the session under
            `key` as `model`.
        sections: what was put right in the view before (`colde_explorer_app.linked_view_edits`); it goes on there.
        on_sections: called when the reader changes a section, which then stands in the session under `key` as
            `sections`; None where sections cannot be changed.
    """
    settings = clean(settings)
    payload = (
        view_payload(comparison, model, beside=settings.get("tab") == "models", stopped=stopped)
        if model
        else _texts(comparison)
    )
    asked = (st.session_state.get(key) or {}).get("tiles")
    result = _component(
        key=key,
        data={
            **payload,
            "tiles": requested_tiles(comparison, asked),
            "wanted": dict(selected) if selected else None,
            "settings": settings,
            "active": active,
            "what_if": None if answer is None else dict(answer),
            "can_ask": can_ask,
            "words": None if words is None else dict(words),
            "asks_itself": can_ask and asks_itself,
            "tour": tour,
            "review": dict(review) if review else None,
            "can_review": review is not None,
            "can_edit": on_sections is not None,
            "sections": None if sections is None else dict(sections),
            "can_show_pages": pages is not None,
            "pages": {
                side: {str(n): dict(p) for n, p in found.items()} for side, found in (pages or {}).items()
            },
        },
        on_selected_change=_nothing,
        on_pages_change=_nothing,
        on_tiles_change=_nothing,
        on_settings_change=on_settings or _nothing,
        on_silence_change=_nothing,
        on_what_if_change=_nothing,
        on_words_change=_nothing,
        on_review_change=on_review or _nothing,
        on_model_change=on_model or _nothing,
        on_sections_change=on_sections or _nothing,
    )
    return ViewState(_selection(result.selected), _page(result.pages))


def clean(settings: Mapping[str, Any] | None) -> dict[str, str]:
    """The settings that make sense, whether they come from the page or from an address."""
    tab, beside, shading, out = ((settings or {}).get(name) for name in SETTINGS)
    kept = {}
    if tab in TABS[1:]:
        kept["tab"] = str(tab)
    if beside in LEVELS:
        kept["beside"] = str(beside)
    if isinstance(shading, str) and _NAME.fullmatch(shading):
        kept["shading"] = shading
    if isinstance(out, str) and LEFT_OUT_PATTERN.fullmatch(out):
        kept["out"] = out
    return kept


def _texts(comparison: Comparison) -> dict[str, Any]:
    return {**view_payload(comparison), "models": []}


def _nothing() -> None:
    """A callback without which Streamlit keeps no value."""


def _selection(value: object) -> dict[str, Any] | None:
    return dict(value) if isinstance(value, Mapping) and "a" in value and "b" in value else None


def _page(value: object) -> tuple[str, int] | None:
    if isinstance(value, Mapping) and value.get("side") in ("a", "b") and isinstance(value.get("page"), int):
        return value["side"], value["page"]
    return None
