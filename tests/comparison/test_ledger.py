"""The ledger: every sentence in one row, each kind in both directions, mirrored when the texts are swapped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde.alignment.document_alignment import align
from colde.changes.text_changes import find_changes
from colde.comparison import pipeline
from colde.comparison.ledger import LEDGER_KINDS, Ledger, LedgerRow, ledger
from colde.passages.find_passages import find_passages
from colde.results.comparison import Comparison
from colde.results.shared_text import Part as PassagePart
from colde.results.shared_text import SentenceMatch, SentenceMatches, SharedPassage
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.sections.passage_removal import leave_out
from tests.alignment.made_versions import made_versions

MIRROR = {"dropped": "new", "new": "dropped"}
COMMON = [
    "The keeper opens the yard at dawn and closes it at dusk.",
    "All visitors sign the book, and nobody enters the store alone.",
    "The user may copy the text for the work of a school.",
    "Samples are drawn in the presence of the foreman.",
]
NEITHER = "Nobody has seen the comet since the winter of the great frost."


def compared_without_encoder(a: Document, b: Document) -> Comparison:
    sentences = SentenceMatches(())
    shared = find_passages(a, b, sentences)
    changes = find_changes(align(a, b), (), shared)
    return Comparison(a, b, (), (), (), {}, {}, sentences=sentences, shared=shared, changes=changes)


def compared(a: str, b: str, name: str = "v.md") -> Comparison:
    one, two = (prepare_for_comparison(colde.read(text.encode(), name=name)) for text in (a, b))
    return pipeline.compare(one, two, "tfidf")


def versions(a: str, b: str) -> Comparison:
    """Two versions that have a passage of their own between the same sentences."""
    return compared(*("\n\n".join([*COMMON[:2], *([own] if own else []), *COMMON[2:]]) for own in (a, b)))


def own_row(found: Ledger) -> LedgerRow:
    """The one row that is not the same in both texts."""
    (row,) = (row for row in found.rows if row.kind != "same")
    return row


def spans(found: Ledger, side: str) -> list[Span]:
    return [getattr(row, side) for row in found.rows if getattr(row, side) is not None]


def assert_complete(found: Ledger, comparison: Comparison) -> None:
    for side, document in (("a", comparison.a), ("b", comparison.b)):
        places = spans(found, side)
        for _, sentence in document.sentences():
            holding = [p for p in places if p.start <= sentence.start and sentence.end <= p.end]
            assert len(holding) == 1, document.text[sentence.start : sentence.end]
        ordered = sorted(places, key=lambda p: p.start)
        assert all(one.end <= two.start for one, two in pairwise(ordered))


def as_mirrored(found: Ledger, *, swap: bool) -> Counter[tuple[object, ...]]:
    def place(at: Span | None) -> tuple[int, int] | None:
        return None if at is None else (at.start, at.end)

    rows: Counter[tuple[object, ...]] = Counter()
    for row in found.rows:
        a, b, kind = place(row.a), place(row.b), row.kind
        if swap:
            a, b, kind = b, a, MIRROR.get(kind, kind)  # type: ignore[assignment]
        rows[kind, a, b, place(row.also), None if row.certainty is None else round(row.certainty, 3)] += 1
    return rows


@given(made_versions())
@settings(deadline=None)
def test_every_sentence_stands_in_one_row_and_swapped_texts_have_mirrored_rows(
    pair: tuple[Document, Document],
) -> None:
    forward = compared_without_encoder(*pair)
    found = ledger(forward)
    assert_complete(found, forward)
    back = ledger(compared_without_encoder(pair[1], pair[0]))
    assert as_mirrored(found, swap=False) == as_mirrored(back, swap=True)


@given(st.lists(st.integers(0, 5), max_size=6), st.lists(st.integers(0, 5), max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_text_of_repeated_sentences_is_complete_and_mirrored(a: list[int], b: list[int]) -> None:
    lines = [*COMMON, NEITHER, "Why?"]
    texts = [colde.read_text(" ".join(["It rained.", *(lines[k] for k in some)])) for some in (a, b)]
    forward, back = compared_without_encoder(*texts), compared_without_encoder(*reversed(texts))
    assert_complete(ledger(forward), forward)
    assert as_mirrored(ledger(forward), swap=False) == as_mirrored(ledger(back), swap=True)


@pytest.mark.parametrize(
    ("a", "b", "kind", "reason"),
    [
        ("The lamp is lit at sunset.", "The lamp is lit at nightfall.", "reworded", "wording"),
        ("The fee is 5 crowns a day.", "The fee is 6 crowns a day.", "reworded", "number or date"),
        ("The keeper shall move the boats.", "The keeper shall not move the boats.", "opposite", "negation"),
        (
            "The gate is shut at dusk by the keeper. The dog is let out into the yard.",
            "The gate is shut at dusk by the keeper, and the dog is let out into the yard.",
            "merged",
            "2 sentences",
        ),
        (NEITHER, "", "dropped", "not found in"),
        (COMMON[3], "", "repeated", "the same words stand in"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.slow
def test_kinds_in_both_directions(a: str, b: str, kind: str, reason: str, swapped: bool) -> None:
    comparison = versions(b, a) if swapped else versions(a, b)
    row = own_row(ledger(comparison))
    assert row.kind == (MIRROR.get(kind, kind) if swapped else kind)
    assert reason in row.reason.lower()
    assert (row.a is None, row.b is None) == ((not b, not a) if swapped else (not a, not b))
    assert (row.also is not None) == (kind == "repeated")
    assert row.certainty is not None and row.certainty > 0.5


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.slow
def test_a_sentence_in_another_place_has_moved(swapped: bool) -> None:
    texts = ["\n\n".join([*COMMON, NEITHER]), "\n\n".join([NEITHER, *COMMON])]
    found = ledger(compared(*(reversed(texts) if swapped else texts)))
    row = own_row(found)
    assert row.kind == "moved" and row.a is not None and row.a.text == NEITHER
    assert found.counts["moved"] == 1 and found.counts["same"] == 4 and tuple(found.counts) == LEDGER_KINDS


@pytest.mark.slow
def test_another_form_is_the_same() -> None:
    row = [
        r
        for r in ledger(versions("It costs 1,000.50 euros.", "it costs 1000.5 euros")).rows
        if "form" in r.reason
    ]
    assert [(r.kind, r.certainty) for r in row] == [("same", 1.0)]


@pytest.mark.slow
def test_texts_that_are_no_versions_have_no_pairs_by_place_alone() -> None:
    a = "The tide turns at noon. Boats leave the harbour before the bell is rung by the keeper at night and in the fog."
    b = "The price of bread rose in March. Millers sold their flour at the market near the old church by the hill."
    comparison = compared(a, b)
    assert not comparison.shared.are_versions  # type: ignore[union-attr]
    assert ledger(comparison).counts == dict.fromkeys(LEDGER_KINDS, 0) | {"dropped": 2, "new": 2}


@pytest.mark.slow
def test_samples_are_complete_and_mirrored() -> None:
    from colde.corpus.samples import sample_named

    sample = sample_named("licence")
    a, b = (colde.read(path) for path in (sample.a_pdf, sample.b_pdf))
    forward, back = (pipeline.compare(one, two, "tfidf") for one, two in ((a, b), (b, a)))
    assert_complete(ledger(forward), forward)
    assert as_mirrored(ledger(forward), swap=False) == as_mirrored(ledger(back), swap=True)


def passage(kind: str, a: Span, b: Span) -> SharedPassage:
    part = PassagePart(kind, a, b)  # type: ignore[arg-type]
    return SharedPassage(kind, a, b, {"a": 6, "b": 6}, 0.9, parts=(part,))  # type: ignore[arg-type]


def with_passages(a: Document, b: Document, *places: tuple[str, int, int], cut: int) -> Comparison:
    """A comparison with matched sentences, each by its number and without its first characters."""
    rows, columns = ([Span(s.start + cut, s.end) for _, s in d.sentences()] for d in (a, b))
    bare = compared_without_encoder(a, b)
    assert bare.shared is not None and bare.sentences is not None
    found = tuple(passage(kind, rows[i], columns[j]) for kind, i, j in places)
    matches = tuple(SentenceMatch(kind, rows[i], columns[j], 0.9) for kind, i, j in places)  # type: ignore[arg-type]
    return replace(
        bare, shared=replace(bare.shared, passages=found), sentences=replace(bare.sentences, matches=matches)
    )


@pytest.mark.parametrize("cut", [0, 9])
@pytest.mark.parametrize("swapped", [False, True])
def test_sentences_that_passages_match_correspond_and_further_ones_are_repeated(
    swapped: bool, cut: int
) -> None:
    """Parts may begin within a sentence, for example where a clause's number is no part of it."""
    a = colde.read_text("Der Hund schläft. Morgens wird es kalt. In der Frühe friert man.")
    b = colde.read_text("Mornings are cold. Bread is sold.")
    places = [("translated", 1, 0), ("translated", 2, 0)]
    if swapped:
        a, b, places = b, a, [(kind, j, i) for kind, i, j in places]
    found = ledger(with_passages(a, b, *places, cut=cut))
    kinds = Counter(row.kind for row in found.rows)
    assert kinds == Counter(["reworded", "repeated", "dropped", "new"])
    row = next(row for row in found.rows if row.kind == "reworded")
    assert row.reason == "A translation." and row.certainty == 0.9
    repeated = next(row for row in found.rows if row.kind == "repeated")
    assert repeated.also is not None and repeated.also.text == "Mornings are cold."


