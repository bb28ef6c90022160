"""Which pages a reader's warning speaks of, so that it can stand at its place in the text."""

from __future__ import annotations

import re
from typing import TypedDict

from colde.document import Document

_RUN = r"\d+(?:–\d+)?"
_PAGES = re.compile(rf"\bpages? ({_RUN}(?:, {_RUN})*(?: and {_RUN})?)")


class Note(TypedDict):
    """What is wrong with the pages from `first` to `last`."""

    first: int
    last: int
    text: str


def page_notes(document: Document) -> list[Note]:
    """The warnings that name pages, once for each run of pages, in the order of the pages."""
    found = [
        Note(first=first, last=last, text=warning[:1].upper() + warning[1:])
        for warning in (document.warnings if document.pages else ())
        for first, last in pages_named(warning)
    ]
    return sorted(found, key=lambda note: (note["first"], note["last"]))


def pages_named(warning: str) -> list[tuple[int, int]]:
    """First and last page of each run: “pages 3–5 and 8 have no text” speaks of (3, 5) and (8, 8)."""
    said = _PAGES.search(warning)
    runs = re.findall(_RUN, said.group(1)) if said else []
    return [(int(run.split("–")[0]), int(run.split("–")[-1])) for run in runs]
