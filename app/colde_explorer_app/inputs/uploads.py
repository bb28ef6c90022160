"""The two inputs: drop a file or paste a text; below each what was read, or why not."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from colde.errors import ReadError, ReadingStopped
from colde.ingest.formats import format_labels
from colde.ingest.reading_limits import MEBIBYTE, Limits
from colde.report.formatting import counted, sentence_case
from colde.text.document import Document
from colde.text.not_compared.set_aside import reading_warnings, set_aside
from colde_explorer_app.inputs import sections_dialog
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session import session_restore
from colde_explorer_app.session.document_source import SIDES, Side, Source
from colde_explorer_app.session.session_documents import (
    included_roles,
    read,
    read_again,
    read_ahead,
    set_source,
    source_of,
)
from colde_explorer_app.session.session_limits import length_note
from colde_explorer_app.session.state import Inputs, state

UPLOAD_HINT = (
    f"Drag a file in or browse: {format_labels()}; up to {Limits().file_bytes / MEBIBYTE:.0f} MB, with up to "
    f"{Limits().characters / 1e6:.0f} million characters of text."
)


def inputs() -> None:
    """Draw both sides.

    They are a fragment: an upload redraws nothing else until there are two documents, or two others. Streamlit
    loses an upload that begins in the moment in which the whole page begins to run again; a fragment does not.
    """
    _inputs(pair())


@st.fragment
def _inputs(drawn: tuple[str, ...] | None) -> None:
    for column, side in zip(st.columns(2, gap="medium"), SIDES, strict=True):
        with column:
            _side(side)
    if pair() != drawn:
        st.rerun()


def sources() -> tuple[Source, Source] | None:
    """The two sources, when there are two."""
    a, b = (source_of(side) for side in SIDES)
    return None if a is None or b is None else (a, b)


def documents() -> tuple[Document, Document] | None:
    """Both documents, when both could be read."""
    both = [source_of(side) for side in SIDES]
    read_ahead(both)
    a, b = (None if source is None else read(source, included_roles()) for source in both)
    return (a, b) if isinstance(a, Document) and isinstance(b, Document) else None


def pair() -> tuple[str, ...] | None:
    """The two documents and the included roles; None while one is missing or cannot be read."""
    both = sources()
    if both is None or documents() is None:
        return None
    return both[0].digest, both[1].digest, *included_roles()


def use(a: Source | None, b: Source | None) -> None:
    """Put these two in, and empty the file inputs, which would still name other files."""
    set_source("a", a)
    set_source("b", b)
    state(Inputs).generation += 1


def swap() -> None:
    """Exchange A and B."""
    use(source_of("b"), source_of("a"))


def comparable() -> bool:
    """Whether both documents have a length that can be compared."""
    both, read_documents = sources(), documents()
    if both is None or read_documents is None:
        return False
    return all(length_note(s, d)[0] for s, d in zip(both, read_documents, strict=True))


def _side(side: Side) -> None:
    key = _upload_key(side)
    st.file_uploader(f"Document {side.upper()}", key=key, on_change=_uploaded, args=(side, key))
    source = source_of(side)
    result = None if source is None else read(source, included_roles())
    with st.container(gap="xxsmall"):
        if source is not None and isinstance(result, Document):
            st.markdown(f"**{escape_markdown(result.title or source.name)}**")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if isinstance(result, Document):
                st.caption(_size(result), width="content")
                sections_dialog.opener(side)
            else:
                st.caption(UPLOAD_HINT, width="content")
            _paste(side)
    if source is not None and isinstance(result, ReadError):
        _read_error(side, source, result)
    elif source is not None and isinstance(result, Document):
        able, length = length_note(source, result)
        if not able:
            st.error(escape_markdown(f"{sentence_case(length)}."))
        with st.container(gap="xxsmall"):
            for note in _notes(source, result, length if able else ""):
                st.caption(f":material/info: {escape_markdown(without_command(sentence_case(note)))}")


def _size(document: Document) -> str:
    sections = sum(1 for _ in document.compared())
    counts = [(document.pages, "page"), (document.words(), "word"), (sections, "section")]
    return " · ".join(counted(number, noun) for number, noun in counts if number is not None)


def _notes(source: Source, document: Document, length: str) -> list[str]:
    """Warnings of the reader, the note on the length, and what was set aside or edited."""
    notes = [*reading_warnings(document), *([length] if length else [])]
    if aside := ", ".join(map(str, set_aside(document))):
        notes.append(f"not compared: {aside}")
    if source.edits:
        notes.append(f"{counted(len(source.edits), 'change')} made to the sections")
    return notes


def _upload_key(side: Side) -> str:
    return f"upload_{side}_{state(Inputs).generation}"


def _uploaded(side: Side, key: str) -> None:
    """Put in the file of an input. Streamlit may report one again that has not changed, or that has left the page."""
    if key != _upload_key(side):
        return
    file = st.session_state.get(key)
    name = None if file is None else file.file_id
    last_upload = state(Inputs).last_upload
    if last_upload.get(key) != name:
        last_upload[key] = name
        _put_in(side, None if file is None else Source(file.name, file.getvalue()))


def _put_in(side: Side, source: Source | None) -> None:
    """Set or remove the input of one side. It is saved at once: with one document, no run of the whole page follows."""
    set_source(side, source)
    session_restore.save_session(None)


def _paste(side: Side) -> None:
    count, generation = state(Inputs).paste_count[side], state(Inputs).generation
    with st.popover("Paste text", type="tertiary", key=f"paste_{side}_{count}_{generation}"):
        key = f"text_{side}_{count}"
        st.text_area(
            f"Your text ({side.upper()})",
            key=key,
            height=260,
            placeholder="Paste a text of 20 words or more.",
        )
        st.button("Use this text", key=f"use_{key}", on_click=_pasted, args=(side, key))


def _pasted(side: Side, key: str) -> None:
    text = st.session_state.get(key, "")
    if text.strip():
        _put_in(side, Source(f"Pasted text {side.upper()}", text.encode(), pasted=True))
        state(Inputs).paste_count[side] += 1


def _read_error(side: Side, source: Source, error: ReadError) -> None:
    """Say what happened and what to do, in one line, with a field for the password where one is needed."""
    st.error(escape_markdown(error.sentence))
    if error.reason == "encrypted":
        key = f"password_{side}"
        st.text_input(
            f"Password {side.upper()}", type="password", key=key, on_change=_unlock, args=(side, key)
        )
    if isinstance(error, ReadingStopped):
        st.button("Try again", key=f"again_{side}", on_click=read_again, args=(source,))


def _unlock(side: Side, key: str) -> None:
    source, password = source_of(side), st.session_state.get(key)
    if source is not None and password and password != source.password:
        _put_in(side, replace(source, password=password))
