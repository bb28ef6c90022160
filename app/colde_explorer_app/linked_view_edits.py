"""Sections put right in the linked view: what the reader clicks there, made on the document, and where they go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.text import section_edits
from colde.text.document import EXCLUDED_ROLE, Document
from colde.text.section_edits import Edit
from colde_explorer_app import edit_history
from colde_explorer_app.document_source import SIDES, Side, read, source_of

_LAST_EDIT_KEY, _PENDING_KEY = "edited_in_view", "edits_in_view_news"
_MAX_HEADING_LENGTH = 300
"""Characters of a heading."""
_UNKNOWN = (
    "That section is not one of the document as it was read: a text without headings is cut into parts. "
    "Take back what you chose under “Include what was set aside”, or use “Edit sections” above the text."
)


def apply_edit_request(asked: object) -> None:
    """Do what the view asks for; it comes from the page and may be anything.

    Args:
        asked: `{"side", "do", "at": where the section begins, "sentence": where the chosen sentence begins or None,
            "heading", "pages": whether the pages are shown}`. Places are characters of the text, which no edit moves.
    """
    if not isinstance(asked, Mapping) or asked.get("side") not in SIDES or type(asked.get("at")) is not int:
        return
    side: Side = asked["side"]
    at: int = asked["at"]
    what = asked.get("do")
    if what == "done":
        close()
        st.session_state[_PENDING_KEY] = "done"
        return
    if what in ("undo", "redo"):
        changed = (edit_history.undo if what == "undo" else edit_history.redo)(side) is not None
    else:
        edit = _edit(side, asked)
        changed = edit is not None
        if edit is not None:
            edit_history.make(side, edit)
            if what in ("split", "heading"):
                at = asked["sentence"]
    if changed:
        last: int = st.session_state.get(_LAST_EDIT_KEY, {}).get("id", 0)
        st.session_state[_LAST_EDIT_KEY] = {
            "id": last + 1,
            "side": side,
            "at": at,
            "of": _file(side),
            "pages": asked.get("pages") is True,
        }
        st.session_state[_PENDING_KEY] = "edited"


def for_view() -> Mapping[str, Any] | None:
    """What the view is told: where the last change was made, and how many there are; None where none was made in it."""
    last: dict[str, Any] | None = st.session_state.get(_LAST_EDIT_KEY)
    if last is None or last["of"] != _file(last["side"]):
        return None
    sources = {side: source_of(side) for side in SIDES}
    counts = {side: [len(s.edits), len(s.undone)] if s else [0, 0] for side, s in sources.items()}
    return {name: last[name] for name in ("id", "side", "at", "pages")} | {"changes": counts}


def needs_rerun() -> bool:
    """Whether the page has to run anew, because its documents are others than those it was drawn with."""
    return _PENDING_KEY in st.session_state


def consume_done() -> bool:
    """Whether the reader has put the sections right and wants the result, said once."""
    news: str | None = st.session_state.pop(_PENDING_KEY, None)
    return news == "done"


def close() -> None:
    """The reader has gone on to something else."""
    st.session_state.pop(_LAST_EDIT_KEY, None)


def _file(side: Side) -> str | None:
    source = source_of(side)
    return None if source is None else source.file


def _edit(side: Side, asked: Mapping[str, Any]) -> Edit | None:
    """The edit of the document as it is now; None where it cannot be made."""
    source = source_of(side)
    document = None if source is None else read(source)
    if not isinstance(document, Document):
        return None
    index = next((i for i, s in enumerate(document.sections) if s.start == asked["at"]), None)
    if index is None:
        st.toast(_UNKNOWN)
        return None
    match asked.get("do"):
        case "rename" if isinstance(asked.get("heading"), str):
            return Edit("rename", index, heading=asked["heading"][:_MAX_HEADING_LENGTH])
        case "merge" if section_edits.merge_target(document, index) is not None:
            return Edit("merge", index)
        case "leave_out":
            return Edit("set_role", index, role=EXCLUDED_ROLE)
        case "take_in":
            return Edit("set_role", index)
        case "split" | "heading" as what:
            sentences = document.sections[index].sentences
            for i in section_edits.split_points(document, index):
                if sentences[i].start == asked.get("sentence"):
                    return Edit("split", index, sentence=i, is_heading=what == "heading")
    return None
