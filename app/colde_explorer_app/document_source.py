"""What a person put in on one side, and the Document it is read into. Both live and die with the session."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal

import streamlit as st

import colde
from colde.errors import ReadError, ReadingStopped
from colde.ingest.sandbox.protocol import unpack
from colde.text import section_edits
from colde.text.boilerplate import without_boilerplate
from colde.text.document import Document, Role
from colde.text.section_edits import Edit

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True)
class Source:
    """One input: a file (bytes and its name) or pasted text (UTF-8, no suffix in its name).

    `packed` marks a document as it was read elsewhere, out of a review (`ingest.wire`).
    `bundled` marks the samples: nobody's own, read and encoded once for all sessions. `edits` are the changes
    made to its sections by hand, `undone` those taken back, the last one last; both go with the source. `ready` is the
    document of a source that was read elsewhere, as one of an index; its bytes are then its id.
    """

    name: str
    data: bytes = field(repr=False)
    pasted: bool = False
    password: str | None = field(default=None, repr=False)
    bundled: bool = False
    packed: bool = False
    edits: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = field(default=(), repr=False)
    ready: Document | None = field(default=None, repr=False)

    @cached_property
    def file(self) -> str:
        """SHA-256 of everything that decides how it is read."""
        head = f"{self.name}\0{self.pasted}{'packed' if self.packed else ''}\0{self.password or ''}\0"
        return sha256(head.encode() + self.data).hexdigest()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file and the changes made by hand."""
        return sha256(f"{self.file}{self.edits}".encode()).hexdigest() if self.edits else self.file

    @property
    def is_pdf(self) -> bool:
        return not self.pasted and not self.packed and self.data[:1024].find(b"%PDF-") >= 0


def source_of(side: Side) -> Source | None:
    """The input of this side, if there is one."""
    source: Source | None = st.session_state.get(f"source_{side}")
    return source


def set_source(side: Side, source: Source | None) -> None:
    """Set or remove the input of one side; a file that was put in before is tried again if it has to be."""
    if source is not None:
        _stopped_readings().pop(source.file, None)
    if source is None:
        st.session_state.pop(f"source_{side}", None)
    else:
        st.session_state[f"source_{side}"] = source


def included_roles() -> tuple[Role, ...]:
    """What this session wants compared of what was set aside in reading."""
    roles = st.session_state.get("include", ())
    return tuple(role for role in section_edits.PLURALS if role in roles)


def read(source: Source, include: tuple[Role, ...] = ()) -> Document | ReadError:
    """The document with its sections as put right by hand, or why it cannot be read.

    A file is read once a session, a sample once; one whose reading was stopped or crashed is read again when it is
    put in again, or when `try_again` says so.
    """
    stopped = _stopped_readings().get(source.file)
    if stopped is not None:
        return stopped
    try:
        result = source.ready or (_read_bundled if source.bundled else _read_own)(source.file, source)
    except ReadingStopped as error:
        _stopped_readings()[source.file] = error
        return error
    if isinstance(result, ReadError):
        return result
    return _with_edits(source.digest, include, source, result)


def try_again(source: Source) -> None:
    """Forget that its reading was stopped."""
    _stopped_readings().pop(source.file, None)


def _stopped_readings() -> dict[str, ReadingStopped]:
    """Files of this session whose reading was stopped or crashed, by what decides how they are read."""
    stopped: dict[str, ReadingStopped] = st.session_state.setdefault("stopped", {})
    return stopped


@st.cache_resource(scope="session", max_entries=12, ttl="4h", show_spinner=False)
def _with_edits(digest: str, include: tuple[Role, ...], _source: Source, _document: Document) -> Document:
    """What repeats in all documents of a kind is set aside first, so that an edit by hand has the last word."""
    return section_edits.include(
        section_edits.apply_edits(without_boilerplate(_document), _source.edits), include
    )


@st.cache_resource(scope="session", max_entries=8, ttl="4h", show_spinner=False)
def _read_own(digest: str, _source: Source) -> Document | ReadError:
    return _read(_source)


@st.cache_resource(max_entries=8, ttl="24h", show_spinner=False)
def _read_bundled(digest: str, _source: Source) -> Document | ReadError:
    return _read(_source)


def _read(source: Source) -> Document | ReadError:
    try:
        if source.packed:
            return unpack(json.loads(source.data))
        if source.pasted:
            return colde.read_text(source.data.decode("utf-8"), title=source.name)
        return colde.read(source.data, name=source.name, password=source.password)
    except ReadingStopped:  # not kept: another try may end otherwise
        raise
    except ReadError as error:
        return error
