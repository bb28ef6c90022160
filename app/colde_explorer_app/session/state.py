"""What a session of the explorer holds, as typed values instead of keys of `st.session_state`.

`state(Inputs)` is the session's `Inputs`. A value that a widget owns stays under the key of the widget; a `Widget`
reads and writes it. Both work in the thread of the script only: a thread that makes a download has no session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from colde.comparison.version_history import VersionHistory
from colde.encoders.encoder_names import AUTO
from colde.errors import ReadingStopped
from colde.index import Added, Hit
from colde.index.sources.counted_sources import Sources
from colde.index.sources.source_stretches import Exclusions
from colde.judge.reference import Reference
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions
from colde.results.verdicts.prior import BALANCED
from colde.text.document import Document, Role
from colde_explorer_app.session.background_jobs import Job
from colde_explorer_app.session.document_source import Side, Source

T = TypeVar("T")


def state(kind: type[T]) -> T:
    """The session's value of this class, made when it is first asked for."""
    held: T = st.session_state.setdefault(_key(kind), kind())
    return held


def set_state(value: object) -> None:
    """Make this the session's value of its class."""
    st.session_state[_key(type(value))] = value


def _key(kind: type[object]) -> str:
    # The name of the class: Streamlit may reload this module, and then the class is another object.
    return f"state.{kind.__name__}"


@dataclass(frozen=True, slots=True)
class Widget(Generic[T]):
    """The value of a widget, which Streamlit keeps under the widget's key.

    The code may set it before the widget is drawn.
    """

    key: str
    default: T

    def get(self) -> T:
        """The value now; the default until the widget is drawn or set."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        st.session_state[self.key] = value

    def set_default(self, value: T) -> None:
        """Set it unless the widget has a value already."""
        st.session_state.setdefault(self.key, value)


PROFILE: Widget[str | None] = Widget("profile", None)
MODELS: Widget[Sequence[str]] = Widget("taking_part", ())
INCLUDED_ROLES: Widget[Sequence[Role]] = Widget("include", ())
EXCLUSIONS: Widget[Sequence[str]] = Widget("leave_out", ())
ENCODER: Widget[str | None] = Widget("encoder", None)
"""The sentence encoder of the page Compare."""
SHOWN_MODEL: Widget[str | None] = Widget("model", None)
"""The model whose maps are shown."""
PRIOR: Widget[float] = Widget("prior", BALANCED)
"""The share of related pairs that the reader expects."""
INCLUDE_TEXTS: Widget[bool] = Widget("review_texts", False)
"""Whether a review file holds both texts."""
CHOSEN_SECTION: Widget[int] = Widget("section_chosen", 0)


MAX_ANSWERS = 40
"""Answers that are kept; the oldest goes first."""


@dataclass(slots=True)
class AnswerCache:
    """Answers by question and by the comparison they are about."""

    answers: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def get(self, question: tuple[Any, ...], comparison: Comparison, make: Callable[[], T]) -> T:
        """The answer to this question, made when it is asked for the first time."""
        key = (_about(comparison), *question)
        if key not in self.answers:
            self.answers[key] = make()
            while len(self.answers) > MAX_ANSWERS:
                self.answers.pop(next(iter(self.answers)))
        kept_answer: T = self.answers[key]
        return kept_answer

    def latest(self, question: tuple[Any, ...], comparison: Comparison) -> Iterator[Any]:
        """The answers to questions that begin like this one, the latest first."""
        start = (_about(comparison), *question)
        return (answer for key, answer in reversed(self.answers.items()) if key[: len(start)] == start)


def _about(comparison: Comparison) -> tuple[Any, ...]:
    """The texts and what they are judged against; the models and the prior are part of questions they matter to."""
    compared = (
        hash((d.text, d.marks, tuple((s.start, s.role) for s in d.sections)))
        for d in (comparison.a, comparison.b)
    )
    return *compared, comparison.profile, comparison.reference


@dataclass(frozen=True)
class OwnReference:
    """Reference documents of the reader.

    Attributes:
        digest: SHA-256 of the names and bytes of all files.
    """

    digest: str
    reference: Reference = field(compare=False, repr=False)


@dataclass(frozen=True)
class Request:
    """What is to be compared, and how; the first model gives the verdict."""

    a: Source
    b: Source
    models: tuple[str, ...]
    profile: str
    include: tuple[Role, ...] = ()
    own_reference: OwnReference | None = None
    templates: tuple[Source, ...] = ()
    encoder: str = AUTO

    @cached_property
    def key(self) -> str:
        """SHA-256 of the contents and of all settings."""
        own_reference = () if self.own_reference is None else (self.own_reference.digest,)
        templates = (template.digest for template in self.templates)
        parts = (
            self.a.digest,
            self.b.digest,
            *self.models,
            self.profile,
            *self.include,
            *own_reference,
            *templates,
            self.encoder,
        )
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def pair(self) -> tuple[str, ...]:
        """The two documents and the included roles, whatever the other settings."""
        return self.a.digest, self.b.digest, *self.include

    @property
    def reference(self) -> Reference | None:
        """The reader's reference documents, where the pair is judged against them."""
        return None if self.own_reference is None else self.own_reference.reference


@dataclass(slots=True)
class Inputs:
    """The two inputs.

    Attributes:
        generation: part of the keys of the inputs; a new number empties them.
        paste_count: number of texts pasted on each side, part of the keys of the text fields.
        last_upload: id of the file that each file input reported last, by the input's key.
        stopped_readings: why the reading of a file was stopped or crashed, by `Source.file`.
        templates: files whose text is set aside in both documents.
    """

    sources: dict[Side, Source] = field(default_factory=dict)
    generation: int = 0
    paste_count: dict[Side, int] = field(default_factory=lambda: {"a": 0, "b": 0})
    last_upload: dict[str, str | None] = field(default_factory=dict)
    stopped_readings: dict[str, ReadingStopped] = field(default_factory=dict)
    templates: tuple[Source, ...] = ()


