"""The sources of a document: which passages it shares with documents of an index, and how many words of it these are.

Everything is counted from the stretches of the text. The page counts in the same way
(`colde/report/linked_view/sources/count_sources.js`), so that its numbers follow an exclusion at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from colde.index.index_results import IndexedDocument
from colde.index.sources.source_stretches import (
    SOURCE_EXCLUSIONS,
    Exclusions,
    SharingDocument,
    SourceExclusion,
    SourceStretch,
    source_stretches,
)
from colde.results.saved.review_decisions import Decision, Mark
from colde.results.shared_text import DIGITS, PassageKind, SharedPassage
from colde.serialise import Count, JsonFields, JsonObject, Offset, Share
from colde.text.document import Document, Span

SAME_PASSAGE = 0.5
"""Share of the words of a passage that another source shares, from which it has the passage, too."""


@dataclass(frozen=True, slots=True)
class SourcePassage(JsonObject):
    """A passage that the text shares with a source.

    Attributes:
        a, b: its place in the text and in the source.
        words: that are counted, of the text.
        also: numbers of other sources that share at least half of these words.
        index: number of the passage, counted over all documents in `sharing`.
        decision, note: of the reviewer.
    """

    a: Span
    b: Span
    kind: PassageKind
    words: Count
    certainty: Share
    standard: bool
    also: tuple[int, ...]
    index: int
    decision: Decision = ""
    note: str = ""

    JSON: ClassVar = JsonFields(
        "a b kind words certainty standard also", optional="decision note", digits={"certainty": DIGITS}
    )


@dataclass(frozen=True, slots=True)
class Source(JsonObject):
    """A document of the index that counts as a source.

    Attributes:
        number: place in the ranking, from 1.
        document: its entry in the index.
        text: its content.
        share: of the counted words of the text that it shares, in [0, 1].
        words: how many these are.
        own_words: of these, that no source before it shares.
        longest: words of the longest passage.
        passages: in reading order of the text.
    """

    number: Count
    document: IndexedDocument
    text: Document
    share: Share
    words: Count
    own_words: Offset
    longest: Count
    passages: tuple[SourcePassage, ...]

    JSON: ClassVar = JsonFields(
        "number id name title share words own_words longest passages", digits={"share": DIGITS}
    )

    @property
    def id(self) -> str:
        """The document's id in the index."""
        return self.document.id

    @property
    def name(self) -> str:
        """The document's name in the index."""
        return self.document.name

    @property
    def title(self) -> str:
        """The document's title."""
        return self.document.title


@dataclass(frozen=True, slots=True)
class Version(JsonObject):
    """A version of the text in the index.

    Attributes:
        share: of the words of the text that it shares, in [0, 1].
        counted: whether it counts as a source.
    """

    id: str
    name: str
    title: str
    share: Share
    counted: bool

    JSON: ClassVar = JsonFields("id name title share counted", digits={"share": DIGITS})


