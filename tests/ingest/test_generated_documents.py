"""Documents of all formats that are made from one tree of blocks: every reader gives the blocks of the tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.ingest import Limits, read
from colde.ingest.formats import FORMATS
from colde.text.document import Document
from tests.ingest.generated.block_trees import (
    SURROGATES,
    Blocks,
    Paragraph,
    Shape,
    Text,
    blocks_of,
    expected_blocks,
    shapes,
    tree_of,
)
from tests.ingest.generated.writers import WRITERS, Writer, each_writer, examples, whole_file
from tests.ingest.pdf_samples.prose import sentence

pytestmark = pytest.mark.slow

Checked = Callable[[Document], Document]
LINE_SENTENCES = 3_000
"""About a third of a megabyte."""
IN_BYTES_ONLY = [writer for writer in WRITERS if "\x00 " in writer.odd and SURROGATES[0] not in writer.odd]
TIGHT = Limits(base_seconds=2.0)
"""Less than what a reader that is quadratic in the length of such a line takes."""
LONG_LINES = [writer for writer in WRITERS if writer.format != "pdf"]
"""Formats that hold a paragraph in one line; a line of a PDF is no longer than its page is wide."""
_MARK = re.compile(r"^(?:-|\d+\.) ")


def test_every_format_has_a_writer() -> None:
    assert {writer.format for writer in WRITERS} == {row.name for row in FORMATS}


@each_writer
@examples
@given(data=st.data())
def test_a_reader_gives_the_blocks_of_the_tree(writer: Writer, data: st.DataObject, checked: Checked) -> None:
    parts: list[Shape] = data.draw(shapes(writer.odd, writer.kinds))
    tree = tree_of(parts)
    document = checked(read(writer.write(tree), name=f"x{writer.suffix}"))
    assert document.format == writer.format
    assert _as_told(blocks_of(document), writer) == _as_told(expected_blocks(tree), writer)


@each_writer
def test_a_reading_process_gives_what_this_process_does(writer: Writer) -> None:
    data, name = whole_file(writer), f"x{writer.suffix}"
    assert read(data, name=name, sandbox=True) == read(data, name=name, sandbox=False)


@pytest.mark.parametrize("writer", IN_BYTES_ONLY, ids=lambda w: w.format)
def test_lone_surrogates_in_bytes(writer: Writer, checked: Checked) -> None:
    """Their three bytes are no character of UTF-8, and cost nothing but themselves."""
    tree = tree_of([("plain", 1, odd) for odd in SURROGATES])
    document = checked(read(writer.write(tree), name=f"x{writer.suffix}", sandbox=True))
    assert _as_told(blocks_of(document), writer) == _as_told(expected_blocks(tree), writer)


@pytest.mark.parametrize("writer", LONG_LINES, ids=lambda w: f"{w.format}{w.suffix}")
def test_a_very_long_line(writer: Writer, checked: Checked) -> None:
    """Nothing in a reader takes more than linear time or memory in the length of a line."""
    short = tree_of([])
    count = (
        LINE_SENTENCES // 4 if writer.format == "latex" else LINE_SENTENCES
    )  # pylatexenc takes 20 s a megabyte
    line = " ".join(map(sentence, range(100, 100 + count)))
    tree = [*short[:2], Paragraph((Text(line),)), *short[2:]]
    document = checked(read(writer.write(tree), name=f"x{writer.suffix}", sandbox=True, limits=TIGHT))
    assert _as_told(blocks_of(document), writer) == _as_told(expected_blocks(tree), writer)


def _as_told(blocks: Blocks, writer: Writer) -> Blocks:
    """The blocks without what the format does not tell."""
    body = ((level, _MARK.sub("", text) if writer.marks else text) for level, text in blocks.body)
    return replace(blocks, body=tuple(item for item in body if writer.headings or not item[0]))