@dataclass(slots=True)
class Comparing:
    """The comparisons of the Compare page.

    Attributes:
        request: the last one; its results are shown as long as its two documents are in.
        recent: the latest requests, the last one first.
        inputs_open: whether the inputs are shown beside results.
        tour: when the tour was asked for last, in milliseconds; 0 before.
        tour_pair: the pair that it is about.
        link_applied: whether the address of the page was read, or must not be read any more.
        restored_jobs: finished jobs from before a reload, by the keys of their requests.
    """

    request: Request | None = None
    recent: list[Request] = field(default_factory=list)
    inputs_open: bool = False
    tour: int = 0
    tour_pair: tuple[str, ...] = ()
    link_applied: bool = False
    restored_jobs: dict[str, Job[Comparison]] = field(default_factory=dict)


@dataclass(slots=True)
class Tab:
    """The browser tab of the session.

    Attributes:
        token: random name of the tab; None until the browser has sent it.
        session_restored: whether the content of the tab before a reload was looked for.
    """

    token: str | None = None
    session_restored: bool = False


@dataclass(slots=True)
class View:
    """The linked view.

    Attributes:
        settings: what the reader has set: tab, level, shading, how standard text counts.
        requested_selection: the selection that the address asks for, until something is selected.
        requested_exclusions: the passages that the address leaves out, until they are left out.
    """

    settings: dict[str, str] = field(default_factory=dict)
    requested_selection: dict[str, Any] | None = None
    requested_exclusions: str = ""
    answers: AnswerCache = field(default_factory=AnswerCache)


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The edit made last in the linked view.

    Attributes:
        id: larger for each edit.
        side, at: the text, and the character at which the section begins.
        file: `Source.file` of the side.
        pages: whether the view shows pages.
    """

    id: int
    side: Side
    at: int
    file: str | None
    pages: bool


@dataclass(slots=True)
class SectionEditing:
    """Edits of sections.

    Attributes:
        open_side: the side whose dialog is open.
        last_edit: the last edit in the linked view, until the reader is done with editing.
        pending: what the view has changed since the page ran last.
    """

    open_side: Side | None = None
    last_edit: LastEdit | None = None
    pending: Literal["edited", "done"] | None = None


@dataclass(slots=True)
class Reviews:
    """The reviews of the session.

    Attributes:
        decisions: by the hashes of the two texts.
        files: a random id for the review file that was opened last, by the hashes of its texts.
        opened_count: number of review files that were opened.
    """

    decisions: dict[tuple[str, str], Decisions] = field(default_factory=dict)
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    opened_count: int = 0
    message: str = ""


@dataclass(slots=True)
class ReferenceState:
    """The reader's reference documents: those in use, the job that reads others, and whether the dialog is open."""

    current: OwnReference | None = None
    job: Job[OwnReference] | None = None
    open: bool = False


@dataclass(slots=True)
class CollectionState:
    """The last comparison on the page Collection.

    Attributes:
        chosen, files: the files that are chosen, and those of the comparison.
        documents: those that were read, by `Source.file`.
        sources: the source of each document, by its number.
        model, profile: with which it was made.
    """

    job: Job[Collection] | None = None
    chosen: tuple[Source, ...] = ()
    files: tuple[Source, ...] = ()
    documents: dict[str, Document] = field(default_factory=dict)
    sources: dict[int, Source] = field(default_factory=dict)
    model: str = ""
    profile: str = ""


@dataclass(slots=True)
class HistoryState:
    """The last history on the page Collection: its job, and the versions from the oldest one."""

    job: Job[VersionHistory] | None = None
    files: tuple[Source, ...] = ()


@dataclass(slots=True)
class SearchState:
    """The page Search.

    Attributes:
        job, index, source: the last search, the folder of its index, and its query.
        number: what the numbers of its hits are.
        query: the file or the hit that is searched with next.
        turn: number of hits that were made the query, part of the keys of the inputs.
        search_at_once: whether to search without a press of the button.
        index_job: the job that adds files to an index.
        added_count, index_changes: number of such jobs, and of files renamed or removed, part of the keys of inputs.
    """

    job: Job[list[Hit]] | None = None
    index: str = ""
    source: Source | None = None
    number: str = "score"
    query: Source | None = None
    turn: int = 0
    search_at_once: bool = False
    index_job: Job[Added] | None = None
    added_count: int = 0
    index_changes: int = 0


@dataclass(slots=True)
class SourcesState:
    """The page Sources.

    Attributes:
        job, index, source: the last search, the folder of its index, and its document.
        exclusions: what the reader leaves out of the count; None as long as that is what is usually left out.
        inputs_open: whether the inputs are shown beside the result.
        compare: id of the source that the reader wants to compare with the document; empty for none.
    """

    job: Job[Sources] | None = None
    index: str = ""
    source: Source | None = None
    exclusions: Exclusions | None = None
    inputs_open: bool = False
    compare: str = ""


def component_value(key: str, name: str) -> Any:
    """A value that the page sent for the component with this key; None if it sent none. It may be anything."""
    return (st.session_state.get(key) or {}).get(name)


def reference_in_use() -> Reference | None:
    """The reader's reference documents that the comparison on the page was judged against."""
    request = state(Comparing).request
    return None if request is None else request.reference
