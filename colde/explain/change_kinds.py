"""The kind of change between two sentences that correspond."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from colde.explain.change_lexicon import (
    APPROXIMATE_NEGATIONS,
    DATE_WORDS,
    LIMIT_PHRASES,
    LOW_DEGREE_WORDS,
    NEGATING_PREFIXES,
    NEGATING_VERBS,
    NEGATION_WORDS,
    NUMBER_WORDS,
    OBLIGATION_WORDS,
    OPPOSITES,
)
from colde.results.change import CHANGE_KINDS, ChangeKind
from colde.text.stop_words import stop_words

_TOKEN = re.compile(r"[$€£¥]?\d+(?:[.,:/]\d+)*%?|\w+(?:['’]\w+)*|%", re.UNICODE)
_LIMIT = re.compile(rf"\b(?:{'|'.join(LIMIT_PHRASES)})\b")
_SHORTEST = 4
"""Letters of a word from which a capital makes it a name, or a prefix its opposite."""
SCOPE, SCOPE_WORDS = 2, 7
"""Content words that a negation reverses, and words after it among which they are."""
_AUXILIARIES = OBLIGATION_WORDS.keys() | {
    "be", "been", "being", "is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "very", "too", "any",
    "at", "all", "to", "the", "a", "an", "of",
}  # fmt: skip
_ENDINGS = ("ing", "ed", "es", "s", "ly", "d", "e")
LONG = 40
"""Words from which a sentence is as important as any of its kind."""


def importance(kind: ChangeKind, words: int) -> float:
    """Kinds in their order, and within a kind longer sentences first: in [0, 1]."""
    rank = CHANGE_KINDS.index("only in a" if kind == "only in b" else kind)
    return (len(CHANGE_KINDS) - rank - 1 + min(words, LONG) / (LONG + 1)) / len(CHANGE_KINDS)


def tokens(sentence: str) -> list[str]:
    """Words and numbers of a sentence."""
    return _TOKEN.findall(sentence)


def change_kind(a: str, b: str) -> ChangeKind | None:
    """The most important kind of change between two sentences; None where they have the same words."""
    tokens_a, tokens_b = tokens(a), tokens(b)
    words_a, words_b = ([t.lower().replace("’", "'") for t in side] for side in (tokens_a, tokens_b))
    if "".join(words_a) == "".join(words_b):  # also where a hyphen or a space was lost at the end of a line
        return None
    removed, added = Counter(words_a) - Counter(words_b), Counter(words_b) - Counter(words_a)
    if _negations(words_a, words_b) != _negations(words_b, words_a):
        return "negation"
    if any(_opposite(x, y) for x in removed for y in added):
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


def statements_disagree(a: str, b: str) -> bool:
    """Whether two sentences in other words contradict each other, by the words they have in common.

    They do where a content word of both is negated in one alone, or where a word and its opposite are both negated or
    both not. Contradictions without such words are not recognised.
    """
    words_a, words_b = ([t.lower().replace("’", "'") for t in tokens(side)] for side in (a, b))
    one, two = _polarities(words_a, words_b), _polarities(words_b, words_a)
    stems = [{_stem(word): negated for word, negated in side.items()} for side in (one, two)]
    if any(stems[1].get(word, negated) != negated for word, negated in stems[0].items()):
        return True
    return any(
        x not in two and y not in one and one[x] == two[y] and _opposite(x, y) for x in one for y in two
    )


def _polarities(words: Sequence[str], other: Sequence[str]) -> dict[str, bool]:
    """The content words of a sentence, and whether each is negated, compared with another sentence."""
    negating = _negating_words(words, other) | NEGATING_VERBS
    negated = [False] * len(words)
    for i, word in enumerate(words):
        if word not in negating and not word.endswith("n't"):
            continue
        after = [
            k for k in range(i + 1, min(i + 1 + SCOPE_WORDS, len(words))) if words[k] not in _AUXILIARIES
        ]
        for k in after[:SCOPE]:
            negated[k] = not negated[k]
    stops = stop_words("en") | _AUXILIARIES
    return {w: n for w, n in zip(words, negated, strict=True) if len(w) >= _SHORTEST and w not in stops}


def _stem(word: str) -> str:
    """The word without a usual ending, so that its forms are equal."""
    return next(
        (word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _SHORTEST),
        word,
    )


def _negating_words(words: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """The words that reverse a statement of the other sentence.

    Words such as “hardly” do not where the other sentence has a word of low degree instead: “warms little”.
    """
    if LOW_DEGREE_WORDS & (set(other) - set(words)):
        return NEGATION_WORDS - APPROXIMATE_NEGATIONS
    return NEGATION_WORDS


def _negations(words: Sequence[str], other: Sequence[str]) -> int:
    """Negations of the other sentence, modulo two: two of them cancel out.

    A bound such as “no later than” that is in one sentence alone, as a phrase, negates nothing of the other.
    """
    alone = Counter(words) - Counter(other)
    negating = _negating_words(words, other)
    bounds = sum(
        first in ("no", "not") and third == "than" and second in alone
        for first, second, third in zip(words, words[1:], words[2:], strict=False)
    )
    return (sum(w in negating or w.endswith("n't") for w in words) - bounds) % 2


def _opposite(x: str, y: str) -> bool:
    if frozenset((x, y)) in OPPOSITES:
        return True
    long, short = (x, y) if len(x) > len(y) else (y, x)
    return len(short) >= _SHORTEST and any(long == prefix + short for prefix in NEGATING_PREFIXES)


def _roles(a: Sequence[str], b: Sequence[str], changed: int) -> bool:
    """Whether two names, numbers or nouns have changed places while at most two other words changed."""
    places_a, places_b = _changed(a, b)
    moved = Counter(a[i] for i in places_a) & Counter(b[j] for j in places_b)
    content = [w for w in moved if len(w) >= _SHORTEST and w not in OBLIGATION_WORDS]
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
        w for w in words[1:] if w[:1].isupper() and len(w) >= _SHORTEST and w.lower() not in DATE_WORDS
    )


def _obligations(words: Sequence[str]) -> Counter[str]:
    """What a sentence obliges to, and the limits and conditions of it."""
    limits = (LIMIT_PHRASES[phrase] for phrase in _LIMIT.findall(" ".join(words)))
    return Counter([*(OBLIGATION_WORDS[w] for w in words if w in OBLIGATION_WORDS), *limits])
