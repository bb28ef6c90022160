"""What changed between the two versions of the sample contract is listed, as text and as PDF, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde.corpus.samples import sample_named
from tests.programs import Run

CONTRACT = sample_named("licence")
INTENDED = (
    ("negation", "12.1 The Customer may assign", "13.1 The Customer may not assign"),
    ("number", "This Agreement is made on 2 March", "This Agreement is made on 16 March"),
    ("number", "1.3 “Business Hours” means 8.00", "1.3 “Support Hours” means 9.00"),
    (
        "number",
        "5.1 The Customer shall pay the Fees within 30",
        "5.1 The Customer shall pay the Fees within 14",
    ),
    ("number", "5.3 If the Customer is late", "5.3 If the Customer is late"),
    ("condition", "5.4 The Supplier may increase", "5.4 The Supplier may increase"),  # its limit is gone
    ("number", "6.3 On 20 days", "5.6 On 5 days"),  # also moved, with the sentence after it
    ("number", "10.2 Subject to clause 10.1", "11.2 Subject to clause 11.1"),
    ("number", "11.1 This Agreement begins", "12.1 This Agreement begins"),
    ("number", "11.2 After the initial term", "12.2 After the initial term"),
    ("name", "4.1 The Supplier shall operate", "4.1 The Supplier shall operate"),
    ("name", "12.7 This Agreement is governed", "13.7 This Agreement is governed"),
    ("obligation", "4.3 If the Supplier misses", "4.3 If the Supplier misses"),
    ("only in a", "10.3 The limit in clause 10.2 does not apply", ""),
    ("only in b", "", "7. Use of Customer Data"),
    ("only in b", "", "7.1 The Supplier may use"),
    ("only in b", "", "It shall remove everything"),
    ("only in b", "", "7.2 The Supplier shall store"),
    ("table", "Annual licence fee", "Annual licence fee"),
    ("table", "Training at a depot", "Training at a depot"),
    ("table", "Critical", "Critical"),
    ("moved", "The inspection shall take place", "The inspection shall take place"),
    ("wording", "1.2 “Authorised Users” means the employees", "1.2 “Authorised Users” means the employees"),
    ("wording", "4.4 The Supplier shall tell", "4.4 The Supplier shall give"),
    ("wording", "12.6 Notices shall be sent", "13.6 Notices shall be sent"),
)
"""Kind, and the first words of the sentence in each version. Sections 7 to 12 became 8 to 13: differences of form."""


@pytest.mark.parametrize(
    ("a", "b"), [(CONTRACT.a, CONTRACT.b), (CONTRACT.a_pdf, CONTRACT.b_pdf)], ids=["text", "pdf"]
)
def test_every_intended_change_is_listed_and_nothing_else(a: Path, b: Path, run: Run) -> None:
    status, out, _ = run("compare", a, b, "--model", "tfidf", "--json", "-")
    assert status == 0
    result = json.loads(out)
    texts = [result["documents"][side]["text"] for side in "ab"]
    form = [c for c in result["changes"] if c["kind"] == "form"]
    numbers = [
        text[s:e] for c in form for text, side in zip(texts, "ab", strict=True) for s, e in c["marks"][side]
    ]
    assert all(number.replace(".", "").isdigit() for number in numbers)
    assert result["changes"][-len(form) :] == form
    left = list(INTENDED)
    for change in result["changes"][: -len(form)]:
        sentences = [
            "" if span is None else text[span["start"] : span["end"]]
            for text, span in zip(texts, (change["a"], change["b"]), strict=True)
        ]
        listed = next(
            (
                intended
                for intended in left
                if intended[0] == change["kind"]
                and all(
                    bool(begin) == bool(s) and s.startswith(begin)
                    for begin, s in zip(intended[1:], sentences, strict=True)
                )
            ),
            None,
        )
        assert listed is not None, f"not intended: {change['kind']}: {sentences}"
        left.remove(listed)
    assert left == []
