"""Counterparts of a passage: what says the same in the other text, or comes closest to it, and whether it is there.

The clauses of b are ordered by the mean of two similarities to the passage:

    S(R, u) = mean over sentences i of R of the highest similarity of i and a sentence of the clause u

once with R the sentences of the passage, once with R those of the clauses of a that it is part of. Whether a clause
says the same is a logistic regression, of similarities of sentences and of word pieces;
studies/passages/fit_counterparts.py fits it on planted requirements.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from colde.results.piece_similarity import PIECE_FEATURES, Pieces, piece_features
from colde.results.seeds import MOST_LOG_ODDS, log_odds
from colde.results.shared_text import SAME_MEANING, Part, PassageKind, SentenceMatches, SharedText
from colde.serialise import JsonObject, Share
from colde.text.clauses_and_requirements.clauses import clauses
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from colde.text.words import words_and_halves

PARAMETERS = Path(__file__).with_name("counterparts.json")
STATED: tuple[PassageKind, ...] = (*SAME_MEANING, "opposite")
"""The kinds of parts that are counterparts whatever their similarity."""
CANDIDATES = 5
"""Clauses of b whose probabilities are computed; the highest is that of a counterpart."""
BLOCK = 200
"""Passages whose word pieces are read at once, with those of their closest clauses: about 0.3 GB in long texts."""
FEATURES = (
    "similarity",  # S of the sentences of the passage
    "lead",  # S minus the highest S of another clause
    "cosine",  # as S, with the cosine of the sentence vectors as the similarity
    "cosine lead",  # this minus that of the closest other clause
    "rivals",  # the cosine minus the highest of another sentence of a and the clause's sentence that is closest
    "log odds",  # highest of a pair of sentences of both that is a seed
    "stated",  # share of the passage's characters in parts that say the same or the opposite in this clause
    "words",  # log of the number of words of the passage
    *PIECE_FEATURES,
)


@dataclass(frozen=True, slots=True)
class Counterpart(JsonObject):
    """A counterpart in the other text.

    Attributes:
        kind: of the part of a shared passage; `closest` for a clause that does not count as shared.
        certainty: probability that it says the same, in [0, 1].
    """

    b: Span
    kind: PassageKind | Literal["closest"]
    certainty: Share


@dataclass(frozen=True, slots=True)
class CounterpartModel:
    """The fitted regression.

    Attributes:
        weights: of `FEATURES`.
        slope, shift: of the log odds of the best clause, which give the log odds that the passage has a counterpart.
        threshold: probability from which it has one.
        miss_rates: share of planted requirements without one, by how they were changed; measured on texts that the
            weights were not fitted on.
    """

    weights: NDArray[np.float64]
    bias: float
    slope: float
    shift: float
    threshold: float
    miss_rates: Mapping[str, float]

    def presence(self, features: NDArray[np.float64]) -> float:
        """Probability that the passage has a counterpart, from the features of its closest clauses."""
        best = log_odds(self.probabilities(features)).max(initial=-MOST_LOG_ODDS)
        return float(1 / (1 + np.exp(-(self.slope * best + self.shift))))

    def probabilities(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each clause: [clauses] of [clauses, features]."""
        return np.asarray(1 / (1 + np.exp(-(features @ self.weights + self.bias))), dtype=np.float64)


@lru_cache(maxsize=1)
def counterpart_model() -> CounterpartModel:
    """The model that ships.

    Raises:
        ValueError: it was fitted for other features.
    """
    stored = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    if tuple(stored["weights"]) != FEATURES:
        raise ValueError(
            f"{PARAMETERS.name} was fitted for other features: run studies/passages/fit_counterparts.py"
        )
    weights = np.array(list(stored["weights"].values()))
    return CounterpartModel(
        weights, stored["bias"], stored["slope"], stored["shift"], stored["threshold"], stored["miss_rates"]
    )


