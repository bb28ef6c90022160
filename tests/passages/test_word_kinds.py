"""Every word counts once, under the strongest kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.alignment.shared_runs import compared_words
from colde.passages.word_kinds import WordKinds
from colde.results.shared_text import KINDS, LABELS, Label
from colde.text.document import Span

DOCUMENT = colde.read_text("one two three four five six seven eight nine ten")
WORDS = compared_words(DOCUMENT)


def span(first: int, last: int) -> Span:
    return Span(WORDS.spans[first].start, WORDS.spans[last].end)


def marked(*marks: tuple[Label, int, int]) -> WordKinds:
    kinds = WordKinds(WORDS, WORDS, 0)
    for label, first, last in marks:
        kinds.mark(span(first, last), label)
    return kinds


MARKS = st.lists(
    st.tuples(st.sampled_from(LABELS), st.integers(0, 9), st.integers(0, 9)).map(
        lambda m: (m[0], min(m[1:]), max(m[1:]))
    ),
    max_size=6,
)


@given(MARKS)
def test_a_word_counts_under_the_strongest_label_in_any_order(marks: list[tuple[Label, int, int]]) -> None:
    kinds, back = marked(*marks), marked(*reversed(marks))
    expected = dict.fromkeys(LABELS, 0)
    for word in range(10):
        labels = [label for label, first, last in marks if first <= word <= last]
        if labels:
            expected[min(labels, key=LABELS.index)] += 1
    assert kinds.shares() == back.shares() == {k: pytest.approx(n / 10) for k, n in expected.items()}
    assert kinds.sizes(span(0, 9)) == {k: expected[k] for k in KINDS}


@given(MARKS, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3))
def test_stretches_hold_every_word_once_and_end_where_passages_end(
    marks: list[tuple[Label, int, int]], pairs: list[tuple[int, int]]
) -> None:
    kinds = marked(*marks)
    passages = [span(min(p), max(p)) for p in pairs]
    stretches = kinds.stretches(passages, ())
    assert sum(s.words for s in stretches) == 10
    assert [s.start for s in stretches] == sorted({s.start for s in stretches})
    for label, share in kinds.shares().items():
        assert sum(s.words for s in stretches if s.kind == label) == pytest.approx(10 * share)
    for passage in passages:
        assert not any(s.start < edge < s.end for s in stretches for edge in (passage.start, passage.end))


def test_whether_words_were_unmarked_is_said() -> None:
    kinds = marked(("edited", 0, 4))
    assert not kinds.mark(span(1, 3), "identical") and kinds.mark(span(4, 5), "identical")


def test_sentences_that_are_mostly_left_out_or_too_short_do_not_count() -> None:
    kept = compared_words(DOCUMENT, [span(0, 1)])
    kinds = WordKinds(kept, WORDS, 3)
    assert kinds.counts(span(0, 9)) and not kinds.counts(span(0, 4)) and not kinds.counts(span(8, 9))
    assert not kinds.counts(Span(0, 0))
    assert np.isclose(sum(kinds.shares().values()), 0)
