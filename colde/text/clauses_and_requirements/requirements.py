"""Requirements of a document: claims, numbered paragraphs, and sentences that oblige or forbid.

Readers of some formats leave out the numbers of lists, so the paragraphs below a heading such as “Claims” count, too.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from colde.text.clauses_and_requirements.clause_numbers import clause_numbers
from colde.text.clauses_and_requirements.clauses import clauses
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from colde.text.places import heading_above
from colde.text.words import words_and_halves

Rows = Literal["requirements", "clauses", "sentences"]
ROWS: tuple[Rows, ...] = get_args(Rows)
"""Which passages of a document are the rows of a claim chart."""
LONG_CLAUSE = 80
"""Words of a numbered paragraph from which its requirements are told apart by sentence."""
FEWEST = 4
"""Words of a passage that can be a row."""
_HEADINGS = re.compile(
    r"\W*(?:\d+\W+)?(?:(?:patent )?claims|(?:what|we|i) (?:is )?claim(?:ed)?(?: is)?|(?:[\w-]+ )?requirements)\W*",
    re.IGNORECASE,
)
"""Headings of sections whose paragraphs are all requirements."""
_OBLIGES = re.compile(
    r"\b(?:shall|must|(?:is|are|be) (?:required|obliged|obligated|forbidden|prohibited|not (?:allowed|permitted)) to"
    r"|may not|may only|undertakes?|has to|have to|agrees? (?:not )?to|required that)\b",
    re.IGNORECASE,
)


def requirements(document: Document) -> list[Span]:
    """Claims, numbered paragraphs with the lists that they introduce, and sentences with words such as “shall”.

    Long numbered paragraphs with such sentences are divided into these.
    """
    document = searched_text(document)
    sentences = [s for _, s in document.sentences()]
    numbers = clause_numbers(document, sentences)
    rows: list[Span] = []
    for clause in clauses(document, sentences):
        place = Span(sentences[clause[0]].start, sentences[clause[-1]].end)
        numbered = place.start in numbers
        listed = bool(_HEADINGS.fullmatch(heading_above(document, place.start) or ""))
        obliging = [
            sentences[k]
            for k in clause
            if _OBLIGES.search(document.text[sentences[k].start : sentences[k].end])
        ]
        introduces = document.text[place.start : sentences[clause[0]].end].rstrip().endswith(":")
        short = words_and_halves(document.text[place.start : place.end]) < LONG_CLAUSE
        if listed or (numbered and (short or not obliging)) or (obliging and introduces):
            rows.append(place)
        else:
            rows.extend(Span(s.start, s.end) for s in obliging)
    return _long_enough(document, rows)


def chart_rows(document: Document, rows: Rows = "requirements") -> list[Span]:
    """The passages of a document that are the rows of a claim chart."""
    if rows == "requirements":
        return requirements(document)
    searched = searched_text(document)
    sentences = [s for _, s in searched.sentences()]
    parts = (
        [range(k, k + 1) for k in range(len(sentences))]
        if rows == "sentences"
        else clauses(searched, sentences)
    )
    return _long_enough(searched, [Span(sentences[p[0]].start, sentences[p[-1]].end) for p in parts])


def _long_enough(document: Document, rows: list[Span]) -> list[Span]:
    return [r for r in rows if words_and_halves(document.text[r.start : r.end]) >= FEWEST]
