"""The history of a document with several versions: when each of its sentences came in, changed and was removed.

Each version is aligned with the next one. A sentence takes the history of those that it corresponds to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

from colde.alignment.aligned_units import UnitText
from colde.alignment.document_alignment import Alignment, TokenEdit, UnitGroup, align
from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import version_changes
from colde.comparison.checks import check_comparable
from colde.encoders.encoder_names import AUTO, choose_encoder
from colde.results.change import Change, ChangeKind
from colde.results.passage import Passage
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.serialise import Count, JsonFields, JsonObject, Offset
from colde.text.document import Document

VERSION: Literal[1] = 1
"""Version of the JSON file."""
FEWEST_RESTORED = 4
"""Tokens of a sentence that can be restored; a shorter one comes in again by chance."""
LITTLE: frozenset[str] = frozenset({"moved", "form"})
"""Kinds of steps that leave the words as they are."""

StepKind = Literal["added", "removed", "restored", ChangeKind]
"""`added`: no version had the sentence before; `restored`: an earlier version had it, and the one before had not."""
_ONE_SIDED: Mapping[ChangeKind, StepKind] = {"only in a": "removed", "only in b": "added"}


@dataclass(frozen=True, slots=True)
class VersionPassage(Passage):
    """A passage of a version with its text.

    Attributes:
        marks: start and end of what differs, as offsets into the version.
    """

    text: str = ""
    marks: tuple[tuple[Offset, Offset], ...] = ()

    JSON: ClassVar = JsonFields("start end section page text marks", optional="position")

    @classmethod
    def of(cls, text: UnitText, units: range, marked: Iterable[range] = ()) -> VersionPassage:
        """Consecutive units of a version.

        Args:
            marked: tokens that differ.
        """
        place = Passage.at(text.document, text.span(units))
        marks = tuple((s.start, s.end) for s in (text.mark(tokens) for tokens in marked if tokens))
        words = text.document.text[place.start : place.end]
        return cls(place.start, place.end, place.section, place.page, place.position, words, marks)

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The text in pieces, and whether each differs."""
        cuts = [self.start, *(place for mark in self.marks for place in mark), self.end]
        spans = pairwise(cuts)
        return [
            (self.text[start - self.start : end - self.start], k % 2 == 1)
            for k, (start, end) in enumerate(spans)
            if start < end
        ]


@dataclass(frozen=True, slots=True)
class Step:
    """What a version did to a sentence.

    Attributes:
        version: its number, from 1.
        before: the passage of the version before; None for an added or restored sentence.
        after: the passage of this version; None for a removed sentence.
    """

    version: Count
    kind: StepKind
    before: VersionPassage | None
    after: VersionPassage | None


