"""Many documents compared with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from colde.errors import ReadError
from colde.results.saved.document_entry import CollectedDocument, collected_document
from colde.results.similarity_map import Array
from colde.results.verdicts.verdict_words import label_of
from colde.serialise import JsonFields, JsonObject, Offset, Share, Text
from colde.text.document import Chunk, Document
from colde.text.not_compared.set_aside import SetAside, reading_warnings

SAME_TEXT = 0.8
"""Share of the shorter text that is also in the other, from which two documents are nearly the same."""

MIN_REPORTED_SHARE = 0.02  # a smaller share may be chance

Group = Annotated[tuple[Offset, ...], Meta(min_length=1)]
"""Numbers of documents."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Reasons for the similarity of two documents.

    Attributes:
        shared: share of the runs of five words of the shorter text that are also in the other, in [0, 1].
        sections: headings of the two most similar sections; None where they have none, or the model has no sections.
        words: distinctive words of both, most distinctive first.
    """

    shared: float
    sections: tuple[str, str] | None
    words: tuple[str, ...]

    def __str__(self) -> str:
        """The reason in words."""
        clauses = []
        if self.shared >= SAME_TEXT:
            clauses.append(
                f"nearly the same text: {100 * self.shared:.0f} % of the shorter text is in the other"
            )
        elif self.shared >= MIN_REPORTED_SHARE:
            clauses.append(f"{100 * self.shared:.0f} % of the shorter text is in the other word for word")
        if self.sections is not None:
            clauses.append(f"closest sections: “{self.sections[0]}” and “{self.sections[1]}”")
        if self.words:
            clauses.append(f"both use {', '.join(self.words)}")
        return "; ".join(clauses) or "similar as a whole, but in no single part"


NO_REASON = Reason(0.0, None, ())


@dataclass(frozen=True, slots=True)
class StrongPair(JsonObject):
    """Two documents by their numbers, with the score of the first model and the reasons for their similarity.

    Attributes:
        no_verdict: why there is no probability, as a clause; None where there is one.
        profile: by which the pair is judged, as in `Score`.
        similar: whether the score reaches the threshold of this profile; None without one.
        same_kind: the pair scores as unrelated documents of one kind do.
    """

    a: Offset
    b: Offset
    score: float
    probability: Share | None
    reason: Reason
    no_verdict: str | None = None
    profile: str | None = None
    similar: bool | None = None
    same_kind: bool = False

    JSON: ClassVar = JsonFields("a b score probability profile similar says why")

    @property
    def says(self) -> Text:
        """The verdict in words."""
        return label_of(self.probability, self.similar, same_kind=self.same_kind)

    @property
    def why(self) -> Text:
        """Reasons for the similarity, and for a missing probability; empty where none were looked for."""
        if self.reason is NO_REASON:
            return self.no_verdict or ""
        return f"{self.reason}; no verdict: {self.no_verdict}" if self.no_verdict else str(self.reason)


@dataclass(frozen=True, slots=True, eq=False)
class Collection(JsonObject):
    """Documents, every model's score of each pair, clusters, and the strongest pairs with their reasons.

    Attributes:
        documents, written_documents: in the order in which they were given; numbers of documents count from 0.
        chunks: of each document, as in a Comparison.
        models: names of the models.
        scores: model name → [documents, documents]; row by column, the first model's first.
        threshold: of the first model in the profile of most pairs; clusters join where their mean score reaches it.
            Scores of pairs of other profiles are moved by the difference of the thresholds. None without one.
        profile: the profile asked for; `auto` where each pair has that of its kind.
        common_profile: the profile of most pairs.
        corpora: the corpora this threshold was fitted on; empty where they are not recorded.
        no_verdict: why there is no threshold, as a clause; None where there is one.
        unread_languages: numbers of the documents in a language that the threshold does not hold for. Pairs with one
            of them, and pairs in two languages, are in one cluster only if they are nearly the same text.
        clusters: numbers of documents, each in one cluster, in the order of the tree, so that neighbours are similar.
        merges: [documents − 1, 4], the tree as scipy's linkage has it; its heights are 1 − score.
        duplicates: groups of documents of nearly the same text.
        pairs: the strongest pairs by the first model's score, best first.
        set_aside: the text of each document that was not compared, counted by kind.
        unread: files that were skipped, and why.
        numbers: of the documents among those that were given; some are left out where they were skipped.
    """

    documents: tuple[Document, ...]
    chunks: tuple[tuple[Chunk, ...], ...]
    scores: Mapping[str, Array]
    threshold: float | None
    clusters: tuple[Group, ...]
    merges: Array
    duplicates: tuple[Group, ...]
    pairs: tuple[StrongPair, ...]
    set_aside: tuple[tuple[SetAside, ...], ...]
    unread: tuple[ReadError, ...] = ()
    profile: Text = "auto"
    common_profile: str = "none"
    corpora: tuple[str, ...] = ()
    no_verdict: str | None = None
    unread_languages: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    version: ClassVar[Literal[1]] = 1
    JSON: ClassVar = JsonFields(
        "version profile written_documents models scores threshold clusters duplicates pairs unread"
    )

    @property
    def models(self) -> Annotated[tuple[str, ...], Meta(min_length=1)]:
        """Names of the models, in the order asked for."""
        return tuple(self.scores)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The clusters of several documents. Reports, tables and the page number them from 1."""
        return tuple(cluster for cluster in self.clusters if len(cluster) > 1)

    @property
    def order(self) -> tuple[int, ...]:
        """Numbers of the documents in the order of the tree."""
        return tuple(i for cluster in self.clusters for i in cluster)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each document: its title, else its file; where titles are the same, its file and its title."""
        titles = [d.title or d.source or f"document {i + 1}" for i, d in enumerate(self.documents)]
        often = Counter(titles)
        return tuple(
            f"{d.source or i + 1}: {name}" if often[name] > 1 and d.source != name else name
            for i, (name, d) in enumerate(zip(titles, self.documents, strict=True))
        )

    @property
    def warnings(self) -> tuple[tuple[str, str], ...]:
        """Name of the document, and a sentence on what was not read or not compared of it."""
        named = zip(self.names, self.documents, strict=True)
        return tuple((name, warning) for name, document in named for warning in reading_warnings(document))

    @property
    def written_documents(self) -> Annotated[tuple[CollectedDocument, ...], Meta(min_length=2)]:
        """The documents as the JSON file has them."""
        parts = zip(self.documents, self.chunks, self.set_aside, strict=True)
        return tuple(collected_document(document, chunks, aside) for document, chunks, aside in parts)
