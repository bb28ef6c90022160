"""Sentences about the parts of their own document, and sentences that only mention one."""

from __future__ import annotations

import pytest

from colde.text.sentences.part_references import refers_to_parts


@pytest.mark.parametrize(
    "sentence",
    [
        "The results are shown in Table 2.",
        "Figure 3 shows a pump in its closed and in its open position.",
        "FIG. 4 is a sectional view of the lamp.",
        "Sections IV and V treat the remaining cases.",
        "In Section 4 we discuss two further methods.",
        "The rest of this paper is organised as follows.",
        "This report is divided into three parts.",
        "Abbildung 7 zeigt die Linse von oben.",
    ],
)
def test_sentences_about_parts(sentence: str) -> None:
    assert refers_to_parts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The weights are optimised on the development set (see Section 5.4).",
        "Loss grows with load (cf. the curve [Fig. 3] of the pump (and Table 2)).",
        "The table at which twelve people sat was of oak.",
        "A section of the wall fell in the storm.",
        "The lower chamber is divided into three parts.",
        "The society is organised as a club.",
        "She cut a fine figure in the town.",
    ],
)
def test_sentences_about_their_subject(sentence: str) -> None:
    assert not refers_to_parts(sentence)
