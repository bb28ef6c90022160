"""From text to sentences.

spaCy's rule-based sentencizer proposes the ends. It knows tokens (addresses, numbers, "a.m."), but ends a sentence
after "et al.", "Fig." and inside `asyncio.Task`. The rules here correct that. They look only at the characters around
each full stop, so that the time is linear.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

from colde.text.document import Span
from colde.text.stop_words import stop_words

if TYPE_CHECKING:
    from spacy.language import Language

_CLOSING_MARKS = "\"'”’»)\\]}›"
_FULL_WIDTH_STOPS = "。｡！？．"  # ends that need no space after them
_END = re.compile(
    rf"(?<![.!?…])[.!?…؟۔।॥։།။።፧៕᙮‼‽⁇⁈⁉]+[{_CLOSING_MARKS}]*(?:\[\d{{1,3}}(?:[,–-]\s?\d{{1,3}})*\])?(?=\s)"
    rf"|[{_FULL_WIDTH_STOPS}]+[」』）】》〉{_CLOSING_MARKS}]*"
    r"|(?<=[a-z]{2})[.!?]\d{1,2}(?=\s+[A-Z])"  # the mark of a note, raised in print
    r"|(?<=\S)(?=\n[ \t]*\n)"  # a blank line inside a listing
    rf"|(?<=[a-z]{{3}})[.!?](?=[A-Z][a-z]*\s)"  # "…the dictionary.It is": a space lost in a PDF
)
_NEXT = re.compile(r"[\s\"'“‘«(\[{#•·–—*-]*(?P<word>[^\W\d_]+|\d+|\S)")
_LAST_TOKEN = re.compile(r"[^\s(\[{\"'“‘«/–—]+$")
_INITIAL = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]\.", re.UNICODE)
_LABEL = re.compile(r"(?:^|[.:;!?]\s)\s*[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})[.)\]]+$")
# What begins with a small letter and may begin a sentence: "b. Then", `asyncio.Task`, `exec()`, `max_len`.
_LOWER_CASE_START = re.compile(r"[a-z][.)]\s|\S*?(?:[_(]|\.\w|[a-z][A-Z])")
_NAME_BEFORE = re.compile(
    r"(?:[A-ZÀ-ÖØ-Þ][^\s.]*\.?|and|by|of|with|from|und|von|et|y|e|&|;|,)\s*$|[,;(\[&]\s*$"
)
_LONG_TOKEN = re.compile(r"\S{200,}")
_LOOK_BEHIND = 60  # characters looked at before an end: the longest abbreviation with the word before it


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Always followed by what they belong to.
_NEVER_END = _words(
    "e.g i.e eg ie cf viz vs resp approx ca fig figs eq eqs eqn eqns sec sect secs chap ref refs lem def "
    "thm defn "  # typos: off
    "dr mr mrs ms prof rev hon messrs mme mlle sr sra dra st mt ed eds trans incl esp lit "
    "z.b d.h u.a s.o s.u bzw vgl abb kap bd hrsg evtl ggf sog zzgl p.ex c.-à-d p.ej pág pag"
)
# Belong to the number after them; before a word they are words themselves ("No.", "state of the art.").
_NOT_END_BEFORE_NUMBER = _words(
    "no nos nr p pp vol vols ch art arts app ex exs tab tbl alg cor prop par para pt pts col ll fol s n "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
# May end a sentence; they do where a word follows that begins one.
_MAY_END = _words(
    "etc al inc ltd co corp jr u.s u.k u.s.a e.u ph.d m.d b.a m.a a.m p.m b.c a.d usw ff f dept"
)


@lru_cache(maxsize=8)
def _pipeline(language: str) -> Language:
    import spacy

    try:
        nlp = spacy.blank(language)
    except ImportError:
        nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.max_length = sys.maxsize  # how long a text may be is said where files are read
    return nlp


@lru_cache(maxsize=1)
def _sentence_starters() -> frozenset[str]:
    """English words that are capitalised only where a sentence begins."""
    return frozenset(word.capitalize() for word in stop_words("en") if word.isalpha()) - {"I", "Us"}


def split_sentences(text: str, language: str | None = None) -> list[Span]:
    """Sentences of one block of text, as spans without surrounding white space, in order.

    Args:
        text: a paragraph, of any length.
        language: ISO 639-1 code; English where None.
    """
    ends = list(_END.finditer(text))
    cuts: list[int] = []
    if ends:
        # Tokens of many hundred characters cost spaCy quadratic time (text without spaces, rows of brackets).
        short = _LONG_TOKEN.sub(lambda match: "x" * len(match[0]), text)
        proposed = [s.start_char for s in _pipeline(language or "en")(short).sents]
        for match in ends:
            begin = cuts[-1] if cuts else 0
            if _is_end(text, match, begin, proposed):
                cuts.append(match.end())
    spans = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            first = start + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(stripped)))
    return spans


def _is_end(text: str, match: re.Match[str], begin: int, proposed: list[int]) -> bool:
    """Whether a sentence ends where this full stop (or the like) stands.

    Args:
        begin: where the sentence begins.
        proposed: where spaCy begins sentences.
    """
    end = match.end()
    if match[0] == "" or match[0][0] in _FULL_WIDTH_STOPS:
        return end <= len(text) - 8 or text[end:].strip() != ""
    following = _NEXT.match(text, end)
    if following is None:
        return False
    word = following["word"]
    if text[end : end + 1].strip():  # no space: only before a word that begins sentences
        return word in _sentence_starters()
    if word[0] in ".,;:)]}":
        return False
    if word[0].islower() and not _may_start_lower_case(text, begin, following.start("word")):
        return False
    if match[0][0] not in ".…":
        return True
    ends = _ends_by_token(text, match, begin, word)
    if ends is not None:
        return ends
    return (
        _spacy_starts_sentence(proposed, match.start(), following.end("word")) or word in _sentence_starters()
    )


def _ends_by_token(text: str, match: re.Match[str], begin: int, word: str) -> bool | None:
    """Whether a sentence ends at a full stop, as far as the token before it says; None where it says nothing."""
    stop = match.start()
    start = max(begin, stop - _LOOK_BEHIND)
    before = text[start:stop]
    if before[-1:].isspace() and before.rstrip()[-1:].isdigit() and word[0].isdigit():
        return False  # a number set with spaces: "4 . 6"
    if _LABEL.search(text[start : match.end()]):
        return False  # "2." or "b." before the item it counts
    token = _LAST_TOKEN.search(before)
    if token is None:
        return bool(before.strip())
    if match[0] != ".":
        return None
    abbreviation = _ends_after_abbreviation(token[0].rstrip(".").casefold(), word)
    if abbreviation is None and _INITIAL.fullmatch(token[0] + "."):
        return _ends_after_initial(before[: token.start()], word)
    return abbreviation


def _ends_after_abbreviation(name: str, word: str) -> bool | None:
    """Whether a sentence ends after an abbreviation and before this word; None where the name is none."""
    if name in _NEVER_END:
        return False
    if name in _NOT_END_BEFORE_NUMBER and (word[0].isdigit() or _is_roman(word)):
        return False
    if name in _MAY_END:
        return word in _sentence_starters() or (name in ("etc", "usw") and word[0].isupper())
    return None


def _may_start_lower_case(text: str, begin: int, word: int) -> bool:
    """Whether a small letter may begin a sentence here: a label, a name in a programming language, or a text
    whose sentence in hand began with a small letter itself."""
    if _LOWER_CASE_START.match(text, word, word + 40):
        return True
    following = _NEXT.match(text, begin, begin + _LOOK_BEHIND)
    return following is not None and following["word"][0].islower()


def _ends_after_initial(before: str, word: str) -> bool:
    """`J. Smith` goes on; `a value of type A. For each …` ends."""
    if word in _sentence_starters():
        return True
    return not (before.strip() == "" or _NAME_BEFORE.search(before)) and word[0].isupper()


def _is_roman(word: str) -> bool:
    return bool(word) and set(word) <= set("IVXLC")


def _spacy_starts_sentence(proposed: list[int], stop: int, until: int) -> bool:
    """Whether spaCy begins a sentence between this full stop and the end of the next word."""
    at = bisect_left(proposed, stop + 1)
    return at < len(proposed) and proposed[at] <= until
