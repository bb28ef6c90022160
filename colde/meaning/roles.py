"""Who does what to whom: arguments of a predicate that are exchanged between two sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from colde.meaning.grammar import Doc, Token
from colde.meaning.word_pairs import CONTENT, WordPairs, lemma, plain

ROLES = {"nsubj": "subject", "dobj": "object", "nsubjpass": "object", "attr": "object", "dative": "recipient"}

MODIFIERS = frozenset({"amod", "nummod"})
"""Relations of words that say the same about a noun in any order."""

NAMING = frozenset({"NOUN", "PROPN", "NUM"})
Role = tuple[int, str]
"""Position of a predicate or noun, and the relation of an argument to it."""


def _arguments(doc: Doc) -> dict[int, Role]:
    """The role of each noun by its position; passive and active alike."""
    roles: dict[int, Role] = {}
    for word in doc:
        if word.pos_ not in NAMING:
            continue
        passive = any(c.dep_ == "auxpass" for c in word.head.children)
        if word.dep_ in ROLES:
            role = "recipient" if word.dep_ == "nsubjpass" and _has_object(word.head) else ROLES[word.dep_]
            roles[word.i] = word.head.i, role
        elif word.dep_ == "pobj":
            preposition, head = word.head, word.head.head
            while head.dep_ == "prep":
                head = head.head
            by = preposition.dep_ == "agent" or (passive and preposition.lower_ == "by")
            to = preposition.lower_ == "to" and head.pos_ == "VERB"
            name = "subject" if by else "recipient" if to else preposition.lower_
            roles[word.i] = head.i, name
        elif word.dep_ == "poss":
            roles[word.i] = word.head.i, "of"
    return roles


def _has_object(verb: Token) -> bool:
    return any(c.dep_ == "dobj" for c in verb.children)


def exchanged_roles(pairs: WordPairs) -> Iterator[tuple[tuple[Token, Token], tuple[Token, Token]]]:
    """Yield two words of each sentence that have exchanged their roles, or their places in otherwise equal words."""
    ours, theirs = _arguments(pairs.a), _arguments(pairs.b)
    names = {role: pairs.b[j] for j, role in theirs.items()}
    for (i, one), (k, two) in combinations(ours.items(), 2):
        x, y = pairs.a[i], pairs.a[k]
        there_x, there_y = (names.get((pairs.to_b.get(place, -1), role)) for place, role in (one, two))
        if one == two or there_x is None or there_y is None:
            continue
        if _name(x) == _name(there_y) != _name(y) == _name(there_x):
            yield (x, y), (there_x, there_y)
    yield from _exchanged_places(pairs)


def _exchanged_places(
    pairs: WordPairs,
) -> Iterator[tuple[tuple[Token, Token], tuple[Token, Token]]]:
    """Yield two words that have changed places in the same words otherwise."""
    a, b = pairs.a, pairs.b
    differ = [i for i in range(len(a)) if len(a) == len(b) and plain(a[i]) != plain(b[i])]
    if len(differ) < 2 or not all(a[i].pos_ in CONTENT for i in differ):
        return
    x, y = differ[0], differ[-1]
    if _modify_one_word([a[i] for i in differ]):
        return
    listed = a[y] in a[x].conjuncts and all(
        w.dep_ != "neg" for w in a[x : y + 1]
    )  # "a and b", not "a, not b"
    if Counter(plain(a[i]) for i in differ) == Counter(plain(b[i]) for i in differ) and not listed:
        yield (a[x], a[y]), (b[x], b[y])


def _modify_one_word(words: list[Token]) -> bool:
    """Whether their order says nothing: "the two remaining states", "the remaining two states"."""
    return len({word.head.i for word in words}) == 1 and MODIFIERS.issuperset(word.dep_ for word in words)


def _name(word: Token) -> str:
    """The lemma with the parts of a compound, which tell two names with one head apart."""
    return " ".join(
        lemma(w) for w in (*(c for c in word.lefts if c.dep_ in ("compound", "amod", "nummod")), word)
    )
