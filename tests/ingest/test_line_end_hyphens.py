"""Hyphens at line ends: those of a word stay, those of a broken word go, in every format that has lines."""

from __future__ import annotations

import time

import pytest

from colde import read
from colde.ingest.shared.line_end_hyphens import (
    join_broken_lines,
    join_broken_word,
    join_spaced_words,
    vocabulary,
)
from tests.ingest.pdf_samples.pieces import hyphens

ENGLISH = "The keeper of the gate and the men of the hall knew the end of the tale and the start of it. "


@pytest.mark.parametrize(
    ("elsewhere", "before", "after", "expected"),
    [
        # the document has the word, as it is written or in lower case
        (
            "A Sub-processor and two subprocessors or a subprocessor came.",
            "Sub-",
            "processor",
            "Sub-processor",
        ),
        (
            "A Sub-processor and two subprocessors or a subprocessor came.",
            "sub-",
            "processor",
            "subprocessor",
        ),
        ("The dining-hall was cold.", "Dining-", "hall", "Dining-hall"),
        ("The objected-to clause is gone.", "objected-", "to", "objected-to"),
        # lines end within words, and the list of English words decides
        ("It is informa-\ntion.", "there-", "fore", "therefore"),
        ("It is informa-\ntion.", "third-", "party", "third-party"),
        ("It is informa-\ntion.", "non-", "material", "non-material"),
        ("It is informa-\ntion.", "over-", "painting", "overpainting"),
        ("It is informa-\ntion.", "rest-", "less", "restless"),
        ("It is informa-\ntion.", "erythro-", "poietin", "erythropoietin"),
        # no line ends within a word
        ("", "sub-", "processor", "sub-processor"),
        ("", "anti-", "dumping", "anti-dumping"),
        ("", "es-", "tablished", "established"),
        # the hyphen stands for the end of a later word
        ("", "pre-", "and", "pre- and"),
        ("", "five-", "to", "five- to"),
        ("", "referred-", "to", "referred-to"),
    ],
)
def test_a_word_at_a_line_end(elsewhere: str, before: str, after: str, expected: str) -> None:
    assert join_broken_word(before, after, vocabulary(ENGLISH + elsewhere)) == expected


def test_the_list_of_english_words_says_nothing_of_other_languages() -> None:
    german = vocabulary("Der Rand des Sandes und das Land der Hand sind warm, und der Wind ist kalt.\n")
    assert join_broken_word("Sand-", "wind", german) == "Sandwind"
    assert join_broken_word("Infor-", "mation", german) == "Information"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They sat in the dining- hall.", "They sat in the dining-hall."),
        ("It was informa- tion.", "It was information."),
        ("It was a third- party matter.", "It was a third- party matter."),
        ("The fine- and coarse-grained salt.", "The fine- and coarse-grained salt."),
        ("He came - and left.", "He came - and left."),
    ],
)
def test_a_space_that_a_line_end_has_left(text: str, expected: str) -> None:
    assert join_spaced_words(text, vocabulary(f"{ENGLISH} The dining-hall was cold.\n{text}")) == expected


LINES = "They went into the dining-\nhall, which had informa-\ntion on the third-\nparty claim, pre-\nand post-war.\n"
JOINED = "They went into the dining-hall, which had information on the third-party claim, pre- and post-war."
SOURCES = {
    "a.txt": f"{LINES}\n{ENGLISH}\n",
    "a.md": f"# Hall\n\n{LINES}\n{ENGLISH}\n",
    "a.rst": f"Hall\n====\n\n{LINES}\n{ENGLISH}\n",
    "a.tex": f"\\documentclass{{article}}\\begin{{document}}\n{LINES}\n{ENGLISH}\n\\end{{document}}\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_formats_with_lines(name: str) -> None:
    assert JOINED in read(SOURCES[name].encode(), name=name).text


def test_a_web_page_of_a_broken_source() -> None:
    page = f"<p>They sat in the dining-\nhall.</p><p>The dining-hall was cold.</p><p>{ENGLISH}</p>"
    assert "They sat in the dining-hall." in read(page.encode(), name="a.html").text


def test_a_pdf_whose_lines_do_not_end_within_words() -> None:
    lines = ["The keeper of the hall and of a sub-", "processor of the gate and the hall came."]
    assert "the hall and of a sub-processor of the gate" in read(hyphens(lines), name="a.pdf").text


@pytest.mark.parametrize("unit", ["-", "a-", "a-\n", "a- ", "-\n", "\u00ad\n"])
def test_time_grows_with_the_text_alone(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        start = time.process_time()
        join_broken_lines(text)
        join_spaced_words(text, vocabulary(text))
        return time.process_time() - start

    seconds(1000)
    assert seconds(400_000) < 20 * seconds(100_000) + 0.2
