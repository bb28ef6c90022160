"""Differences between two versions of a text: changed, moved, added and removed sentences, and cells of tables.

Only in versions of one text (`SharedText.are_versions`) is a sentence without a counterpart a difference; in other
pairs only the sentences that correspond are compared.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import compared_words, covered_mask, text_letters, words_as_compared
from colde.alignment.statements import statements_disagree
from colde.changes.change_kinds import change_kind, importance
from colde.changes.table_changes import table_changes
from colde.results.change import CHANGE_KINDS, Change, ChangeKind
from colde.results.shared_text import Kind, SentenceMatch, SentenceMatches, SharedText
from colde.results.similarity_map import Letter
from colde.text.clause_numbers import Renumbering, clause_numbers
from colde.text.document import Document, Sentence, Span
from colde.text.set_aside import known_passages, known_share
from colde.text.tables import is_table

IDENTICAL, EDITED = 3.0, 2.0
"""Weight of equal sentences in the choice of counterparts, and the factor on the certainty of edited ones."""
CHANGED: frozenset[Kind] = frozenset(("edited", "paraphrased", "opposite"))
"""Kinds of matches whose sentences correspond and differ."""
COVERED = 0.6
"""Share of a sentence's words that lie in identical runs, from which it is also in the other text."""


Numbers: TypeAlias = tuple[dict[int, str], dict[int, str]]
"""Of both texts, as `clause_numbers` gives them."""


@dataclass(frozen=True, slots=True)
class _Pair:
    row: int
    column: int
    weight: float
    kind: Kind


def find_changes(
    a: Document, b: Document, sentences: SentenceMatches, shared: SharedText | None
) -> tuple[Change, ...]:
    """The differences of two texts, most important first; those of tables alone where sentences were not matched."""
    versions = shared is not None and shared.are_versions
    listed = list(table_changes(a, b, versions=versions))
    if shared is not None and "edited" in sentences.kinds:
        listed += _sentence_changes(a, b, sentences, shared)
    return tuple(sorted(listed, key=lambda c: (-c.importance, _place(c))))


def _sentence_changes(
    a: Document, b: Document, sentences: SentenceMatches, shared: SharedText
) -> Iterator[Change]:
    rows, columns = _sentences(a), _sentences(b)
    numbers = clause_numbers(a, rows), clause_numbers(b, columns)
    pairs = _counterparts(a, b, rows, columns, sentences, numbers)
    renumbering = _renumbering(pairs, rows, columns, numbers)
    moved = _moved_pairs(pairs, _stay_in_section(a, b, rows, columns, pairs))
    letters = text_letters(a.text), text_letters(b.text)
    for pair, is_moved in zip(pairs, moved, strict=True):
        one, two = rows[pair.row], columns[pair.column]
        text_a, text_b = a.text[one.start : one.end], b.text[two.start : two.end]
        kind = _kind_of_pair(
            pair,
            bool(is_moved),
            text_a[len(numbers[0].get(one.start, "")) :],
            text_b[len(numbers[1].get(two.start, "")) :],
            renumbering,
        )
        divided = (
            pair.kind == "edited"
            and text_letters(text_a) in letters[1]
            and text_letters(text_b) in letters[0]
        )
        if kind is None or divided:  # both have all the words, in other sentences
            continue
        if not known_share(a, one) == known_share(b, two) == 1.0:
            yield Change(kind, one, two, importance(kind, max(_count(text_a), _count(text_b))))
    if shared.are_versions:
        yield from _one_sided_changes(a, b, pairs, sentences, shared)


