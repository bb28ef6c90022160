"""Edits of sections that the reader makes in the linked view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.text.document import EXCLUDED_ROLE
from colde.text.sections import section_edits
from colde.text.sections.section_edits import Edit
from colde_explorer_app.session.document_source import SIDES, Side
from colde_explorer_app.session.session_documents import document_of, set_source, source_of
from colde_explorer_app.session.state import LastEdit, SectionEditing, state

_MAX_HEADING_LENGTH = 300
"""Characters of a heading."""
_UNKNOWN = (
    "This section cannot be edited here: the text has no headings and was divided into parts, or "
    "standard sentences in it were set aside. Undo your choice under “Include skipped content”, or use "
    "“Edit sections” above the text."
)


def apply_edit_request(asked: object) -> None:
    """Do what the view asks for.

    Args:
        asked: comes from the page and may be anything. A request is `{"side", "do", "at": where the section begins,
            "sentence": where the chosen sentence begins or None, "heading", "pages": whether pages are shown}`. Places
            are characters of the text, which no edit moves.
    """
    if not isinstance(asked, Mapping) or asked.get("side") not in SIDES or type(asked.get("at")) is not int:
        return
    side: Side = asked["side"]
    editing = state(SectionEditing)
    if asked.get("do") == "done":
        close()
        editing.pending = "done"
    elif _apply(side, asked):
        at = asked["sentence"] if asked["do"] in ("split", "heading") else asked["at"]
        number = editing.last_edit.id if editing.last_edit is not None else 0
        editing.last_edit = LastEdit(number + 1, side, at, _file(side), asked.get("pages") is True)
        editing.pending = "edited"


def _apply(side: Side, asked: Mapping[str, Any]) -> bool:
    """Undo, redo or make an edit; returns whether anything changed."""
    source = source_of(side)
    if source is None:
        return False
    if asked.get("do") == "undo":
        changed = source.undo()
    elif asked.get("do") == "redo":
        changed = source.redo()
    else:
        edit = _edit(side, asked)
        changed = source if edit is None else source.with_edit(edit)
    if changed == source:
        return False
    set_source(side, changed)
    return True


def for_view() -> Mapping[str, Any] | None:
    """Where the view goes on editing, and the number of edits of each side; None if nothing was edited in it."""
    last = state(SectionEditing).last_edit
    if last is None or last.file != _file(last.side):
        return None
    sources = {side: source_of(side) for side in SIDES}
    changes = {side: [len(s.edits), len(s.undone)] if s else [0, 0] for side, s in sources.items()}
    return {"id": last.id, "side": last.side, "at": last.at, "pages": last.pages, "changes": changes}


def needs_rerun() -> bool:
    """Whether the page has to run again, because an edit has changed its documents."""
    return state(SectionEditing).pending is not None


def consume_done() -> bool:
    """Whether the reader is done with editing and wants the result; True once."""
    editing = state(SectionEditing)
    pending, editing.pending = editing.pending, None
    return pending == "done"


def close() -> None:
    """End the editing in the view."""
    state(SectionEditing).last_edit = None


def _file(side: Side) -> str | None:
    source = source_of(side)
    return None if source is None else source.file


def _edit(side: Side, asked: Mapping[str, Any]) -> Edit | None:
    document = document_of(side)
    if document is None:
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
