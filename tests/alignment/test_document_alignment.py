"""The alignment of two documents: every token of both is in it once, and what differs adds up to the texts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde.alignment.aligned_units import UnitText
from colde.alignment.document_alignment import Alignment, align
from colde.alignment.unit_pairs import best_pairs, rising
from colde.text.document import Document
from tests.alignment.made_versions import made_versions


def letters(text: UnitText, tokens: list[int]) -> str:
    return "".join(text.names[k] for k in tokens)


def without_spaces(document: Document) -> str:
    return re.sub(r"\s", "", document.text)


def check_complete(alignment: Alignment) -> None:
    """Differing and equal text add up to both documents, and the equal text is equal."""
    for text, side in ((alignment.a, "a"), (alignment.b, "b")):
        assert "".join(text.names) == without_spaces(text.document)
        units = [k for group in alignment.groups for k in getattr(group, side)]
        assert sorted(units) == list(range(len(text.units)))
    for group in alignment.groups:
        differing = [{k for e in group.edits for k in getattr(e, side)} for side in "ab"]
        if group.a and group.b:
            ranges = alignment.a.token_range(group.a), alignment.b.token_range(group.b)
            equal = [[k for k in r if k not in d] for r, d in zip(ranges, differing, strict=True)]
            assert letters(alignment.a, equal[0]) == letters(alignment.b, equal[1])
        else:
            text, units = (alignment.a, group.a) if group.a else (alignment.b, group.b)
            assert differing[0] | differing[1] == set(text.token_range(units))


@given(made_versions())
@settings(max_examples=300, deadline=None)
def test_what_differs_and_what_is_equal_add_up_to_both_documents(pair: tuple[Document, Document]) -> None:
    check_complete(align(*pair))


@given(made_versions())
@settings(max_examples=50, deadline=None)
def test_a_document_is_equal_to_itself(pair: tuple[Document, Document]) -> None:
    assert all(not group.edits and not group.moved for group in align(pair[0], pair[0]).groups)


def differing(a: str, b: str) -> list[tuple[str, str]]:
    """The edits of two texts, as both sides of each."""
    one, two = colde.read_text(a), colde.read_text(b)
    alignment = align(one, two)
    check_complete(alignment)
    sides = ((alignment.a, "a"), (alignment.b, "b"))
    return [
        tuple(
            text.document.text[text.mark(r).start : text.mark(r).end] if (r := getattr(e, side)) else ""
            for text, side in sides
        )  # type: ignore[misc]
        for group in alignment.groups
        for e in group.edits
    ]


BEFORE, AFTER = "The salt pans lie by the sea.", "A raker walks along the dyke in the evening."


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        ("An adult takes 5.0 mg.", "An adult takes 50 mg.", [("5.0", "50")]),
        ("Keep it at -20 °C in the shed.", "Keep it at 20 °C in the shed.", [("-", "")]),
        ("The level is ≥ 140 cm today.", "The level is ≤ 140 cm today.", [("≥", "≤")]),
        ("A fee of £400 is due.", "A fee of €400 is due.", [("£", "€")]),
        ("☑ The keeper agrees to it.", "☐ The keeper agrees to it.", [("☑", "☐")]),
        ("The Company pays, they say.", "The company pays they say.", [("Company", "company"), (",", "")]),
        ("It rains in a data base.", "It rains in a database.", []),
        ("Close the gate at dusk.", "Close the gate.", [("at dusk", "")]),
    ],
)
def test_signs_capitals_and_ends_of_sentences_are_tokens(
    a: str, b: str, edits: list[tuple[str, str]]
) -> None:
    assert differing(f"{BEFORE} {a} {AFTER}", f"{BEFORE} {b} {AFTER}") == edits


def test_repeated_sentences_pair_by_their_neighbours() -> None:
    lines = ["The board met.", "It was wet.", "The board met.", "It was dry.", "The board met.", "All left."]
    shorter = [line for k, line in enumerate(lines) if k != 2]
    alignment = align(colde.read_text(" ".join(lines)), colde.read_text(" ".join(shorter)))
    alone = [group for group in alignment.groups if not group.b]
    assert [group.a for group in alone] == [range(2, 3)]
    assert not any(group.moved for group in alignment.groups)


def test_repeated_sentences_between_others_stay_in_order() -> None:
    """Each way of pairing them crosses the same distance in all."""
    seen = "The board met."
    a = ["Maria rows.", seen, "It was wet.", seen, "Two left early.", seen, "Nothing else."]
    b = [
        "Peter sold six boats.",
        "Rain fell.",
        "Dogs barked.",
        "A lamp broke.",
        seen,
        "Snow lay.",
        seen,
        "Cats hid.",
        seen,
    ]
    alignment = align(*(colde.read_text(" ".join([*lines, "Over."])) for lines in (a, b)))
    pairs = [(group.a[0], group.b[0]) for group in alignment.groups if group.a and group.b]
    assert sorted(pairs) == [(1, 4), (3, 6), (5, 8), (7, 9)]
    assert not any(group.moved for group in alignment.groups)


def test_one_item_gone_and_one_new_in_a_list_of_like_ones_are_seen_as_such() -> None:
    items = [
        f"The {what} shall {does} within {n} seconds of the call."
        for what, does, n in (
            ("pump", "start", "nine"), ("north lamp", "light", "two"), ("siren", "sound", "six"),
            ("door", "close", "ten")
        )
    ]  # fmt: skip
    new = [items[0], items[2], "The west gate shall open within four seconds of the call.", items[3]]
    assert [tuple(map(len, pair)) for pair in differing("\n\n".join(items), "\n\n".join(new))] == [
        (len(items[1]), 0),
        (0, len(new[2])),
    ]


def test_a_moved_sentence_is_not_in_the_order_of_the_others() -> None:
    lines = [BEFORE, AFTER, "The tide turns at noon on most days.", "Nobody saw the boat leave the old pier."]
    alignment = align(*(colde.read_text(" ".join(side)) for side in (lines, [lines[3], *lines[:3]])))
    assert [group.a for group in alignment.groups if group.moved] == [range(3, 4)]


def test_sentences_that_are_divided_in_another_way_are_one_group() -> None:
    assert differing(
        f"{BEFORE} Shut the gate. The dog is out. {AFTER}", f"{BEFORE} Shut the gate; the dog is out. {AFTER}"
    ) == [(". The", "; the")]


def test_a_good_pair_outweighs_two_poor_ones() -> None:
    assert list(best_pairs({(0, 0): 0.9, (0, 1): 0.5, (1, 0): 0.5})) == [(0, 0)]
    assert sorted(best_pairs({(0, 0): 0.9, (0, 1): 0.8, (1, 0): 0.8})) == [(0, 1), (1, 0)]


@given(st.permutations(range(8)), st.lists(st.integers(1, 2), min_size=8, max_size=8))
def test_the_rising_run_is_the_heaviest(columns: list[int], weights: list[int]) -> None:
    kept = rising(columns, np.array(weights))
    run = [c for c, k in zip(columns, kept, strict=True) if k]
    assert run == sorted(run)
    best = [0] * 8
    for k, column in enumerate(columns):
        best[k] = weights[k] + max((best[i] for i in range(k) if columns[i] < column), default=0)
    assert sum(w for w, k in zip(weights, kept, strict=True) if k) == max(best)
