"""Saved output of terminals: escape sequences, overstruck letters, replaced lines."""

from __future__ import annotations

import pytest

import colde
from colde.ingest.files.terminal_output import shown_text

ESC, BEL = "\x1b", "\x07"
SENTENCE = "The ferry leaves the old pier at nine."


def bold(text: str, times: int = 2) -> str:
    return "".join("\b".join(c * times) if c.strip() else c for c in text)


def underlined(text: str) -> str:
    return "".join(f"_\b{c}" if c.strip() else c for c in text)


@pytest.mark.parametrize(
    "written",
    [
        f"{ESC}[1mThe ferry{ESC}[0m leaves the {ESC}[38;5;208mold{ESC}[39m pier at {ESC}[4:3mnine{ESC}[m.",
        f"{ESC}[38;2;10;20;30mThe ferry leaves{ESC}[K the old pier at nine.{ESC}[0m",
        f"{ESC}]8;;http://a.example/x?y=1{ESC}\\The ferry{ESC}]8;;{ESC}\\ leaves the old pier at nine.",
        f"{ESC}]8;id=7;file:///a{BEL}The ferry leaves{ESC}]8;;{BEL} the old pier at nine.",
        f"{ESC}]0;a window{BEL}{ESC}(B{ESC}[?25l{ESC}7The ferry leaves the old pier at nine.{ESC}8{ESC}[?25h",
        f"{ESC}P+q544e{ESC}\\The ferry\x9b1m leaves the old pier at nine.",
        bold(SENTENCE),
        bold(SENTENCE, times=4),
        underlined(SENTENCE),
        "".join(f"_\b{c}\b{c}" if c.strip() else c for c in SENTENCE),
        "".join(f"{c}\b_" if c.strip() else c for c in SENTENCE),
        "The ferry leaves the old pier" + 4 * "\b" + 4 * "_" + " at nine.",
        "Teh\b\bhe ferry lef\b \baves the old pier at nine.",
        f"The fery{ESC}[1Dry leaves the old pier at nine.",
        f"Waiting for the ferry of today{ESC}[2K\r{SENTENCE}",
        f"Waiting for the ferry of today and more\r{ESC}[K{SENTENCE}",
        f"Waiting for the ferry\r{ESC}[1m{SENTENCE}{ESC}[0m",
        f"Waiting\x1b[1G{SENTENCE}",
    ],
)
def test_a_line_is_what_stands_on_the_screen_in_the_end(written: str) -> None:
    assert shown_text(f"{written}\r\n") == f"{SENTENCE}\n"
    assert colde.read(f"{written}\r\n".encode(), name="a.log").text == SENTENCE


def test_shown_progress_is_its_last_state() -> None:
    assert (
        shown_text("Loading 10 %\rLoading 55 %\rLoading 100 %, done.\nNext.\n")
        == "Loading 100 %, done.\nNext.\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "One line.\rAnother line.\rA third line.\r",
        "One line.\rAnother line.\n\nA third line.\n",
        "One line.\r\r\nAnother line.\r\r\n",
        "Array [1m], key_name, a_b and __init__.\n",
        "Row, row\rRow, row\rRow the boat\r",
    ],
)
def test_other_carriage_returns_and_brackets_stay(text: str) -> None:
    assert shown_text(text).replace("\r\r\n", "\n") == text.replace("\r\r\n", "\n")


def test_japanese_mail_with_escapes_is_read_in_its_encoding() -> None:
    text = "港の船は九時に出ます。潮が変わる前に戻ります。"
    assert colde.read(text.encode("iso2022_jp"), name="a.txt").text == text


def test_a_manual_page_keeps_its_headings() -> None:
    page = f"{bold('NAME')}\n       {bold('ferry')} - leaves the {underlined('old')} pier\n\n"
    page += f"{bold('DESCRIPTION')}\n       {SENTENCE}\n"
    document = colde.read(page.encode(), name="ferry.txt")
    assert "ferry - leaves the old pier" in document.text and SENTENCE in document.text
