"""Sentences that can be told apart, so that a test can say which were read, where, and in what order."""

from __future__ import annotations

_WORDS = (
    "method results show that careful analysis of large measurements gives better understanding when several "
    "models share common structure because evidence from independent sources agrees with earlier findings and "
    "remaining differences follow from sampling rather than theory while further experiments confirm this view"
).split()


def sentence(n: int, length: int = 14) -> str:
    """The n-th sentence: it names its number, so that no two are alike."""
    words = [_WORDS[(7 * n + 5 * i + i * i) % len(_WORDS)] for i in range(length)]
    return f"Statement {n} says that {' '.join(words)}."


def paragraph(first: int, count: int) -> str:
    """`count` sentences from number `first` on."""
    return " ".join(sentence(n, 10 + n % 7) for n in range(first, first + count))