@dataclass(frozen=True, slots=True)
class Sources(JsonObject):
    """The sources of a document, best first; a sequence of them.

    Attributes:
        document: the text that was searched for.
        sharing: all documents that share a passage with it, whatever counts.
        stretches: the text in stretches, from which everything is counted.
        exclusions: what is left out of the count.
        words: counted words of the text.
        shared_words: of these, that at least one source shares.
        sources: the ranking.
        versions: versions of the text in the index.
        searched: documents of the index whose sentences were compared with those of the text.
        marks: the reviewer's decisions and notes, by the number of the passage over all documents in `sharing`.
    """

    document: Document
    sharing: tuple[SharingDocument, ...]
    stretches: tuple[SourceStretch, ...]
    exclusions: Exclusions
    words: Offset
    shared_words: Offset
    sources: tuple[Source, ...]
    versions: tuple[Version, ...]
    searched: Offset
    marks: Mapping[int, Mark] = field(default_factory=dict)

    JSON: ClassVar = JsonFields(
        "name title words shared_words share exclusions sources versions searched rejected",
        digits={"share": DIGITS},
    )

    @property
    def name(self) -> str:
        """Name of the document's file."""
        return self.document.source

    @property
    def title(self) -> str:
        """The document's title."""
        return self.document.title

    @property
    def share(self) -> Share:
        """Share of the counted words of the text that sources share; every word counts once."""
        return self.shared_words / self.words if self.words else 0.0

    @property
    def rejected(self) -> Offset:
        """Number of passages that the reviewer has rejected."""
        return sum(mark.decision == "rejected" for mark in self.marks.values())

    def __len__(self) -> int:
        return len(self.sources)

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def __getitem__(self, place: int) -> Source:
        return self.sources[place]

    def excluding(
        self,
        leave_out: Collection[SourceExclusion] | None = None,
        fewest_words: int | None = None,
        documents: Collection[str] | None = None,
    ) -> Sources:
        """The same, counted anew with other exclusions; those that are not named stay."""
        now = self.exclusions
        new = Exclusions(
            now.leave_out if leave_out is None else tuple(x for x in SOURCE_EXCLUSIONS if x in leave_out),
            now.fewest_words if fewest_words is None else fewest_words,
            now.documents if documents is None else tuple(documents),
        )
        return _counted(self.document, self.sharing, self.stretches, new, self.searched, self.marks)

    def reviewed(self, marks: Mapping[int, Mark]) -> Sources:
        """The same with these decisions and notes, by the number of the passage over all documents in `sharing`.

        Rejected passages do not count.
        """
        return _counted(self.document, self.sharing, self.stretches, self.exclusions, self.searched, marks)

    @property
    def passages(self) -> list[tuple[SharingDocument, SharedPassage]]:
        """All passages with the documents that share them, in the order of their numbers."""
        return [(sharing, passage) for sharing in self.sharing for passage in sharing.passages]


def count_sources(
    document: Document, sharing: Sequence[SharingDocument], exclusions: Exclusions, searched: int
) -> Sources:
    """Rank the documents that share passages with a text.

    Args:
        document: the text that was searched.
        searched: documents that were compared with it.
    """
    return _counted(
        document, tuple(sharing), tuple(source_stretches(document, sharing)), exclusions, searched, {}
    )


def _counted(
    document: Document,
    sharing: tuple[SharingDocument, ...],
    stretches: tuple[SourceStretch, ...],
    exclusions: Exclusions,
    searched: int,
    marks: Mapping[int, Mark],
) -> Sources:
    count = _Count(sharing, [s for s in stretches if not _is_left_out(s, exclusions)], exclusions, marks)
    return Sources(
        document,
        sharing,
        stretches,
        exclusions,
        round(count.words),
        round(sum(s.words for s, inside in count.held if inside)),
        tuple(map(count.source, count.order)),
        tuple(_versions(sharing, stretches, count.owners, "versions" not in exclusions.leave_out)),
        searched,
        marks,
    )


