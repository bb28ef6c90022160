"""Contribution to a model's score: the pairs of passages that hold most of it, in sentences, and what lowers it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.report.formatting import (
    clean,
    listed,
    plural,
    precise_percent,
    quote,
    quoted_section,
    sentence_case,
    share_percent,
    shorten,
)
from colde.results.comparison import Comparison
from colde.results.model_score import Score, WordPart
from colde.results.passage import Passage
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Document, Span

LEVELS = ("section", "chunk", "sentence")
"""Levels of contribution maps, the coarsest first; pairs are listed at the first one that has several."""
LEAST_LISTED = 8
MOST_LISTED = 40
MIN_LISTED_SHARE = 0.01
"""Share of the score of a pair that is listed beyond the half."""
MAX_INSIDE = 3  # pairs of sentences named of each pair of sections
MIN_INSIDE_SHARE = 0.001  # share of the score of a pair of sentences that is named
EVEN_TEXT = 0.25
"""Share of the text from which half of the score comes evenly: an even spread needs half, so twice as much is in it."""
MAX_PAIRS_NAMED = 3
MAX_HEADING = 40
MAX_QUOTE = 60
DOMINANT_SHARE = 0.22  # share of the score from which a pair opens the sentence
FRACTIONS = {
    1: "All",
    0.75: "Three quarters",
    2 / 3: "Two thirds",
    0.5: "Half",
    1 / 3: "A third",
    0.25: "A quarter",
}
FRACTION_TOLERANCE = 0.03  # a share this close to a fraction is named as it
MAX_WORDS_NAMED = 3
MIN_WORDS_SHARE = 0.05  # share of the score from which the words have a sentence
MIN_OPPOSING_SHARE = 0.02  # share of the score from which what lowers it is mentioned

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairContribution:
    """A passage of each document, and what the two add to the score.

    Attributes:
        part: in units of the score.
        share: of all that raises the score.
        inside: the pairs of finer passages in it that add most, at most three.
    """

    a: Passage
    b: Passage
    part: float
    share: float
    inside: tuple[PairContribution, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherPairs:
    """Pairs that are not listed: their number, and what they add together."""

    count: int
    part: float


@dataclass(frozen=True, slots=True)
class OpposingSection:
    """A section that lowers the score: its document, its index, and its negative part of the score."""

    document: Letter
    section: int
    part: float


@dataclass(frozen=True, slots=True)
class ContributionSummary:
    """The passages that contributed to a score.

    Attributes:
        model: its name.
        passages: of which the pairs are: `sections`, `chunks` or `sentences`; finer: of which those inside are.
        of: `the score`; `the positive contribution` where other parts lower it.
        pairs: the pairs that contribute most, the greatest first: those that make half of it and as a rule eight or
            more, at most 40.
        share: sum of their shares.
        raising, lowering: the other pairs; reference: the part that is no pair's, which empty texts get.
        half: the fewest pairs that make half of it.
        text: share of the text that these are, of all pairs of letters.
        cells: number of pairs.
        even: whether it comes evenly from all of the text.
        words: the shared words that add most, at most three; empty where they add little.
        opposed: the section that lowers the score most; None where it lowers it little.
        sentence: the same in words, without the list.
        more: words and opposed section in words, or an empty string.
    """

    model: str
    passages: str
    finer: str
    of: str
    pairs: tuple[PairContribution, ...]
    share: float
    raising: OtherPairs
    lowering: OtherPairs
    reference: float
    half: int
    text: float
    cells: int
    even: bool
    words: tuple[WordPart, ...]
    opposed: OpposingSection | None
    sentence: str
    more: str

    def held(self, count: int) -> str:
        """How much the first pairs hold: `These 8 of 132 pairs of sections hold 39 % of the score.`"""
        share = share_percent(sum(pair.share for pair in self.pairs[:count]))
        return f"These {count:,} of {self.cells:,} pairs of {self.passages} make up {share} of {self.of}."


def summarise_contribution(comparison: Comparison, model: str | None = None) -> ContributionSummary | None:
    """Contributions to the score of a model, by default of the first.

    None without a contribution map of several passages, and where they do not raise the score.
    """
    score = next((s for s in comparison.models if model in (None, s.name)), None)
    available = [] if score is None else _contribution_maps(comparison, score.name)
    if score is None or not available:
        return None
    contribution, *finer_maps = available
    finer = finer_maps[-1] if finer_maps else None
    values = contribution.values.astype(np.float64).ravel()
    raised = float(values[values > 0].sum())
    if raised <= 0 or raised + (contribution.reference or 0) < score.score / 2:
        return None
    order = np.argsort(-values, kind="stable")
    shares = np.maximum(values, 0) / raised
    summed = np.cumsum(shares[order])
    half = int(np.searchsorted(summed, 0.5)) + 1
    text = _text_of_half(contribution, order, summed)
    count = _listed_count(shares[order], half)
    pairs = tuple(_pair(comparison, contribution, int(k), raised, finer) for k in order[:count])
    of = _shares_of(raised, score.score)
    passages = f"{contribution.level}s"
    words = _words(score)
    opposed = _opposing_section(comparison, contribution, raised) if passages == "sections" else None
    return ContributionSummary(
        model=score.name,
        passages=passages,
        finer="" if finer is None else f"{finer.level}s",
        of=of,
        pairs=pairs,
        share=float(summed[len(pairs) - 1]),
        raising=OtherPairs(int((values > 0).sum()) - len(pairs), raised - sum(p.part for p in pairs)),
        lowering=OtherPairs(int((values < 0).sum()), float(values[values < 0].sum())),
        reference=contribution.reference or 0.0,
        half=half,
        text=text,
        cells=values.size,
        even=text > EVEN_TEXT,
        words=words,
        opposed=opposed,
        sentence=_sentence(
            comparison, contribution, pairs, of, f"{half:,} of {values.size:,} pairs of {passages}", text
        ),
        more=_details_sentence(comparison, words, opposed),
    )


def _contribution_maps(comparison: Comparison, model: str) -> list[SimilarityMap]:
    maps = (comparison.maps.get(model, {}).get(f"contribution_{level}") for level in LEVELS)
    return [m for m in maps if m is not None and m.values.size > 1]


def _shares_of(raised: float, score: float) -> str:
    """What shares are shares of, in words."""
    return "the score" if abs(raised - score) <= MIN_OPPOSING_SHARE * raised else "the positive contribution"


def _listed_count(shares: Float64Array, half: int) -> int:
    telling = int(np.count_nonzero(shares[:LEAST_LISTED] >= MIN_LISTED_SHARE))
    return min(max(half, telling), MOST_LISTED)


def _text_of_half(contribution: SimilarityMap, order: NDArray[np.intp], summed: Float64Array) -> float:
    """Share of all pairs of letters in the first pairs that make half of the score; the last pair counts in part."""
    letters = np.outer([len(s) for s in contribution.rows], [len(s) for s in contribution.columns]).ravel()
    text = np.cumsum(letters[order]) / letters.sum()
    return float(np.interp(0.5, np.r_[0, summed], np.r_[0, text]))


def _pair(
    comparison: Comparison,
    contribution: SimilarityMap,
    cell: int,
    raised: float,
    finer: SimilarityMap | None = None,
) -> PairContribution:
    row, column = divmod(cell, contribution.values.shape[1])
    a, b = contribution.rows[row], contribution.columns[column]
    part = float(contribution.values[row, column])
    return PairContribution(
        Passage.at(comparison.a, a),
        Passage.at(comparison.b, b),
        part,
        part / raised,
        () if finer is None else _inside(comparison, finer, (a, b), raised),
    )


def _inside(
    comparison: Comparison, finer: SimilarityMap, around: tuple[Span, Span], raised: float
) -> tuple[PairContribution, ...]:
    rows, columns = (
        slice(*(bisect_left(spans, at, key=lambda s: s.start) for at in (outer.start, outer.end)))
        for spans, outer in zip((finer.rows, finer.columns), around, strict=True)
    )
    values = finer.values[rows, columns]
    strongest = np.argsort(-values, axis=None, kind="stable")[:MAX_INSIDE]
    width = finer.values.shape[1]
    cells = (
        (rows.start + int(i)) * width + columns.start + int(j)
        for i, j in zip(*np.unravel_index(strongest, values.shape), strict=True)
    )
    pairs = (_pair(comparison, finer, cell, raised) for cell in cells)
    return tuple(p for p in pairs if p.share >= MIN_INSIDE_SHARE)


def _words(score: Score) -> tuple[WordPart, ...]:
    """The words to name, without numbers."""
    named = tuple(w for w in score.words if w.word.isalpha())[:MAX_WORDS_NAMED]
    return named if sum(w.part for w in named) >= MIN_WORDS_SHARE * score.score else ()


def _opposing_section(
    comparison: Comparison, contribution: SimilarityMap, raised: float
) -> OpposingSection | None:
    values = contribution.values.astype(np.float64)
    worst = min(
        _most_opposing("a", comparison.a, contribution.rows, values.sum(1)),
        _most_opposing("b", comparison.b, contribution.columns, values.sum(0)),
        key=lambda section: section.part,
    )
    return worst if worst.part <= -MIN_OPPOSING_SHARE * raised else None


def _most_opposing(
    side: Letter, document: Document, spans: Sequence[Span], parts: Float64Array
) -> OpposingSection:
    k = int(parts.argmin())
    index = document.section_at(spans[k].start)
    assert index is not None  # the map's spans are sections
    return OpposingSection(side, index, float(parts[k]))


def _details_sentence(
    comparison: Comparison, words: tuple[WordPart, ...], opposed: OpposingSection | None
) -> str:
    sentences = []
    if words:
        named = listed([f"“{clean(w.word)}”" for w in words])
        subject, verb = plural(len(words), "word", "words"), plural(len(words), "adds", "add")
        sentences.append(f"The {subject} {named} {verb} {_format_part(sum(w.part for w in words))}.")
    if opposed is not None:
        document = comparison.a if opposed.document == "a" else comparison.b
        name = quoted_section(document, document.sections[opposed.section], MAX_HEADING)
        sentences.append(
            f"{sentence_case(name)} in {opposed.document.upper()} lowers the score by {_format_part(-opposed.part)}."
        )
    return " ".join(sentences)


def _format_part(value: float) -> str:
    """`0.06`, or `0.004` below 0.01."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.3f}"


