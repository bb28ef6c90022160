"""Quotations by the marks of many languages; apostrophes and inches are none."""

from __future__ import annotations

import pytest

from colde.text.not_compared.quotations import quotations


def found(text: str) -> list[str]:
    return [text[s.start : s.end] for s in quotations(text)]


@pytest.mark.parametrize(
    "quotation",
    ["“the tide turns”", '"the tide turns"', "‘the tide turns’", "'the tide turns'", "„die Flut kommt“", "„apa vine”",
     "«la marée»", "« la marée monte »", "»die Flut kommt«", "‚die Flut‘", "「潮が満ちる」", "『潮が満ちる』",
     "‹la marée›",
     "”tidvattnet vänder”", "»vuorovesi kääntyy»", "``the tide turns''",
     "'the keepers' lamp burned all night'", "‘the keepers’ lamp burned all night’",
     "‘it’s the keeper’s lamp’", "'it's the keeper's lamp'", "“one line\nand the next”"],
)  # fmt: skip
def test_every_quoting_style(quotation: str) -> None:
    assert found(f"She wrote {quotation}, and went.") == [quotation]


@pytest.mark.parametrize(
    "text",
    ["It’s the keepers’ lamp, isn’t it?", "It's the keepers' lamp and the dogs' bowl.", "A 5\" lens and a 7\" lens.",
     "“It never ends.\n\nAnd on it goes”", "rock 'n' roll",
     "'Twas the summer of '68, and the dogs' bowl was dry.", "The '90s were the keepers' best years.",
     'print("the tide turns")', 'tide = "it turns"', '"tide": "it turns again",', "open('tide.txt', 'r') as file:",
     "— The tide turns, said the keeper.\n\n— It does."],
)  # fmt: skip
def test_no_quotation(text: str) -> None:
    assert not [q for q in found(text) if len(q) > 4]


def test_several_in_a_paragraph() -> None:
    assert found('He said "yes" and she "no", then \'never\'.') == ['"yes"', '"no"', "'never'"]


@pytest.mark.parametrize("marks", ["“”", '""', "‘’", "''", "«»", "„“", "»«", "「」"])
def test_each_paragraph_of_a_long_quotation_opens_it(marks: str) -> None:
    first, last = marks
    quotation = (
        f"{first}The tide turns.\n\n{first}It turns again, and the boats wait.\n\n{first}So it ends.{last}"
    )
    assert found(f"She wrote:\n\n{quotation}\n\nThen she went.") == [quotation]


def test_possessives_between_two_quotations() -> None:
    assert found("the 'wheels' turn and the 'mill' stops") == ["'wheels'", "'mill'"]


def test_a_long_text_without_an_end_takes_linear_time() -> None:
    assert found("“" + "tide " * 20_000) == [] and found('"' * 20_000) is not None
