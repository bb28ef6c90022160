"""Edits of sections by the user: rename, merge, split, leave out; and include what was set aside.

Every function returns a new Document over the same text, so that all offsets, sentences and boxes stay right:
only the borders, headings and roles of sections change, and they stay flat, in order and without overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from colde.text.document import Document, Role, Section, Sentence, Span, cut_section
from colde.text.sections.parts_without_headings import split_into_parts

PLURALS: dict[Role, str] = {
    "table": "tables",
    "caption": "captions",
    "footnote": "footnotes",
    "equation": "equations",
    "references": "references",
    "boilerplate": "front matter, acknowledgements, licences and standard sentences",
    "template": "text of the template",
    "standard": "standard text of the reference",
}
"""The roles that can be taken into a comparison, and what several of their passages are called."""


def role_names() -> list[str]:
    """The names of these roles for a user, in the plural where it is one word."""
    return [role if " " in plural else plural for role, plural in PLURALS.items()]


def parse_roles(value: str) -> tuple[Role, ...]:
    """The roles in a comma list, each in the singular or plural; `all` is all of them.

    Raises:
        ValueError: an empty list, or an unknown name.
    """
    names = {name: role for role, plural in PLURALS.items() for name in (role, plural)}
    asked = [name.strip().lower() for name in value.split(",") if name.strip()]
    if not asked:
        raise ValueError(f"name what to include: {', '.join(role_names())}, or all")
    if unknown := [name for name in asked if name not in names and name != "all"]:
        raise ValueError(
            f"nothing is set aside as {unknown[0]!r}; there are: {', '.join(role_names())}, and all"
        )
    chosen = PLURALS if "all" in asked else {names[name] for name in asked}
    return tuple(role for role in PLURALS if role in chosen)


def rename(document: Document, index: int, heading: str) -> Document:
    """Give a section another heading; an empty one brings back the document's own.

    The text does not change, nor does what a model reads: only what the section is called.
    """
    section = document.sections[index]
    wanted = " ".join(heading.split()) or heading_in_text(document, section)
    return _replaced(document, index, index, [replace(section, heading=wanted)])


def heading_in_text(document: Document, section: Section) -> str | None:
    """The heading as it stands in the text; None where the section has none there."""
    return " ".join(document.text[section.start : section.body].split()) or None


def merge_target(document: Document, index: int) -> int | None:
    """The section that `merge` joins this one to: the nearest before it that is no loose caption, table …"""
    for i in range(index - 1, -1, -1):
        section = document.sections[i]
        if section.role is None or section.heading is not None:
            return i
    return None


def merge(document: Document, index: int) -> Document:
    """Join a section to the one before; its heading becomes a sentence of the text, without a box.

    The result keeps heading, level and role of the one before. Captions, tables and the like that stand between
    the two come along: a section is one piece of the text.

    Raises:
        ValueError: there is no section before.
    """
    target = merge_target(document, index)
    if target is None:
        raise ValueError("there is no section before this one")
    first = document.sections[target]
    paragraphs, sentences = list(first.paragraphs), list(first.sentences)
    for section in document.sections[target + 1 : index + 1]:
        head = document.text[section.start : section.body].rstrip()
        if head:
            end = section.start + len(head)
            paragraphs.append(Span(section.start, end))
            sentences.append(Sentence(section.start, end))
        paragraphs += section.paragraphs
        sentences += section.sentences
    merged = replace(
        first,
        body=first.body if first.paragraphs or not paragraphs else paragraphs[0].start,
        end=document.sections[index].end,
        paragraphs=tuple(paragraphs),
        sentences=tuple(sentences),
    )
    return _replaced(document, target, index, [merged])


def split_points(document: Document, index: int) -> range:
    """The sentences of a section before which it can be split: those with something before them."""
    section = document.sections[index]
    headless = not section.sentences or section.sentences[0].start == section.start
    return range(1 if headless else 0, len(section.sentences))


def split(document: Document, index: int, sentence: int, *, is_heading: bool = False) -> Document:
    """Begin a new section of the same level and role at a sentence.

    Args:
        sentence: index into the section's sentences.
        is_heading: the sentence is the heading of the new section; else the section has none.

    Raises:
        ValueError: nothing stands before that sentence, or there is no such sentence.
    """
    if sentence not in split_points(document, index):
        raise ValueError(f"section {index} cannot be split before sentence {sentence}")
    section = document.sections[index]
    at = section.sentences[sentence]
    after = sentence + 1 if is_heading else sentence
    rest = section.sentences[after:]
    body = rest[0].start if rest else section.end
    end = section.start + len(document.text[section.start : at.start].rstrip())
    first = cut_section(section, section.start, end, body=min(section.body, end))
    second = replace(
        cut_section(section, body, section.end, body),
        start=at.start,
        heading=" ".join(document.text[at.start : at.end].split()) if is_heading else None,
    )
    return _replaced(document, index, index, [first, second])


def set_role(document: Document, index: int, role: Role | None) -> Document:
    """Set a section aside under a role (`EXCLUDED_ROLE` where it shall be left out), or with None compare it."""
    return _replaced(document, index, index, [_with_role(document.sections[index], role)])


def include(document: Document, roles: Iterable[Role]) -> Document:
    """Compare what was set aside under these roles, too; a section that the user has left out stays out.

    Raises:
        ValueError: a role that is not one of `PLURALS`.
    """
    wanted = set(roles)
    if unknown := wanted - PLURALS.keys():
        raise ValueError(f"cannot be included: {', '.join(sorted(unknown))}")
    if not any(section.role in wanted for section in document.sections):
        return document
    document = split_into_parts(document)  # a text without headings is cut as it would be without this
    included = (_with_role(s, None) if s.role in wanted else s for s in document.sections)
    return replace(document, sections=tuple(included))


def _with_role(section: Section, role: Role | None) -> Section:
    return replace(section, role=role, included_role=None if role else section.role or section.included_role)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change, to be made again on the document as read: call it with the Document it is for."""

    do: Literal["rename", "merge", "split", "set_role"]
    section: int
    heading: str = ""
    sentence: int = 0
    is_heading: bool = False
    role: Role | None = None

    def __call__(self, document: Document) -> Document:
        match self.do:
            case "rename":
                return rename(document, self.section, self.heading)
            case "merge":
                return merge(document, self.section)
            case "split":
                return split(document, self.section, self.sentence, is_heading=self.is_heading)
            case "set_role":
                return set_role(document, self.section, self.role)


def apply_edits(document: Document, edits: Iterable[Edit]) -> Document:
    """The document after these edits, one after the other."""
    for edit in edits:
        document = edit(document)
    return document


def _replaced(document: Document, first: int, last: int, sections: list[Section]) -> Document:
    return replace(document, sections=(*document.sections[:first], *sections, *document.sections[last + 1 :]))
