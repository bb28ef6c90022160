"""Differences between two versions: which are listed, as what, and in which order."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import colde
from colde.alignment.document_alignment import align
from colde.changes.text_changes import find_changes
from colde.comparison import pipeline
from colde.ingest.shared.blocks import Block, assemble
from colde.passages.find_passages import find_passages
from colde.report.content.changes_report import NO_CHANGES, SHOWN, changes_table, print_changes
from colde.report.html.html_report import to_html
from colde.results.change import CHANGE_KINDS, Change
from colde.results.comparison import Comparison
from colde.results.shared_text import SentenceMatch, SentenceMatches
from colde.text.document import Document, Span

OLD = """# Storage

The Keeper shall store the goods in a dry room. The Keeper shall not move them without consent. Payment is due within
30 days of the invoice. The lock is changed each spring by the Keeper.

# Visits

The Owner may visit on any working day. Samples are drawn in the presence of the foreman. All visitors sign the book.
"""
NEW = """# Visits

The Owner may visit on any working day. Samples are drawn in the presence of the foreman. All visitors sign the book.

# Storage

The Keeper shall store the goods in a dry room. The Keeper shall move them without consent. Payment is due within
60 days of the invoice. Nothing that smells is accepted in the months of July and August.
"""


def compared(a: str = OLD, b: str = NEW) -> Comparison:
    return pipeline.compare(colde.read_text(a), colde.read_text(b), models="tfidf")


def listed(comparison: Comparison) -> list[tuple[str, str, str]]:
    def text(document: Document, change: Change, side: str) -> str:
        span = getattr(change, side)
        return "" if span is None else document.text[span.start : span.end].replace("\n", " ")

    return [
        (c.kind, text(comparison.a, c, "a")[:24], text(comparison.b, c, "b")[:24]) for c in comparison.changes
    ]


def test_versions_list_what_changed_what_is_new_and_what_moved() -> None:
    found = listed(compared())
    assert found[0] == ("negation", "The Keeper shall not mov", "The Keeper shall move th")
    assert ("number", "Payment is due within 30", "Payment is due within 60") in found
    assert ("only in a", "The lock is changed each", "") in found
    assert ("only in b", "", "Nothing that smells is a") in found
    assert "moved" in {kind for kind, *_ in found}
    order = [CHANGE_KINDS.index("only in a" if kind == "only in b" else kind) for kind, *_ in found]  # type: ignore[arg-type]
    assert order == sorted(order), "the most important kinds first"


def test_swapped_texts_have_mirrored_changes() -> None:
    mirror = {"only in a": "only in b", "only in b": "only in a"}
    forward, back = listed(compared()), listed(compared(NEW, OLD))
    assert sorted(forward) == sorted((mirror.get(k, k), b, a) for k, a, b in back)


SENTENCES = st.lists(
    st.sampled_from(
        ["The tide turns at noon.", "Bread is dear.", "No boat came for 9 days.", "He sleeps.", "Why?"]
    ),
    min_size=1,
    max_size=8,
)


@given(SENTENCES)
def test_a_text_has_no_differences_from_itself(sentences: list[str]) -> None:
    document = colde.read_text(" ".join(sentences))
    none = SentenceMatches(())
    shared = find_passages(document, document, none)
    assert find_changes(align(document, document), (), shared) == ()


def test_unrelated_texts_have_no_list_of_everything() -> None:
    other = "# Bees\n\nBees fly home at noon. Each of them lives in a hive of clay. The grass is dry in the hills.\n"
    assert compared(b=other + "It has not rained since April of last year.\n").changes == ()


def test_outputs_have_all_changes_and_the_terminal_the_first() -> None:
    comparison = compared()
    console = Console(width=80, record=True)
    print_changes(comparison, console)
    text = console.export_text()
    assert f"{len(comparison.changes)} changes" in text and "The Keeper shall not move" in text
    table = list(csv.DictReader(io.StringIO(changes_table(comparison))))
    assert [row["kind"] for row in table] == [c.kind for c in comparison.changes]
    page = to_html(comparison)
    section = page[page.index("<h2>Changes</h2>") : page.index("<h2>Scores</h2>")]
    assert section.count("<tr>") == len(comparison.changes) + 1 and "only in B" in section
    many = replace(comparison, changes=comparison.changes * 4)
    console = Console(width=80, record=True)
    print_changes(many, console)
    assert f"({SHOWN} shown)" in console.export_text()
    assert NO_CHANGES in to_html(replace(comparison, changes=()))


def test_a_footnote_or_heading_that_one_version_has_in_its_text_is_not_new() -> None:
    blocks = [Block(line) for line in OLD.split("\n\n") if not line.startswith("#")]
    note = "The lock was last changed by a smith of Harlow in the year of the flood."
    aside = [Block("Storage", 1), *blocks, Block(note, role="footnote")]
    a, b = (
        assemble(x, source="a", format="text") for x in (aside, [*blocks, Block("Storage."), Block(note)])
    )
    (moved,) = pipeline.compare(a, b, models="tfidf").changes
    assert moved.kind == "moved" and moved.a == Span(0, 7), "the heading alone, which stands at the end of b"


def test_sentences_that_are_divided_in_another_way_differ_in_form() -> None:
    (change,) = compared(OLD, OLD.replace("dry room. The Keeper", "dry room; the Keeper")).changes
    assert change.kind == "form" and change.a is not None and change.b is not None
    joined = [[text[s:e] for s, e in change.marks[side]] for side, text in (("a", OLD), ("b", OLD))]
    assert len(joined[0]) == len(joined[1]) == 1


def test_a_sentence_that_is_gone_is_listed_though_another_says_the_same() -> None:
    old = colde.read_text(
        OLD.replace("All visitors", "Whoever comes puts his name on the list. All visitors")
    )
    new = colde.read_text(OLD)
    gone, kept = (next(s for _, s in d.sentences() if d.text[s.start : s.end].startswith(words))
                  for d, words in ((old, "Whoever"), (new, "All visitors")))  # fmt: skip
    found = colde.compare(old, new, "tfidf").sentences
    assert found is not None
    matches = replace(found, matches=(*found.matches, SentenceMatch("paraphrased", gone, kept, 0.9)))
    alignment = align(old, new, matches.corresponding)
    (change,) = find_changes(alignment, matches.corresponding, find_passages(old, new, matches))
    assert (change.kind, change.a, change.b) == ("only in a", Span(gone.start, gone.end), None)


def test_another_figure_in_other_words_is_a_change_of_the_number() -> None:
    extra = "The fee for the use of the big scale in the yard is 40 euros a month. "
    again = "For using the large scale in the yard, customers pay a fee of {} euros monthly. "
    old = OLD.replace("All visitors", extra + "All visitors")
    comparisons = [
        compared(old, OLD.replace("All visitors", again.format(n) + "All visitors")) for n in ("45", "forty")
    ]
    kinds = [
        {x.kind for p in c.shared.passages for x in p.parts} for c in comparisons if c.shared is not None
    ]
    assert [("opposite" in k, "paraphrased" in k) for k in kinds] == [(True, False), (False, True)]
    assert [[change.kind for change in c.changes] for c in comparisons] == [["number"], ["wording"]]


CLAUSES = """# 1. Rent

