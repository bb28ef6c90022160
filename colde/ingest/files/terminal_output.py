"""Saved output of terminals and typewriters: the text that their control characters leave on the screen.

Colours and links are escape sequences, bold and underlined letters are printed over each other with backspaces, and a
carriage return begins a line that replaces the one before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)(?P<arguments>[0-?]{0,40})[ -/]{0,4}(?P<command>[@-~])"  # ECMA-48: colours, moves of the cursor
    "|\x1b\\][^\x07\x1b\x9c\n]{0,4000}(?:\x07|\x1b\\\\|\x9c)?"  # titles, links
    "|\x1b[PX^_][^\x1b\x9c\n]{0,4000}(?:\x1b\\\\|\x9c)?"
    "|\x1b(?:[ -/]{1,4}[0-~]|[0-~])"
)
_LONE_RETURN = re.compile("(?<!\r)\r++(?!\n|\\Z)")
_MOVE = re.compile("(\r+|\b+|\x1b\\[0?K|\x1b\\[2K)")
_BOLD = re.compile("([^\\s\b])(?:\b\\1)+|([\u1100-\uffef])(?:\b\b\\2)+")  # wide letters fill two columns
_NO_LETTERS = re.compile(r"[\W\d_]+")
_NEW_LINE = frozenset("BEFHf")  # commands that move the cursor to another line


def shown_text(text: str) -> str:
    """The text without escape sequences and without what later characters replace.

    A carriage return within a line of other text ends the line, as in files of old Macintosh programs.
    """
    sequences = "\x1b" in text or "\x9b" in text
    replaced = "\b" in text
    if sequences:
        text = _SEQUENCE.sub(_plain_sequence, text)
    if not (sequences or replaced or ("\n" in text and _LONE_RETURN.search(text))):
        return text
    lines = (line.rstrip("\r") for line in text.split("\n"))
    return "\n".join(_shown_line(line, sequences or replaced) for line in lines)


def _plain_sequence(match: re.Match[str]) -> str:
    """What a sequence does to the line: a move to its beginning, erased text, a gap; nothing for most of them."""
    command, arguments = match["command"], match["arguments"]
    if command == "K":
        return match[0].replace("\x9b", "\x1b[")
    if command == "D":
        return "\b" * min(int(arguments), 80) if arguments.isdecimal() else "\b"
    if command == "G" and arguments in ("", "0", "1"):
        return "\r"
    if command in ("C", "G"):
        return " "
    return "\n" if command in _NEW_LINE else ""


def _shown_line(line: str, from_terminal: bool) -> str:
    """A line as it stands in the end, whatever was printed in its place before."""
    if not from_terminal and not _is_replaced(line.split("\r")):
        return line
    line = _BOLD.sub(r"\1\2", line)
    cells: list[str] = []
    column = 0
    struck_over = False
    for piece in _MOVE.split(line):
        if not piece:
            continue
        if piece[0] == "\r":
            column, struck_over = 0, False
        elif piece[0] == "\b":
            column, struck_over = max(0, column - len(piece)), True
        elif piece[0] == "\x1b":
            column = 0 if piece == "\x1b[2K" else column
            del cells[column:]
        else:
            end = column + len(piece)
            cells[column:end] = _printed(cells[column:end], piece) if struck_over else piece
            column, struck_over = end, False
    return "".join(cells)


def _printed(before: Sequence[str], piece: str) -> str:
    """Characters printed over others: an underscore below a letter leaves the letter."""
    over = "".join(
        old if new == "_" and old.strip() else new for old, new in zip(before, piece, strict=False)
    )
    return over + piece[len(over) :]


def _is_replaced(parts: Sequence[str]) -> bool:
    """Whether each part of a line repeats the one before but for numbers and its end, as shown progress does."""
    letters = [_NO_LETTERS.sub("", part) for part in parts if part.strip()]
    return len(letters) > 1 and any(letters) and all(b.startswith(a) for a, b in pairwise(letters))
