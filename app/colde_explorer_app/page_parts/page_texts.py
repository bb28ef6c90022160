"""Texts of the pages: the longer ones, one Markdown file each in `texts/`, and text of documents in Markdown."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from colde.assets import document
from colde.report.formatting import clean, shorten

PRODUCT = "CoLDE Explorer"
MAX_TITLE_LENGTH = 60
"""Characters of each name in the title of a browser tab."""
_PICTURE = re.compile(r"(?m)^!\[[^\]]*\]\([^)]*\)\n\n?")
_RELATIVE_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)]*\)")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SHORTCODE = re.compile(r":(?=[\w/+-]+:)")
_ADDRESS = re.compile(r"\b(?:https?|ftp|mailto|xmpp):(?=\S)|\bwww(?=\.)|@(?=\w)", re.IGNORECASE)
_INSTALL_COMMAND = re.compile(r""":? *pip install (?:"[^"]*"|'[^']*'|\S+)""")
_WORD_JOINER = "\u2060"
FOLDER = Path(__file__).resolve().parents[1] / "texts"


@cache
def page_text(name: str) -> str:
    """The Markdown of a text, by the name of its file without the ending."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


@cache
def documentation(name: str) -> str:
    """A page of docs/ for a page of the explorer: without its pictures, and without links to other pages of docs/."""
    text = document(f"{name}.md").read_text(encoding="utf-8")
    return _RELATIVE_LINK.sub(r"\1", _PICTURE.sub("", text))


def page_title(*names: str) -> str:
    """Title of the browser tab: the page, or the two documents that are compared."""
    return f"{' × '.join(shorten(clean(name), MAX_TITLE_LENGTH) for name in names)} – {PRODUCT}"


def without_command(text: str) -> str:
    """A message without the command that installs something: whoever reads a page may be unable to run it."""
    return _INSTALL_COMMAND.sub("", text)


def escape_markdown(text: str) -> str:
    """`text` on one line, for an element that reads Markdown: it shows exactly its characters.

    CommonMark takes a backslash before any ASCII punctuation as that character. Emoji shortcodes and bare addresses
    are replaced after parsing, so a word joiner (no width) breaks them.
    """
    one_line = " ".join(text.split())
    broken = _ADDRESS.sub(rf"\g<0>{_WORD_JOINER}", _SHORTCODE.sub(":" + _WORD_JOINER, one_line))
    return _PUNCTUATION.sub(r"\\\1", broken)
