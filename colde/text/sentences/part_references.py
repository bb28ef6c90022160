"""Sentences about the parts of their own document: “Table 2 shows …”, “This paper is organised as follows”."""

from __future__ import annotations

import re

_PARTS = (
    r"figures?|figs?\.?|tables?|tab\.|sections?|sects?\.|chapters?|append(?:ix|ices)|diagrams?|"
    r"abbildung(?:en)?|abb\.|tabellen?|abschnitte?|kapitel|anhang|tableaux?|chapitres?|figuras?|tablas?|secci[oó]n|"
    r"capítulos?|figura|tabella|sezione|capitolo|рис\.?|рисун\w+|таблиц\w+|раздел\w*|глав[аеы]"
)
_NUMBERED = re.compile(rf"\b(?:{_PARTS})\s*\(?(?:\d|(?-i:[IVX]+|[A-Z])\b)", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_OUTLINE = re.compile(
    r"\b(?:papers?|articles?|reports?|thesis|dissertation|chapters?|sections?|document|study)\b(?:\W+\w+){0,2}\W+"
    r"(?:is|are)(?:\W+\w+)?\W+(?:organi[sz]ed|structured|arranged|divided|laid\W+out)\b",
    re.IGNORECASE,
)


def refers_to_parts(sentence: str) -> bool:
    """Whether a sentence is about a numbered figure, table, section or chapter, or says how its document is arranged.

    A reference in brackets, such as “(see Table 2)”, is no subject of the sentence.
    """
    text, removed = _BRACKETS.subn("", sentence)
    while removed:
        text, removed = _BRACKETS.subn("", text)
    return bool(_NUMBERED.search(text) or _OUTLINE.search(text))
