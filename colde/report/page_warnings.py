"""Warnings about pages of a document, for display at these pages."""

from __future__ import annotations

from typing import TypedDict

from colde.text.document import Document


class PageWarning(TypedDict):
    """A warning about the pages from `first` to `last`."""

    first: int
    last: int
    text: str


def page_warnings(document: Document) -> list[PageWarning]:
    """The warnings about pages, once for each run of pages, in the order of the pages."""
    warnings = [
        PageWarning(first=first, last=last, text=warning.text[:1].upper() + warning.text[1:])
        for warning in document.warnings
        for first, last in warning.pages
    ]
    return sorted(warnings, key=lambda note: (note["first"], note["last"]))
