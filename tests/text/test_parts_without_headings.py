"""Documents without headings in parts: nothing lost, borders between paragraphs."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Document
from colde.text.sections.parts_without_headings import split_into_parts


def plain(paragraphs: list[str]) -> Document:
    return assemble([Block(p) for p in paragraphs], source="t", format="text")


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(2, 5))
def test_parts_cover_the_text_and_break_between_paragraphs(lengths: list[int], n: int) -> None:
    whole = plain(["The tide turns. " * k for k in lengths])
    split = split_into_parts(whole, n)
    assert split.text == whole.text
    assert len(split.sections) == min(n, len(lengths)) or len(lengths) == 1 or len(split.sections) <= n
    assert [p for s in split.sections for p in s.paragraphs] == list(whole.sections[0].paragraphs)
    assert [s for _, s in split.sentences()] == [s for _, s in whole.sentences()]
    for x, y in pairwise(split.sections):
        assert x.end <= y.start and not split.text[x.end : y.start].strip()
    assert (split.sections[0].start, split.sections[-1].end) == (0, whole.sections[0].end)


def test_by_default_two_to_five_parts_of_like_length() -> None:
    paragraph = "The pilot waits for the tide and reads the swell on the bar. " * 10
    assert len(split_into_parts(plain([paragraph] * 3)).sections) == 2
    parts = split_into_parts(plain([paragraph] * 60)).sections
    assert len(parts) == 5
    sizes = [s.end - s.start for s in parts]
    assert max(sizes) < 1.2 * min(sizes)


def test_headings_stay_as_they_are() -> None:
    document = assemble([Block("Tides", 1), Block("One."), Block("Two.")], source="t", format="text")
    assert split_into_parts(document) is document
    lone = plain(["One paragraph alone."])
    assert split_into_parts(lone) is lone


def test_a_comparison_of_plain_texts_has_a_section_map() -> None:
    text = "\n\n".join(
        "The pilot waits for the tide and reads the swell on the bar at dawn. " * 4 for _ in range(8)
    )
    found = colde.compare(colde.read_text(text), colde.read_text(text), ["tfidf"])
    assert found.maps["tfidf"]["section"].values.shape == (2, 2)