def _sentence(
    comparison: Comparison,
    contribution: SimilarityMap,
    pairs: tuple[PairContribution, ...],
    of: str,
    half: str,
    text: float,
) -> str:
    """Args:
    half: the pairs that make half of the score, in words; text: their share of the text.
    """
    first, *rest = pairs[:MAX_PAIRS_NAMED]

    def name(pair: PairContribution) -> str:
        return pair_name(comparison, pair, sections=contribution.level == "section")

    if first.share >= DOMINANT_SHARE:
        opening = f"{_fraction(first.share)} of {of} comes from {name(first)}"
        if not rest:
            return f"{opening}."
        together = share_percent(sum(p.share for p in (first, *rest)))
        return f"{opening}; with {' and '.join(map(name, rest))} it is {together}."
    pairs_of_half = f"{half}, {share_percent(text)} of the text"
    if text > EVEN_TEXT:
        return (
            f"{sentence_case(of)} comes evenly from all of the text: half of it comes from {pairs_of_half}."
        )
    strongest = f"the strongest is {name(first)}, {precise_percent(first.share)}"
    return f"Half of {of} comes from {pairs_of_half}; {strongest}."


def pair_name(comparison: Comparison, pair: PairContribution, *, sections: bool = True) -> str:
    """Both sections by their headings, or finer passages by their words: `“Method” ↔ “Approach”`."""
    named = (
        quoted_section(d, p, MAX_HEADING) if sections else f"“{shorten(clean(quote(d, p)), MAX_QUOTE)}”"
        for d, p in ((comparison.a, pair.a), (comparison.b, pair.b))
    )
    return " ↔ ".join(named)


def _fraction(share: float) -> str:
    """`Two thirds` where the share is close to it; else a percentage."""
    fraction = min(FRACTIONS, key=lambda f: abs(f - share))
    return FRACTIONS[fraction] if abs(fraction - share) <= FRACTION_TOLERANCE else share_percent(share)
