"""Account of a model's score in sentences: which pairs of sections and words made it, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from colde.report.formatting import clean, heading, shorten
from colde.results.comparison import Comparison
from colde.results.model_score import Score, WordPart
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span

Side = Literal["a", "b"]

MOST_NAMED = 3
LEAST_SHARE = 0.02  # of the score; a pair below it is not named
LONGEST_HEADING = 40
FRACTIONS = {
    1: "All",
    0.75: "Three quarters",
    2 / 3: "Two thirds",
    0.5: "Half",
    1 / 3: "A third",
    0.25: "A quarter",
}
NEAR = 0.03  # a share this close to a fraction is called by it
MOST_WORDS = 3  # named
LEAST_WORDS = 0.05  # share of the score from which the named words are worth a sentence
LEAST_AGAINST = 0.02  # share of the score that a section takes away before it is said to speak against it


@dataclass(frozen=True, slots=True)
class PairShare:
    """A pair of sections, as indices into `Document.sections`, with its part of the score and its share of it."""

    a: int
    b: int
    part: float
    share: float


@dataclass(frozen=True, slots=True)
class Opposed:
    """A section that takes something away from the score: its document, its index there, how much, below 0."""

    document: Side
    section: int
    part: float


@dataclass(frozen=True, slots=True)
class MadeOf:
    """Account of a score.

    Attributes:
        model: whose score.
        pairs: those that add most, the greatest first, at most three.
        half: the fewest pairs of sections that make half of the score.
        cells: pairs of sections in all.
        against: what pairs that speak against likeness take away, as a share of the score; at most 0.
        words: the words that both texts use and that add most, at most three; empty where they add next to nothing.
        opposed: the section that takes most away, where that is worth saying.
        sentence: pairs of sections in words; more: words and opposed section in words, empty where there are none.
    """

    model: str
    pairs: tuple[PairShare, ...]
    half: int
    cells: int
    against: float
    words: tuple[WordPart, ...]
    opposed: Opposed | None
    sentence: str
    more: str

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def made_of(comparison: Comparison, model: str | None = None) -> MadeOf | None:
    """Account for the score of a model, by default of the first.

    None where the model does not say, or where there is no likeness that could be made of anything.
    """
    score = next((s for s in comparison.results if model in (None, s.name)), None)
    if score is None or score.score <= 0:
        return None
    found = comparison.maps.get(score.name, {}).get("contribution_section")
    if found is None or found.values.size < 2:
        return None
    shares = found.values.astype(np.float64).ravel() / score.score
    order = np.argsort(-shares, kind="stable")
    summed = np.cumsum(shares[order])
    if summed.max() < 0.5:  # most of it is the reference's
        return None
    half = int(np.argmax(summed >= 0.5)) + 1
    pairs = tuple(
        share
        for k in order[:MOST_NAMED]
        if (share := _pair(comparison, found, int(k), float(shares[k]))).share >= LEAST_SHARE
    )
    against = float(np.minimum(shares, 0).sum())
    words = _words(score)
    opposed = _opposed(comparison, found, score.score)
    return MadeOf(
        model=score.name,
        pairs=pairs,
        half=half,
        cells=found.values.size,
        against=against,
        words=words,
        opposed=opposed,
        sentence=_sentence(comparison, pairs, half, found.values.size),
        more=_more(comparison, words, opposed),
    )


def _words(score: Score) -> tuple[WordPart, ...]:
    """The words to name; numbers say little to a reader."""
    named = tuple(w for w in score.words if w.word.isalpha())[:MOST_WORDS]
    return named if sum(w.part for w in named) >= LEAST_WORDS * score.score else ()


def _opposed(comparison: Comparison, found: SimilarityMap, score: float) -> Opposed | None:
    """The section whose pairs with all of the other document take most away."""
    values = found.values.astype(np.float64)
    of: tuple[tuple[Side, Document, Sequence[Span], NDArray[np.float64]], ...] = (
        ("a", comparison.a, found.rows, values.sum(1)),
        ("b", comparison.b, found.columns, values.sum(0)),
    )
    worst = min(
        (
            Opposed(side, _index(document, spans[k]), float(sums[k]))
            for side, document, spans, sums in of
            for k in [int(sums.argmin())]
        ),
        key=lambda o: o.part,
    )
    return worst if worst.part <= -LEAST_AGAINST * score else None


def _more(comparison: Comparison, words: tuple[WordPart, ...], opposed: Opposed | None) -> str:
    said = []
    if words:
        *rest, last = (f"“{clean(w.word)}”" for w in words)
        named = f"{', '.join(rest)} and {last}" if rest else last
        noun, verb = ("words", "add") if rest else ("word", "adds")
        said.append(f"The {noun} {named} {verb} {_part(sum(w.part for w in words))}.")
    if opposed is not None:
        document = comparison.a if opposed.document == "a" else comparison.b
        name = shorten(clean(heading(document.sections[opposed.section])), LONGEST_HEADING)
        said.append(
            f"“{name}” in {opposed.document.upper()} speaks against it: it takes {_part(-opposed.part)} away."
        )
    return " ".join(said)


def _part(value: float) -> str:
    """`0.06`, or `0.004` where two places would say nothing."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.3f}"


def _pair(comparison: Comparison, found: SimilarityMap, cell: int, share: float) -> PairShare:
    row, column = divmod(cell, found.values.shape[1])
    return PairShare(
        _index(comparison.a, found.rows[row]),
        _index(comparison.b, found.columns[column]),
        float(found.values[row, column]),
        share,
    )


def _index(document: Document, span: Span) -> int:
    index = document.section_at(span.start)
    assert index is not None  # the map's spans are sections
    return index


def _sentence(comparison: Comparison, pairs: tuple[PairShare, ...], half: int, cells: int) -> str:
    if not pairs:
        return f"The score comes from many pairs of sections: half of it from the strongest {half:,} of {cells:,}."
    together = sum(p.share for p in pairs)
    first, *rest = pairs
    if first.share >= 0.25 - NEAR:
        opening = f"{_fraction(first.share)} of the score comes from {_names(comparison, first)}"
    else:
        named = ", ".join(f"{_names(comparison, p)} ({_percent(p.share)} %)" for p in pairs)
        return (
            f"The greatest parts of the score come from {named}; {half:,} of {cells:,} pairs make half of it."
        )
    if rest:
        named = " and ".join(_names(comparison, p) for p in rest)
        return f"{opening}; with {named} it is {_percent(together)} %."
    return f"{opening}."


def _fraction(share: float) -> str:
    """`Two thirds`, where the share is near enough; else a number."""
    fraction = min(FRACTIONS, key=lambda f: abs(f - share))
    return FRACTIONS[fraction] if abs(fraction - share) <= NEAR else f"{_percent(share)} %"


def _percent(share: float) -> int:
    return round(100 * share)


def _names(comparison: Comparison, pair: PairShare) -> str:
    a, b = (
        shorten(clean(heading(d.sections[i])), LONGEST_HEADING)
        for d, i in ((comparison.a, pair.a), (comparison.b, pair.b))
    )
    return f"“{a}” ↔ “{b}”"
