"""Changes made by hand to the sections of one side, and the way back: they live in its source."""

from __future__ import annotations

from dataclasses import replace

from colde.text.section_edits import Edit
from colde_explorer_app.document_source import Side, set_source, source_of


def make(side: Side, edit: Edit) -> None:
    """Make an edit; what was undone cannot be redone after it."""
    source = source_of(side)
    if source is not None:
        set_source(side, replace(source, edits=(*source.edits, edit), undone=()))


def undo(side: Side) -> Edit | None:
    """Take the last edit back; returns it, or None where there is none."""
    source = source_of(side)
    if source is None or not source.edits:
        return None
    *edits, last = source.edits
    set_source(side, replace(source, edits=tuple(edits), undone=(*source.undone, last)))
    return last


def redo(side: Side) -> Edit | None:
    """Make again what was taken back last; returns it, or None where there is nothing."""
    source = source_of(side)
    if source is None or not source.undone:
        return None
    *undone, last = source.undone
    set_source(side, replace(source, edits=(*source.edits, last), undone=tuple(undone)))
    return last


def reset(side: Side) -> None:
    """Everything as read; each step can be redone."""
    source = source_of(side)
    if source is not None:
        set_source(side, replace(source, edits=(), undone=(*source.undone, *reversed(source.edits))))
