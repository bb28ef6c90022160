"""The longer texts of the pages, one Markdown file each in `texts/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "texts"


@cache
def page_text(name: str) -> str:
    """The Markdown of a text, by the name of its file without the ending."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")
