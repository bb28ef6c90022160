"""Text that is not compared is counted: every word of a document is compared or stands under one kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import EXCLUDED_ROLE, Document, ReadWarning, Role
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.not_compared.set_aside import reading_warnings, set_aside, set_aside_phrase
from colde.text.sections.passage_removal import leave_out
from colde.text.sections.section_edits import PLURALS, include, set_role

BODY = "The tide turns twice a day along most coasts, and the pilot waits for it."
ROLES: tuple[Role | None, ...] = (None, *PLURALS)


def paper() -> Document:
    """A paper with everything that is set aside."""
    blocks = [
        Block("Ann Orrin, University of Tarn"),
        Block("Abstract", level=1),
        Block(BODY),
        Block("Tides", level=1),
        Block("Spring tides", level=2),
        Block(f"{BODY} {BODY}"),
        Block("Time 1 2 3", role="table"),
        Block("Table 1: tides", role="caption"),
        Block("Figure 1: a bar", role="caption"),
        Block("Funding", level=1),
        Block("The harbour paid."),
        Block("References", level=1, role="references"),
        Block("A. Orrin. Tides. 2019.", role="references"),
    ]
    return prepare_for_comparison(assemble(blocks, source="paper.txt", format="text", language="en"))


def test_each_kind_is_counted_once_with_its_words() -> None:
    found = {item.what: item.words for item in set_aside(paper())}
    assert found == {
        "front matter": 5, "headings without text": 1, "tables": 4, "captions": 7,
        "acknowledgements and licences": 4, "references": 5,
    }  # fmt: skip
    assert all(item.why for item in set_aside(paper()))


def test_the_phrase_names_the_option_that_compares_it() -> None:
    said = set_aside_phrase(set_aside(include(paper(), ["table", "caption", "boilerplate"])))
    assert said == "headings without text 1 word, references 5 words (--include references)"
    assert set_aside_phrase(set_aside(include(paper(), PLURALS))) == "headings without text 1 word"
    assert set_aside_phrase(()) == ""


def test_what_was_left_out_by_hand_is_counted() -> None:
    document = set_role(paper(), 1, EXCLUDED_ROLE)
    assert {i.what: i.words for i in set_aside(document)}["removed by the user"] == len(BODY.split()) + 1
    (span, *_) = paper().sections[3].sentences
    part = leave_out(paper(), [span])
    assert {i.what: i.words for i in set_aside(part)}["removed by the user"] == len(BODY.split())


@given(st.lists(st.tuples(st.sampled_from(ROLES), st.booleans(), st.integers(0, 9)), min_size=1))
def test_every_word_is_compared_or_counted(pieces: list[tuple[Role | None, bool, int]]) -> None:
    blocks = []
    for role, headed, words in pieces:
        blocks += [Block("Part", level=1, role=role)] if headed else []
        blocks += [Block("word " * words, role=role)] if words else []
    document = assemble(blocks, source="x.txt", format="text", sentences=False)
    aside = sum(item.words for item in set_aside(document))
    assert aside + document.words() == len(document.text.split())


def test_what_is_left_out_of_the_count_is_counted_once() -> None:
    text = "She said “the tide (Orrin, 1921) is late” and left [3], as all had done (Hale, 1930)."
    blocks = [Block(text), Block("“Not compared” at all.", role="footnote")]
    document = assemble(blocks, source="x.txt", format="text")
    found = {i.what: i.words for i in set_aside(document, ["quotes", "references", "small"])}
    assert found == {"footnotes": 4, "quotations": 6, "citations": 3}
    assert {i.what: i.words for i in set_aside(document, ["references"])} == {"footnotes": 4, "citations": 5}
    assert all(i.include is None for i in set_aside(document, ["quotes"]) if i.what == "quotations")
    blocks = [Block(BODY), Block("Funding", 1), Block("The harbour.")]
    thanks = prepare_for_comparison(assemble(blocks, source="x", format="text"),
                        ["boilerplate"])  # fmt: skip
    assert {i.what: i.words for i in set_aside(thanks, ["boilerplate"])} == {"boilerplate": 3}


def test_text_without_spaces_is_counted() -> None:
    blocks = [Block(BODY), Block("潮汐每天涨落两次", role="footnote")]
    (item,) = set_aside(assemble(blocks, source="x.txt", format="text"))
    assert item.words > 3


def test_a_document_that_is_mostly_set_aside_has_a_warning() -> None:
    blocks = [Block(BODY), Block("cell " * 40, role="table")]
    document = assemble(blocks, source="x.txt", format="text", warnings=(ReadWarning("page 2 has no text"),))
    assert reading_warnings(document) == (
        "page 2 has no text",
        "only 15 of 55 words are scored; the score ignores tables 40 words",
    )
    assert reading_warnings(include(document, ["table"])) == ("page 2 has no text",)
    by_hand = set_role(assemble([Block("One", 1), Block(BODY * 9), Block("Two", 1), Block(BODY)],
                                source="x.txt", format="text"), 0, EXCLUDED_ROLE)  # fmt: skip
    assert reading_warnings(by_hand) == ()
