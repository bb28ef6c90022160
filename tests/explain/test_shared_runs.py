"""Runs of words in both documents, against a search through all pairs of places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.explain.shared_runs import Words, containment, covered, shared_runs, words_of
from colde.text.document import Span


def words(text: str) -> Words:
    names = tuple(None if w == "|" else w for w in text.split())
    return Words(names, tuple(Span(i, i if n is None else i + 1) for i, n in enumerate(names)))


LETTERS = st.lists(st.sampled_from(["a", "b", "c", "|"]), max_size=40).map(" ".join)


@given(LETTERS, LETTERS)
def test_every_run_is_there_and_nothing_is_missed(a: str, b: str) -> None:
    left, right = words(a), words(b)
    known = {left.names[i : i + 3] for i in range(len(left.names) - 2) if None not in left.names[i : i + 3]}
    runs = shared_runs(left, right, 3)
    for run in runs:
        one, other = left.names[run.a.start : run.a.end], right.names[run.b.start : run.b.end]
        assert one == other and len(one) == run.words >= 3 and None not in one
    seen = covered(right, [r.b for r in runs])
    assert seen.sum() == sum(r.words for r in runs), "no word twice"
    for i in range(len(right.names) - 2):
        shingle = right.names[i : i + 3]
        if (
            shingle in known
        ):  # at most what overlaps a longer run is left over, and it is shorter than three words
            assert seen[i : i + 3].any()
        elif not any(right.names[j : j + 3] in known for j in (i - 2, i - 1, i, i + 1, i + 2) if j >= 0):
            assert not seen[i + 1] or seen[i]


def test_a_run_has_its_places_and_crosses_no_heading() -> None:
    a = colde.read_text(
        "# Sea\n\nThe bright lamp of the tower turns all night, said the keeper.\n\n# End\n\nBread."
    )
    b = colde.read_text("Every BRIGHT lamp of the tower turns — all night. Said nobody.")
    (run,) = shared_runs(words_of(a), words_of(b), 4)
    assert a.text[run.a.start : run.a.end] == "bright lamp of the tower turns all night, said"
    assert b.text[run.b.start : run.b.end] == "BRIGHT lamp of the tower turns — all night. Said"
    assert run.words == 9


def test_containment_is_of_each_document() -> None:
    small = words("a b c d e f")
    large = words("x y z a b c d e f u v w")
    assert containment(small, large) == (1.0, 0.5)
    assert containment(small, words("p q r")) == (0.0, 0.0)
    assert shared_runs(words(""), small) == []


def test_a_text_that_repeats_itself_is_no_trouble() -> None:
    text = words("tide " * 3_000)
    (run,) = shared_runs(text, text)
    assert run.words == 3_000
