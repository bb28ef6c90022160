"""Counterfactuals of a verdict: the fewest passages whose removal flips it, and the fewest that keep it.

Both searches are greedy. Contributions set the order; the model is asked again after each step, and at the end once
without each passage taken. So fewer passages may do, and a search may find none where there are some.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from colde.results.similarity_map import Letter
from colde.text.document import Span

MAX_TRIES = 40


@dataclass(frozen=True, slots=True)
class Place:
    """A passage of one of the two documents."""

    letter: Letter
    span: Span


Ask = Callable[[frozenset[Place]], tuple[bool, float] | None]
"""Verdict and score without some passages, or of these alone; None where too little is left to compare."""


@dataclass(frozen=True, slots=True)
class VerdictSearch:
    """Result of a search.

    Attributes:
        model: whose verdict.
        places: the passages whose removal flips the verdict, none where it was not found; or those that keep it, all
            where fewer were not found.
        found: whether the search succeeded.
        tries: how often the model was asked.
        scores: before, and after each passage was left out; of a search for the fewest that keep the verdict, none.
    """

    model: str
    places: tuple[Place, ...]
    found: bool
    tries: int
    scores: tuple[float, ...] = ()


def smallest_change(
    model: str, contributions: Mapping[Place, float], ask: Ask, max_tries: int = MAX_TRIES
) -> VerdictSearch:
    """Leave passages out, the strongest for the verdict first, until it flips; then restore what is not needed.

    Args:
        model: whose verdict.
        contributions: what each passage of either document adds to the score.
        ask: verdict and score without some passages.
        max_tries: the model is asked no more often than this.

    Raises:
        ValueError: the full documents cannot be compared.
    """
    search = _Search(ask, max_tries)
    answer = search.ask([])
    if answer is None:
        raise ValueError("the documents cannot be compared as they are")
    verdict, scores = answer[0], [answer[1]]
    removed: list[Place] = []
    for place in sorted(contributions, key=contributions.__getitem__, reverse=verdict):
        answer = search.ask([*removed, place])
        if answer is None:
            break
        removed.append(place)
        scores.append(answer[1])
        if answer[0] != verdict:
            needed = search.prune(removed, not verdict)
            return VerdictSearch(model, tuple(needed), True, search.tries, tuple(scores))
    return VerdictSearch(model, (), False, search.tries, tuple(scores))


def fewest_kept(
    model: str,
    verdict: bool,
    contributions: Mapping[Place, float],
    ask: Ask,
    max_tries: int = MAX_TRIES,
) -> VerdictSearch:
    """Add passages, the strongest for the verdict first, until it holds; then leave out what is not needed.

    Args:
        verdict: on the full documents.
        ask: verdict and score of these passages alone.
        model, contributions, max_tries: as in `smallest_change`.
    """
    search = _Search(ask, max_tries)
    order = sorted(contributions, key=contributions.__getitem__, reverse=verdict)
    of_document = [[p for p in order if p.letter == letter] for letter in ("a", "b")]
    kept = [places[0] for places in of_document if places]
    rest = [p for p in order if p not in kept]
    while (answer := search.ask(kept)) is None or answer[0] != verdict:
        if not rest or search.is_over:
            return VerdictSearch(model, tuple(order), False, search.tries)
        kept.append(rest.pop(0))
    if len(kept) > len(of_document):
        kept = search.prune(kept, verdict, of_both=True)
    return VerdictSearch(model, tuple(kept), len(kept) < len(order), search.tries)


class _Search:
    """A limited number of questions to a model."""

    def __init__(self, ask: Ask, max_tries: int) -> None:
        self._ask = ask
        self._max_tries = max_tries
        self.tries = 0

    @property
    def is_over(self) -> bool:
        return self.tries >= self._max_tries

    def ask(self, places: Sequence[Place]) -> tuple[bool, float] | None:
        """The model's answer; None where too little is left, or the search is over."""
        if self.is_over:
            return None
        self.tries += 1
        return self._ask(frozenset(places))

    def prune(self, places: Sequence[Place], verdict: bool, *, of_both: bool = False) -> list[Place]:
        """The passages that are needed for this verdict; the last one is, since it decided.

        Args:
            of_both: at least one passage of each document stays.
        """
        needed = list(places)
        for place in places[:-1]:
            fewer = [p for p in needed if p != place]
            if of_both and {p.letter for p in fewer} != {p.letter for p in needed}:
                continue
            answer = self.ask(fewer)
            if answer is not None and answer[0] == verdict:
                needed = fewer
        return needed
