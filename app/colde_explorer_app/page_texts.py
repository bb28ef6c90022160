"""The longer texts of the pages, one Markdown file each in `texts/`."""

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
FOLDER = Path(__file__).resolve().parent / "texts"


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