@dataclass(frozen=True)
class CounterpartSearch:
    """The search for counterparts of passages of a in b."""

    a: Document
    b: Document
    shared: SharedText
    sentences: SentenceMatches
    _pieces: dict[str, Pieces] = field(default_factory=dict, repr=False, compare=False)

    def swapped(self) -> CounterpartSearch:
        """The search for counterparts of passages of b in a; both use the word pieces that either has read last."""
        matches = self.sentences
        sentences = replace(
            matches,
            seeds=matches.seeds.swapped(),
            similarity=None if matches.similarity is None else matches.similarity.T,
            cosine=None if matches.cosine is None else matches.cosine.T,
        )
        passages = tuple(
            replace(p, a=p.b, b=p.a, parts=tuple(Part(x.kind, x.b, x.a) for x in p.parts))
            for p in self.shared.passages
        )
        return CounterpartSearch(
            self.b, self.a, replace(self.shared, passages=passages), sentences, self._pieces
        )

    def counterparts(self, span: Span, limit: int) -> tuple[Counterpart, ...]:
        """The counterparts of a passage of a: parts of passages that overlap it first, then the closest clauses."""
        listed: list[Counterpart] = []
        for counterpart in chain(self._in_passages(span), self._closest(span)):
            if len(listed) == limit:
                break
            if not any(counterpart.b.overlaps(other.b) for other in listed):
                listed.append(counterpart)
        return tuple(listed)

    def probability(self, span: Span) -> float | None:
        """Probability that b has a counterpart of a passage; None where paraphrases were not searched."""
        ordered = self.ordered_clauses(span)
        if ordered is None:
            return None
        return counterpart_model().presence(self.features(span, ordered[:CANDIDATES]))

    def read_ahead(self, spans: Sequence[Span]) -> Iterator[Span]:
        """Yield the passages; word pieces of `BLOCK` of them are read at once, which takes a fraction of the time."""
        for first in range(0, len(spans), BLOCK):
            block = spans[first : first + BLOCK]
            texts = {text: None for span in block for text in self._texts_with_pieces(span)}
            for text in self._pieces.keys() - texts:
                del self._pieces[text]
            self._read(texts)
            yield from block

    def _texts_with_pieces(self, span: Span) -> Iterator[str]:
        """Yield a passage and the sentences of its closest clauses; nothing where paraphrases were not searched."""
        if ordered := self.ordered_clauses(span):
            yield self.a.text[span.start : span.end]
            yield from chain(*map(self._clause_texts, ordered[:CANDIDATES]))

    @cached_property
    def rows(self) -> list[Span]:
        """The sentences of a that were searched."""
        return [Span(s.start, s.end) for _, s in searched_text(self.a).sentences()]

    @cached_property
    def columns(self) -> list[Span]:
        """The sentences of b that were searched."""
        return [Span(s.start, s.end) for _, s in searched_text(self.b).sentences()]

    @cached_property
    def _clauses_a(self) -> list[range]:
        return clauses(self.a, self.rows)

    @cached_property
    def _clauses_b(self) -> list[range]:
        return clauses(self.b, self.columns)

    def clause_span(self, number: int) -> Span:
        """The place of a clause of b."""
        clause = self._clauses_b[number]
        return Span(self.columns[clause[0]].start, self.columns[clause[-1]].end)

    def closest_sentences(self, span: Span, place: Span) -> tuple[Span, Span] | None:
        """The most similar pair of a sentence of a passage and one of a place in b; None where none was compared."""
        inside, columns = _overlapping(self.rows, span), _overlapping(self.columns, place)
        if self.sentences.similarity is None or not inside or not columns:
            return None
        values = self._values("similarity")[np.ix_(inside, columns)]
        i, j = divmod(int(values.argmax()), len(columns))
        return self.rows[inside[i]], self.columns[columns[j]]

    def ordered_clauses(self, span: Span) -> list[int] | None:
        """The clauses of b by number, the closest first; None where paraphrases were not searched."""
        if self.sentences.similarity is None or "paraphrased" not in self.sentences.searched:
            return None
        inside = _overlapping(self.rows, span)
        if not inside:
            return []
        total = self._by_clause(inside, "similarity") + self._by_clause(self._around(inside), "similarity")
        return [int(k) for k in np.argsort(-total, kind="stable")]

    def features(self, span: Span, among: Sequence[int]) -> NDArray[np.float64]:
        """The features of some clauses of b: [clauses, features], in the order of `FEATURES`."""
        inside = _overlapping(self.rows, span)
        if not inside or not among:
            return np.zeros((0, len(FEATURES)))
        similarity, cosine = self._by_clause(inside, "similarity"), self._by_clause(inside, "cosine")
        parts = [
            p
            for passage in self.shared.passages
            for p in passage.parts
            if p.kind in STATED and p.a.overlaps(span)
        ]
        words = float(np.log(1 + words_and_halves(self.a.text[span.start : span.end])))
        of_pieces = self._piece_features(span, among)
        rows = [
            (
                similarity[k],
                _lead(similarity, k),
                cosine[k],
                _lead(cosine, k),
                self._rivals(inside, self._clauses_b[k]),
                self._log_odds(inside, self._clauses_b[k]),
                _share(span, [p for p in parts if p.b.overlaps(self.clause_span(k))]),
                words,
                *pieces,
            )
            for k, pieces in zip(among, of_pieces, strict=True)
        ]
        return np.array(rows, dtype=np.float64)

    def _piece_features(self, span: Span, among: Sequence[int]) -> list[tuple[float, ...]]:
        passage = self.a.text[span.start : span.end]
        texts = [self._clause_texts(k) for k in among]
        self._read([passage, *chain(*texts)])
        return [
            piece_features(self._pieces[passage], [self._pieces[text] for text in clause]) for clause in texts
        ]

    def _clause_texts(self, number: int) -> list[str]:
        """The sentences of a clause of b."""
        return [self.b.text[self.columns[j].start : self.columns[j].end] for j in self._clauses_b[number]]

    def _read(self, texts: Iterable[str]) -> None:
        unread = [text for text in dict.fromkeys(texts) if text not in self._pieces]
        if unread and (read_pieces := self.sentences.read_pieces) is not None:
            self._pieces.update(zip(unread, read_pieces(unread), strict=True))

    def _around(self, inside: Sequence[int]) -> list[int]:
        """All sentences of the clauses of a with these sentences."""
        among = set(inside)
        return [i for clause in self._clauses_a if not among.isdisjoint(clause) for i in clause]

    def _by_clause(self, rows: Sequence[int], name: Literal["similarity", "cosine"]) -> NDArray[np.float64]:
        """S of sentences of a and each clause of b: [clauses]."""
        starts = [clause.start for clause in self._clauses_b]
        values = self._values(name)[list(rows)].astype(np.float32)
        return np.asarray(np.maximum.reduceat(values, starts, axis=1).mean(0), dtype=np.float64)

    def _values(self, name: Literal["similarity", "cosine"]) -> NDArray[np.float16]:
        values: NDArray[np.float16] | None = getattr(self.sentences, name)
        assert values is not None
        return values

    def _rivals(self, inside: Sequence[int], clause: range) -> float:
        """How much closer the passage is to a clause than the closest other sentence of a."""
        values = self._values("cosine")[:, clause.start : clause.stop].astype(np.float32)
        column = int(values[list(inside)].mean(0).argmax())
        others = np.delete(values[:, column], list(inside))
        return float(values[list(inside), column].mean() - others.max(initial=0.0))

    def _log_odds(self, inside: Sequence[int], clause: range) -> float:
        seeds = self.sentences.seeds
        of_both = (
            np.isin(seeds.rows, inside) & (seeds.columns >= clause.start) & (seeds.columns < clause.stop)
        )
        return float(seeds.log_odds[of_both].max(initial=-MOST_LOG_ODDS))

    def _in_passages(self, span: Span) -> Iterator[Counterpart]:
        """Yield the parts that overlap a passage most, of the first shared passage first."""
        for passage in self.shared.passages:
            parts = [p for p in passage.parts if p.a.overlaps(span) and p.kind in STATED]
            for part in sorted(parts, key=lambda p: -_overlap(p.a, span)):
                yield Counterpart(self._same_share(part, span), part.kind, passage.certainty)

    def _same_share(self, part: Part, span: Span) -> Span:
        """The place in b of the share of a part that lies in a passage: a run of words may be much longer."""
        if len(part.a) <= len(span):
            return part.b
        scale = len(part.b) / len(part.a)
        start = part.b.start + max(0, span.start - part.a.start) * scale
        end = part.b.start + (min(span.end, part.a.end) - part.a.start) * scale
        mapped = Span(int(start), max(int(start) + 1, round(end)))
        inside = [c for c in self.columns if _overlap(c, mapped) > len(c) / 2]
        return Span(inside[0].start, inside[-1].end) if inside else mapped

    def _closest(self, span: Span) -> Iterator[Counterpart]:
        """Yield the closest clauses, those of parts on the same topic with this kind."""
        ordered = self.ordered_clauses(span) or []
        parts = [
            p for x in self.shared.passages for p in x.parts if p.kind not in STATED and p.a.overlaps(span)
        ]
        for k in ordered:
            place = self.clause_span(k)
            (probability,) = counterpart_model().probabilities(self.features(span, [k]))
            kind: PassageKind | Literal["closest"] = next(
                (p.kind for p in parts if p.b.overlaps(place)), "closest"
            )
            yield Counterpart(place, kind, float(probability))


def _overlapping(sentences: Sequence[Span], span: Span) -> list[int]:
    """The sentences, in reading order, that overlap a passage."""
    first = bisect_right(sentences, span.start, key=lambda s: s.end)
    return list(range(first, bisect_left(sentences, span.end, key=lambda s: s.start)))


def _lead(values: NDArray[np.float64], k: int) -> float:
    """A value minus the highest of the others."""
    return float(values[k] - np.delete(values, k).max(initial=0.0))


def _overlap(one: Span, other: Span) -> int:
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _share(span: Span, parts: Sequence[Part]) -> float:
    """Share of a passage that lies in parts."""
    inside = np.zeros(len(span), dtype=np.bool_)
    for part in parts:
        inside[max(0, part.a.start - span.start) : max(0, part.a.end - span.start)] = True
    return float(inside.mean()) if len(inside) else 0.0