class _Count:
    """Words of each source and of each passage in the stretches that count.

    Attributes:
        owners: [passages], place of the source in `sharing`.
        sizes: [passages], their counted words.
        live: [passages], whether each counts.
        held: each stretch with its passages that count.
        order: places of the sources in `sharing`, the one with the most words first.
    """

    def __init__(
        self,
        sharing: Sequence[SharingDocument],
        stretches: Sequence[SourceStretch],
        exclusions: Exclusions,
        marks: Mapping[int, Mark],
    ) -> None:
        self.sharing, self.marks = sharing, marks
        self.owners = [k for k, source in enumerate(sharing) for _ in source.passages]
        self.passages = [passage for source in sharing for passage in source.passages]
        self.words = sum(s.words for s in stretches)
        self.sizes = np.zeros(len(self.passages))
        for stretch in stretches:
            self.sizes[list(stretch.passages)] += stretch.words
        self.live = [self._is_live(p, exclusions) for p in range(len(self.passages))]
        self.held = [(s, [p for p in s.passages if self.live[p]]) for s in stretches]
        self._totals, self._longest = np.zeros(len(sharing)), np.zeros(len(sharing))
        self._measure()
        self.order = sorted(np.flatnonzero(self._totals > 0).tolist(), key=self._rank)
        self._numbers = {k: number for number, k in enumerate(self.order, 1)}
        self._own = np.zeros(len(sharing))
        self._common = np.zeros(
            (len(self.passages), len(sharing))
        )  # words of each passage that each source has
        self._share_out()

    def _is_live(self, p: int, exclusions: Exclusions) -> bool:
        is_standard = self.passages[p].standard and "standard" in exclusions.leave_out
        is_rejected = p in self.marks and self.marks[p].decision == "rejected"
        long = bool(self.sizes[p] >= max(1, exclusions.fewest_words))
        is_excluded = _is_excluded(self.sharing[self.owners[p]], exclusions)
        return long and not (is_standard or is_rejected or is_excluded)

    def _measure(self) -> None:
        for stretch, inside in self.held:
            self._totals[list({self.owners[p] for p in inside})] += stretch.words
        for p, owner in enumerate(self.owners):
            self._longest[owner] = max(self._longest[owner], self.sizes[p] if self.live[p] else 0.0)

    def _rank(self, k: int) -> tuple[float, float, str]:
        return -self._totals[k], -self._longest[k], self.sharing[k].document.name

    def _share_out(self) -> None:
        """Give each stretch to its best source, and to each of its passages the sources that share it."""
        for stretch, inside in self.held:
            sources = sorted({self.owners[p] for p in inside}, key=self._numbers.__getitem__)
            self._own[sources[:1]] += stretch.words
            for p in inside:
                self._common[p, sources] += stretch.words

    def source(self, k: int) -> Source:
        """The entry of a source in the ranking."""
        numbers = (p for p in range(len(self.passages)) if self.owners[p] == k and self.live[p])
        in_order = sorted(numbers, key=lambda p: (self.passages[p].a.start, self.passages[p].a.end))
        return Source(
            self._numbers[k],
            self.sharing[k].document,
            self.sharing[k].text,
            min(1.0, float(self._totals[k] / self.words)),
            round(self._totals[k]),
            round(self._own[k]),
            round(self._longest[k]),
            tuple(self._passage(p) for p in in_order),
        )

    def _passage(self, p: int) -> SourcePassage:
        one, size = self.passages[p], self.sizes[p]
        others = (k for k in self.order if k != self.owners[p])
        also = tuple(self._numbers[k] for k in others if self._common[p, k] >= SAME_PASSAGE * size)
        mark = self.marks.get(p, Mark(one.a, one.b))
        return SourcePassage(
            one.a,
            one.b,
            one.kind,
            round(size),
            one.certainty,
            one.standard,
            also,
            p,
            mark.decision,
            mark.note,
        )


def _is_left_out(stretch: SourceStretch, exclusions: Exclusions) -> bool:
    return (stretch.quoted and "quotes" in exclusions.leave_out) or (
        stretch.cited and "references" in exclusions.leave_out
    )


def _is_excluded(source: SharingDocument, exclusions: Exclusions) -> bool:
    return source.document.id in exclusions.documents or (
        source.version and "versions" in exclusions.leave_out
    )


def _versions(
    sharing: Sequence[SharingDocument],
    stretches: Sequence[SourceStretch],
    owners: Sequence[int],
    counted: bool,
) -> Iterator[Version]:
    words = sum(s.words for s in stretches)
    for k, source in enumerate(sharing):
        if source.version:
            shared = sum(s.words for s in stretches if any(owners[p] == k for p in s.passages))
            document = source.document
            yield Version(document.id, document.name, document.title, min(1.0, shared / words), counted)
