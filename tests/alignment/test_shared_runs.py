"""Runs of words in both documents, against a search through all pairs of places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.alignment.shared_runs import ComparedWords, compared_words, covered_mask, shared_runs
from colde.text.document import Span
from tests.operation_counts import calls_of


def words(text: str) -> ComparedWords:
    names = tuple(text.split())
    return ComparedWords(names, tuple(Span(i, i + 1) for i in range(len(names))), np.ones(len(names)))


LETTERS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=40).map(" ".join)


@given(LETTERS, LETTERS)
def test_every_run_is_in_both_and_none_is_missed(a: str, b: str) -> None:
    left, right = words(a), words(b)
    known = {left.names[i : i + 3] for i in range(len(left.names) - 2)}
    runs = shared_runs(left, right, 3)
    for run in runs:
        one, other = left.names[run.a.start : run.a.end], right.names[run.b.start : run.b.end]
        assert one == other and len(one) == run.words >= 3
    seen = covered_mask(right, [r.b for r in runs])
    assert seen.sum() == sum(r.words for r in runs), "no word twice"
    for i in range(len(right.names) - 2):
        shingle = right.names[i : i + 3]
        if shingle in known:  # what overlaps a longer run may remain, and is shorter than three words
            assert seen[i : i + 3].any()
        elif not any(right.names[j : j + 3] in known for j in (i - 2, i - 1, i, i + 1, i + 2) if j >= 0):
            assert not seen[i + 1] or seen[i]


def test_a_run_has_its_places_and_ignores_capitals_and_punctuation() -> None:
    a = colde.read_text(
        "# Sea\n\nThe bright lamp of the tower turns all night, said the keeper.\n\n# End\n\nBread."
    )
    b = colde.read_text("Every BRIGHT lamp of the tower turns — all night. Said nobody.")
    (run,) = shared_runs(compared_words(a), compared_words(b), 4)
    assert a.text[run.a.start : run.a.end] == "bright lamp of the tower turns all night, said"
    assert b.text[run.b.start : run.b.end] == "BRIGHT lamp of the tower turns — all night. Said"
    assert run.words == 9


def test_a_run_goes_on_from_section_to_section() -> None:
    a = colde.read_text("# One\n\nThe tide turns.\n\n# Two\n\nThe keeper sleeps.")
    b = colde.read_text("The tide turns. Two. The keeper sleeps.")
    assert [r.words for r in shared_runs(compared_words(a), compared_words(b), 6)] == [7]


def test_left_out_words_are_in_no_run() -> None:
    text = colde.read_text("The keeper of the old tower wrote ten words here today.")
    whole = compared_words(text)
    left = compared_words(text, [Span(text.text.index("old"), text.text.index("wrote"))])
    assert whole.count - left.count == 2 and "tower" not in left.names
    assert left.size(Span(0, len(text.text))) == left.count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("灯塔在夜里转动。", 3.5),
        ("Der Wächter schläft, ça va.", 5),
        ("हिन्दी भाषा में लिखा हुआ पाठ", 6),
        ("יום טוב לכולם", 3),
        ("مرحبا بالعالم", 2),
    ],
)
def test_words_of_every_script(text: str, count: float) -> None:
    assert compared_words(colde.read_text(f"{text}\n")).count == count


def test_a_text_that_repeats_itself_takes_linear_time() -> None:
    text = words("tide " * 3_000)
    (run,) = shared_runs(text, text)
    assert run.words == 3_000


def test_words_outside_runs_are_not_read_one_by_one() -> None:
    texts = [words(" ".join(f"{side}{k}" for k in range(3_000))) for side in "ab"]
    assert calls_of(lambda: shared_runs(*texts)) < 3 * 6_000


def test_joiners_inside_words_do_not_count() -> None:
    with_joiners = "قایق‌ها هر شب در کنار رودخانه می‌ماندند و ماهی‌گیران می‌خوابیدند."
    a, b = (colde.read_text(text) for text in (with_joiners, with_joiners.replace("\u200c", "")))
    assert compared_words(a).names == compared_words(b).names
    assert "\u200c" not in "".join(compared_words(a).names)