def test_sections_that_were_left_out_are_counted_and_have_no_row() -> None:
    a = colde.read(b"# One\n\nThe tide turns at noon.\n\n# Two\n\nBread is dear. It rained.\n", name="a.md")
    out = leave_out(a, [a.sections[1]])
    found = ledger(compared_without_encoder(out, out))
    assert found.a.left_out == 2 and not any("Bread" in row.a.text for row in found.rows if row.a)


def test_rows_have_places_and_numbers() -> None:
    a = colde.read(b"# Book\n\n## Rules\n\nThe tide turns at noon. It rained.\n", name="a.md")
    found = ledger(compared_without_encoder(a, a))
    assert [row.number for row in found.rows] == [1, 2, 3]
    written = found.to_dict()
    assert set(written) == {"version", "a", "b", "not_searched", "counts", "rows"}
    row = written["rows"][1]
    assert set(row) == {"number", "kind", "a", "b", "also", "certainty", "reason"}
    assert row["a"]["section"] == "Rules" and row["a"]["text"] == "The tide turns at noon."


def test_new_sentences_stand_after_the_sentence_before_them() -> None:
    a, b = (colde.read_text(f"It rained. {text}The tide turns at noon.") for text in ("", "Bread is dear. "))
    rows = ledger(compared_without_encoder(a, b)).rows
    assert [row.kind for row in rows] == ["same", "new", "same"]