1.1 The Tenant shall pay the rent on the first day of every month.

1.2 The Landlord may raise the rent once in every year.

# 2. Repairs

2.1 The Tenant shall repair the windows and the doors at its own cost.

2.2 If the Tenant breaks clause 2.1, the Landlord may repair them at the cost of the Tenant.

2.3 The Landlord shall keep the roof in good order.

2.4 The Landlord may inspect the house twice in every year.
"""


def test_clauses_that_a_new_one_renumbers_differ_in_form() -> None:
    new = "1.2 The Tenant shall leave a deposit with a bank of its choice.\n\n"
    longer = CLAUSES.replace("1.2 The", new + "1.3 The").replace("# 2. ", "# 2. Pets\n\nNo dogs.\n\n# 3. ")
    for n in range(1, 5):
        longer = longer.replace(f"\n2.{n} ", f"\n3.{n} ")
    renumbered = listed(compared(CLAUSES, longer.replace("clause 2.1", "clause 3.1")))
    assert [kind for kind, *_ in renumbered] == ["only in b"] * 3 + ["form"] * 6
    assert {a[:3] for kind, a, _ in renumbered if kind == "form"} == {
        "1.2",
        "2. ",
        "2.1",
        "2.2",
        "2.3",
        "2.4",
    }
    wrong = listed(compared(CLAUSES, longer.replace("clause 2.1", "clause 3.3")))
    assert ("number", "2.2 If the Tenant breaks", "3.2 If the Tenant breaks") in wrong


def test_letters_and_plain_numbers_of_clauses_count_as_numbers_too() -> None:
    items = [
        "The keys are left with the porter at the gate.",
        "The shutters are closed before dark every day.",
        "The water is turned off in the winter months.",
    ]
    for form in ("({})", "{})"):
        old = "".join(f"{form.format(c)} {item}\n\n" for c, item in zip("abc", items, strict=True))
        added = [items[0], "The lamp in the yard is lit at sunset.", *items[1:]]
        new = "".join(f"{form.format(c)} {item}\n\n" for c, item in zip("abcd", added, strict=True))
        assert [kind for kind, *_ in listed(compared(old, new))] == ["only in b", "form", "form"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("30 Days before the sale the goods are weighed.", "60 Days before the sale the goods are weighed."),
        ("1.5 tonnes of coal are stored in the yard.", "2.5 tonnes of coal are stored in the yard."),
        ("1.5 Tesla are reached inside the large coil.", "3.0 Tesla are reached inside the large coil."),
    ],
)
def test_a_figure_at_the_start_of_a_sentence_is_no_number_of_a_clause(old: str, new: str) -> None:
    a, b = (OLD.replace("All visitors", f"\n\n{text}\n\nAll visitors") for text in (old, new))
    assert [kind for kind, *_ in listed(compared(a, b))] == ["number"]


def test_of_two_blocks_that_changed_places_the_one_that_went_to_another_section_has_moved() -> None:
    *_, roof, house = CLAUSES.strip().split("\n\n")
    repairs, breaks = CLAUSES.split("\n\n")[4:6]
    kept = CLAUSES.replace(f"\n\n{roof}\n\n{house}", "")
    new = kept.replace("# 2. Repairs", f"1.3{roof[3:]}\n\n1.4{house[3:]}\n\n# 2. Repairs")
    assert {(kind, a[4:]) for kind, a, _ in listed(compared(CLAUSES, new))} == {
        ("moved", clause[4:24]) for clause in (roof, house)
    }
    new = kept.replace(f"{repairs}\n\n{breaks}", f"{roof}\n\n{house}\n\n{repairs}\n\n{breaks}")
    assert len(listed(compared(CLAUSES, new))) == 2  # inside one section either may have moved
