"""Answers of models to questions about a comparison, kept for the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from colde.results.comparison import Comparison

T = TypeVar("T")

MAX_ANSWERS = 40
"""Answers that are kept; the oldest goes first."""


@dataclass(slots=True)
class AnswerCache:
    """Answers by question and by the comparison they are about."""

    answers: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def get(self, question: tuple[Any, ...], comparison: Comparison, make: Callable[[], T]) -> T:
        """The answer to this question, made when it is asked for the first time."""
        key = (_about(comparison), *question)
        if key not in self.answers:
            self.answers[key] = make()
            while len(self.answers) > MAX_ANSWERS:
                self.answers.pop(next(iter(self.answers)))
        kept_answer: T = self.answers[key]
        return kept_answer

    def latest(self, question: tuple[Any, ...], comparison: Comparison) -> Iterator[Any]:
        """The answers to questions that begin like this one, the latest first."""
        start = (_about(comparison), *question)
        return (answer for key, answer in reversed(self.answers.items()) if key[: len(start)] == start)


def _about(comparison: Comparison) -> tuple[Any, ...]:
    """The texts and what they are judged against; the models and the prior are part of questions they matter to."""
    compared = (
        hash((d.text, d.marks, tuple((s.start, s.role) for s in d.sections)))
        for d in (comparison.a, comparison.b)
    )
    return *compared, comparison.profile, comparison.reference
