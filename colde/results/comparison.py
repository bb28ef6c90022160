"""A finished comparison of two documents, and the JSON file it becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from msgspec import Meta

from colde.results.change import Change
from colde.results.counterparts import Counterpart, CounterpartSearch
from colde.results.model_score import Faithfulness, Score, unread_text
from colde.results.saved.document_entry import DocumentEntry, document_entry
from colde.results.saved.record import (
    Record,
    SettingsRecord,
    document_record,
    excluded_sections,
    included_roles,
    review_hash,
)
from colde.results.saved.review_decisions import Decisions
from colde.results.saved.written_maps import WrittenMap, written_maps
from colde.results.shared_text import SentenceMatches, SharedText, Split
from colde.results.similarity_map import Letter, SimilarityMap
from colde.results.verdicts.pair_kind import PairKind
from colde.results.verdicts.prior import BALANCED
from colde.serialise import JsonFields, JsonObject, Seconds, Text
from colde.text.document import Chunk, Document, Span
from colde.text.not_compared.set_aside import SetAside, reading_warnings, set_aside
from colde.text.reading_grade import ReadingGrade, reading_grade
from colde.text.word_lists.language_names import NOT_READ
from colde.version import VERSION as VERSION_OF_PROGRAM

if TYPE_CHECKING:
    import pandas as pd

VERSION: Literal[2] = 2
"""Version of the JSON files."""
STEPS = ["read", "load", "encode", "compare", "total"]
"""Of which every comparison has the time."""
SCORE_COLUMNS = [
    "name",
    "score",
    "score_kind",
    "probability",
    "prior",
    "percentile",
    "threshold",
    "similar",
    "seconds",
]
TOO_LONG = (
    "the two texts are too long for the search for shared text: no share and no shared passage was counted"
)
NOT_SEARCHED = "edited and paraphrased text was not looked for"


@dataclass(frozen=True, slots=True)
class EncoderUsed(JsonObject):
    """The encoder of a comparison.

    Attributes:
        name: `packaged`, `multilingual`, or as the user named it.
        languages: of both texts, ISO 639-1; None where a language is not known.
    """

    name: Text
    languages: Mapping[Letter, str | None]

    JSON: ClassVar = JsonFields("name languages")


@dataclass(frozen=True, slots=True)
class Comparison(JsonObject):
    """Two documents, the score and maps of every model, and what the two texts share.

    Attributes:
        a, b: the documents.
        documents: the documents with their sections, chunks and sentences.
        chunks_a, chunks_b: the default model's chunks; maps over chunks have these as rows and columns.
        set_aside: the text of each document that was not compared, counted by kind.
        reading: how well each document was read, as a grade with its reasons.
        warnings: sentences on what was not read or not compared of each document.
        models: one Score a model, in the order asked for; the first is the default for verdict and view.
        maps: by model and map name. Role, level and side of a map say what it shows.
        written_maps: by model and map name, as files have them: of very large ones the strongest cells alone.
        timing: seconds for read, load, encode, compare and total.
        profile: the profile asked for; `auto` where each model takes that of the kind of both documents.
        kind: the kinds of the two documents; None where they were not detected.
        reference: the documents that the pair was judged against instead of the profile's background, or None.
        prior: the share of related pairs that every probability is for.
        sentences: the matching sentences of the two texts; None while models run.
        shared: how much of each text is identical, edited, paraphrased, whatever model is chosen; None while models
            run, and where the texts are too long to count.
        split: shares of the words of each text by kind, which add up to 1, whatever model is chosen; None where
            `shared` is None.
        changes: differences between the two texts, most important first.
        encoder: name of the encoder; written_encoder: with the languages of both texts.
        runtime: what encoders ran on: library, precision, threads; None where no model has one.
        weights: SHA-256 of what each model, and the encoder, computes with; none while models run.
        record: what the comparison was made from, by which `colde verify` makes it again.
        review: what a reviewer decided about this pair; None where nobody reviewed it. Every export contains it.
    """

    a: Document
    b: Document
    chunks_a: tuple[Chunk, ...]
    chunks_b: tuple[Chunk, ...]
    models: Annotated[tuple[Score, ...], Meta(min_length=1)]
    maps: Mapping[str, Mapping[str, SimilarityMap]]
    timing: Annotated[Mapping[str, Seconds], Meta(extra_json_schema={"required": STEPS})]
    profile: Text = "auto"
    kind: PairKind | None = None
    reference: str | None = None
    prior: float = BALANCED
    sentences: SentenceMatches | None = None
    shared: SharedText | None = None
    changes: tuple[Change, ...] = ()
    runtime: str | None = None
    review: Decisions | None = None
    encoder: str = "packaged"
    weights: Mapping[str, str] = field(default_factory=dict)

    version: ClassVar[Literal[2]] = VERSION
    JSON: ClassVar = JsonFields(
        "version profile kind reference documents set_aside warnings reading models written_maps timing shared split "
        "changes written_encoder runtime review record",
    )

    @property
    def written_encoder(self) -> EncoderUsed:
        """The encoder, and the languages of both texts."""
        return EncoderUsed(self.encoder, {"a": self.a.language, "b": self.b.language})

    @property
    def record(self) -> Record:
        """What the comparison was made from."""
        a, b = self.a, self.b
        return Record(
            VERSION_OF_PROGRAM,
            {"a": document_record(a), "b": document_record(b)},
            self.weights,
            SettingsRecord(
                self.profile,
                self.prior,
                self.encoder,
                self.reference,
                included_roles(a, b),
                () if self.shared is None else self.shared.left_out,
            ),
            a.templates,
            {"a": excluded_sections(a), "b": excluded_sections(b)},
            review_hash(self.review),
        )

    @property
    def written_maps(self) -> Mapping[str, Mapping[str, WrittenMap]]:
        """The maps as files have them: of very large ones the strongest cells."""
        return written_maps(self.maps)

    @property
    def faithfulness(self) -> dict[str, Faithfulness]:
        """How much of each score depends on what its contribution map shows, by model, where it was measured."""
        return {s.name: s.faithfulness for s in self.models if s.faithfulness is not None}

    def with_measured(self, model: str, faithfulness: Faithfulness) -> Self:
        """Copy with the faithfulness of a model."""
        scores = (replace(s, faithfulness=faithfulness) if s.name == model else s for s in self.models)
        return replace(self, models=tuple(scores))

    def at_prior(self, prior: float) -> Self:
        """Copy with probabilities for another share of related pairs; nothing is compared again.

        Raises:
            ValueError: a prior that is not between 0 and 1.
        """
        return replace(self, models=tuple(s.at_prior(prior) for s in self.models), prior=prior)

    @property
    def scores(self) -> pd.DataFrame:
        """One row a model: name, score, score_kind, probability, prior, percentile, threshold, similar, seconds."""
        import pandas as pd

        return pd.DataFrame([{name: getattr(s, name) for name in SCORE_COLUMNS} for s in self.models])

    @property
    def reading(self) -> dict[Letter, ReadingGrade]:
        """How well each document was read."""
        return {"a": reading_grade(self.a), "b": reading_grade(self.b)}

    @property
    def set_aside(self) -> dict[Letter, tuple[SetAside, ...]]:
        """The text of each document that was not compared, or not counted as shared, by kind."""
        left_out = self.shared.left_out if self.shared is not None else ()
        return {
            "a": (*set_aside(self.a, left_out), *_unread(self.a, "a", self.models)),
            "b": (*set_aside(self.b, left_out), *_unread(self.b, "b", self.models)),
        }

    @property
    def warnings(self) -> dict[Letter, tuple[Text, ...]]:
        """Sentences on what was not read or not compared of each document."""
        pair: list[str] = [TOO_LONG] if self.sentences is not None and self.shared is None else []
        if self.sentences is not None and self.sentences.too_long:
            pair.append(f"{self.sentences.reason[:1].lower()}{self.sentences.reason[1:]}".removesuffix("."))
        return {"a": (*self._read_with(self.a), *pair), "b": (*self._read_with(self.b), *pair)}

    def _read_with(self, document: Document) -> tuple[Text, ...]:
        """The warnings of a document; that of its language names the encoder that reads it."""
        warnings = reading_warnings(document)
        if self.encoder == "packaged":
            return warnings
        read = f"; it was read by the {self.encoder} encoder"
        return tuple(w.split(f"; {NOT_READ}")[0] + read if NOT_READ in w else w for w in warnings)

    @property
    def documents(self) -> dict[Letter, DocumentEntry]:
        """Both documents as the JSON file has them."""
        return {"a": document_entry(self.a, self.chunks_a), "b": document_entry(self.b, self.chunks_b)}

    def counterparts(self, start: int, end: int, limit: int = 3) -> tuple[Counterpart, ...]:
        """What in b says the same as a passage of a, or comes closest to it, best first.

        Parts of shared passages that overlap it come first, then the closest clauses. None while models run, and
        where the texts are too long to search.
        """
        search = self.counterpart_search()
        return () if search is None else search.counterparts(Span(start, end), limit)

    def counterpart_search(self) -> CounterpartSearch | None:
        """The search for counterparts of passages of a in b; None while models run, and where it was not possible."""
        if self.shared is None or self.sentences is None:
            return None
        return CounterpartSearch(self.a, self.b, self.shared, self.sentences)

    @property
    def split(self) -> Split | None:
        """Shares of the words of each text by kind, which add up to 1; None where they were not counted."""
        return None if self.shared is None else self.shared.split()


def _unread(document: Document, letter: Letter, scores: Iterable[Score]) -> Iterator[SetAside]:
    for score in scores:
        yield from unread_text(document, score.name, score.title, score.read[letter])
