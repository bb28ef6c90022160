"""Front matter, acknowledgements, licences and the like: alike in all documents of a kind, and about none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from colde.text.document import Document, Role, Section
from colde.text.front_matter import is_front_matter, is_paper
from colde.text.structure import include as take_in

BOILERPLATE: Role = "boilerplate"

_HEADING = re.compile(
    r"(?:[\dIVX]+(?:\.\d+)*\.?\s+)?(?:"
    r"acknowledge?ments?|funding|copyright(?:\s+waiver)?|licen[cs]es?|copyright\s*(?:and|&|/)\s*licen[cs]e|"
    r"authors?(?:['’]s?)?\s+(?:information|contributions?|affiliations?|addresses|note)|affiliations?|"
    r"about the authors?|"
    r"(?:conflicts? of|competing|declaration of(?: competing)?)\s+interests?|(?:table of )?contents"
    r")\s*[:.]?",
    re.IGNORECASE,
)


def to_compare(document: Document, include: Iterable[Role] = ()) -> Document:
    """The document as commands, explorer and service compare it: without boilerplate, and with what is asked for.

    Args:
        include: roles of sections that are compared although they are set aside; `boilerplate` among them keeps it.
    """
    return take_in(without_boilerplate(document), include)


def without_boilerplate(document: Document) -> Document:
    """Copy with such sections set aside under the role `boilerplate`; indices and text do not change.

    Acknowledgements, licences and the like are recognised by their headings. Front matter is a block of names and
    addresses before the first heading of a paper. Where nothing else would be left to compare, nothing is set aside.
    """
    found = [i for i, section in document.compared() if _is(document, section, first=i == 0)]
    if not found or len(found) == sum(1 for _ in document.compared()):
        return document
    sections = list(document.sections)
    for i in found:
        sections[i] = replace(sections[i], role=BOILERPLATE)
    return replace(document, sections=tuple(sections))


def boilerplate_sections(document: Document) -> list[Section]:
    """Such sections, whether they are compared or set aside."""
    return [
        s for i, s in enumerate(document.sections) if s.role == BOILERPLATE or _is(document, s, first=i == 0)
    ]


def _is(document: Document, section: Section, *, first: bool) -> bool:
    if section.heading is not None:
        return _HEADING.fullmatch(" ".join(section.heading.split())) is not None
    text = document.text[section.start : section.end]
    return first and is_front_matter(text, document.language) and _is_paper(document)


def _is_paper(document: Document) -> bool:
    """Whether the document has a list of references or an abstract."""
    openings = [
        s.heading or document.text[p.start : p.start + 40]
        for s in document.sections
        for p in (s.paragraphs[:1] or (s,))
    ]
    return is_paper(openings, has_references=any(s.role == "references" for s in document.sections))
