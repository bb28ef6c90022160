"""Whether two sentences in other words contradict each other, in their statements or in their figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from colde.alignment.quantities import figures_disagree
from colde.alignment.word_classes import (
    APPROXIMATE_NEGATIONS,
    LOW_DEGREE_WORDS,
    NEGATING_PREFIXES,
    NEGATING_VERBS,
    NEGATION_WORDS,
    OBLIGATION_WORDS,
    OPPOSITES,
)
from colde.text.stop_words import stop_words

_TOKEN = re.compile(r"[$€£¥]?\d+(?:[.,:/]\d+)*%?|\w+(?:['’]\w+)*|%", re.UNICODE)
SHORTEST = 4
"""Letters of a word from which a capital makes it a name, or a prefix its opposite."""
SCOPE, SCOPE_WORDS = 2, 7
"""Content words that a negation reverses, and words after it among which they are."""
_AUXILIARIES = OBLIGATION_WORDS.keys() | {
    "be", "been", "being", "is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "very", "too", "any",
    "at", "all", "to", "the", "a", "an", "of",
}  # fmt: skip
_ENDINGS = ("ing", "ed", "es", "s", "ly", "d", "e")


def tokens(sentence: str) -> list[str]:
    """Words and numbers of a sentence."""
    return _TOKEN.findall(sentence)


def contradict(a: str, b: str) -> bool:
    """Whether the statements or the figures of two sentences in other words disagree."""
    return statements_disagree(a, b) or figures_disagree(a, b)


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
        x not in two and y not in one and one[x] == two[y] and are_opposite(x, y) for x in one for y in two
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
    return {w: n for w, n in zip(words, negated, strict=True) if len(w) >= SHORTEST and w not in stops}


def _stem(word: str) -> str:
    """The word without a usual ending, so that its forms are equal."""
    return next(
        (word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= SHORTEST),
        word,
    )


def _negating_words(words: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """The words that reverse a statement of the other sentence.

    Words such as “hardly” do not where the other sentence has a word of low degree instead: “warms little”.
    """
    if LOW_DEGREE_WORDS & (set(other) - set(words)):
        return NEGATION_WORDS - APPROXIMATE_NEGATIONS
    return NEGATION_WORDS


def negations(words: Sequence[str], other: Sequence[str]) -> int:
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


def are_opposite(x: str, y: str) -> bool:
    """Whether two words have opposite meanings."""
    if frozenset((x, y)) in OPPOSITES:
        return True
    long, short = (x, y) if len(x) > len(y) else (y, x)
    return len(short) >= SHORTEST and any(long == prefix + short for prefix in NEGATING_PREFIXES)
