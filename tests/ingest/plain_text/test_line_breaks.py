"""Hard line breaks: items, paragraphs or one sentence."""

from __future__ import annotations

import textwrap

import pytest

from colde.ingest.shared.line_breaks import split_at_line_breaks

PROSE = (
    "The ferry to the lower islands leaves at dawn and comes back after dark. Nobody sells tickets for it. "
    "On stormy days Captain Harrow stays at home, mends his nets and teaches the children of Port Ellery to read."
)


@pytest.mark.parametrize(
    "items",
    [
        ["Steel rake", "Bucket of zinc", "Two pairs of gloves"],
        ["You need:", "flour", "salt", "warm water"],
        ["Ferry Office", "12 Harbour Lane", "Port Ellery KW1 4AB", "Tel. 01 234 567"],
        ["1. Open the valve and wait", "2. Close the hatch", "3. Go home"],
        ["– an anchor", "– two ropes"],
        ["Monday: 9 to 12", "Tuesday: closed", "Sunday: 10 to 4"],
        ["東京都千代田区", "大阪市北区", "京都市"],
        ["The ferry leaves at dawn.", "Nobody sells tickets for it, and the captain keeps no list of names."],
        ["Timetable", "The ferry leaves at dawn and comes back after dark."],
    ],
)
def test_items_stay_apart(items: list[str]) -> None:
    assert split_at_line_breaks("\n".join(items)) == items


@pytest.mark.parametrize(
    "lines",
    [
        textwrap.wrap(PROSE, 45),
        textwrap.wrap(PROSE, 72),
        ["The ferry leaves at dawn and", "comes back after dark."],
        ["Nobody saw Mr.", "Harrow leave."],
        ["Die Fähre fährt im", "Winter nicht."],
        ["It stops (except", "Sundays) at the mole."],
        ["The children learn to read with the old", "Captain of the ferry."],
    ],
)
def test_a_sentence_stays_whole(lines: list[str]) -> None:
    assert split_at_line_breaks("\n".join(lines)) == [" ".join(lines)]


def test_a_blank_line_begins_a_paragraph() -> None:
    first, second = textwrap.wrap(PROSE, 60), ["It is cold.", ""]
    assert split_at_line_breaks("\n".join([*first, " ", *second])) == [PROSE, "It is cold."]


def test_wrapped_text_without_spaces_is_joined_without_them() -> None:
    text = "渡し船は夜明けに出て、暗くなってから戻る。切符を売る人はだれもいない。"
    assert split_at_line_breaks("\n".join(textwrap.wrap(text, 17))) == [text]
