"""The text of a document that is not compared, counted by kind. Every output that mentions it uses this module."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from colde.serialise import JsonFields, JsonObject, Offset, Text
from colde.text.document import EXCLUDED_ROLE, Document, Mark, Role, Section, Span
from colde.text.not_compared.boilerplate import BOILERPLATE, find_boilerplate, has_boilerplate_heading
from colde.text.not_compared.front_matter import is_front_matter
from colde.text.not_compared.quotations import quotations

_MAX_SHARE = 0.5  # share of a document's words that may be set aside without a warning


@dataclass(frozen=True, slots=True)
class SetAside(JsonObject):
    """One kind of text that is not compared.

    Attributes:
        what: name of the kind, such as `references`.
        words: number of words.
        why: reason, as a phrase.
        include: role that takes this text into the comparison (`--include`); None where nothing does.
        model: name of the model that did not read this text; None for text that no model compares.
    """

    what: Text
    words: Offset
    why: Text
    include: Role | None = None
    model: str | None = None

    JSON: ClassVar = JsonFields("what words why")

    def __str__(self) -> str:
        """Kind and number of words: “references 812 words”."""
        return f"{self.what} {self.words:,} word{'' if self.words == 1 else 's'}"


FRONT_MATTER = SetAside("front matter", 0, "authors and addresses before the text of a paper", BOILERPLATE)
STANDARD = SetAside(
    "standard sentences",
    0,
    "recognised by their wording; similar in many texts of the kind",
    BOILERPLATE,
)
EXCLUDED_BY_USER = SetAside("removed by the user", 0, "left out in the list of sections or with what-if")
HEADINGS = SetAside("headings without text", 0, "headings with no text directly below them")
KINDS: dict[Role, SetAside] = {
    BOILERPLATE: SetAside(
        "acknowledgements and licences",
        0,
        "recognised by the heading; similar in many texts",
        BOILERPLATE,
    ),
    "references": SetAside("references", 0, "a list of works", "references"),
    "footnote": SetAside("footnotes", 0, "notes outside the running text", "footnote"),
    "caption": SetAside("captions", 0, "lines that describe a figure or a table", "caption"),
    "table": SetAside("tables", 0, "cells, no running text; changed cells are listed as changes", "table"),
    "equation": SetAside("equations", 0, "formulas, no running text", "equation"),
    "template": SetAside("template", 0, "it is also in a template", "template"),
    "standard": SetAside(
        "standard text of the reference", 0, "it is also in many documents of the reference", "standard"
    ),
    EXCLUDED_ROLE: EXCLUDED_BY_USER,
}
"""What is counted under each role of a section."""
_EXCLUDED_FROM_SHARED_TEXT = "left out of the count of shared text; the models read it"
EXCLUSIONS = {
    "quotes": SetAside("quotations", 0, _EXCLUDED_FROM_SHARED_TEXT),
    "references": SetAside("citations", 0, _EXCLUDED_FROM_SHARED_TEXT),
    "boilerplate": SetAside("boilerplate", 0, _EXCLUDED_FROM_SHARED_TEXT),
}
"""What is counted under each exclusion: text of compared sections that `--leave-out` names."""


# Unlike the pattern of `citations`, it takes citations in brackets alone: names in a sentence are part of it.
_CITED = re.compile(
    r"\((?:[^()]{0,120}?\b(?:1[5-9]|20)\d\d[a-z]?[^()]{0,40})\)|\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
)


def excluded_spans(document: Document, leave_out: Collection[str]) -> list[Span]:
    """The passages of a text that are not counted; they may overlap. Those of templates are always among them.

    Args:
        leave_out: `quotes`, `references` (lists of works and citations), `boilerplate`; other names have no passages.
    """
    excluded: list[Span] = []
    if "quotes" in leave_out:
        excluded += quotations(document.text)
        excluded += [mark for mark in document.marks if mark.kind == "quotation"]
    excluded += known_passages(document)
    if "references" in leave_out:
        excluded += [Span(m.start(), m.end()) for m in _CITED.finditer(document.text)]
        excluded += [Span(s.start, s.end) for s in document.sections if s.role == "references"]
    if "boilerplate" in leave_out:
        excluded += [Span(s.start, s.end) for s in find_boilerplate(document)]
    return excluded


def known_passages(document: Document) -> list[Mark]:
    """The passages that also stand in a template or in many documents of the reference."""
    return [mark for mark in document.marks if mark.kind != "quotation"]


def known_share(document: Document, span: Span) -> float:
    """Share of the letters and digits of a passage that lie in such passages, in [0, 1]."""
    inside = (
        _letters(document.text[max(m.start, span.start) : min(m.end, span.end)])
        for m in known_passages(document)
        if m.overlaps(span)
    )
    return sum(inside) / max(1, _letters(document.text[span.start : span.end]))


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def set_aside(document: Document, leave_out: Collection[str] = ()) -> tuple[SetAside, ...]:
    """Kinds of text of the document that are not compared, with their words, in the order in which they begin.

    Args:
        leave_out: exclusions from the count of shared text, such as `quotes`; they come last.
    """
    words: dict[SetAside, int] = {}
    for kind, section in (*_sections(document), *_excluded(document, leave_out)):
        words[kind] = words.get(kind, 0) + _words(document, section)
    return tuple(replace(kind, words=count) for kind, count in words.items() if count)


def set_aside_phrase(items: Iterable[SetAside]) -> str:
    """Kinds and words as one phrase, with the option that compares them; empty where nothing is set aside."""
    kinds = list(items)
    return ", ".join(map(str, kinds)) + include_option(kinds)


def include_option(items: Iterable[SetAside]) -> str:
    """The option that compares such text, in brackets after a space; empty where none does."""
    roles = dict.fromkeys(item.include for item in items if item.include is not None)
    return f" (--include {','.join(roles)})" if roles else ""


def reading_warnings(document: Document) -> tuple[str, ...]:
    """Sentences on what was not read or not compared of a document, without a capital or a full stop."""
    return tuple(str(warning) for warning in document.warnings) + _mostly_set_aside(document)


def _mostly_set_aside(document: Document) -> tuple[str, ...]:
    """A warning where more words are set aside than `_MAX_SHARE`; text that the user left out does not count."""
    by_user = (EXCLUDED_BY_USER.what, KINDS["template"].what)
    items = [item for item in set_aside(document) if item.what not in by_user]
    aside = sum(item.words for item in items)
    words = aside + document.words()
    if aside <= _MAX_SHARE * words:
        return ()
    return (
        f"only {words - aside:,} of {words:,} words are scored; the score ignores {', '.join(map(str, items))}",
    )


def _sections(document: Document) -> Iterator[tuple[SetAside, Section]]:
    compared = {index for index, _ in document.compared()}
    for index, section in enumerate(document.sections):
        if section.role == BOILERPLATE and not has_boilerplate_heading(section):
            front = is_front_matter(document.text[section.start : section.end], document.language)
            yield FRONT_MATTER if index == 0 and section.heading is None and front else STANDARD, section
        elif section.role is not None:
            yield KINDS[section.role], section
        elif index not in compared:
            yield HEADINGS, section


def _excluded(document: Document, leave_out: Collection[str]) -> Iterator[tuple[SetAside, Section]]:
    """Passages of compared sections that are excluded, as sections, each character under one exclusion."""
    if not any(name in leave_out for name in EXCLUSIONS) and not document.marks:
        return
    uncounted = np.zeros(len(document.text), dtype=np.bool_)
    for _, section in document.compared():
        uncounted[section.start : section.end] = True
    known = known_passages(document)
    excluded: list[tuple[SetAside, Sequence[Span]]] = [
        (KINDS["template"], [mark for mark in known if mark.kind == "template"]),
        (KINDS["standard"], [mark for mark in known if mark.kind == "standard"]),
        *((kind, excluded_spans(document, [name])) for name, kind in EXCLUSIONS.items() if name in leave_out),
    ]
    for kind, spans in excluded:
        inside = np.zeros(len(uncounted) + 2, dtype=np.int8)
        for span in spans:
            inside[span.start + 1 : span.end + 1] = uncounted[span.start : span.end]
        borders = np.flatnonzero(np.diff(inside))
        for start, end in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
            uncounted[start:end] = False
            yield kind, Section(start, end, start)


def _words(document: Document, section: Section) -> int:
    return replace(document, sections=(replace(section, role=None),)).words()
