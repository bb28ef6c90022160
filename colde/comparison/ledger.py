"""The ledger: every sentence of two texts once, with what became of it.

Rows are the groups of the alignment. The list of changes says how corresponding sentences differ, and the list of
passages which others say the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, get_args

from colde.alignment.document_alignment import UnitGroup, align
from colde.changes.elsewhere import Elsewhere
from colde.changes.form import is_form
from colde.results.change import LABELS, Change
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.counterparts import CounterpartSearch
from colde.results.passage import Passage
from colde.results.shared_text import DIGITS, Part, PassageKind, SentenceMatch, SentenceMatches, SharedText
from colde.results.similarity_map import Letter
from colde.serialise import Count, JsonFields, JsonObject, Offset, Share, Text
from colde.text.document import EXCLUDED_ROLE, Document, Span

LedgerKind = Literal["same", "reworded", "moved", "merged", "opposite", "repeated", "dropped", "new"]
LEDGER_KINDS: tuple[LedgerKind, ...] = get_args(LedgerKind)
VERSION: Literal[1] = 1
"""Version of the JSON file."""
OPPOSITE = ("negation", "opposite", "roles")
"""Kinds of changes after which two sentences disagree."""
SENTENCE_KINDS: tuple[PassageKind, ...] = ("edited", "paraphrased", "translated", "opposite")
"""Kinds of parts that are a sentence of each text."""
LIKELY = 0.5
"""Probability of a counterpart from which a dropped or new sentence names the closest passage."""


@dataclass(frozen=True, slots=True)
class LedgerPlace(Passage):
    """Sentences with their text and their place."""

    text: str = ""

    JSON: ClassVar = JsonFields("start end section page text", optional="position")

    @classmethod
    def of(cls, document: Document, span: Span) -> LedgerPlace:
        """Sentences of a document, on one line."""
        place = Passage.at(document, span)
        text = " ".join(document.text[span.start : span.end].split())
        return cls(place.start, place.end, place.section, place.page, place.position, text)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """Sentences that correspond, or a sentence of one text alone.

    Attributes:
        number: in the ledger, from 1.
        kind: `merged` where several sentences of one text are fewer in the other, `repeated` where the other text has
            the sentence, but beside another sentence of this text; `dropped` of A alone, `new` of B alone.
        a, b: the sentences; null where a text has none.
        also: of a repeated sentence, where the other text has it; of a dropped or new one, a passage that may say the
            same.
        certainty: probability that the kind is right; null where none is known.
        reason: a sentence.
    """

    number: Count
    kind: LedgerKind
    a: LedgerPlace | None
    b: LedgerPlace | None
    certainty: Share | None
    reason: Text
    also: LedgerPlace | None = None

    JSON: ClassVar = JsonFields("number kind a b also certainty reason", digits={"certainty": DIGITS})


@dataclass(frozen=True, slots=True)
class LedgerDocument:
    """A document of the ledger; `left_out`: its sentences in sections that the user left out, which have no row."""

    title: str
    source: str
    left_out: Offset


@dataclass(frozen=True, slots=True)
class Ledger(JsonObject):
    """Every sentence, heading and table row of two texts in one row each.

    Attributes:
        not_searched: a sentence on what was not searched, and why; null where all was.
        counts: the number of rows of each kind.
        rows: in the order of A; sentences of B alone after the sentence of B before them.
    """

    a: LedgerDocument
    b: LedgerDocument
    not_searched: str | None
    rows: tuple[LedgerRow, ...]

    version: ClassVar[Literal[1]] = VERSION
    JSON: ClassVar = JsonFields("version a b not_searched counts rows")

    @property
    def counts(self) -> Mapping[LedgerKind, Offset]:
        """The number of rows of each kind."""
        numbers = Counter(row.kind for row in self.rows)
        return {kind: numbers[kind] for kind in LEDGER_KINDS}


def ledger(comparison: Comparison) -> Ledger:
    """The ledger of a finished comparison.

    >>> import colde
    >>> both = "The yard of the old mill opens at dawn, and carts loaded with flour leave for the town before noon."
    >>> a, b = (colde.read_text(f"{both} {text}") for text in ("The dog sleeps.", "Bread is sold."))
    >>> [row.kind for row in colde.ledger(colde.compare(a, b, "tfidf")).rows]
    ['same', 'new', 'dropped']
    """
    shared = comparison.shared
    too_long = f"{TOO_LONG[:1].upper()}{TOO_LONG[1:]}."
    rows = _in_order(list(_Rows(comparison).rows()))
    return Ledger(
        _document(comparison.a),
        _document(comparison.b),
        too_long if shared is None else shared.not_searched,
        tuple(replace(row, number=number) for number, row in enumerate(rows, 1)),
    )


def _document(document: Document) -> LedgerDocument:
    left_out = sum(len(s.sentences) for s in document.sections if s.role == EXCLUDED_ROLE)
    return LedgerDocument(document.title, document.source, left_out)


def _in_order(rows: list[LedgerRow]) -> list[LedgerRow]:
    """Rows in the order of a; those of b alone after the row with the sentence of b before them."""
    before, places = -1, {}
    for row in sorted((r for r in rows if r.b), key=lambda r: r.b.start if r.b else 0):
        if row.a is not None:
            before = row.a.start
        places[id(row)] = (before, 1, row.b.start if row.b else 0)
    return sorted(rows, key=lambda r: (r.a.start, 0, 0) if r.a else places[id(r)])


class _Rows:
    """The rows of a comparison."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        sentences, shared = comparison.sentences or SentenceMatches(()), comparison.shared
        self.alignment = align(comparison.a, comparison.b, sentences.corresponding)
        self.versions = shared is not None and shared.are_versions
        self.changes = {(_start(c.a), _start(c.b)): c for c in comparison.changes if not c.description}
        self.tables = [c for c in comparison.changes if c.description]
        parts = [(self._units_of(part), part.kind, certainty) for part, certainty in _sentence_parts(shared)]
        self.parts = {key: kind for key, kind, _ in parts}
        self.certainty = {key: certainty for key, _, certainty in parts}
        self.certainty |= {self._units_of(m): m.certainty for m in sentences.matches}
        self.opposite = {self._units_of(m) for m in sentences.matches if m.kind == "opposite"}
        self.elsewhere = Elsewhere(self.alignment)

    def _units_of(self, pair: Part | SentenceMatch) -> tuple[int, int]:
        """First characters of the sentences of a and of b, as they are aligned, in which those of a pair begin."""
        texts = (self.alignment.a, pair.a), (self.alignment.b, pair.b)
        one, two = (
            text.units[max(0, bisect_right(text.units, span.start, key=lambda u: u.start) - 1)].start
            for text, span in texts
        )
        return one, two

    def rows(self) -> Iterator[LedgerRow]:
        """Yield every row, in any order."""
        alone: dict[Letter, dict[int, int]] = {"a": {}, "b": {}}  # units by their first character
        for group in self.alignment.groups:
            if group.a and group.b and self._corresponds(group):
                yield self._pair(group)
                continue
            alone["a"] |= {self.alignment.a.units[k].start: k for k in group.a}
            alone["b"] |= {self.alignment.b.units[k].start: k for k in group.b}
        for i, j in sorted(
            self.parts, key=lambda key: (-self.certainty[key], sum(key), abs(key[0] - key[1]))
        ):
            if i in alone["a"] and j in alone["b"]:
                yield self._same_meaning(alone["a"].pop(i), alone["b"].pop(j), self.parts[i, j])
        for side, units in alone.items():
            text, search = self.alignment.a if side == "a" else self.alignment.b, self._searches[side]
            spans = [text.units[unit] for unit in units.values()]
            for span in spans if search is None else search.read_ahead(spans):
                unit = units[span.start]
                yield self._alone(side, range(unit, unit + 1))

    def _corresponds(self, group: UnitGroup) -> bool:
        """Whether the sentences of a group correspond; in texts that are no versions, those that both share do."""
        if self.versions or not group.edits:
            return True
        a, b = self.alignment.a.span(group.a), self.alignment.b.span(group.b)
        key = a.start, b.start
        return (
            key in self.changes
            or key in self.certainty
            or is_form(self.alignment.a.text_of(group.a), self.alignment.b.text_of(group.b))
            or self._table_change(a, b) is not None
        )

    def _pair(self, group: UnitGroup) -> LedgerRow:
        """The row of sentences that correspond."""
        a, b = self.alignment.a.span(group.a), self.alignment.b.span(group.b)
        change = self.changes.get((a.start, b.start))
        differs = self._differs(group, change)
        keys = list(self._keys(group))
        several = len(group.a) + len(group.b) > 2
        disagree = not self.opposite.isdisjoint(keys) or (change is not None and change.kind in OPPOSITE)
        kinds: list[tuple[bool, LedgerKind]] = [
            (disagree, "opposite"), (several, "merged"), (group.moved, "moved"), (differs, "reworded"), (True, "same"),
        ]  # fmt: skip
        form = "the same words in another form" if group.edits else "the same words"
        reasons = [
            f"{_sentences(group.a)} of A and {_sentences(group.b)} of B" if several else "",
            "in another place" if group.moved else "",
            self._difference(a, b, change) if differs else form,
        ]
        known = [self.certainty[key] for key in keys if key in self.certainty]
        certainty = max(known, default=None) if differs else 1.0
        kind = next(name for applies, name in kinds if applies)
        return self._row(kind, a, b, certainty, "; ".join(filter(None, reasons)))

    def _differs(self, group: UnitGroup, change: Change | None) -> bool:
        """Whether more than the form of corresponding sentences differs."""
        of_form = change is not None and change.kind == "form"
        texts = self.alignment.a.text_of(group.a), self.alignment.b.text_of(group.b)
        return bool(group.edits) and not of_form and not is_form(*texts)

    def _keys(self, group: UnitGroup) -> Iterator[tuple[int, int]]:
        """The first characters of each pair of sentences of a group."""
        for i in group.a:
            for j in group.b:
                yield self.alignment.a.units[i].start, self.alignment.b.units[j].start

    def _difference(self, a: Span, b: Span, change: Change | None) -> str:
        """How the words of corresponding sentences differ."""
        if change is not None and change.kind not in ("moved", "moved and changed"):
            in_other_words = change.kind == "wording" and self.parts.get((a.start, b.start)) == "paraphrased"
            return "the same in other words" if in_other_words else f"changed: {LABELS[change.kind]}"
        table = self._table_change(a, b)
        return table.description if table is not None else "changed: wording"

    def _table_change(self, a: Span, b: Span) -> Change | None:
        """The change of a table in which sentences of both texts stand."""
        return next((c for c in self.tables if c.a and c.b and c.a.overlaps(a) and c.b.overlaps(b)), None)

    def _same_meaning(self, i: int, j: int, kind: PassageKind) -> LedgerRow:
        """The row of two sentences that share no words in order, and say the same or the opposite."""
        a, b = self.alignment.a.units[i], self.alignment.b.units[j]
        reasons = {"translated": "a translation", "opposite": "the two disagree"}
        return self._row(
            "opposite" if kind == "opposite" else "reworded",
            a,
            b,
            self.certainty[a.start, b.start],
            reasons.get(kind, "the same in other words"),
        )

    def _alone(self, side: Letter, units: range) -> LedgerRow:
        """The row of a sentence that one text has alone, or once more than the other."""
        texts = {"a": self.alignment.a, "b": self.alignment.b}
        other: Letter = "b" if side == "a" else "a"
        span = texts[side].span(units)
        group = UnitGroup(units, range(0)) if side == "a" else UnitGroup(range(0), units)
        if places := self.elsewhere.places(group).get(other):
            reason = f"the same words stand in {other.upper()}, too"
            return self._one_sided(side, span, "repeated", 1.0, reason, Span(*places[0]))
        partners = self._partners[side].get(span.start, ())
        if partners:
            start, certainty = max(partners, key=lambda partner: (partner[1], -partner[0]))
            unit = next(u for u in texts[other].units if u.start == start)
            reason = f"{other.upper()} says the same once, beside another sentence of {side.upper()}"
            return self._one_sided(side, span, "repeated", certainty, reason, unit)
        kind: LedgerKind = "dropped" if side == "a" else "new"
        presence = self._presence(side, span)
        if presence is None:
            return self._one_sided(side, span, kind, None, f"no such words in {other.upper()}")
        also, reason = None, f"not found in {other.upper()}"
        if presence >= LIKELY and (search := self._searches[side]) is not None:
            also = next((c.b for c in search.counterparts(span, 1)), None)
            reason = f"no such words in {other.upper()}; a passage there may say the same"
        return self._one_sided(side, span, kind, 1 - presence, reason, also)

    @cached_property
    def _partners(self) -> dict[Letter, dict[int, list[tuple[int, float]]]]:
        """Of sentences by their first character, those of the other text that say the same, with certainties."""
        partners: dict[Letter, dict[int, list[tuple[int, float]]]] = {"a": {}, "b": {}}
        for (i, j), kind in self.parts.items():
            if kind != "opposite":
                partners["a"].setdefault(i, []).append((j, self.certainty[i, j]))
                partners["b"].setdefault(j, []).append((i, self.certainty[i, j]))
        return partners

    @cached_property
    def _searches(self) -> dict[Letter, CounterpartSearch | None]:
        search = self.comparison.counterpart_search()
        return {"a": search, "b": None if search is None else search.swapped()}

    @cached_property
    def _searched(self) -> dict[Letter, frozenset[int]]:
        """First characters of the sentences that were searched."""
        return {
            side: frozenset(() if search is None else (s.start for s in search.rows))
            for side, search in self._searches.items()
        }

    def _presence(self, side: Letter, span: Span) -> float | None:
        """Probability that the other text says the same; None where it was not searched."""
        search = self._searches[side]
        return search.probability(span) if search is not None and span.start in self._searched[side] else None

    def _one_sided(
        self,
        side: Letter,
        span: Span,
        kind: LedgerKind,
        certainty: float | None,
        reason: str,
        also: Span | None = None,
    ) -> LedgerRow:
        a, b = (span, None) if side == "a" else (None, span)
        row = self._row(kind, a, b, certainty, reason)
        document = self.comparison.b if side == "a" else self.comparison.a
        return row if also is None else replace(row, also=LedgerPlace.of(document, also))

    def _row(
        self, kind: LedgerKind, a: Span | None, b: Span | None, certainty: float | None, reason: str
    ) -> LedgerRow:
        """A row without its number."""
        one = None if a is None else LedgerPlace.of(self.comparison.a, a)
        two = None if b is None else LedgerPlace.of(self.comparison.b, b)
        return LedgerRow(1, kind, one, two, certainty, f"{reason[:1].upper()}{reason[1:]}.")


def _sentence_parts(shared: SharedText | None) -> Iterator[tuple[Part, float]]:
    """The parts of passages that are sentences, with the certainty of their passage."""
    for passage in shared.passages if shared else ():
        for part in passage.parts:
            if part.kind in SENTENCE_KINDS:
                yield part, passage.certainty


def _start(span: Span | None) -> int:
    return -1 if span is None else span.start


def _sentences(units: range) -> str:
    return "1 sentence" if len(units) == 1 else f"{len(units)} sentences"
