"""Long runs of equal signs take linear time in every format of text: six times the length, about six times the time.

In quadratic time the ratio is 36. Where it is too large both lengths are read again, and the smallest ratio counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

import pytest

from colde.errors import ReadError
from colde.ingest import read

pytestmark = pytest.mark.usefixtures("in_process")

SHORT, LONG = 4_000, 24_000  # characters
MAX_RATIO = 15
LEAST = 0.04  # s of processor time, below which the time of a reading is mostly that of its surroundings
BEFORE, BEHIND = "The keeper wrote a letter.", "She sent it to the town in spring."
CUE = "1\n00:00:01,000 --> 00:00:02,000\n"
ANYWHERE = ("1", "_", "[", "\r", "\u200d", "漢", "a-")
RUNS: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "txt": (lambda run: f"{BEFORE}\n\n{run}\n\n{BEHIND}\n", (*ANYWHERE, "a\b")),
    "md": (
        lambda run: f"# A\n\n{BEFORE}\n\n{run}\n\n{BEHIND}\n",
        ("_", "[", "![](b) ", "<![CDATA[", "|a|b|\n", "%%"),
    ),
    "rst": (lambda run: f"{BEFORE}\n\n{run}\n\n{BEHIND}\n", ("_", "`", "http://a.b/c ")),
    "html": (
        lambda run: f"<html><body><p>{BEFORE}</p><p>{run}</p><p>{BEHIND}</p></body></html>",
        ("<p>a", "<sup>1</sup>", "<td>", "&#"),
    ),
    "tex": (
        lambda run: f"\\begin{{document}}{BEFORE}\n\n{run}\n\n{BEHIND}\\end{{document}}\n",
        ("{}", "$a$ ", "\\a{}", "\\'e"),
    ),
    "srt": (lambda run: f"{CUE}{BEFORE}\n\n{CUE}{run}\n\n{CUE}{BEHIND}\n", ("<", "{\\p1}", "a ")),
    "xml": (
        lambda run: f'<?xml version="1.0"?><article><p>{BEFORE}</p><p>{run}</p></article>',
        ("<sup>1</sup>", "<p>a</p>", "a-\n"),
    ),
    "rtf": (lambda run: f"{{\\rtf1\\ansi {BEFORE}\\par {run}\\par}}", ("{\\b a}", "\\u945?", "a\\cell ")),
}  # fmt: skip


def processor_time(text: str, suffix: str) -> float:
    """The time of a reading, with or without success."""
    begin = time.process_time()
    try:
        read(text.encode(), name=f"a.{suffix}")
    except ReadError as error:
        assert error.reason != "too_large"
    return time.process_time() - begin


def growth(short: str, long: str, suffix: str, most: float) -> float:
    """How many times longer the second text takes: the smallest ratio of three tries, the first below `most`."""
    least = inf
    for _ in range(3):
        before, after = (processor_time(text, suffix) for text in (short, long))
        least = min(least, after / max(LEAST, before))
        if least <= most:
            break
    return least


@pytest.mark.parametrize("suffix", RUNS)
def test_runs_of_equal_signs_take_linear_time(suffix: str) -> None:
    around, runs = RUNS[suffix]
    processor_time(around(BEFORE), suffix)  # loads the libraries
    ratios = {}
    for run in runs:
        short, long = (around(run * (size // len(run))) for size in (SHORT, LONG))
        ratios[run] = growth(short, long, suffix, MAX_RATIO)
    assert {run: ratio for run, ratio in ratios.items() if ratio > MAX_RATIO} == {}


def columns(count: int) -> str:
    return f"{BEFORE}\n\n{'+-' * count}+\n{'|a' * count}|\n{'+-' * count}+\n\n{BEHIND}\n"


@pytest.mark.parametrize(
    ("suffix", "read_well", "refused", "error"),
    [
        ("html", f"<p>{BEFORE}</p>{'<div>' * 3_000}{BEHIND}", "<div>" * 20_001, "nested too deeply"),
        ("html", f"<p>{BEFORE}</p>{'<div>a</div>' * 20_001}", "<ul><li>" * 20_001, "nested too deeply"),
        ("rst", columns(100), columns(501), "more than 500 columns"),
    ],
    ids=["divisions", "lists", "grid"],
)
def test_what_takes_a_library_quadratic_time_is_refused(
    suffix: str, read_well: str, refused: str, error: str
) -> None:
    """lexbor takes 30 seconds for 100,000 elements in each other, docutils 50 for a table of 20,000 columns."""
    assert "keeper" in read(read_well.encode(), name=f"a.{suffix}").text
    with pytest.raises(ReadError, match=error):
        read(refused.encode(), name=f"a.{suffix}")


def test_letters_in_a_nest_of_elements_take_linear_time() -> None:
    """Whether an element is the mark of a note is told without all of the text in it: 64 times for 8 times."""
    around, _ = RUNS["html"]
    processor_time(around(BEFORE), "html")
    short, long = (around("<b>" * count) for count in (10_000, 80_000))
    assert growth(short, long, "html", 24) < 24
