"""Deep nesting keeps every word, in every format that nests: the text comes out flattened, each word once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st

from colde.ingest import read
from colde.text.document import Document
from tests.ingest.docx_samples import saved

pytestmark = pytest.mark.usefixtures("in_process")

Nest = Callable[[int], str]
SAMPLE = Path(__file__).resolve().parents[3] / "assets" / "samples" / "lens_history.md"
LEVELS = (5, 9, 10, 20, 46, 47, 101, 300)


def words(text: str) -> Counter[str]:
    """The numbered words of a text."""
    return Counter(re.findall(r"(?<![a-z\d])w\d+x(?![a-z\d])", text))


def read_as(source: str, name: str) -> Document:
    """A text as a file of the format that the name says."""
    return read(source.encode(), name=name)


def lists(levels: int) -> str:
    return "\n".join(f"{'  ' * i}- w{i}x stands here" for i in range(levels))


def ordered_lists(levels: int) -> str:
    return "\n".join(f"{'   ' * i}1. w{i}x stands here" for i in range(levels))


def quotations(levels: int) -> str:
    return "\n".join(f"{'> ' * i}> w{i}x stands here\n{'> ' * i}>" for i in range(levels))


def emphasis(levels: int) -> str:
    marks = ["*_"[i % 2] for i in range(levels)]
    before = "".join(f"{mark}w{i}x " for i, mark in enumerate(marks))
    after = "".join(f" w{1000 + i}x{mark}" for i, mark in reversed(list(enumerate(marks))))
    return f"{before}middle{after}"


def links(levels: int) -> str:
    return "[" * levels + "middle" + "".join(f" w{i}x](https://example.org)" for i in range(levels))


def mixed(levels: int) -> str:
    marks = ("- ", "1. ", "> ")
    return nested([marks[i % 3] for i in range(levels)], loose=True)


def nested(marks: list[str], loose: bool) -> str:
    """A container inside the other, with a line at each level, one line further on, and a paragraph at the end."""
    lines, before = [], ""
    for i, mark in enumerate(marks):
        lines.append(f"{before}{mark}w{i}x begins here")
        before += mark if mark == "> " else " " * len(mark)
        lines += [f"{before}w{1000 + i}x goes on"] + [before.rstrip()] * loose
    return "\n".join([*lines, "", "w5000x stands below."])


@pytest.mark.parametrize("nest", [lists, ordered_lists, quotations, emphasis, links, mixed])
@pytest.mark.parametrize("levels", LEVELS)
def test_markdown_keeps_every_word(nest: Nest, levels: int, checked: Callable[[Document], Document]) -> None:
    source = f"# Before\n\nw8000x stands here.\n\n{nest(levels)}\n\n# After\n\nw9000x stands here.\n"
    document = checked(read_as(source, "nested.md"))
    assert words(document.text) == words(source)
    assert [s.heading for s in document.sections if s.heading] == ["Before", "After"]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(["- ", "1. ", "10) ", "* ", "> "]), min_size=1, max_size=130), st.booleans())
def test_markdown_of_any_containers_keeps_every_word(marks: list[str], loose: bool) -> None:
    source = nested(marks, loose)
    assert words(read_as(source, "nested.md").text) == words(source)


def test_items_below_the_deepest_level_are_paragraphs_without_their_marks() -> None:
    source = nested(["- "] * 60, loose=False)
    document = read_as(source, "nested.md")
    assert "\n\nw59x begins here w1059x goes on\n\n" in document.text
    assert "- w" not in document.text


@pytest.mark.parametrize("levels", (10, 60))
def test_a_deep_list_costs_a_long_text_nothing(levels: int) -> None:
    source = SAMPLE.read_text("utf-8")
    usual = read_as(source, "sample.md")
    place = source.index("\n## ")
    deep = read_as(f"{source[:place]}\n\n{lists(levels)}\n{source[place:]}", "sample.md")
    assert set(usual.text.split()) <= set(deep.text.split())
    assert sum(words(deep.text).values()) == levels
    assert [s.heading for s in deep.sections] == [s.heading for s in usual.sections]


@pytest.mark.parametrize("levels", (*LEVELS, 1000, 2100))
@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<ul><li>w{}x ", "</li></ul>"),
        ("<div>w{}x ", "</div>"),
        ("<blockquote><p>w{}x</p>", "</blockquote>"),
        ("<p><em>w{}x ", "</em></p>"),
        ("<table><tr><td>w{}x</td><td>", "</td></tr></table>"),
    ],
)
def test_html_keeps_every_word(begin: str, end: str, levels: int) -> None:
    inside = "".join(begin.format(i) for i in range(levels)) + end * levels
    source = f"<html><body><p>w8000x</p>{inside}<p>w9000x</p></body></html>"
    assert words(read_as(source, "nested.html").text) == words(source)


def test_items_and_lines_in_a_cell_stay_apart() -> None:
    cell = "<ul><li>w1x<li>w2x<ol><li>w3x</ol></ul><p>w4x<br>w<b>5x</b></p><script>w6x</script>"
    source = f"<table><caption><p>w7x<p>w8x</caption><tr><td>key<td>{cell}<tr><td>a<td>b</table>"
    text = read_as(f"<html><body>{source}</body></html>", "cells.html").text
    assert "key | w1x w2x w3x w4x w5x\na | b" in text
    assert "w7x w8x" in text and "w6x" not in text


@pytest.mark.parametrize("levels", (5, 20, 50, 101, 200))
@pytest.mark.parametrize(
    "line", ["{0}- w{1}x stands here", "{0}1. w{1}x stands here", "{0}w{1}x stands here"]
)
def test_rst_keeps_every_word(line: str, levels: int) -> None:
    inside = "\n\n".join(line.format("   " * i, i) for i in range(levels))
    source = f"w8000x\n\n{inside}\n\nw9000x\n"
    assert words(read_as(source, "nested.rst").text) == words(source)


def paragraph(text: str, more: str = "") -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r>{more}</w:p>"


def tables(levels: int, cells: int = 1, at: int = 0) -> str:
    """Tables inside each other, of one row, with this many cells."""
    if at == levels:
        return paragraph(f"w{at}x")
    first = f"<w:tc>{paragraph(f'w{1000 + at}x')}</w:tc>" * (cells - 1)
    inner = f"<w:tc>{paragraph(f'w{at}x')}{tables(levels, cells, at + 1)}<w:p/></w:tc>"
    return f"<w:tbl><w:tr>{first}{inner}</w:tr></w:tbl>"


def wide_tables(levels: int) -> str:
    return tables(levels, cells=2)


def controls(levels: int) -> str:
    begin = "".join(f"<w:sdt><w:sdtContent>{paragraph(f'w{i}x')}" for i in range(levels))
    return begin + "</w:sdtContent></w:sdt>" * levels


def boxes(levels: int) -> str:
    inside = ""
    for i in range(levels):
        inside = paragraph(f"w{i}x", f"<w:r><w:pict><w:txbxContent>{inside}</w:txbxContent></w:pict></w:r>")
    return inside


@pytest.mark.parametrize("nest", [tables, wide_tables, controls, boxes])
@pytest.mark.parametrize("levels", (1, 5, 20, 50))
def test_docx_keeps_every_word_once(nest: Nest, levels: int) -> None:
    source = nest(levels)
    made = docx.Document()
    made.add_paragraph("w8000x")
    for element in reversed(parse_xml(f"<w:body {nsdecls('w')}>{source}</w:body>")):
        made.element.body.insert(1, element)
    made.add_paragraph("w9000x")
    expected = words(source) + Counter(w8000x=1, w9000x=1)
    assert words(read(saved(made), name="nested.docx").text) == expected
