"""Every token that differs between two versions is in a row of the list, with its exact place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

import colde
from colde.alignment.document_alignment import align
from colde.changes.form import is_form
from colde.changes.text_changes import find_changes
from colde.comparison import pipeline
from colde.passages.find_passages import find_passages
from colde.report.content.changes_report import NO_CHANGES, NO_OTHER_CHANGES, change_rows, changes_note
from colde.results.change import Change
from colde.results.comparison import Comparison
from colde.results.shared_text import SentenceMatches, SharedText
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import prepare_for_comparison
from tests.alignment.made_versions import made_versions

PARTS = [
    "# Rules of the Yard", "The keeper opens the yard at dawn and closes it at dusk.",
    "The scale is weighed on the first day of every month.", "## Visits",
    "All visitors sign the book, and nobody enters the store alone.",
    "Samples are drawn in the presence of the foreman.", "The lamp in the yard is lit at sunset.",
    "## Licence", "The user may copy the text for the work of a school.",
]  # fmt: skip


def versions(*replaced: tuple[str, str]) -> Comparison:
    """The text beside itself with some pieces replaced."""
    old = "\n\n".join(PARTS)
    new = old
    for before, after in replaced:
        assert before in new
        new = new.replace(before, after)
    a, b = (prepare_for_comparison(colde.read(t.encode(), name="v.md")) for t in (old, new))
    return pipeline.compare(a, b, models="tfidf")


def marked(comparison: Comparison, change: Change) -> tuple[list[str], list[str]]:
    sides = ((comparison.a, "a"), (comparison.b, "b"))
    a, b = ([d.text[s:e] for s, e in change.marks[side]] for d, side in sides)  # type: ignore[index]
    return a, b


def same_versions(document: Document) -> SharedText:
    shared = find_passages(document, document, SentenceMatches(()))
    assert shared is not None and shared.are_versions
    return shared


@given(made_versions())
@settings(max_examples=100, deadline=None)
def test_rows_hold_every_token_that_differs(pair: tuple[Document, Document]) -> None:
    alignment = align(*pair)
    changes = find_changes(alignment, (), same_versions(colde.read_text("It rains on the roof of the mill.")))
    for text, side in ((alignment.a, "a"), (alignment.b, "b")):
        marks = [Span(*mark) for c in changes for mark in c.marks[side]]  # type: ignore[index]
        differing = {k for g in alignment.groups for e in g.edits for k in getattr(e, side)}
        moved = {k for g in alignment.groups if g.moved for k in text.token_range(getattr(g, side))}
        for k, token in enumerate(text.tokens):
            inside = any(m.start <= token.start and token.end <= m.end for m in marks)
            assert inside == (k in differing) or k in moved, text.names[k]
        for change in changes:
            span = getattr(change, side)
            assert all(span.start <= s and e <= span.end for s, e in change.marks[side])  # type: ignore[index]


@pytest.mark.parametrize(
    ("a", "b", "form"),
    [
        ("The Company, they say, pays.", "the company they say pays", True),
        ("It costs 1,000.50 euros.", "It costs 1000.5 euros.", True),
        ("a tide-table", "a tidetable", True),
        ("5.0 mg", "50 mg", False),
        ("1/2 cup", "12 cup", False),
        ("10-15 days", "1015 days", False),
        ("10-15 days", "10–15 days", True),
        ("at -20 °C", "at 20 °C", False),
        ("at -20 °C", "at −20 °C", True),
        ("≥ 7 per cent", "≤ 7 per cent", False),
        ("£400", "€400", False),
        ("☑ yes", "☐ yes", False),
        ("3.25 %", "3.25 ‰", False),
        ("a * b", "a / b", False),
    ],
)
def test_punctuation_capitals_and_layout_are_form_and_what_changes_a_value_is_not(
    a: str, b: str, form: bool
) -> None:
    assert is_form(a, b) == is_form(b, a) == form


def test_headings_and_what_is_set_aside_are_compared() -> None:
    found = versions(
        ("## Visits", "## Guests"), ("may copy", "may not copy"), ("All visitors", "all visitors")
    )
    assert "boilerplate" in {section.role for section in found.a.sections}, "the licence is set aside"
    assert [(c.kind, *marked(found, c)) for c in found.changes] == [
        ("negation", [], ["not"]),
        ("wording", ["Visits"], ["Guests"]),
        ("form", ["All"], ["all"]),
    ]


def test_words_beside_signs_that_differ_are_not_identical() -> None:
    shared, same = versions(("book, and", "book and")).shared, versions().shared
    assert shared is not None and same is not None and same.a["edited"] == 0
    assert 0 < shared.a["edited"] < 0.05
    assert shared.a["identical"] + shared.a["edited"] == pytest.approx(same.a["identical"])


def test_a_new_sentence_whose_words_stand_elsewhere_is_new_and_says_where() -> None:
    found = versions((PARTS[6], f"{PARTS[6]} {PARTS[1]}"))
    (change,) = found.changes
    assert change.kind == "only in b"
    assert [found.a.text[s:e] for s, e in change.also["a"]] == [PARTS[1].rstrip(".")]
    (row,) = change_rows(found)
    assert row.label.startswith("only in B (also in A, ")


def test_a_paragraph_that_stands_twice_is_new_once() -> None:
    assert [c.kind for c in versions((PARTS[5], f"{PARTS[5]}\n\n{PARTS[5]}")).changes] == ["only in b"]


def test_renumbered_requirements_differ_in_form_and_their_references_follow() -> None:
    items = ["The horn shall be heard.", "The pump shall start as in REQ-003.", "The lamp shall be lit."]

    def listing(some: list[str]) -> str:
        return "\n\n".join(f"REQ-{k:03} {item}" for k, item in enumerate(some, 1))

    new = ["The ladder shall reach the roof of the shed.", *items]
    new[2] = new[2].replace("REQ-003", "REQ-004")
    text = "\n\n".join(PARTS)
    a, b = (colde.read(f"{text}\n\n{listing(x)}".encode(), name="v.md") for x in (items, new))
    kinds = [c.kind for c in pipeline.compare(a, b, models="tfidf").changes]
    assert kinds == ["only in b", "form", "form", "form"]


def test_no_changes_is_said_only_where_everything_was_compared() -> None:
    same = versions()
    assert changes_note(same) == NO_CHANGES
    left_out = tuple(replace(s, role="furniture") for s in same.a.sections[-1:])
    partly = replace(same, a=replace(same.a, sections=(*same.a.sections[:-1], *left_out)))
    assert changes_note(partly) == NO_OTHER_CHANGES