@dataclass(frozen=True, slots=True)
class SentenceHistory:
    """A sentence, heading or cell of a table, and what became of it.

    Attributes:
        text: its words, in the last version that has it.
        version: the number of that version.
        heading: whether it is a heading.
        first: the version in which it came in.
        last: the version in which its words changed last; that in which it came in, where they never did.
        removed: the version without it; None for sentences of the last version.
        steps: in the order of the versions; the first version takes none.
    """

    text: VersionPassage
    version: Count
    heading: bool
    first: Count
    last: Count
    removed: Count | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the document.

    Attributes:
        number: from 1, the oldest version.
        name: who made it, or its file.
        changes: how many changes of each kind it has from the version before; `added` counts restored sentences, too.
    """

    number: Count
    name: str
    title: str
    source: str
    changes: Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class VersionHistory(JsonObject):
    """Versions of a document, and the history of each sentence.

    Attributes:
        versions: from the oldest one.
        sentences: those of the last version, in reading order.
        removed: those that the last version has not, by the version that removed them.
    """

    versions: tuple[Version, ...]
    sentences: tuple[SentenceHistory, ...]
    removed: tuple[SentenceHistory, ...]

    version: ClassVar[Literal[1]] = VERSION
    JSON: ClassVar = JsonFields("version versions sentences removed")


def version_history(
    documents: Sequence[Document],
    names: Sequence[str] = (),
    *,
    encoder: str = AUTO,
    on_progress: OnProgress = ignore_progress,
) -> VersionHistory:
    """The history of a document with several versions.

    Args:
        documents: its versions, the oldest first.
        names: who made each version; by default their files.
        encoder: name of the encoder that finds sentences in other words.

    Raises:
        ValueError: fewer than two versions, or another number of names.
        ReadError: a version is too short or too large to be compared.

    >>> import colde
    >>> text = "The rent is {} euros. The tenant pays it on the first day of each month, and keeps the house clean."
    >>> history = colde.version_history([colde.read_text(text.format(rent)) for rent in (500, 500, 550)])
    >>> [(sentence.first, sentence.last) for sentence in history.sentences]
    [(1, 3), (1, 1)]
    """
    if len(documents) < 2:
        raise ValueError("a history needs two versions at least")
    if names and len(names) != len(documents):
        raise ValueError(f"{len(names)} names for {len(documents)} versions: name each version")
    for document in documents:
        check_comparable(document)
    tracker: _Tracker | None = None
    versions = [_version(1, documents[0], names, ())]
    for number, (old, new) in enumerate(pairwise(documents), 2):
        on_progress(Progress(Stage.COMPARING, number - 2, len(documents) - 1))
        used = choose_encoder(encoder, (old.language, new.language))
        matches = sentence_matches(old, new, on_progress, used).corresponding
        alignment = align(old, new, matches)
        changes = version_changes(alignment, matches)
        tracker = tracker or _Tracker(alignment.a)
        tracker.follow(number, alignment, changes)
        versions.append(_version(number, new, names, changes))
    assert tracker is not None
    return VersionHistory(tuple(versions), tracker.sentences(len(documents)), tracker.removed_sentences())


def _version(number: int, document: Document, names: Sequence[str], changes: Sequence[Change]) -> Version:
    counts = Counter(_ONE_SIDED.get(change.kind, change.kind) for change in changes)
    name = names[number - 1] if names else document.source or document.title or f"version {number}"
    return Version(number, name, document.title, document.source, dict(counts.most_common()))


@dataclass(frozen=True, slots=True)
class _Trace:
    """What is known of a sentence up to a version: where it came in, and its steps."""

    first: int
    steps: tuple[Step, ...] = ()

    def after(self, step: Step | None) -> _Trace:
        return self if step is None else replace(self, steps=(*self.steps, step))


class _Tracker:
    """The traces of the units of one version, which go over to those of the next one."""

    def __init__(self, text: UnitText) -> None:
        self.text = text
        self.traces = [_Trace(1) for _ in text.units]
        self.removed: dict[tuple[str, ...], list[SentenceHistory]] = {}

    def follow(self, number: int, alignment: Alignment, changes: Iterable[Change]) -> None:
        """Go over to the next version, which has this number."""
        kinds = {(change.a, change.b): change.kind for change in changes}
        traces = [_Trace(number) for _ in alignment.b.units]
        removed = []
        for group in alignment.groups:
            a = alignment.a.span(group.a) if group.a else None
            b = alignment.b.span(group.b) if group.b else None
            kind = kinds.get((a, b))
            if group.a and group.b:
                before = _joined([self.traces[k] for k in group.a])
                for unit in group.b:
                    traces[unit] = before.after(_changed(number, alignment, group, unit, kind))
            elif kind != "form" and group.b:
                traces[group.b[0]] = self._came_in(number, alignment.b, group.b)
            elif kind != "form":
                removed.append(self._went_out(number, group.a))
        for sentence, key in removed:
            self.removed.setdefault(key, []).append(sentence)
        self.text, self.traces = alignment.b, traces

    def _came_in(self, number: int, text: UnitText, unit: range) -> _Trace:
        """The trace of a unit that the version before has not; an earlier version may have it."""
        after = VersionPassage.of(text, unit)
        key = text.keys[unit[0]]
        if len(key) >= FEWEST_RESTORED and self.removed.get(key):
            earlier = self.removed[key].pop()
            return _Trace(earlier.first, (*earlier.steps, Step(number, "restored", None, after)))
        return _Trace(number, (Step(number, "added", None, after),))

    def _went_out(self, number: int, unit: range) -> tuple[SentenceHistory, tuple[str, ...]]:
        step = Step(number, "removed", VersionPassage.of(self.text, unit), None)
        trace = self.traces[unit[0]].after(step)
        return _history(self.text, unit, trace, number - 1, number), self.text.keys[unit[0]]

    def sentences(self, version: int) -> tuple[SentenceHistory, ...]:
        """Those of the version that was followed last, which has this number."""
        units = range(len(self.text.units))
        return tuple(
            _history(self.text, units[k : k + 1], trace, version) for k, trace in enumerate(self.traces)
        )

    def removed_sentences(self) -> tuple[SentenceHistory, ...]:
        """Those that no later version has restored."""
        every = [sentence for several in self.removed.values() for sentence in several]
        return tuple(sorted(every, key=lambda sentence: (sentence.version, sentence.text.start)))


def _joined(traces: Sequence[_Trace]) -> _Trace:
    """The trace of a sentence that several ones became."""
    if len(traces) == 1:
        return traces[0]
    steps = dict.fromkeys(step for trace in traces for step in trace.steps)
    return _Trace(min(t.first for t in traces), tuple(sorted(steps, key=lambda step: step.version)))


def _changed(
    number: int, alignment: Alignment, group: UnitGroup, unit: int, kind: ChangeKind | None
) -> Step | None:
    """What a version did to a unit that the version before has, too; None where it is the same at the same place."""
    one, two = alignment.a, alignment.b
    edits = [edit for edit in group.edits if len(group.b) == 1 or _lies_in(edit, two, group, unit)]
    if not edits and not group.moved:
        return None
    if kind is None:  # its words are listed as a change of their table
        kind = "table" if edits else "moved"
    units = range(unit, unit + 1)
    before = VersionPassage.of(one, group.a, [edit.a for edit in edits])
    after = VersionPassage.of(two, units, [edit.b for edit in edits])
    return Step(number, kind if edits else "moved", before, after)


def _lies_in(edit: TokenEdit, text: UnitText, group: UnitGroup, unit: int) -> bool:
    """Whether an edit of a group is in this one of its units of b; words left out at the end belong to the last one."""
    tokens = text.token_range(range(unit, unit + 1))
    if edit.b:
        return edit.b.start < tokens.stop and tokens.start < edit.b.stop
    place = min(edit.b.start, text.token_range(group.b).stop - 1)
    return place in tokens


def _history(
    text: UnitText, units: range, trace: _Trace, version: int, removed: int | None = None
) -> SentenceHistory:
    changed = [step.version for step in trace.steps if step.kind not in LITTLE and step.kind != "removed"]
    return SentenceHistory(
        VersionPassage.of(text, units),
        version,
        text.units[units.start].heading,
        trace.first,
        max([trace.first, *changed]),
        removed,
        trace.steps,
    )
