"""How well a document was read, as a grade from A to D with its reasons.

Each measure has three limits: a share up to the first is graded A, up to the second B, up to the third C, others D.
The limits are chosen, not fitted: A stands for nothing to note, B for something that a reader should know, C for parts
that are missing, D for a text on which no verdict should rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from colde.serialise import JsonFields, JsonObject
from colde.text.document import EXCLUDED_ROLE, Document
from colde.text.not_compared.set_aside import KINDS, set_aside

Grade = Literal["A", "B", "C", "D"]
GRADES: tuple[Grade, ...] = ("A", "B", "C", "D")
PAGES_WITHOUT_TEXT = (0.0, 0.1, 0.5)
PAGES_WITH_WARNINGS = (0.0, 0.25, 0.5)
UNREADABLE_LETTERS = (0.0, 0.001, 0.02)
WORDS_SET_ASIDE = (0.3, 0.5, 0.8)
"""Lists of works, notes and captions are up to 0.3 of many papers."""
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")
"""The replacement character, and characters for private use."""
_BY_USER = (KINDS[EXCLUDED_ROLE].what, KINDS["template"].what, KINDS["standard"].what)


@dataclass(frozen=True, slots=True)
class ReadingGrade(JsonObject):
    """A grade, and why it is not A.

    Attributes:
        grade: A nothing to note, B something to know, C parts are missing, D too little was read.
        reasons: sentences without a capital or a full stop; none for A.
    """

    grade: Grade
    reasons: tuple[str, ...]

    JSON: ClassVar = JsonFields("grade reasons")

    def __str__(self) -> str:
        """The grade with its reasons: “C (4 of 10 pages have no text)”."""
        return f"{self.grade} ({'; '.join(self.reasons)})" if self.reasons else self.grade


def reading_grade(document: Document) -> ReadingGrade:
    """The grade of a document: that of its worst measure.

    >>> import colde
    >>> str(reading_grade(colde.read_text("The lamp is lit at dusk. Nobody saw the keeper leave.")))
    'A'
    """
    measured = [(grade, reason) for grade, reason in _measures(document) if grade != "A"]
    worst = max((grade for grade, _ in measured), default=GRADES[0])
    return ReadingGrade(worst, tuple(reason for _, reason in sorted(measured, reverse=True)))


def _measures(document: Document) -> Iterator[tuple[Grade, str]]:
    yield from _of_pages(document)
    letters = len("".join(document.text.split()))
    bad = len(_UNREADABLE.findall(document.text))
    yield (
        _grade(bad / max(1, letters), UNREADABLE_LETTERS),
        f"{bad:,} of {letters:,} letters cannot be read",
    )
    aside = sum(item.words for item in set_aside(document) if item.what not in _BY_USER)
    words = aside + document.words()
    yield _grade(aside / max(1, words), WORDS_SET_ASIDE), f"{aside:,} of {words:,} words are set aside"


def _of_pages(document: Document) -> Iterator[tuple[Grade, str]]:
    """Pages without text, and warnings, which may be about pages."""
    pages = document.pages or 0
    if pages:
        sentences = (sentence for section in document.sections for sentence in section.sentences)
        without = pages - len({box.page for sentence in sentences for box in sentence.boxes})
        yield _grade(without / pages, PAGES_WITHOUT_TEXT), f"{without} of {pages} pages have no text"
    warned = {page for w in document.warnings for first, last in w.pages for page in range(first, last + 1)}
    if pages and warned:
        yield (
            _grade(len(warned) / pages, PAGES_WITH_WARNINGS),
            f"{len(warned)} of {pages} pages have a warning",
        )
    elif document.warnings:
        yield "B", f"{len(document.warnings)} warning{'s' if len(document.warnings) > 1 else ''} on reading"


def _grade(share: float, limits: tuple[float, float, float]) -> Grade:
    return GRADES[sum(share > limit for limit in limits)]