def _one_sided_changes(
    a: Document, b: Document, pairs: Sequence[_Pair], sentences: SentenceMatches, shared: SharedText
) -> Iterator[Change]:
    rows, columns = _sentences(a), _sentences(b)
    identical = [p for p in pairs if p.kind == "identical"]
    copies = {rows[p.row].start for p in identical}, {columns[p.column].start for p in identical}
    changed = [
        m
        for m in sentences.matches
        if m.kind in CHANGED and m.a.start not in copies[0] and m.b.start not in copies[1]
    ]
    only_a = _without_counterpart(a, rows, {p.row for p in pairs}, changed, shared, "a")
    only_b = _without_counterpart(b, columns, {p.column for p in pairs}, changed, shared, "b")
    yield from _not_set_aside(only_a, a, b)
    yield from _not_set_aside(only_b, b, a)


def _sentences(document: Document) -> list[Sentence]:
    """The compared sentences of a text; rows of tables, which are compared cell by cell, are none."""
    return [s for i, s in document.sentences() if not is_table(document.sections[i])]


def _renumbering(
    pairs: Sequence[_Pair], rows: Sequence[Sentence], columns: Sequence[Sentence], numbers: Numbers
) -> Renumbering:
    starts = [(rows[p.row].start, columns[p.column].start) for p in pairs]
    return Renumbering.of(
        (numbers[0][i], numbers[1][j]) for i, j in starts if i in numbers[0] and j in numbers[1]
    )


def _kind_of_pair(pair: _Pair, is_moved: bool, a: str, b: str, renumbering: Renumbering) -> ChangeKind | None:
    """The kind of change of two corresponding sentences, if any; of a moved and changed one the more important.

    Args:
        a, b: the sentences without the numbers of their clauses.
    """
    if pair.kind == "paraphrased":
        return "wording"
    kind = None if pair.kind == "identical" else change_kind(a, b)
    if kind is not None:  # references that follow new numbers are no change of a number
        kind = max(kind, change_kind(renumbering.apply(a), b) or "wording", key=CHANGE_KINDS.index)
    if pair.kind == "opposite":
        if not statements_disagree(a, b):
            return "number"
        return "negation" if kind == "negation" else "opposite"
    if not is_moved:
        return kind
    return "moved" if kind is None else min(kind, "moved and changed", key=CHANGE_KINDS.index)


def _counterparts(
    a: Document,
    b: Document,
    rows: Sequence[Sentence],
    columns: Sequence[Sentence],
    sentences: SentenceMatches,
    numbers: Numbers,
) -> list[_Pair]:
    """Pairs of sentences that correspond, each sentence at most once, in the order of a.

    Of equal weights the pair nearest to the diagonal comes first, so that repeated sentences keep their order.
    """
    candidates = list(_identical_pairs(a, b, rows, columns, numbers))
    row_of, column_of = ({s.start: i for i, s in enumerate(side)} for side in (rows, columns))
    for match in sentences.matches:
        in_tables = match.a.start not in row_of or match.b.start not in column_of
        if match.kind in CHANGED and not in_tables:
            weight = EDITED * match.certainty if match.kind == "edited" else match.certainty
            candidates.append(_Pair(row_of[match.a.start], column_of[match.b.start], weight, match.kind))

    def order(pair: _Pair) -> tuple[float, float, int]:
        return -pair.weight, abs(pair.row / len(rows) - pair.column / len(columns)), pair.row + pair.column

    taken: tuple[set[int], set[int]] = (set(), set())
    chosen = []
    for pair in sorted(candidates, key=order):
        if pair.row not in taken[0] and pair.column not in taken[1]:
            taken[0].add(pair.row)
            taken[1].add(pair.column)
            chosen.append(pair)
    return sorted(chosen, key=lambda p: p.row)


def _identical_pairs(
    a: Document, b: Document, rows: Sequence[Sentence], columns: Sequence[Sentence], numbers: Numbers
) -> Iterator[_Pair]:
    """Pairs of sentences with the same words after their numbers; of those that repeat, the ones of the same rank."""
    places: tuple[dict[tuple[str, ...], list[int]], ...] = (defaultdict(list), defaultdict(list))
    for document, side, held, prefixes in zip((a, b), (rows, columns), places, numbers, strict=True):
        for i, s in enumerate(side):
            start = s.start + len(prefixes.get(s.start, ""))
            held[tuple(words_as_compared(document.text[start : s.end]))].append(i)
    for words, here in places[0].items():
        if words:
            yield from (
                _Pair(i, j, IDENTICAL, "identical")
                for i, j in zip(here, places[1].get(words, ()), strict=False)
            )


