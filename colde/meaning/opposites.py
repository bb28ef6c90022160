"""Words with opposite meanings that stand in the same place of two sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from colde.meaning.grammar import Token
from colde.meaning.negations import APPROXIMATE, DETERMINERS, NEGATIVE_VERBS, NEGATIVE_WORDS
from colde.meaning.number_words import ORDINALS
from colde.meaning.word_pairs import CONTENT, IN_PLACE, WordPairs, lemma

DEICTIC = frozenset({"come", "go"})
"""Verbs that say the same from two points of view: "he went to them" and "he came to them"."""
ADPOSITIONS = ("ADP", "SCONJ", "PART")
BOUNDS = ("most", "least")
"""Words after "at" that limit a number."""
SUBJECTS = ("nsubj", "nsubjpass")
CUES = NEGATIVE_WORDS | NEGATIVE_VERBS | DETERMINERS | APPROXIMATE | {"not", "never", "unless", "cannot"}
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
NEGATING_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "de")
SHORTEST = 4
"""Letters of a word that a prefix turns into its opposite."""
PARTICLES = frozenset(
    frozenset(pair.split())
    for pair in (
        "before after", "above below", "over under", "inside outside", "up down", "on off", "into from", "in out",
        "from until", "from till", "since until", "within after", "with without", "for against", "toward from",
        "including excluding", "to from", "after until", "within outside", "in outside",
    )
)  # fmt: skip
"""Prepositions and particles with opposite meanings; WordNet has none."""
CERTAIN = 0.8


def opposite_words(pairs: WordPairs) -> Iterator[tuple[Token, Token, float]]:
    """Yield words with opposite meanings that replace each other, with a certainty.

    Not where what they say it of is exchanged, too: "A is larger than B" and "B is smaller than A" agree.
    """
    sure = min(1.0, pairs.equal / IN_PLACE)
    for x, y in pairs.replaced():
        if _are_opposite(x, y) and not pairs.lemmas_b[lemma(x)] and not _converse(x, y):
            yield x, y, CERTAIN * (1.0 if pairs.same_place(x, y) else sure)


def _are_opposite(x: Token, y: Token) -> bool:
    if x.pos_ in ADPOSITIONS and y.pos_ in ADPOSITIONS:
        return frozenset((x.lower_, y.lower_)) in PARTICLES
    if x.pos_ not in CONTENT or y.pos_ not in CONTENT or _is_no_opposite(x, y):
        return False
    if any(q in _antonyms().get(p, ()) for p in _names(x) for q in _names(y)):
        return True
    return x.tag_ == y.tag_ and any(_prefixed(p, q) for p in _names(x) for q in _names(y))


def _is_no_opposite(x: Token, y: Token) -> bool:
    """Whether two words are numbers, limits of numbers, or the same movement from two points of view."""
    numbers = {x.lower_, y.lower_} <= ORDINALS.keys()
    limits = x.lower_ in BOUNDS and x.i > 0 and x.nbor(-1).lower_ == "at"
    return numbers or limits or {x.lemma_, y.lemma_} <= DEICTIC


def _names(word: Token) -> set[str]:
    return {lemma(word), word.lower_}


def _converse(x: Token, y: Token) -> bool:
    """Whether the subject of each sentence is something else in the other one."""
    one, other = _subject(x), _subject(y)
    if one is None or other is None or one.lemma_ == other.lemma_:
        return False
    return all(
        any(w.lemma_ == mine.lemma_ and w.dep_ not in SUBJECTS for w in there.doc)
        for mine, there in ((one, other), (other, one))
    )


def _subject(word: Token) -> Token | None:
    for head in (word, *word.ancestors):
        for child in head.children:
            if child.dep_ in SUBJECTS:
                return child
    return None


def _prefixed(x: str, y: str) -> bool:
    short, long = sorted((x, y), key=len)
    return len(short) >= SHORTEST and any(long == prefix + short for prefix in NEGATING_PREFIXES)


def may_be_opposite(a: str, b: str) -> bool:
    """Whether two sentences have a negation or words of opposite meaning that differ, without their grammar."""
    one, other = (set(_WORD.findall(text.lower().replace("’", "'"))) for text in (a, b))
    left, right = one - other, other - one
    if any(w.endswith("n't") or not CUES.isdisjoint(_forms(w)) for w in left | right):
        return True
    forms = {form for w in right for form in _forms(w)}
    return any(
        not forms.isdisjoint(_antonyms().get(form, ()))
        or any(prefix + form in right or form.removeprefix(prefix) in right for prefix in NEGATING_PREFIXES)
        for w in left
        for form in _forms(w)
    ) or any(not pair.isdisjoint(left) and not pair.isdisjoint(right) for pair in PARTICLES)


def _forms(word: str) -> Iterator[str]:
    """A word and what may be its lemma."""
    yield word
    for ending in ("s", "es", "ed", "d", "ing", "er", "est", "r", "st"):
        if word.endswith(ending):
            yield word.removesuffix(ending)
            yield word.removesuffix(ending) + "e"


@lru_cache(maxsize=1)
def _antonyms() -> dict[str, frozenset[str]]:
    """The words with the opposite meaning of each."""
    pairs = defaultdict(set)
    for line in Path(__file__).with_name("antonyms.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            x, y = line.split()
            pairs[x].add(y)
            pairs[y].add(x)
    return {word: frozenset(others) for word, others in pairs.items()}
