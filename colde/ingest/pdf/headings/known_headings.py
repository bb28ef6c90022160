"""Headings that are known by their words, whatever they look like."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.pdf.headings.section_numbers import possible_numbers
from colde.ingest.pdf.lines.text_lines import Line
from colde.text.not_compared.list_of_works import names_list_of_works

_KNOWN = re.compile(
    r"(?:abstract|summary|introduction|conclusions?|references?|bibliography|works cited|literature cited|"
    r"acknowledge?ments?|appendix|appendices|contents|preface|foreword|glossary|index|background|related works?|"
    r"discussion|results|methods?|evaluation|experiments?|claims|what is claimed is|executive summary|definitions|"
    r"recitals|schedule \w+|conclusions? and future works?|future works?|discussion and conclusions?|"
    r"zusammenfassung|einleitung|literatur|résumé|bibliographie)",
    re.IGNORECASE,
)


def strip_number(text: str) -> str:
    """A heading without its number and final punctuation."""
    rest = next(
        (n.rest for n in possible_numbers(text) if n.kind != "A" or text[n.rest - 2 : n.rest - 1] in ".:)"), 0
    )
    return text[rest:].strip().rstrip(":.").strip()


def is_known_heading(name: str) -> bool:
    """Whether a heading without its number is one of the usual ones, such as "Introduction"."""
    return _KNOWN.fullmatch(name) is not None


def heads_references(text: str) -> bool:
    """Whether a line or heading is that of a reference list."""
    return names_list_of_works(strip_number(text))


def references_start(lines: Sequence[Line]) -> int:
    """Index of the first line that is the heading of a reference list; the number of lines where there is none."""
    return next((i for i, line in enumerate(lines) if heads_references(line.text)), len(lines))
