"""Changes with a reviewer's decisions, in the review file, the tables, the report and the data of the linked view."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import colde
from colde.comparison import pipeline
from colde.report.content.changes_report import (
    FORM,
    NO_CHANGES,
    NOT_TRANSLATIONS,
    NOT_VERSIONS,
    UNFINISHED,
    changes_note,
    changes_table,
    count_changes,
)
from colde.report.content.review_export import (
    ReviewError,
    parse_marks,
    read_review,
    review_table,
    review_to_json,
)
from colde.report.content.reviewed_passages import reviewed_passages
from colde.report.formatting import marked_pieces, printable, shorten
from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.printed.docx_report import to_docx
from colde.report.wording.headline import headline
from colde.report.wording.shared_kinds import kind_rows
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.results.shared_text import SentenceMatches
from colde.text.document import Span
from tests.printed_text import W, docx_text
from tests.report.example import example
from tests.report.versions import KINDS, OLD, versions
from tests.schemas import validate


def span(value: Span | None) -> Span | None:
    return None if value is None else Span(value.start, value.end)


@pytest.fixture(scope="module")
def reviewed() -> Comparison:
    """The first change is accepted with a note, the last one, which A lacks, is rejected."""
    comparison = versions()
    first, *_, last = comparison.changes
    marks = (
        Mark(span(first.a), span(first.b), "accepted", "=Agreed <i>by phone</i>", change=True),
        Mark(span(last.a), span(last.b), "rejected", change=True),
    )
    return replace(comparison, review=Decisions(marks))


def test_decisions_on_changes_come_back_from_the_file(reviewed: Comparison) -> None:
    assert reviewed.review is not None
    file = review_to_json(reviewed.a, reviewed.b, reviewed.review, texts=False)
    assert read_review(file.encode()).decisions == reviewed.review
    assert json.loads(file)["marks"][1]["a"] is None
    turned = reviewed.review.swapped()
    assert turned.marks[1].b is None and turned.marks[1].change
    assert turned.swapped() == reviewed.review


@pytest.mark.parametrize(
    "mark",
    [
        {"a": None, "b": [0, 4], "decision": "", "note": ""},  # a passage has both sides
        {"a": None, "b": None, "decision": "", "note": "", "change": True},
        {"a": [0, 4], "decision": "", "note": "", "change": True},
        [],
    ],
)
def test_marks_without_their_passages_are_refused(mark: Any) -> None:
    with pytest.raises(ReviewError):
        parse_marks([mark])


def test_a_passage_and_a_change_of_the_same_spans_have_marks_of_their_own(reviewed: Comparison) -> None:
    assert reviewed.review is not None
    assert reviewed.shared is not None
    first = reviewed.shared.passages[0]
    mark = Mark(first.a, first.b, "accepted", change=True)
    same = replace(reviewed, review=Decisions((mark,)))
    assert not any(found.decision for found in reviewed_passages(same))
    assert not any(found.decision for found in reviewed_passages(reviewed))
    assert ",accepted," not in review_table(reviewed)


def test_the_table_has_decision_note_and_places(reviewed: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(changes_table(reviewed))))
    assert [row["decision"] for row in rows] == ["accepted", "open", "open", "open", "rejected"]
    assert rows[0]["note"] == "'=Agreed <i>by phone</i>", "no formula"
    assert rows[0]["a_section"] == "Storage" and "shall not move" in rows[0]["a_text"]
    assert (rows[-1]["a_text"], rows[-1]["a_start"], rows[-1]["a_section"]) == ("", "", "")
    assert rows[-1]["b_section"] == "Visits"


def test_json_has_the_marks(reviewed: Comparison) -> None:
    data = json.loads(reviewed.to_json())
    validate("comparison", data)
    first, last = data["review"]["marks"]
    assert first["change"] is True and last["a"] is None


def test_the_report_of_versions_begins_with_their_changes(reviewed: Comparison) -> None:
    page = to_html(reviewed)
    assert page.index("<h2>Changes</h2>") < page.index("<h2>Review</h2>") < page.index("<h2>Scores</h2>")
    tree = LexborHTMLParser(page)
    rows = [[cell.text(strip=True) for cell in row.css("td")] for row in tree.css("table")[0].css("tbody tr")]
    assert [row[1] for row in rows] == KINDS
    assert rows[0][4:] == ["accepted", "=Agreed <i>by phone</i>"]
    assert rows[-1][2] == "" and rows[-1][4] == "rejected"
    assert "<b>written</b>" in rows[0][2], "markup of a document is text"
    assert "Of 5 changes 1 were accepted and 1 rejected" in page
    same = to_html(replace(versions(), changes=()))
    assert NO_CHANGES in same
    assert '<th scope="col">Decision' not in to_html(versions()), "nobody reviewed it"


def test_other_pairs_have_their_changes_further_down() -> None:
    comparison = versions()
    assert comparison.shared is not None and comparison.shared.are_versions
    few = replace(
        comparison.shared,
        a=dict.fromkeys(comparison.shared.a, 0.1),
        b=dict.fromkeys(comparison.shared.b, 0.1),
    )
    assert not few.are_versions
    page = to_html(replace(comparison, shared=few))
    assert page.index("<h2>Changes</h2>") > page.index("<h2>Scores</h2>")
    assert changes_note(replace(comparison, shared=few)) == NOT_VERSIONS
    assert changes_note(replace(comparison, shared=few, changes=())) == (
        f"No changes in tables, nor in sentences that both texts have with nearly the same words or the same "
        f"meaning. {NOT_VERSIONS}"
    )


@pytest.mark.parametrize("listed", [True, False])
def test_what_was_not_searched_between_two_languages_is_said(listed: bool) -> None:
    comparison = versions()
    assert comparison.shared is not None
    few = replace(
        comparison.shared,
        a=dict.fromkeys(comparison.shared.a, 0.1),
        b=dict.fromkeys(comparison.shared.b, 0.1),
        searched=("identical", "edited"),
    )
    german = replace(
        comparison,
        a=replace(comparison.a, language="de"),
        b=replace(comparison.b, language="en"),
        shared=few,
        changes=comparison.changes if listed else (),
    )
    note = changes_note(german)
    assert note.endswith(f"The texts are in German and English: {NOT_TRANSLATIONS}")
    assert note.startswith(
        "No changes in tables, nor in sentences that both texts have with nearly the same words."
    ) is not (listed)
    assert NO_CHANGES not in note
    unknown = replace(german, a=replace(german.a, language=None))
    assert changes_note(unknown).endswith(NOT_VERSIONS)


def test_an_empty_list_says_why() -> None:
    comparison = versions()
    assert changes_note(comparison) == ""
    assert changes_note(replace(example(), shared=None, sentences=None)) == UNFINISHED
    long = replace(comparison, shared=None, changes=(), sentences=SentenceMatches(()))
    assert changes_note(long)[1:-1] == TOO_LONG[1:]
    assert comparison.shared is not None
    none = dict.fromkeys(comparison.shared.a, 0.0)
    words_only = replace(
        comparison.shared, a=none, b=none, searched=("identical",), not_searched="No encoder is installed."
    )
    assert changes_note(replace(comparison, shared=words_only)).endswith("No encoder is installed.")


def test_the_view_gets_the_changes_and_where_a_missing_sentence_would_be() -> None:
    comparison = versions()
    sent = view_payload(comparison, "tfidf")["changes"]
    assert sent["versions"] is True
    assert [change["kind"] for change in sent["list"]] == KINDS
    *_, last = sent["list"]
    assert last["a"] is None
    before = comparison.a.text[: last["near"]]
    assert before.rstrip(".").endswith("in the presence of the foreman")
    assert all(change["near"] is None for change in sent["list"][:-1])
    running = replace(example(), shared=None, sentences=None)
    assert view_payload(running, "colde")["changes"]["list"] is None


def test_versions_in_another_language_say_that_meaning_was_not_judged() -> None:
    comparison = versions()
    german = replace(comparison, a=replace(comparison.a, language="de"))
    assert "The texts are in German" in changes_note(german) and "not judged" in changes_note(german)
    assert changes_note(replace(german, changes=())).startswith(NO_CHANGES)
    assert changes_note(comparison) == ""


def test_words_that_differ_are_marked_in_every_report(reviewed: Comparison) -> None:
    marks = LexborHTMLParser(to_html(reviewed)).css("table")[0].css("mark")
    assert [mark.text() for mark in marks] == ["not", "may", "shall", "4,100", "4,700", "30", "60"]
    runs = docx.Document(io.BytesIO(to_docx(reviewed))).element.body.iter(f"{W}r")
    texts = [
        "".join(t.text or "" for t in run.iter(f"{W}t")) for run in runs if list(run.iter(f"{W}highlight"))
    ]
    assert texts == [mark.text() for mark in marks]


@given(st.text(st.sampled_from("ab \n\x00\u202e…é"), max_size=30), st.data())
def test_pieces_add_up_to_the_printed_text(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    marks = list(zip(cuts[::2], cuts[1::2], strict=False))
    longest = data.draw(st.integers(2, 30))
    pieces = marked_pieces(text, marks, longest)
    assert "".join(words for words, _ in pieces) == shorten(printable(text), longest)
    letters = "".join(words for words, differs in marked_pieces(text, marks, 99) if differs)
    marked = "".join(text[start:end] for start, end in marks)
    assert "".join(letters.split()) == "".join(printable(marked).split())


def test_differences_of_form_are_counted_apart_and_folded_at_the_end() -> None:
    comparison = versions()
    last = replace(comparison.changes[1], kind="form", importance=0.0)
    changed = replace(comparison, changes=(*comparison.changes, last))
    assert (
        count_changes(changed.changes)
        == f"5 changes, most important first, then 1 difference of form ({FORM})"
    )
    assert count_changes((last, last)).startswith("2 differences of form")
    tree = LexborHTMLParser(to_html(changed))
    folded = [d for d in tree.css("details") if "Differences of form: 1" in d.text()]
    assert len(folded) == 1 and folded[0].css("tbody td")[0].text() == "6"
    assert "Differences of form" not in to_html(comparison)
    assert "Differences of form" in docx_text(to_docx(changed))


def test_identical_is_said_only_of_equal_words_and_signs() -> None:
    same, comma = (
        pipeline.compare(colde.read_text(OLD), colde.read_text(new), models="tfidf")
        for new in (" ".join(OLD.split(" ")), OLD.replace("crowns, and", "crowns and"))
    )
    assert headline(same, related=True).startswith("The two texts are identical.")
    assert same.shared is not None and comma.shared is not None
    assert "100 %" in {row.a for row in kind_rows(same.shared)}
    assert [c.kind for c in comma.changes] == ["form"]
    untitled, titled = (replace(same.a, title=title) for title in ("Draft", "Final"))
    assert "“Draft” → “Final”" in changes_note(replace(same, a=untitled, b=titled))
    assert headline(comma, related=True) == "Two versions: 1 difference of form."
    assert "100 %" not in {row.a for row in kind_rows(comma.shared)}
