"""Counterparts of a passage: what says the same in the other text, or comes closest to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from colde.results.shared_text import Kind, SentenceMatches, SharedText
from colde.serialise import JsonObject, Share
from colde.text.boilerplate import searched_text
from colde.text.document import Document, Span


@dataclass(frozen=True, slots=True)
class Counterpart(JsonObject):
    """A counterpart in the other text.

    Attributes:
        kind: of the part of a shared passage; `closest` for a sentence that does not count as shared.
        certainty: probability that it says the same, in [0, 1].
    """

    b: Span
    kind: Kind | Literal["closest"]
    certainty: Share


def find_counterparts(
    a: Document, b: Document, shared: SharedText, sentences: SentenceMatches, span: Span, limit: int
) -> tuple[Counterpart, ...]:
    """The counterparts in b of a passage of a: parts of passages that overlap it first, then the closest sentences."""
    by_place: dict[Span, Counterpart] = {}
    for counterpart in (*_in_passages(shared, span), *_closest(a, b, sentences, span)):
        if not any(counterpart.b.overlaps(other) for other in by_place):
            by_place[counterpart.b] = counterpart
    return tuple(islice(by_place.values(), limit))


def _in_passages(shared: SharedText, span: Span) -> Iterator[Counterpart]:
    """Yield the parts that overlap a passage most, of the first shared passage first."""
    for passage in shared.passages:
        parts = [p for p in passage.parts if p.a.overlaps(span)]
        for part in sorted(parts, key=lambda p: max(p.a.start, span.start) - min(p.a.end, span.end)):
            yield Counterpart(part.b, part.kind, passage.certainty)


def _closest(a: Document, b: Document, sentences: SentenceMatches, span: Span) -> Iterator[Counterpart]:
    """Yield the closest sentences to those that overlap a passage."""
    rows, columns = ([s for _, s in searched_text(d).sentences()] for d in (a, b))
    inside = np.array([s.overlaps(span) for s in rows], dtype=np.bool_)
    seeds = sentences.seeds.take(inside[sentences.seeds.rows])
    for k in np.argsort(-seeds.log_odds, kind="stable").tolist():
        other = columns[int(seeds.columns[k])]
        probability = float(1 / (1 + np.exp(-seeds.log_odds[k])))
        yield Counterpart(Span(other.start, other.end), "closest", probability)
