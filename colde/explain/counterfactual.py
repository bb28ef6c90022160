"""The fewest passages without which a verdict is another, and the fewest that keep it: greedy, checked by the model.

What a model says each passage adds to its score sets the order, and the model is asked again after each one is left
out, or taken in. At the end each passage is put back once, or left out, and stays so if the verdict allows. Greedy:
fewer passages may do, and none may be found where there are some.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from colde.results.similarity_map import Letter
from colde.text.document import Span

MOST_TRIES = 40


@dataclass(frozen=True, slots=True)
class Place:
    """A passage of one of the two documents."""

    letter: Letter
    span: Span


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model says of what is left: verdict, score, and what each passage there adds to it."""

    similar: bool
    score: float
    contributions: Mapping[Place, float]


Ask = Callable[[frozenset[Place]], ModelAnswer | None]
"""Asks the model without some passages; None where too little is left to compare."""


@dataclass(frozen=True, slots=True)
class SmallestChange:
    """What was found.

    Attributes:
        removed: the passages left out, in the order in which they were; where nothing turned the verdict, none.
        turned: whether the verdict is another without them.
        scores: before, and after each passage was left out.
        tries: how often the model was asked.
    """

    model: str
    removed: tuple[Place, ...]
    turned: bool
    scores: tuple[float, ...]
    tries: int


def smallest_change(model: str, ask: Ask, most_tries: int = MOST_TRIES) -> SmallestChange:
    """Leave passages out, those first that speak most for the verdict, until it turns; then put back what can be.

    Args:
        model: whose verdict, for the record.
        ask: the model.
        most_tries: the model is asked no more often than this.

    Raises:
        ValueError: the model cannot be asked of the whole documents.
    """
    answer = ask(frozenset())
    if answer is None:
        raise ValueError("the documents cannot be compared as they are")
    verdict, scores, tries = answer.similar, [answer.score], 1
    removed: list[Place] = []
    turned = False
    while tries < most_tries and not turned:
        best = _next(answer, removed)
        found = None if best is None else ask(frozenset((*removed, best)))
        tries += best is not None
        if best is None or found is None:
            break
        removed.append(best)
        scores.append(found.score)
        answer, turned = found, found.similar != verdict
    if not turned:
        return SmallestChange(model, (), False, tuple(scores), tries)
    for place in removed[:-1]:  # the last one turned it
        if tries >= most_tries:
            break
        fewer = [p for p in removed if p != place]
        found = ask(frozenset(fewer))
        tries += 1
        if found is not None and found.similar != verdict:
            removed = fewer
    return SmallestChange(model, tuple(removed), True, tuple(scores), tries)


def _next(answer: ModelAnswer, removed: list[Place]) -> Place | None:
    """The passage that speaks most for the verdict: adds most to a likeness, least where there is none."""
    left = {p: v for p, v in answer.contributions.items() if p not in removed}
    if not left:
        return None
    return max(left, key=left.__getitem__) if answer.similar else min(left, key=left.__getitem__)


@dataclass(frozen=True, slots=True)
class FewestKept:
    """What was found.

    Attributes:
        kept: the passages that alone keep the verdict, at least one of each document; all where fewer did not do.
        found: whether fewer than all do.
        tries: how often the model was asked.
    """

    model: str
    kept: tuple[Place, ...]
    found: bool
    tries: int


def fewest_kept(
    model: str,
    verdict: bool,
    contributions: Mapping[Place, float],
    ask: Callable[[frozenset[Place]], tuple[bool, float] | None],
    most_tries: int = MOST_TRIES,
) -> FewestKept:
    """Take passages in, those first that speak most for the verdict, until it holds; then leave out what can be.

    Args:
        model: whose verdict, for the record.
        verdict: on the whole documents.
        adds: what each passage of either document adds to the score.
        ask: verdict and score of these passages alone; None where they are too little to compare.
        most_tries: the model is asked no more often than this.
    """
    order = sorted(contributions, key=contributions.__getitem__, reverse=verdict)
    first_occurrences = [next((p for p in order if p.letter == letter), None) for letter in ("a", "b")]
    kept = [p for p in first_occurrences if p is not None]
    rest = [p for p in order if p not in kept]
    tries = 0

    def holds(some: list[Place]) -> bool:
        nonlocal tries
        tries += 1
        answer = ask(frozenset(some))
        return answer is not None and answer[0] == verdict

    while not holds(kept):
        if not rest or tries >= most_tries:
            return FewestKept(model, tuple(order), False, tries)
        kept.append(rest.pop(0))
    for place in kept[:-1] if len(kept) > len(first_occurrences) else []:  # the last one made it hold
        fewer = [p for p in kept if p != place]
        both = {p.letter for p in fewer} == {p.letter for p in kept}
        if both and tries < most_tries and holds(fewer):
            kept = fewer
    return FewestKept(model, tuple(kept), len(kept) < len(order), tries)
