"""The text of a document that is not compared, counted by kind. Every output that mentions it uses this module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from colde.text.boilerplate import BOILERPLATE
from colde.text.document import LEFT_OUT, Document, Role, Section

MOST_SHARE = 0.5
"""Share of a document's words that may be set aside without a warning."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """One kind of text that is not compared.

    Attributes:
        what: name of the kind, such as `references`.
        words: number of words.
        why: reason, as a phrase.
        include: role that takes this text into the comparison (`--include`); None where nothing does.
        model: name of the model that did not read this text; None for text that no model compares.
    """

    what: str
    words: int
    why: str
    include: Role | None = None
    model: str | None = None

    def __str__(self) -> str:
        """Kind and number of words: “references 812 words”."""
        return f"{self.what} {self.words:,} word{'' if self.words == 1 else 's'}"

    def to_dict(self) -> dict[str, Any]:
        """An item of `set_aside` in the JSON file."""
        return {"what": self.what, "words": self.words, "why": self.why}


FRONT_MATTER = SetAside("front matter", 0, "authors and addresses before the text of a paper", BOILERPLATE)
LEFT_OUT_BY_HAND = SetAside("left out by hand", 0, "left out in the list of sections or with what-if")
HEADINGS = SetAside("headings without text", 0, "headings with no text of their own below them")
KINDS: dict[Role, SetAside] = {
    BOILERPLATE: SetAside(
        "acknowledgements and licences",
        0,
        "recognised by the heading; much the same in many texts",
        BOILERPLATE,
    ),
    "references": SetAside("references", 0, "a list of works", "references"),
    "footnote": SetAside("footnotes", 0, "notes outside the running text", "footnote"),
    "caption": SetAside("captions", 0, "lines that describe a figure or a table", "caption"),
    "table": SetAside("tables", 0, "cells, no running text", "table"),
    "equation": SetAside("equations", 0, "formulas, no running text", "equation"),
    LEFT_OUT: LEFT_OUT_BY_HAND,
}
"""What is counted under each role of a section."""


def set_aside(document: Document) -> tuple[SetAside, ...]:
    """Kinds of text of the document that are not compared, with their words, in the order in which they begin."""
    words: dict[SetAside, int] = {}
    for kind, section in _sections(document):
        words[kind] = words.get(kind, 0) + _words(document, section)
    return tuple(replace(kind, words=count) for kind, count in words.items() if count)


def in_words(items: Iterable[SetAside]) -> str:
    """Kinds and words as one phrase, with the option that compares them; empty where nothing is set aside."""
    found = list(items)
    roles = dict.fromkeys(item.include for item in found if item.include is not None)
    option = f" (--include {','.join(roles)})" if roles else ""
    return ", ".join(map(str, found)) + option


def warnings_of(document: Document) -> tuple[str, ...]:
    """Sentences on what was not read or not compared of a document, without a capital or a full stop."""
    return tuple(str(warning) for warning in document.warnings) + _mostly_set_aside(document)


def _mostly_set_aside(document: Document) -> tuple[str, ...]:
    """A warning where more words are set aside than `MOST_SHARE`; text that was left out by hand does not count."""
    items = [item for item in set_aside(document) if item.what != LEFT_OUT_BY_HAND.what]
    aside = sum(item.words for item in items)
    words = aside + document.words()
    if aside <= MOST_SHARE * words:
        return ()
    return (
        f"only {words - aside:,} of {words:,} words are compared; set aside: {', '.join(map(str, items))}",
    )


def _sections(document: Document) -> Iterator[tuple[SetAside, Section]]:
    compared = {index for index, _ in document.compared()}
    for index, section in enumerate(document.sections):
        if section.role == BOILERPLATE and section.heading is None:
            yield FRONT_MATTER, section
        elif section.role is not None:
            yield KINDS[section.role], section
        elif index not in compared:
            yield HEADINGS, section


def _words(document: Document, section: Section) -> int:
    return replace(document, sections=(replace(section, role=None),)).words()
