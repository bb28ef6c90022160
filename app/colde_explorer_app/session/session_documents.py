"""The two inputs of the session, and the documents that they are read into."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache

import streamlit as st

import colde
from colde.errors import ReadError, ReadingStopped
from colde.ingest.sandbox.process_pool import MAX_PROCESSES
from colde.ingest.sandbox.protocol import unpack
from colde.text.document import Document, Role
from colde.text.not_compared.boilerplate import without_boilerplate
from colde.text.sections import section_edits
from colde_explorer_app.session.document_source import Side, Source
from colde_explorer_app.session.state import INCLUDED_ROLES, Inputs, state


def source_of(side: Side) -> Source | None:
    """The input of this side, if there is one."""
    return state(Inputs).sources.get(side)


def set_source(side: Side, source: Source | None) -> None:
    """Set or remove the input of one side; a file whose reading was stopped is read again."""
    if source is None:
        state(Inputs).sources.pop(side, None)
    else:
        state(Inputs).sources[side] = source
        read_again(source)


def document_of(side: Side) -> Document | None:
    """The document of this side without the included roles; None if there is none, or it cannot be read."""
    source = source_of(side)
    document = None if source is None else read(source)
    return document if isinstance(document, Document) else None


def included_roles() -> tuple[Role, ...]:
    """Roles of text that this session compares although they are set aside."""
    return tuple(role for role in section_edits.PLURALS if role in INCLUDED_ROLES.get())


def include(role: Role) -> None:
    """Compare text of this role from now on, although it is set aside."""
    INCLUDED_ROLES.set([*included_roles(), role])


def read(source: Source, include: tuple[Role, ...] = ()) -> Document | ReadError:
    """The document with the edits of its sections, or why it cannot be read.

    A file is read once a session, a sample once. A file whose reading was stopped or crashed is read again when it is
    put in again, or after `read_again`.
    """
    stopped_readings = state(Inputs).stopped_readings
    if source.file in stopped_readings:
        return stopped_readings[source.file]
    try:
        result = source.ready or _reading(source).result()
    except ReadingStopped as error:
        (_bundled_reading if source.bundled else _own_reading).clear(
            source.file, source
        )  # another try may succeed
        stopped_readings[source.file] = error
        return error
    if isinstance(result, ReadError):
        return result
    return _with_edits(source.digest, include, source, result)


def readable(sources: Iterable[Source]) -> list[Document]:
    """The documents of those sources that can be read."""
    return [document for source in sources if isinstance(document := read(source), Document)]


def read_ahead(sources: Iterable[Source | None]) -> None:
    """Begin to read files that have not been read, at the same time; `read` waits for each."""
    for source in sources:
        if source is not None and source.ready is None and source.file not in state(Inputs).stopped_readings:
            _reading(source)


def read_again(source: Source) -> None:
    """Read this file again, even if its reading was stopped before."""
    state(Inputs).stopped_readings.pop(source.file, None)


@st.cache_resource(scope="session", max_entries=12, ttl="4h", show_spinner=False)
def _with_edits(digest: str, include: tuple[Role, ...], _source: Source, _document: Document) -> Document:
    """Boilerplate is set aside before the reader's edits, so that an edit can take it back in."""
    return section_edits.include(
        section_edits.apply_edits(without_boilerplate(_document), _source.edits), include
    )


def _reading(source: Source) -> Future[Document | ReadError]:
    return (_bundled_reading if source.bundled else _own_reading)(source.file, source)


@st.cache_resource(scope="session", max_entries=8, ttl="4h", show_spinner=False)
def _own_reading(digest: str, _source: Source) -> Future[Document | ReadError]:
    return _readers().submit(_read, _source)


@st.cache_resource(max_entries=8, ttl="24h", show_spinner=False)
def _bundled_reading(digest: str, _source: Source) -> Future[Document | ReadError]:
    return _readers().submit(_read, _source)


@lru_cache(maxsize=1)
def _readers() -> ThreadPoolExecutor:
    """A thread for each file that may be read at the same time."""
    return ThreadPoolExecutor(max_workers=MAX_PROCESSES, thread_name_prefix="reading")


def _read(source: Source) -> Document | ReadError:
    try:
        if source.packed:
            return unpack(source.data)
        if source.pasted:
            return colde.read_text(source.data.decode("utf-8"), title=source.name)
        return colde.read(source.data, name=source.name, password=source.password)
    except ReadingStopped:
        raise
    except ReadError as error:
        return error