def _stay_in_section(
    a: Document, b: Document, rows: Sequence[Sentence], columns: Sequence[Sentence], pairs: Sequence[_Pair]
) -> list[bool]:
    """Whether the sections of each pair have the same heading, numbers aside: [pairs]."""

    headings: tuple[dict[int, str], ...] = ({}, {})
    for document, held in zip((a, b), headings, strict=True):
        names = [
            " ".join(w for w in words_as_compared(s.heading or "") if not w.isdigit())
            for s in document.sections
        ]
        held.update((sentence.start, names[i]) for i, sentence in document.sentences())
    return [headings[0][rows[p.row].start] == headings[1][columns[p.column].start] for p in pairs]


def _moved_pairs(pairs: Sequence[_Pair], stay: Sequence[bool]) -> NDArray[np.bool_]:
    """Which pairs lie outside the heaviest run of pairs that have the same order in both texts: [pairs].

    A pair counts twice if its sentences stay in their section, so that of two blocks that changed places the one that
    went to another section has moved.
    """
    columns = [2 * pair.column + twice for pair, s in zip(pairs, stay, strict=True) for twice in range(1 + s)]
    owners = [k for k, s in enumerate(stay) for _ in range(1 + s)]
    ends: list[int] = []  # smallest last column of a rising run of each length
    last: list[int] = []  # the element that ends it
    before = np.full(len(columns), -1)
    for k, column in enumerate(columns):
        at = bisect.bisect_left(ends, column)
        before[k] = last[at - 1] if at else -1
        ends[at : at + 1] = [column]
        last[at : at + 1] = [k]
    stays = np.zeros(len(pairs), dtype=bool)
    k = last[-1] if last else -1
    while k >= 0:
        stays[owners[k]] = True
        k = int(before[k])
    return ~stays


def _without_counterpart(
    document: Document,
    sentences: Sequence[Sentence],
    paired: set[int],
    matches: Sequence[SentenceMatch],
    shared: SharedText,
    side: Letter,
) -> Iterator[Change]:
    """Yield the sentences of a text that have no counterpart and are not in identical passages.

    Args:
        paired: positions of the sentences with a counterpart.
        matches: further matches of sentences that are changed in the other text.
    """
    words = compared_words(document)
    runs = [getattr(part, side) for p in shared.passages for part in p.parts if part.kind == "identical"]
    identical = covered_mask(words, [*known_passages(document), *runs])
    matched = {getattr(m, side).start for m in matches}
    kind: ChangeKind = "only in a" if side == "a" else "only in b"
    for i, s in enumerate(sentences):
        inside = words.inside(s)
        if i in paired or s.start in matched or not len(inside) or identical[inside].mean() >= COVERED:
            continue
        a, b = (s, None) if side == "a" else (None, s)
        yield Change(kind, a, b, importance(kind, len(inside)))


def _not_set_aside(changes: Iterable[Change], document: Document, other: Document) -> Iterator[Change]:
    """The changes whose sentence is neither a heading of the other document nor in the text that was set aside there.

    A reader may take a heading, a footnote or a list of works for text in one version and not in the other.
    """
    aside = "\n".join(text_letters(other.text[s.start : s.end if s.role else s.body]) for s in other.sections)
    for change in changes:
        span = change.a or change.b or Span(0, 0)
        if text_letters(document.text[span.start : span.end]) not in aside:
            yield change


def _count(text: str) -> int:
    return len(words_as_compared(text))


def _place(change: Change) -> int:
    return (change.a or change.b or Span(0, 0)).start
