"""Contribution to a model's score in sentences: section pairs and words that raise it, and what lowers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.report.formatting import clean, listed, plural, quoted_section, sentence_case, share_percent
from colde.results.comparison import Comparison
from colde.results.model_score import Score, WordPart
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Document, Span

MAX_PAIRS_NAMED = 3
MIN_PAIR_SHARE = 0.02  # of the score; a pair below it is not named
MAX_HEADING = 40
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
MIN_OPPOSING_SHARE = 0.02  # share of the score from which a section that lowers it has a sentence


@dataclass(frozen=True, slots=True)
class SectionPairShare:
    """A pair of sections, as indices into `Document.sections`, with its part of the score, absolute and as a share."""

    a: int
    b: int
    part: float
    share: float


@dataclass(frozen=True, slots=True)
class OpposingSection:
    """A section that lowers the score: its document, its index, and its negative part of the score."""

    document: Letter
    section: int
    part: float


@dataclass(frozen=True, slots=True)
class ContributionSummary:
    """What raises and lowers a score.

    Attributes:
        model: its name.
        pairs: the section pairs that add most, the greatest first, at most three.
        half: the fewest pairs of sections that make half of the score.
        cells: number of section pairs.
        against: sum of the negative parts, as a share of the score.
        words: the shared words that add most, at most three; empty where they add little.
        opposed: the section that lowers the score most; None where it lowers it little.
        sentence: the section pairs in words.
        more: words and opposed section in words, or an empty string.
    """

    model: str
    pairs: tuple[SectionPairShare, ...]
    half: int
    cells: int
    against: float
    words: tuple[WordPart, ...]
    opposed: OpposingSection | None
    sentence: str
    more: str


def summarise_contribution(comparison: Comparison, model: str | None = None) -> ContributionSummary | None:
    """Contributions to the score of a model, by default of the first.

    None without a contribution map of several sections, and for a score that is not above 0.
    """
    score = next((s for s in comparison.results if model in (None, s.name)), None)
    if score is None or score.score <= 0:
        return None
    contribution = comparison.maps.get(score.name, {}).get("contribution_section")
    if contribution is None or contribution.values.size < 2:
        return None
    shares = contribution.values.astype(np.float64).ravel() / score.score
    order = np.argsort(-shares, kind="stable")
    summed = np.cumsum(shares[order])
    if summed.max() < 0.5:  # most of the score is the baseline
        return None
    half = int(np.argmax(summed >= 0.5)) + 1
    pairs = tuple(
        share
        for k in order[:MAX_PAIRS_NAMED]
        if (share := _pair(comparison, contribution, int(k), float(shares[k]))).share >= MIN_PAIR_SHARE
    )
    against = float(np.minimum(shares, 0).sum())
    words = _words(score)
    opposed = _opposing_section(comparison, contribution, score.score)
    return ContributionSummary(
        model=score.name,
        pairs=pairs,
        half=half,
        cells=contribution.values.size,
        against=against,
        words=words,
        opposed=opposed,
        sentence=_sentence(comparison, pairs, half, contribution.values.size),
        more=_details_sentence(comparison, words, opposed),
    )


def _words(score: Score) -> tuple[WordPart, ...]:
    """The words to name, without numbers."""
    named = tuple(w for w in score.words if w.word.isalpha())[:MAX_WORDS_NAMED]
    return named if sum(w.part for w in named) >= MIN_WORDS_SHARE * score.score else ()


def _opposing_section(
    comparison: Comparison, contribution: SimilarityMap, score: float
) -> OpposingSection | None:
    """The section whose pairs with the other document lower the score most."""
    values = contribution.values.astype(np.float64)
    worst = min(
        _most_opposing("a", comparison.a, contribution.rows, values.sum(1)),
        _most_opposing("b", comparison.b, contribution.columns, values.sum(0)),
        key=lambda section: section.part,
    )
    return worst if worst.part <= -MIN_OPPOSING_SHARE * score else None


def _most_opposing(
    side: Letter, document: Document, spans: Sequence[Span], parts: NDArray[np.float64]
) -> OpposingSection:
    k = int(parts.argmin())
    return OpposingSection(side, _section_index(document, spans[k]), float(parts[k]))


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
            f"{sentence_case(name)} in {opposed.document.upper()} speaks against it: it takes "
            f"{_format_part(-opposed.part)} away."
        )
    return " ".join(sentences)


def _format_part(value: float) -> str:
    """`0.06`, or `0.004` below 0.01."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.3f}"


def _pair(comparison: Comparison, contribution: SimilarityMap, cell: int, share: float) -> SectionPairShare:
    row, column = divmod(cell, contribution.values.shape[1])
    return SectionPairShare(
        _section_index(comparison.a, contribution.rows[row]),
        _section_index(comparison.b, contribution.columns[column]),
        float(contribution.values[row, column]),
        share,
    )


def _section_index(document: Document, span: Span) -> int:
    index = document.section_at(span.start)
    assert index is not None  # the map's spans are sections
    return index


def _sentence(comparison: Comparison, pairs: tuple[SectionPairShare, ...], half: int, cells: int) -> str:
    if not pairs:
        return f"The score comes from many pairs of sections: half of it from the strongest {half:,} of {cells:,}."
    together = sum(p.share for p in pairs)
    first, *rest = pairs
    if first.share >= 0.25 - FRACTION_TOLERANCE:
        opening = f"{_fraction(first.share)} of the score comes from {_pair_headings(comparison, first)}"
    else:
        named = ", ".join(f"{_pair_headings(comparison, p)} ({share_percent(p.share)})" for p in pairs)
        return (
            f"The greatest parts of the score come from {named}; {half:,} of {cells:,} pairs make half of it."
        )
    if rest:
        named = " and ".join(_pair_headings(comparison, p) for p in rest)
        return f"{opening}; with {named} it is {share_percent(together)}."
    return f"{opening}."


def _fraction(share: float) -> str:
    """`Two thirds` where the share is close to it; else a percentage."""
    fraction = min(FRACTIONS, key=lambda f: abs(f - share))
    return FRACTIONS[fraction] if abs(fraction - share) <= FRACTION_TOLERANCE else share_percent(share)


def _pair_headings(comparison: Comparison, pair: SectionPairShare) -> str:
    a, b = (
        quoted_section(d, d.sections[i], MAX_HEADING)
        for d, i in ((comparison.a, pair.a), (comparison.b, pair.b))
    )
    return f"{a} ↔ {b}"
