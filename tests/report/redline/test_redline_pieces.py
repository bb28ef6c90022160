"""The pieces of a redline are both texts: without the insertions A, without the deletions B."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings

import colde
from colde.alignment.document_alignment import align
from colde.report.redline.redline_pieces import (
    BREAK,
    STATES_OF_A,
    STATES_OF_B,
    Piece,
    RedlineParagraph,
    State,
    redline_paragraphs,
)
from colde.text.document import Document
from tests.alignment.made_versions import made_versions


def text_of(paragraphs: Sequence[RedlineParagraph], states: tuple[State, ...]) -> list[str]:
    """The paragraphs that are left where only pieces in these states stay, blank ones aside."""
    text = ""
    for paragraph in paragraphs:
        text += "".join(piece.text for piece in paragraph.pieces if piece.state in states)
        text += BREAK if paragraph.end in states else ""
    return lines(text)


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split(BREAK) if line.strip()]


def paragraphs_of(a: str, b: str) -> list[RedlineParagraph]:
    return redline_paragraphs(align(colde.read_text(a), colde.read_text(b)))


def shown(paragraphs: Sequence[RedlineParagraph]) -> list[tuple[State, str]]:
    return [(piece.state, piece.text) for paragraph in paragraphs for piece in paragraph.pieces]


@given(made_versions())
@settings(max_examples=300, deadline=None)
def test_the_pieces_are_both_texts(pair: tuple[Document, Document]) -> None:
    paragraphs = redline_paragraphs(align(*pair))
    assert text_of(paragraphs, STATES_OF_A) == lines(pair[0].text)
    assert text_of(paragraphs, STATES_OF_B) == lines(pair[1].text)


@given(made_versions())
@settings(max_examples=100, deadline=None)
def test_each_move_is_the_same_text_at_two_places(pair: tuple[Document, Document]) -> None:
    pieces = [p for paragraph in redline_paragraphs(align(*pair)) for p in paragraph.pieces]
    moves = {p.move for p in pieces} - {None}
    for move in moves:
        away = [p.text for p in pieces if p.move == move and p.state == "moved away"]
        here = [p.text for p in pieces if p.move == move and p.state == "moved here"]
        assert away == here and len(away) == 1


@given(made_versions())
@settings(max_examples=50, deadline=None)
def test_a_document_against_itself_is_the_same(pair: tuple[Document, Document]) -> None:
    assert {state for state, _ in shown(redline_paragraphs(align(pair[0], pair[0])))} <= {"same"}


FIRST = "The keeper opens the gate at dawn. He lights the lamp at dusk. The boat waits in the harbour."


def test_words_that_differ_are_marked_and_no_others() -> None:
    assert shown(paragraphs_of(FIRST, FIRST.replace("lamp", "lantern"))) == [
        ("same", "The keeper opens the gate at dawn. He lights the "),
        ("deleted", "lamp"),
        ("inserted", "lantern"),
        ("same", " at dusk. The boat waits in the harbour."),
    ]


def test_white_space_beside_words_that_differ_is_the_same() -> None:
    pieces = shown(paragraphs_of(FIRST, FIRST.replace("opens the", "shuts every")))
    assert pieces[1:3] == [("deleted", "opens the"), ("inserted", "shuts every")]


def test_a_paragraph_that_is_divided_has_an_inserted_end() -> None:
    paragraphs = paragraphs_of(FIRST, FIRST.replace(" He", "\n\nHe"))
    assert [paragraph.end for paragraph in paragraphs] == ["inserted", "same"]
    assert shown(paragraphs)[1] == ("deleted", " ")


def test_a_paragraph_of_one_text_alone_has_its_own_end() -> None:
    paragraphs = paragraphs_of(f"{FIRST}\n\nNobody swims here in winter.\n\nThe end.", f"{FIRST}\n\nThe end.")
    assert [(p.end, p.pieces[0].state) for p in paragraphs] == [
        ("same", "same"),
        ("deleted", "deleted"),
        ("same", "same"),
    ]


def test_a_piece_ends_where_a_cut_is() -> None:
    start, end = FIRST.index("lights"), FIRST.index(" the lamp")
    document = colde.read_text(FIRST)
    paragraphs = redline_paragraphs(align(document, document), (set(), {start, end}))
    assert [piece.text for piece in paragraphs[0].pieces][1] == "lights"
    assert Piece("lights", "same", start, start) in paragraphs[0].pieces


def test_headings_and_rows_of_tables_are_known() -> None:
    a = colde.read(b"Keep calm.\n\n# Rules\n\nShut the gate.\n\n|a|b|\n|-|-|\n|1|2|\n", name="a.md")
    paragraphs = redline_paragraphs(align(a, a))
    assert [p.level for p in paragraphs] == [None, 1, None, None, None]
    assert [p.table for p in paragraphs] == [False, False, False, True, True]
