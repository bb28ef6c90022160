"""Sentences that can be told apart, so that a test can say which were read, where, and in what order."""

from __future__ import annotations

import random

_TEXT = (
    "method results show that careful analysis of large measurements gives better understanding when several "
    "models share common structure because evidence from independent sources agrees with earlier findings "
    "and remaining differences follow from sampling rather than theory while further experiments confirm "
    "this view rivers carry sand towards their mouth where slow currents leave it behind until storms move "
    "every bank again teachers wrote letters about forgotten songs which children had learned near old "
    "wooden bridges last winter engines need clean fuel before morning so workers empty both tanks after "
    "supper without waiting for orders painters mixed green pigments using ancient recipes although "
    "merchants sold cheaper colours across distant markets"
)


def sentence(n: int, length: int = 14) -> str:
    """The n-th sentence: it names its number, so that no two are alike."""
    words = random.Random(n).sample(_TEXT.split(), length)
    return f"Statement {n} says that {' '.join(words)}."


def paragraph(first: int, count: int) -> str:
    """`count` sentences from number `first` on."""
    return " ".join(sentence(n, 10 + n % 7) for n in range(first, first + count))
