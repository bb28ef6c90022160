"""The linked view as a Streamlit component: matrix and both texts in one, which answer a click without the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import streamlit as st

from colde.report.linked_view import script, style
from colde.report.maps.map_names import LEVELS
from colde.text.clauses_and_requirements.requirements import ROWS
from colde_explorer_app.session.state import component_value

_component = st.components.v2.component(
    "colde_linked_view", html='<div class="lv-root"></div>', css=style(), js=script()
)

EVENTS = (
    "selected",
    "pages",
    "tiles",
    "settings",
    "silence",
    "what_if",
    "words",
    "review",
    "model",
    "sections",
)
"""Values that the view sends. The last one of each stands in the session under the key of the view.

What the reader does (`settings`, `review`, `model`, `sections`) comes as `{"value", "id"}`, since Streamlit calls no
callback for a value that equals the last one; `sent_value` returns it.
"""

RENAMED_TABS = {"matches": "passages"}
"""Tabs by the names that they have in addresses of version 0.2."""
_PART = r"[ab](?::\d{1,4}(?:-\d{1,4})?|@\d{1,9}-\d{1,9})"
LEFT_OUT_PATTERN = re.compile(f"{_PART}(?:,{_PART}){{0,200}}")
"""Sections and passages of both texts, in the notation of `colde what-if --without`."""
SETTINGS: Mapping[str, re.Pattern[str]] = {
    "tab": re.compile("map|passages|changes|ledger|chart|why|models"),
    "beside": re.compile("|".join(LEVELS)),
    "rows": re.compile("|".join(ROWS)),
    "shading": re.compile("[a-z0-9_]{1,60}"),
    "standard": re.compile("with|out"),
    "out": LEFT_OUT_PATTERN,
}
"""What the reader sets in the view, and its valid values."""


@dataclass(frozen=True, slots=True)
class ViewData:
    """What the view shows. A comparison may still grow: new data leave the reader where they are.

    Attributes:
        payload: documents, scores, maps and passages (`colde.report.html.view_payload`).
        tiles: parts of large maps that the view asked for.
        wanted: a selection to show as soon as there is a map for it. The view takes each once, and never undoes what
            the reader does afterwards.
        settings: `tab`, `beside` (the level of the maps of all models), `shading` (the weights that shade the texts),
            `standard` (how standard text counts) and `out` (the passages left out); without one the default applies.
            By default versions of one document open on the tab of their changes, other pairs on the map.
        active: whether more results are to come. The view asks for them after some seconds of silence, since a message
            to a browser can be lost.
        what_if: scores without some passages (`what_if_answers`).
        can_ask: whether the reader can ask for them.
        asks_itself: whether the view asks at each change of the passages left out.
        words: two sentences word by word (`on_demand_explanations`).
        ledger, chart: every sentence of both texts, and the claim chart
            (`colde.report.ledger_and_chart.row_tables_payload`), each while its tab is shown.
        tour: a number larger than any before starts the tour, once, as soon as there is a map.
        review: `{"id", "pair", "marks", "out"}`, taken once for each id; None where nothing can be reviewed. The view
            keeps a copy in the browser under the hashes of `pair`.
        sections: where editing of sections goes on (`linked_view_edits`).
        pages: images of pages by side and number; None where there are no pages, which hides the switch to pages.
    """

    payload: Mapping[str, Any]
    tiles: list[dict[str, Any]] = field(default_factory=list)
    wanted: dict[str, Any] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    active: bool = False
    what_if: Mapping[str, Any] | None = None
    can_ask: bool = False
    asks_itself: bool = False
    words: Mapping[str, Any] | None = None
    ledger: Mapping[str, Any] | None = None
    chart: Mapping[str, Any] | None = None
    tour: int = 0
    review: Mapping[str, Any] | None = None
    sections: Mapping[str, Any] | None = None
    pages: Mapping[str, Mapping[str, Any]] | None = None

    def to_json(self) -> dict[str, Any]:
        """The data that the JavaScript gets."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "payload"}
        return {
            **self.payload,
            **values,
            "asks_itself": self.can_ask and self.asks_itself,
            "can_review": self.review is not None,
            "can_edit": True,
            "can_show_pages": self.pages is not None,
            "pages": self.pages or {},
        }


def linked_view(
    data: ViewData, callbacks: Mapping[str, Callable[[], None]], key: str
) -> dict[str, Any] | None:
    """Draw the view; returns the passages or the cell that the reader has selected.

    Args:
        callbacks: called when the view has sent a value, by its name in `EVENTS`.
        key: of the component; another key is another view.
    """
    on_change: dict[str, Any] = {f"on_{event}_change": callbacks.get(event, _nothing) for event in EVENTS}
    selected = _component(key=key, data=data.to_json(), **on_change).selected
    return dict(selected) if isinstance(selected, Mapping) and "a" in selected and "b" in selected else None


def sent_value(key: str, name: str) -> Any:
    """What the reader of the view with this key has done last. It may be anything."""
    message = component_value(key, name)
    return message.get("value") if isinstance(message, Mapping) else None


def clean(settings: Mapping[str, Any] | None) -> dict[str, str]:
    """The valid settings among those that come from the page or from an address."""
    given = settings or {}
    named = {name: given[name] for name in SETTINGS if isinstance(given.get(name), str)}
    if "tab" in named:
        named["tab"] = RENAMED_TABS.get(named["tab"], named["tab"])
    return {name: value for name, value in named.items() if SETTINGS[name].fullmatch(value)}


def _nothing() -> None:
    """Streamlit keeps a value only if it has a callback."""
