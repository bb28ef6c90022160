"""Text of templates and standard text of a reference is set aside, counted, and never called shared."""

from __future__ import annotations

import pytest

import colde
from colde.comparison.known_text import set_aside_known_text
from colde.judge.reference import Reference
from colde.text.document import Document

COVER = (
    "I declare that this report is my own work and that I have named every source that I used in writing it.\n\n"
    "The report has not been handed in for any other course of this school, nor will it be in the coming year."
)
FORM = "The name of the place where the samples were taken on the day of the visit is"
TIDE = "The tide turns at nine, and the keeper lights his lamp before he counts the boats that lie behind the wall. {}"
OVEN = (
    "A loaf of rye needs four hours in a warm kitchen, and the crust is dark when the baker knocks on it. {}"
)


def text(body: str, place: str) -> Document:
    return colde.read_text(
        f"# Report\n\n{COVER}\n\n## Work\n\n{body.format(body[:40])}\n\n{FORM} {place}, as agreed.\n"
    )


A, B = text(TIDE, "Linsted harbour wall"), text(OVEN, "the old mill of Corran")
TEMPLATE = colde.read_text(f"{COVER}\n\n{FORM} ______.\n")


def aside(comparison: colde.Comparison) -> dict[str, int]:
    return {item.what: item.words for item in comparison.set_aside["a"]}


def test_text_of_a_template_is_not_shared() -> None:
    plain = colde.compare(A, B, "tfidf", include=["boilerplate"])
    comparison = colde.compare(A, B, "tfidf", include=["boilerplate"], templates=[TEMPLATE])
    assert plain.shared is not None and plain.shared.a["identical"] > 0.5
    assert comparison.shared is not None and comparison.shared.a["identical"] == 0.0
    assert comparison.models[0].score < plain.models[0].score / 2
    assert aside(comparison)["template"] == len(f"{COVER} {FORM}".split())
    assert not [c for c in comparison.changes if c.a and "declare" in A.text[c.a.start : c.a.end]]
    text = comparison.a.text
    assert not any("declare" in text[p.a.start : p.a.end] for p in comparison.shared.passages)


def test_what_is_filled_in_stays() -> None:
    comparison = colde.compare(A, B, "tfidf", templates=[TEMPLATE])
    compared = "".join(comparison.a.text[s.start : s.end] for _, s in comparison.a.compared())
    assert "Linsted harbour wall" in compared and "tide" in compared and "declare" not in compared


def test_the_template_can_be_included() -> None:
    comparison = colde.compare(A, B, "tfidf", templates=[TEMPLATE], include=["template"])
    assert comparison.set_aside == colde.compare(A, B, "tfidf").set_aside


@pytest.mark.parametrize(("with_cover", "standard"), [(2, False), (3, True)])
def test_standard_text_of_a_reference_stands_in_many_documents(with_cover: int, standard: bool) -> None:
    others = [
        colde.read_text(f"{COVER if i < with_cover else ''}\n\nNumber {i} tells of bees and {i} hives.")
        for i in range(12)
    ]
    a, _ = set_aside_known_text([A, B], reference=Reference("reports", tuple(others)))
    assert any(s.role == "standard" for s in a.sections) == standard
    assert set_aside_known_text(
        [A, B], include=["standard"], reference=Reference("reports", tuple(others))
    ) == [A, B]


def test_the_two_documents_and_their_copies_do_not_make_text_standard() -> None:
    reference = Reference(
        "reports", (A, B, A, *[colde.read_text(f"Number {i} tells of bees.") for i in range(9)])
    )
    assert set_aside_known_text([A, B], reference=reference) == [A, B]


def test_a_text_that_is_all_template_is_compared_but_not_counted() -> None:
    comparison = colde.compare(colde.read_text(COVER), B, "tfidf", templates=[TEMPLATE])
    assert comparison.shared is not None and sum(comparison.shared.a.values()) == 0.0
