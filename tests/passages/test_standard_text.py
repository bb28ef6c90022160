"""Standard text is searched, and passages that lie mostly in it are marked."""

from __future__ import annotations

import pytest

import colde
from colde.passages.standard_text import is_standard, searched_text, standard_spans
from colde.text.boilerplate import without_boilerplate
from colde.text.document import Span

TEXT = (
    "# Sea\n\nThe keeper lights the lamp.\n\n# Acknowledgements\n\nWe thank the crew of the boat for bread.\n"
)


def test_standard_sections_are_searched_though_no_model_reads_them() -> None:
    document = without_boilerplate(colde.read_text(TEXT))
    (standard,) = standard_spans(document)
    assert "We thank the crew" in document.text[standard.start : standard.end]
    assert not any(s.overlaps(standard) for _, s in document.sentences())
    searched = searched_text(document)
    assert searched.text == document.text
    assert any(s.overlaps(standard) for _, s in searched.sentences())


@pytest.mark.parametrize(
    ("span", "standard"),
    [((0, 10), False), ((5, 15), True), ((6, 26), True), ((4, 15), False), ((18, 40), False)],
)
def test_half_of_a_passage_in_standard_text_makes_it_standard(span: tuple[int, int], standard: bool) -> None:
    assert is_standard(Span(*span), (Span(10, 16), Span(20, 24))) is standard
