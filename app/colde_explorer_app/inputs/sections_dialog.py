"""A dialog to correct the sections of a document: a list of them, and controls for the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from colde.report.formatting import counted, quote, shorten
from colde.text.document import EXCLUDED_ROLE, Document, Span
from colde.text.not_compared.set_aside import set_aside
from colde.text.sections import section_edits
from colde.text.sections.section_edits import Edit
from colde.text.words import count_words
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text
from colde_explorer_app.session.document_source import Side, Source
from colde_explorer_app.session.session_documents import document_of, set_source, source_of
from colde_explorer_app.session.state import CHOSEN_SECTION, SectionEditing, state

_INDENT = "\u2003"
_MAX_LABEL_LENGTH = 56
"""Characters of a heading in the list."""
_MAX_SENTENCE_LENGTH = 90
"""Characters of a sentence in the list of split points."""


def opener(side: Side) -> None:
    """The button that opens the dialog for this side."""
    label = f"Edit sections of {side.upper()}"
    if st.button(
        label, key=f"sections_{side}", type="tertiary", help="See how it is divided, and correct it"
    ):
        state(SectionEditing).open_side = side
        CHOSEN_SECTION.set(0)
        st.rerun()


def dialog(closed: Callable[[], None]) -> None:
    """Draw the dialog if it is open; `closed` is called once, when it closes.

    It stays open while the page runs again, as at the end of a comparison.
    """
    editing = state(SectionEditing)
    side = editing.open_side
    if side is None:
        return
    if document_of(side) is None:
        editing.open_side = None
        return

    def close() -> None:
        if editing.open_side is not None:
            editing.open_side = None
            closed()

    title = f"Sections of document {side.upper()}"
    st.dialog(title, width="large", on_dismiss=close)(_draw)(side, close)


def _draw(side: Side, close: Callable[[], None]) -> None:
    source, document = source_of(side), document_of(side)
    if source is None or document is None:
        return
    st.caption(page_text("sections_introduction"))
    CHOSEN_SECTION.set(min(CHOSEN_SECTION.get(), len(document.sections) - 1))
    list_column, controls_column = st.columns([6, 5], gap="medium")
    with list_column.container(height=440, key="sections_list"):
        index = st.radio(
            "Section",
            range(len(document.sections)),
            key=CHOSEN_SECTION.key,
            format_func=lambda i: _section_label(document, i),
            width="stretch",
        )
    with controls_column:
        _section_controls(side, source, document, index)
    st.caption(
        "After you close this, a comparison on the page runs again with the sections as they are here. "
        "Sections that did not change are not encoded again."
    )
    with st.container(horizontal=True, gap="small"):
        for name, steps, do in (("undo", source.edits, _undo), ("redo", source.undone, _redo)):
            icon = f":material/{name}:"
            st.button(name.title(), icon=icon, disabled=not steps, on_click=do, args=(side,), key=name)
        st.button("As read", disabled=not source.edits, on_click=_reset, args=(side,), key="as_read")
        if st.button("Close", type="primary", key="close_sections", on_click=close):
            st.rerun()


def _section_controls(side: Side, source: Source, document: Document, index: int) -> None:
    section = document.sections[index]
    version = f"{side}_{source.digest[:12]}_{index}"

    def do(edit: Edit, then: int) -> dict[str, Any]:
        return {"on_click": _apply_edit, "args": (side, source.digest, edit, then)}

    key = f"heading_{version}"
    st.text_input(
        "Heading",
        section.heading or "",
        key=key,
        max_chars=300,
        placeholder="No heading",
        help=(
            "Press Enter to rename. A new name changes labels, not scores. Leave it empty to restore the "
            "heading of the document."
        ),
        on_change=_rename,
        args=(side, source.digest, index, key),
    )
    target = section_edits.merge_target(document, index)
    name = "the one before" if target is None else f"“{escape_markdown(_name(document, target, 40))}”"
    merge = do(Edit("merge", index), target or 0)
    st.button(f"Merge with {name}", key=f"merge_{version}", disabled=target is None, **merge)
    if target is not None and target < index - 1:
        between = replace(document, sections=document.sections[target + 1 : index])
        if aside := ", ".join(map(str, set_aside(between))):
            st.caption(f"The text between them is merged, too: {aside}.")
    if section.role is None:
        leave_out = Edit("set_role", index, role=EXCLUDED_ROLE)
        st.button("Leave out of the comparison", key=f"out_{version}", **do(leave_out, index))
    else:
        st.button("Include in the comparison", key=f"in_{version}", **do(Edit("set_role", index), index))
    split_points = section_edits.split_points(document, index)
    at = st.selectbox(
        "Split before the sentence",
        split_points,
        index=None,
        key=f"split_{version}",
        format_func=lambda k: f"{k + 1}. {_sentence(document, index, k)}",
        disabled=not split_points,
        placeholder="Choose a sentence" if split_points else "It has only one sentence",
    )
    is_heading = st.checkbox(
        "It is the heading of the new section", key=f"is_heading_{version}", disabled=at is None
    )
    split = do(Edit("split", index, sentence=at or 0, is_heading=is_heading), index + 1)
    st.button("Split", key=f"do_split_{version}", disabled=at is None, **split)


def _apply_edit(side: Side, drawn: str, edit: Edit, then: int) -> None:
    """Edit the sections that were drawn, and choose the section `then`.

    Args:
        drawn: digest of the source that was drawn. Streamlit may report a field again after its edit was made; then
            the digest is another one, and nothing is done.
    """
    source = source_of(side)
    if source is not None and source.digest == drawn:
        set_source(side, source.with_edit(edit))
        CHOSEN_SECTION.set(then)


def _rename(side: Side, drawn: str, index: int, key: str) -> None:
    document, heading = document_of(side), st.session_state.get(key)
    if heading is None or document is None or index >= len(document.sections):
        return
    if heading != (document.sections[index].heading or ""):
        _apply_edit(side, drawn, Edit("rename", index, heading=heading), index)


def _undo(side: Side) -> None:
    source = source_of(side)
    if source is not None and source.edits:
        set_source(side, source.undo())
        CHOSEN_SECTION.set(source.edits[-1].section)


def _redo(side: Side) -> None:
    source = source_of(side)
    if source is not None and source.undone:
        set_source(side, source.redo())
        CHOSEN_SECTION.set(source.undone[-1].section)


def _reset(side: Side) -> None:
    source = source_of(side)
    if source is not None:
        set_source(side, source.reset())
        CHOSEN_SECTION.set(0)


def _section_label(document: Document, index: int) -> str:
    """A section in the list: heading, words, page, and whether it is compared."""
    section = document.sections[index]
    page = next((box.page for sentence in section.sentences for box in sentence.boxes), None)
    facts = [counted(count_words(document.text[section.start : section.end]), "word")]
    if page is not None:
        facts.append(f"p. {page}")
    if section.role == EXCLUDED_ROLE:
        facts.append("left out")
    elif section.role is not None:
        facts.append("set aside" if section.heading else section.role)
    return f"{_INDENT * (section.level - 1)}{escape_markdown(_name(document, index))} :gray[· {' · '.join(facts)}]"


def _name(document: Document, index: int, longest: int = _MAX_LABEL_LENGTH) -> str:
    section = document.sections[index]
    beginning = Span(section.start, min(section.end, section.start + 4 * longest))
    return shorten(" ".join((section.heading or quote(document, beginning)).split()), longest)


def _sentence(document: Document, index: int, sentence: int) -> str:
    return shorten(quote(document, document.sections[index].sentences[sentence]), _MAX_SENTENCE_LENGTH)
