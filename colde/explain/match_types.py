"""Types of a match: verbatim, edited, reworded, opposite, related or weak."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from colde.explain.change_lexicon import NEGATION_WORDS, NUMBER_WORDS
from colde.explain.clause_numbers import without_line_numbers
from colde.results.match import STANDS_OUT, Match
from colde.results.shared_text import Kind, SentenceMatches
from colde.text.document import Document, Span

REWORDED = 0.5
"""Strength of a match in other words from which it is reworded, as long as its sentences are not classified."""

LONG_TEXTS = 1_000
"""Pairs of sentences from which texts are long. In these, a passage of several sentences that stands out is reworded
although no pair of its sentences is paraphrased: they may be merged, or told in another order. In shorter ones the
strength that is usual is less well known."""

MatchType = Callable[[Span, Span, float], str]
"""The type of a match from its spans and the value of its cell."""


def match_type(a: str, b: str, weight: float) -> str:
    """The type of a match of two passages: verbatim, edited, reworded or weak.

    The words in common, in order, decide the first two (`match_by_order`). Other matches are `reworded` from a weight
    of `REWORDED`, and `weak` below: unrelated texts have such matches, too.
    """
    return match_by_order(a, b) or ("reworded" if weight >= REWORDED else "weak")


def match_by_order(a: str, b: str) -> str | None:
    """`verbatim` or `edited` by the words that two passages have in common, in order; None for fewer of them.

    A passage with another figure or a negation more is edited. The numbers of clauses do not count.
    """
    from difflib import SequenceMatcher

    one, other = (lower_words(without_line_numbers(text)) for text in (a, b))
    same = SequenceMatcher(None, one, other, autojunk=False).ratio()
    if same < 0.5:
        return None
    changed = (Counter(one) - Counter(other)) + (Counter(other) - Counter(one))
    decisive = any(not word.isalpha() or word in NUMBER_WORDS or word in NEGATION_WORDS for word in changed)
    return "verbatim" if same >= 0.9 and not decisive else "edited"


def match_by_words(a: Document, b: Document, otherwise: str | None = None) -> MatchType:
    """The match type by words alone, for models whose values do not detect rewording.

    Only vectors of the shipped encoder, which are the same for every model, call a passage reworded.

    Args:
        otherwise: the type of spans with few words in common; by default `related` where the value stands out, else
            `weak`.
    """

    def kind(left: Span, right: Span, value: float) -> str:
        by_order = match_by_order(a.text[left.start : left.end], b.text[right.start : right.end])
        return by_order or otherwise or ("related" if value >= STANDS_OUT else "weak")

    return kind


def with_sentence_kinds(
    matches: Iterable[Match], a: Document, b: Document, sentences: SentenceMatches
) -> Iterator[Match]:
    """Yield the matches; of those in other words, the classifier of sentences decides the type.

    A match is `opposite` where two of its sentences disagree, and `reworded` where it has paraphrased sentences. The
    others are `related` where they stand out, else `weak`. Where paraphrases were not searched, the types stay.
    """
    if "paraphrased" not in sentences.kinds:
        yield from matches
        return
    starts = [[s.start for _, s in d.sentences()] for d in (a, b)]
    for match in matches:
        if match.kind in ("reworded", "weak"):
            inside = {
                m.kind
                for m in sentences.matches
                if _mostly_inside(m.a, match.a) and _mostly_inside(m.b, match.b)
            }
            several = any(_several(*side) for side in zip((match.a, match.b), starts, strict=True))
            merged = several and sentences.pairs >= LONG_TEXTS
            match = replace(match, kind=_kind_by_sentences(match, inside, merged))
        yield match


def _several(passage: Span, starts: Sequence[int]) -> bool:
    """Whether more than one sentence begins in a passage."""
    return bisect_left(starts, passage.end) - bisect_left(starts, passage.start) > 1


def _kind_by_sentences(match: Match, inside: Set[Kind], merged: bool) -> str:
    if "opposite" in inside:
        return "opposite"
    stands_out = match.weight >= STANDS_OUT
    if inside & {"edited", "paraphrased"} or (merged and stands_out):
        return "reworded"
    return "related" if stands_out else "weak"


def _mostly_inside(sentence: Span, passage: Span) -> bool:
    common = min(sentence.end, passage.end) - max(sentence.start, passage.start)
    return 2 * common >= sentence.end - sentence.start


def lower_words(text: str) -> list[str]:
    """The words of a text in lower case, figures included."""
    return re.findall(r"\w+", text.lower())
