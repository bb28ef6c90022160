"""What the difference between two corresponding sentences means, by their grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from colde.encoders.cancellation import poll_cancel
from colde.meaning.changed_numbers import changed_numbers
from colde.meaning.conditions import changed_conditions, changed_obligations, changed_quantifiers
from colde.meaning.figures import figures_disagree
from colde.meaning.grammar import MOST_CHARACTERS, Token, read_sentences
from colde.meaning.names import replaced_names
from colde.meaning.negations import NegationPairs
from colde.meaning.opposites import may_be_opposite, opposite_words
from colde.meaning.roles import exchanged_roles
from colde.meaning.word_pairs import IN_PLACE, WordPairs
from colde.results.change import CHANGE_KINDS, ChangeKind
from colde.text.document import Span

CERTAIN, CONTRADICTS = 0.6, 0.8
"""Certainty from which a difference has its kind, and from which sentences in other words contradict each other."""
CONTEXT = 300
"""Characters of a long sentence that are read before the first that differs."""
Marks = Sequence[Span]
"""Characters of a sentence that differ from the other one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What words of one sentence mean that differ from those of the other.

    Attributes:
        certainty: that the kind is right, in [0, 1].
        a, b: characters of each sentence; None where it has no such words.
    """

    kind: ChangeKind
    certainty: float
    a: Span | None
    b: Span | None


def find_differences(pairs: Sequence[tuple[str, str]], language: str = "en") -> list[tuple[Difference, ...]]:
    """The differences of meaning of each pair of corresponding sentences, most important first.

    Args:
        language: ISO 639-1 code. Of other languages than English only numbers and names are compared.

    >>> [(d.kind, d.a) for d in find_differences([("He may not pay.", "He may pay.")])[0]]
    [('negation', Span(start=7, end=10))]
    """
    starts = [_first_read(a, b) for a, b in pairs]
    docs = read_sentences(
        [text[i:] for i, pair in zip(starts, pairs, strict=True) for text in pair], language
    )
    by_pair = []
    for i, a, b in zip(starts, docs[::2], docs[1::2], strict=True):
        poll_cancel()
        listed = (
            replace(d, a=_shifted(d.a, i), b=_shifted(d.b, i))
            for d in _differences(WordPairs.of(a, b), language)
        )
        by_pair.append(tuple(sorted(listed, key=lambda d: (CHANGE_KINDS.index(d.kind), -d.certainty))))
    return by_pair


def _first_read(a: str, b: str) -> int:
    """The character from which two sentences are read: of long ones a little before the first that differs."""
    if max(len(a), len(b)) <= MOST_CHARACTERS:
        return 0
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a.rfind(" ", 0, max(0, same - CONTEXT)) + 1


def _shifted(span: Span | None, by: int) -> Span | None:
    return None if span is None else Span(span.start + by, span.end + by)


def change_kind(
    differences: Sequence[Difference], a: Marks | None = None, b: Marks | None = None
) -> tuple[ChangeKind, float]:
    """The most important certain kind of a group of words that differ, and its certainty; else wording.

    Args:
        a, b: the characters of the group; the whole sentences without them.
    """
    for difference in differences:
        touched = (a is None and b is None) or _touch(difference.a, a) or _touch(difference.b, b)
        if difference.certainty >= CERTAIN and touched:
            return difference.kind, difference.certainty
    return "wording", 1 - max((d.certainty for d in differences), default=0.0)


def contradict(a: str, b: str) -> bool:
    """Whether the statements or the figures of two sentences in other words disagree."""
    if figures_disagree(a, b):
        return True
    if not may_be_opposite(a, b):
        return False
    return any(
        d.kind in ("negation", "opposite") and d.certainty >= CONTRADICTS
        for d in find_differences([(a, b)])[0]
    )


def _touch(words: Span | None, marks: Marks | None) -> bool:
    return words is not None and any(words.start < m.end and m.start < words.end for m in marks or ())


def _differences(pairs: WordPairs, language: str) -> Iterator[Difference]:
    sure, held = (min(1.0, share / IN_PLACE) for share in (pairs.equal, pairs.held))
    for ours, theirs, certainty in changed_numbers(pairs):
        yield Difference("number", certainty, _span(ours), _span(theirs))
    for left, right, certainty in replaced_names(pairs):
        yield Difference("name", certainty * sure, _span(left), _span(right))
    if language != "en":
        return
    negations = NegationPairs.of(pairs)
    cancelled = set()
    for x, y, certainty in opposite_words(pairs):
        if x in negations.words or y in negations.words:
            continue
        negation = negations.of_one(x, y)
        if negation is None:
            yield Difference("opposite", certainty, _span([x]), _span([y]))
        else:
            cancelled.add(negation)
    for word, certainty in negations.changes():
        if word not in cancelled:
            yield _one_sided("negation", word, certainty, pairs)
    for ours, theirs in exchanged_roles(pairs):
        yield Difference("roles", 0.9, _span(ours), _span(theirs))
    for one, other, certainty in changed_obligations(pairs):
        yield Difference("obligation", certainty * sure, _span([one]), _span([other]))
    for x, y, certainty in changed_quantifiers(pairs):
        yield Difference("quantifier", certainty * sure, _span([x]), _span([y]))
    for word, certainty in changed_conditions(pairs):
        yield _one_sided("condition", word, certainty * held, pairs)


def _one_sided(kind: ChangeKind, word: Token, certainty: float, pairs: WordPairs) -> Difference:
    """A difference by a word that only one sentence has."""
    span = _span([word])
    return (
        Difference(kind, certainty, span, None)
        if word.doc is pairs.a
        else Difference(kind, certainty, None, span)
    )


def _span(words: Sequence[Token | None]) -> Span | None:
    """The characters from the first to the last of words of one sentence."""
    places = [(w.idx, w.idx + len(w)) for w in words if w is not None]
    return Span(min(p[0] for p in places), max(p[1] for p in places)) if places else None
