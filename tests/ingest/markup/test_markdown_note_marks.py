"""Marks of note programs and editors in Markdown, and what only looks like them."""

from __future__ import annotations

import pytest

import colde

END = "The ferry sails at nine.\n"


def text_of(markdown: str) -> str:
    return colde.read(f"{markdown}\n\n{END}".encode(), name="note.md").text.removesuffix(END.strip()).strip()


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("The [[Old Pier|old pier]] is [[Closed]] today.", "The old pier is Closed today."),
        ("See [[Harbour#Tides]] and [[#Fees]] and [[Log#^ab12|the log]].", "See Harbour > Tides and Fees and the log."),
        ("A [[Page|label with *stress*]] here.", "A label with *stress* here."),
        ("The pier is closed. ![[pier.png]] ![[Notes#All|300]]", "The pier is closed."),
        ("The pier %%who said this?%% is closed.", "The pier is closed."),
        ("%%\nA remark\n\nover two paragraphs.\n%%\n\nThe pier is closed.", "The pier is closed."),
        ("The fee is {~~twelve~>fifteen~~} coins{>>really?<<} a {++long ++}day{-- or two--}.",
         "The fee is fifteen coins a long day."),
        ("The {==whole *pier*==}{>>which?<<} is closed.", "The whole pier is closed."),
        ("The ==old== pier is ==closed on Sundays==.", "The old pier is closed on Sundays."),
        ("The pier uses HTML.\n\n*[HTML]: Hypertext Markup Language\n*[CSS]: Style", "The pier uses HTML."),
        ("The pier is closed. ^pier1", "The pier is closed."),
        ("- The pier is closed. ^a1b2c3\n- It is old.", "The pier is closed.\n\nIt is old."),
        ("#ferry #pier/old #y2024-05\n\nThe pier is closed.", "The pier is closed."),
        ("The pier is closed. #ferry #to-do", "The pier is closed."),
        ("> [!info]- About the pier\n> It is closed.\n> Today, too.", "About the pier\n\nIt is closed. Today, too."),
        ("> [!my-box|wide]\n> It is closed.", "It is closed."),
        ("> [!NOTE]\n> It is closed.", "It is closed."),
        ("The pier holds 10<sup>6</sup> tons, not 10^9^, on 20 m<sup>2</sup>.",
         "The pier holds 10^6 tons, not 10^9, on 20 m2."),
        ("The pier is old.<sup>3</sup> It was the 10<sup>th</sup> one.", "The pier is old. It was the 10th one."),
    ],
)  # fmt: skip
def test_marks_are_left_out_and_labels_stay(markdown: str, text: str) -> None:
    assert text_of(markdown) == text


@pytest.mark.parametrize(
    "markdown",
    [
        "Write `[[Page|label]]`, `%%x%%` and `{++y++}` in code.",
        "    a == b and {--c--} and ==d==",
        "```\n%%\nkept\n%%\n*[HTML]: kept\n#kept\n```",
        "If a == b or a==b and c==d, then 100%% of it, x[[1]] and y{{2}}.",
        "The value x[[name]] and the citation [[1]] stay.",
        "Issue #12 and the #1 rule are about C# and x^2 and 2^10.",
        "The tag #ferry is about the pier, and ^here is not at the end.",
        "The set {a, b} and the arrow a ~> b and {~~ alone.",
    ],
)
def test_what_only_looks_like_a_mark_stays(markdown: str) -> None:
    assert (
        text_of(markdown) == markdown.strip("`\n").strip().replace("`", "") or text_of(markdown) in markdown
    )


def test_links_around_numbers_stay_links() -> None:
    assert text_of("The pier [[1]](#fn1) is [[old]](x.md).") == "The pier [1] is [old]."


def test_marks_in_tables_are_read_as_elsewhere() -> None:
    assert text_of("| a | b |\n|---|---|\n| [[P\\|pier]] | 10<sup>6</sup> |").endswith("pier | 10^6")
