"""PDFs of known structure, one and two columns: headings, order, furniture, boxes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import sentence
from tests.ingest.pdf_samples.typeset import Layout, Section, typeset

Checked = Callable[[Document], Document]
NAMES = [
    "Introduction",
    "Materials",
    "Earlier Work",
    "Measurements of Flow",
    "Two Models",
    "Results and Limits",
    "Outlook",
]


def numbered(depths: list[int], paragraphs: list[list[int]]) -> list[Section]:
    """Sections with decimal numbers of these depths; a depth is at most one more than the one before."""
    counts = [0, 0, 0]
    out = []
    last = 0
    for i, (depth, sizes) in enumerate(zip(depths, paragraphs, strict=False)):
        last = depth = max(1, min(depth, last + 1))
        counts[depth - 1] += 1
        counts[depth:] = [0] * (3 - depth)
        number = ".".join(map(str, counts[:depth]))
        out.append(Section(f"{number} {NAMES[i % len(NAMES)]}", depth, sizes))
    return out


def expect(document: Document, sections: list[Section]) -> None:
    """Headings with their levels, and every sentence, in order, under its heading."""
    found = [(s.heading, s.level) for s in document.sections if s.heading]
    assert found == [(s.heading, s.level) for s in sections]
    for section in sections:
        own = next(s for s in document.sections if s.heading == section.heading)
        body = document.text[own.body : own.end]
        at = -1
        for n in range(section.first, section.first + sum(section.paragraphs)):
            start = body.find(sentence(n, 10 + n % 7))
            assert start > at, f"sentence {n} stands under {section.heading}, behind the one before"
            at = start


@pytest.mark.slow
@given(
    depths=st.lists(st.integers(1, 3), min_size=3, max_size=7),
    sizes=st.lists(st.lists(st.integers(6, 15), min_size=2, max_size=4), min_size=7, max_size=7),
    columns=st.sampled_from([1, 2]),
    rotate=st.sampled_from([0, 90, 180, 270]),
)
@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink whole documents takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@example(  # the last column of the last page holds two words
    depths=[1, 2, 1, 1, 3, 1, 2],
    sizes=[[6, 15], [15, 12, 13, 15], [6, 10, 15], [6, 10, 15], [7, 15], [13, 6, 15], [7, 10]],
    columns=2,
    rotate=180,
)
def test_structure_comes_back(
    depths: list[int], sizes: list[list[int]], columns: int, rotate: int, checked: Checked
) -> None:
    """Any tree of numbered sections, in one column or two, on turned pages too, is read as it was set."""
    sections = numbered(depths, sizes)
    layout = Layout(columns=columns, rotate=rotate, head="Journal of Tests, Volume 7")
    document = checked(convert(typeset(sections, layout), "x.pdf", Reading()))
    assert document.title == layout.title
    expect(document, sections)
    if (document.pages or 0) > 1:  # on a single page nothing tells a running head from text
        assert "Journal of Tests" not in document.text
    for _, s in document.sentences():
        assert s.boxes
        for page, x0, y0, x1, y1 in s.boxes:
            width, height = document.page_sizes[page - 1]
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height


@pytest.mark.parametrize("columns", [1, 2])
def test_headings_without_numbers(columns: int, checked: Checked) -> None:
    """Levels come from the rank of the style where headings carry no numbers."""
    sections = [
        Section("Abstract", 1, [3]), Section("Background", 1, [4, 5]), Section("Sources of Data", 2, [6]),
        Section("Ways of Counting", 2, [4, 4]), Section("Findings", 1, [8]), Section("What Was Not Found", 2, [5, 5]),
    ]  # fmt: skip
    document = checked(convert(typeset(sections, Layout(columns=columns)), "x.pdf", Reading()))
    expect(document, sections)
