"""Clauses with the lists that they introduce, and the passages that are the rows of a claim chart."""

from __future__ import annotations

import colde
from colde.text.clauses_and_requirements.clauses import clauses
from colde.text.clauses_and_requirements.requirements import chart_rows, requirements
from colde.text.document import Document, Span

AGREEMENT = """The yard lies behind the mill and is open to members of the society all year round.

1. The tenant shall sweep the yard every week.

2. The tenant pays for:

(a) water and light;

(b) the gate.

3. The lease ends in May.

Bicycles are welcome in the shed. They must not block the ramp. Most of them are blue and rather old.
"""


def texts(document: Document, spans: list[Span]) -> list[str]:
    return [" ".join(document.text[s.start : s.end].split()) for s in spans]


def test_numbered_paragraphs_and_obligations_are_requirements() -> None:
    document = colde.read(AGREEMENT.encode(), name="depot.txt")
    assert texts(document, requirements(document)) == [
        "1. The tenant shall sweep the yard every week.",
        "2. The tenant pays for: (a) water and light; (b) the gate.",
        "3. The lease ends in May.",
        "They must not block the ramp.",
    ]


def test_a_long_numbered_paragraph_is_divided_into_its_obligations() -> None:
    prose = "The mill has stood by the river for two hundred years and looks over the meadows. " * 6
    text = f"1. {prose}The tenant shall keep the wheel turning.\n\n2. {prose}"
    document = colde.read(text.encode(), name="mill.txt")
    first, second = texts(document, requirements(document))
    assert first == "The tenant shall keep the wheel turning."
    assert second.startswith("2. The mill has stood")


def test_clauses_and_sentences_can_be_chosen() -> None:
    document = colde.read(AGREEMENT.encode(), name="depot.txt")
    assert "Bicycles are welcome in the shed." in texts(document, chart_rows(document, "sentences"))
    whole = "Bicycles are welcome in the shed. They must not block the ramp. Most of them are blue and rather old."
    assert whole in texts(document, chart_rows(document, "clauses"))


def test_every_sentence_is_in_one_clause() -> None:
    document = colde.read(AGREEMENT.encode(), name="depot.txt")
    sentences = [s for _, s in document.sentences()]
    parts = clauses(document, sentences)
    assert [k for part in parts for k in part] == list(range(len(sentences)))
    lists = [document.text[sentences[p[0]].start : sentences[p[-1]].end] for p in parts if len(p) > 1]
    assert any(text.startswith("2.") and text.endswith("the gate.") for text in lists)


def test_a_paragraph_after_a_list_is_a_clause_of_its_own() -> None:
    document = colde.read_text(
        "The buyer gets:\n\n- a key;\n\n- a lamp.\n\nThe seller keeps the old map of the town."
    )
    sentences = [s for _, s in document.sentences()]
    last = clauses(document, sentences)[-1]
    assert document.text[sentences[last[0]].start :].startswith("The seller keeps")


def test_prose_has_no_requirements() -> None:
    assert (
        requirements(colde.read_text("The sea was calm. A mustard field lay behind the dunes. Nobody came."))
        == []
    )


def test_paragraphs_below_claims_are_requirements_without_numbers() -> None:
    document = colde.read_text(
        "# Lid\n\n## Use\n\nThe lid closes a jar.\n\n## Claims\n\n1. A jar with a lid.\n\n2. The jar of claim 1."
    )
    assert texts(document, requirements(document)) == ["A jar with a lid.", "The jar of claim 1."]
