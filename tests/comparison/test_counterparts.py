"""Counterparts of a passage: parts of shared passages first, then the closest clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import colde
from colde.corpus.samples import sample_named
from colde.results.comparison import Comparison
from colde.results.piece_similarity import Pieces

pytestmark = pytest.mark.slow


THINGS = [
    ("lamps", "town"), ("coins", "naval"), ("masks", "folk"), ("charts", "river"), ("clocks", "railway"),
    ("shells", "coast"), ("bells", "church"), ("stones", "mining"), ("looms", "textile"), ("drums", "music"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lighthouse() -> Comparison:
    sample = sample_named("lighthouse")
    return colde.compare(colde.read(sample.a), colde.read(sample.b), "tfidf")


def test_a_part_of_a_shared_passage_comes_first(lighthouse: Comparison) -> None:
    assert lighthouse.shared is not None
    for passage in (p for p in lighthouse.shared.passages if p.kind != "same topic"):
        part = passage.parts[0]
        first, *rest = lighthouse.counterparts(part.a.start, part.a.end)
        assert first.b.overlaps(passage.b) and first.kind != "closest"
        assert first.certainty == passage.certainty and len(rest) <= 2


def test_a_sentence_that_is_not_shared_has_the_closest_clauses(lighthouse: Comparison) -> None:
    assert lighthouse.shared is not None
    pair = lighthouse.shared.closest[0]
    listed = lighthouse.counterparts(pair.a.start, pair.a.end, limit=9)
    assert any(c.b.overlaps(pair.b) for c in listed[:3])
    assert {c.kind for c in listed} <= {"closest", "same topic"}
    assert not any(x.b.overlaps(y.b) for i, x in enumerate(listed) for y in listed[:i])
    assert set(listed[0].to_dict()) == {"b", "kind", "certainty"}


def test_nothing_is_known_while_models_run(lighthouse: Comparison) -> None:
    growing = replace(lighthouse, shared=None, sentences=None)
    assert growing.counterparts(0, 500) == () and growing.counterpart_search() is None


def test_a_long_identical_run_gives_the_sentence_that_is_asked_for() -> None:
    lines = [f"Room {n} holds {n + 7} {what} of the {who} museum." for n, (what, who) in enumerate(THINGS)]
    other = colde.read_text("A short note goes before the list of rooms. " + " ".join(lines))
    comparison = colde.compare(colde.read_text(" ".join(lines)), other, "tfidf")
    start = comparison.a.text.find(lines[3])
    first = comparison.counterparts(start, start + len(lines[3]), limit=1)[0]
    assert comparison.b.text[first.b.start : first.b.end] == lines[3]


def test_the_ledger_reads_a_sentence_once_for_both_directions(lighthouse: Comparison) -> None:
    assert lighthouse.sentences is not None
    read_pieces = lighthouse.sentences.read_pieces
    assert read_pieces is not None
    read: list[str] = []

    def counting(texts: Sequence[str]) -> list[Pieces]:
        read.extend(texts)
        return read_pieces(texts)

    colde.ledger(replace(lighthouse, sentences=replace(lighthouse.sentences, read_pieces=counting)))
    assert len(read) == len(set(read)) > 100


def test_parts_on_the_same_topic_do_not_come_before_closer_clauses(lighthouse: Comparison) -> None:
    search = lighthouse.counterpart_search()
    assert search is not None and lighthouse.shared is not None
    for passage in lighthouse.shared.of("same topic"):
        ordered = search.ordered_clauses(passage.a)
        first = search.counterparts(passage.a, 1)[0]
        if first.kind in ("closest", "same topic"):
            assert ordered and first.b == search.clause_span(ordered[0])
