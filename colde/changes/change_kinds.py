"""The kind of change between two sentences that correspond."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from colde.alignment.statements import SHORTEST, are_opposite, negations, tokens
from colde.alignment.word_classes import DATE_WORDS, LIMIT_PHRASES, NUMBER_WORDS, OBLIGATION_WORDS
from colde.results.change import CHANGE_KINDS, ChangeKind

_LIMIT = re.compile(rf"\b(?:{'|'.join(LIMIT_PHRASES)})\b")
LONG = 40
"""Words from which a sentence is as important as any of its kind."""


def importance(kind: ChangeKind, words: int) -> float:
    """Kinds in their order, and within a kind longer sentences first: in [0, 1]."""
    rank = CHANGE_KINDS.index("only in a" if kind == "only in b" else kind)
    return (len(CHANGE_KINDS) - rank - 1 + min(words, LONG) / (LONG + 1)) / len(CHANGE_KINDS)


@dataclass(frozen=True, slots=True)
class DifferingPair:
    """The text of corresponding units that differ in more than form, without the numbers of their clauses."""

    a: str
    b: str


def name_changes(pairs: Sequence[DifferingPair]) -> list[ChangeKind]:
    """The kind of change of each pair."""
    return [change_kind(pair.a, pair.b) or "number" for pair in pairs]


def change_kind(a: str, b: str) -> ChangeKind | None:
    """The most important kind of change between two sentences; None where they have the same words."""
    tokens_a, tokens_b = tokens(a), tokens(b)
    words_a, words_b = ([t.lower().replace("’", "'") for t in side] for side in (tokens_a, tokens_b))
    if "".join(words_a) == "".join(words_b):  # also where a hyphen or a space was lost at the end of a line
        return None
    removed, added = Counter(words_a) - Counter(words_b), Counter(words_b) - Counter(words_a)
    if negations(words_a, words_b) != negations(words_b, words_a):
        return "negation"
    if any(are_opposite(x, y) for x in removed for y in added):
        return "opposite"
    if _roles(words_a, words_b, sum(removed.values()) + sum(added.values())):
        return "roles"
    if Counter(_values(words_a)) != Counter(_values(words_b)):
        return "number"
    if _names(tokens_a) != _names(tokens_b):
        return "name"
    if _obligations(words_a) != _obligations(words_b):
        return "obligation"
    return "wording"


def _roles(a: Sequence[str], b: Sequence[str], changed: int) -> bool:
    """Whether two names, numbers or nouns have changed places while at most two other words changed."""
    places_a, places_b = _changed(a, b)
    moved = Counter(a[i] for i in places_a) & Counter(b[j] for j in places_b)
    content = [w for w in moved if len(w) >= SHORTEST and w not in OBLIGATION_WORDS]
    return len(content) >= 1 and changed <= 2 and len(places_a) >= 2 and _swapped(a, b, content)


def _swapped(a: Sequence[str], b: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these words have another order in the other sentence."""
    order_a = [w for w in a if w in words]
    order_b = [w for w in b if w in words]
    return len(order_a) >= 2 and order_a != order_b


def _changed(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """Places of the words that do not correspond."""
    left: list[int] = []
    right: list[int] = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            left += range(i0, i1)
            right += range(j0, j1)
    return left, right


def _values(words: Sequence[str]) -> Iterator[str]:
    """Values of numbers, number words and words of dates."""
    for word in words:
        if word[-1:].isdigit() or word[:1].isdigit() or word[:1] in "$€£¥":
            yield word.strip("$€£¥%").replace(",", "").lstrip("0") or "0"
        elif word in NUMBER_WORDS and word not in ("one", "second", "first"):
            yield str(NUMBER_WORDS[word])
        elif word in DATE_WORDS:
            yield word


def _names(words: Sequence[str]) -> frozenset[str]:
    """Words with a capital that do not begin the sentence."""
    return frozenset(
        w for w in words[1:] if w[:1].isupper() and len(w) >= SHORTEST and w.lower() not in DATE_WORDS
    )


def _obligations(words: Sequence[str]) -> Counter[str]:
    """What a sentence obliges to, and the limits and conditions of it."""
    limits = (LIMIT_PHRASES[phrase] for phrase in _LIMIT.findall(" ".join(words)))
    return Counter([*(OBLIGATION_WORDS[w] for w in words if w in OBLIGATION_WORDS), *limits])
