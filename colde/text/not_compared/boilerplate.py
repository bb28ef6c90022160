"""Recognise front matter, acknowledgements, licences and the like: much the same in all documents of a kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from colde.text.document import Document, Role, Section
from colde.text.not_compared.front_matter import is_front_matter, is_paper
from colde.text.sections.section_edits import include as include_roles

BOILERPLATE: Role = "boilerplate"

_FRONT = re.compile(
    r"(?:table of )?contents|copyright(?: notice)?|licen[cs]es?|copyright\s*(?:and|&|/)\s*licen[cs]e|"
    r"(?:about the )?authors?|authors?(?:['’]s?)?\s+(?:information|affiliations?|addresses|note)|affiliations?",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:[\dIVX]+(?:\.\d+)*\.?\s+)?acknowledge?ments?|funding|copyright(?:\s+(?:waiver|notice))?|licen[cs]es?|"
    r"copyright\s*(?:and|&|/)\s*licen[cs]e|about the authors?|"
    r"authors?(?:['’]s?)?\s+(?:information|contributions?|affiliations?|addresses|note)|affiliations?|"
    r"(?:conflicts? of|competing|declaration of(?: competing)?)\s+interests?",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"(?:append(?:ix|ices)|annex(?:e?s)?|supplement\w*)\b.*|[A-Z]\.\d.*", re.IGNORECASE)


def prepare_for_comparison(document: Document, include: Iterable[Role] = ()) -> Document:
    """The document as commands, explorer and service compare it: without boilerplate, and with what is asked for.

    Args:
        include: roles of sections that are compared although they are set aside; `boilerplate` among them keeps it.
    """
    return include_roles(without_boilerplate(document), include)


def without_boilerplate(document: Document) -> Document:
    """Copy with such sections set aside under the role `boilerplate`; indices and text do not change.

    Where nothing else would be left to compare, nothing is set aside.
    """
    compared = list(document.compared())
    boilerplate_indices = _boilerplate(document, compared)
    if not boilerplate_indices or len(boilerplate_indices) == len(compared):
        return document
    sections = list(document.sections)
    for i in boilerplate_indices:
        sections[i] = replace(sections[i], role=BOILERPLATE)
    return replace(document, sections=tuple(sections))


def searched_text(document: Document) -> Document:
    """The document as it is searched for passages: with standard text, which no model reads."""
    return include_roles(document, (BOILERPLATE,))


def find_boilerplate(document: Document) -> list[Section]:
    """Such sections, whether they are compared or set aside."""
    among = [(i, s) for i, s in enumerate(document.sections) if s.role in (None, BOILERPLATE)]
    boilerplate_indices = _boilerplate(document, among)
    return [s for i, s in among if s.role == BOILERPLATE or i in boilerplate_indices]


def _boilerplate(document: Document, sections: Sequence[tuple[int, Section]]) -> set[int]:
    """Indices of the front matter of a paper, and of sections with such headings at the beginning or the end.

    A section with such a heading between others is text: a chapter on funding, a clause on a licence.
    """
    boilerplate_indices: set[int] = set()
    for i, section in sections:
        if not (_is_front_matter(document, i) if section.heading is None else _has_heading(section, _FRONT)):
            break
        boilerplate_indices.add(i)
    appendices = _appendices(document)
    for i, section in reversed(sections):
        if _has_heading(section, _BACK):
            boilerplate_indices.add(i)
        elif i not in appendices:
            break
    return boilerplate_indices


def has_boilerplate_heading(section: Section) -> bool:
    """Whether the heading alone marks a section as boilerplate."""
    return _has_heading(section, _FRONT) or _has_heading(section, _BACK)


def _has_heading(section: Section, headings: re.Pattern[str]) -> bool:
    return headings.fullmatch(" ".join((section.heading or "").split()).rstrip(" :.")) is not None


def _appendices(document: Document) -> set[int]:
    boilerplate_indices: set[int] = set()
    level: int | None = None
    for i, section in enumerate(document.sections):
        if section.heading is not None and (level is None or section.level <= level):
            level = section.level if _has_heading(section, _APPENDIX) else None
        if level is not None:
            boilerplate_indices.add(i)
    return boilerplate_indices


def _is_front_matter(document: Document, index: int) -> bool:
    section = document.sections[index]
    text = document.text[section.start : section.end]
    return index == 0 and is_front_matter(text, document.language) and _is_paper(document)


def _is_paper(document: Document) -> bool:
    openings = [
        s.heading or document.text[p.start : p.start + 40]
        for s in document.sections
        for p in (s.paragraphs[:1] or (s,))
    ]
    return is_paper(openings, has_references=any(s.role == "references" for s in document.sections))
