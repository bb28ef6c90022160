"""A name that stands in place of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from colde.meaning.grammar import Doc, Token
from colde.meaning.word_pairs import WordPairs, lemma, plain

NAMED = frozenset({
    "PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE",
})  # fmt: skip
"""Labels of entities that are names; the others are dates and numbers."""
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|‘[^’]+’|«[^»]+»")
MOST_WORDS = 6
"""Words of a title; longer quotations are speech."""
SPELLING = 0.75
"""Share of equal letters from which two words are spellings of one name."""
CERTAIN, PROBABLE = 0.8, 0.65
_TITLE = re.compile(r"[A-Z][a-z]{1,4}\.")
"""“Mr.”, “Inc.” and other words that stand beside a name."""
CAPITAL_NOUNS = frozenset({"de", "lb"})
"""Languages in which every noun has a capital."""


def replaced_names(pairs: WordPairs) -> Iterator[tuple[list[Token], list[Token], float]]:
    """Yield names of both sentences that stand in place of each other, with a certainty.

    A name that is only added, shortened, written out or capitalised is not replaced.
    """
    for ours, theirs in pairs.gaps:
        if _title(pairs.a, ours) and _title(pairs.b, theirs):
            yield [pairs.a[i] for i in ours], [pairs.b[j] for j in theirs], CERTAIN
            continue
        left, right = _new_names(pairs, ours), _new_names(pairs.swapped, theirs)
        if not left or not right or not any(map(_is_name, (*left, *right))) or _forms(left, right):
            continue
        if _alone(ours, left) and _alone(theirs, right):
            yield left, right, CERTAIN if _one_label(left, right) else PROBABLE


def _new_names(pairs: WordPairs, gap: range) -> list[Token]:
    """The names of a run of words that the other sentence does not have."""
    words = (pairs.a[i] for i in gap if i not in pairs.to_b)
    return [w for w in words if _may_be_name(w) and not _known(w, pairs.b)]


def _may_be_name(word: Token) -> bool:
    """Whether a word is a name, or a noun that begins the sentence with a capital."""
    return _is_name(word) or (word.i == 0 and word.tag_ == "NN")


def _is_name(word: Token) -> bool:
    if _TITLE.fullmatch(word.text):
        return False
    if not word.pos_:  # of another language than English
        return word.text[:1].isupper() and word.i > 0 and word.lang_ not in CAPITAL_NOUNS
    return word.pos_ == "PROPN" or (word.ent_type_ in NAMED and word.text[:1].isupper())


def _one_label(left: list[Token], right: list[Token]) -> bool:
    """Whether two names may be of one kind; a label that is missing may be any."""
    labels = [{w.ent_type_ for w in side if w.ent_type_ in NAMED} for side in (left, right)]
    return not labels[0] or not labels[1] or not labels[0].isdisjoint(labels[1])


def _title(doc: Doc, gap: range) -> bool:
    """Whether words, or the place between two words, lie in a title in quotation marks."""
    words = doc[gap.start : gap.stop] if gap else doc[max(gap.start - 1, 0) : gap.start]
    for title in _QUOTED.finditer(doc.text):
        parts = title[0][1:-1].split()
        named = 0 < len(parts) <= MOST_WORDS and 2 * sum(w[:1].isupper() for w in parts) >= len(parts)
        if named and title.start() <= words.start_char < words.end_char <= title.end():
            return True
    return False


def _alone(gap: range, names: list[Token]) -> bool:
    """Whether a gap is little more than the name."""
    return len(gap) <= len(names) + 2


def _known(word: Token, other: Doc) -> bool:
    """Whether another sentence has a word in another spelling, form, or as initials."""
    name = plain(word).strip(".")
    if len(name) <= 1:
        return True
    for other_word in other:
        there = plain(other_word).strip(".")
        if there == name or lemma(other_word) == lemma(word):
            return True
        if len(name) >= 3 and len(there) >= 3 and (name.startswith(there) or there.startswith(name)):
            return True
        if name[:1] == there[:1] and SequenceMatcher(None, name, there).ratio() >= SPELLING:
            return True
    initials = "".join(w.text[0] for w in other if w.text[:1].isupper()).lower()
    return word.text.isupper() and name.replace(".", "") in initials


def _forms(left: list[Token], right: list[Token]) -> bool:
    """Whether one side is made of the initials of the other."""
    words = ["".join(w.text[0].lower() for w in side) for side in (left, right)]
    joined = ["".join(plain(w) for w in side).replace(".", "") for side in (left, right)]
    return words[0] == joined[1] or words[1] == joined[0]
