"""Counterparts of a passage: parts of shared passages first, then the closest sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

import colde
from colde.corpus.samples import sample_named
from colde.results.comparison import Comparison

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lighthouse() -> Comparison:
    sample = sample_named("lighthouse")
    return colde.compare(colde.read(sample.a), colde.read(sample.b), "tfidf")


def test_a_part_of_a_shared_passage_comes_first(lighthouse: Comparison) -> None:
    assert lighthouse.shared is not None
    for passage in lighthouse.shared.passages:
        part = passage.parts[0]
        first, *rest = lighthouse.counterparts(part.a.start, part.a.end)
        assert first.b.overlaps(passage.b) and first.kind != "closest"
        assert first.certainty == passage.certainty and len(rest) <= 2


def test_a_sentence_that_is_not_shared_has_the_closest_ones(lighthouse: Comparison) -> None:
    assert lighthouse.shared is not None
    pair = lighthouse.shared.closest[0]
    first = lighthouse.counterparts(pair.a.start, pair.a.end, limit=1)[0]
    assert (first.b, first.kind) == (pair.b, "closest")
    assert first.certainty == pytest.approx(pair.certainty)
    listed = lighthouse.counterparts(pair.a.start, pair.a.end, limit=9)
    assert [c.certainty for c in listed] == sorted((c.certainty for c in listed), reverse=True)
    assert not any(x.b.overlaps(y.b) for i, x in enumerate(listed) for y in listed[:i])
    assert set(listed[0].to_dict()) == {"b", "kind", "certainty"}


def test_nothing_is_known_while_models_run(lighthouse: Comparison) -> None:
    assert replace(lighthouse, shared=None, sentences=None).counterparts(0, 500) == ()
