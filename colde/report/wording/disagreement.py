"""Disagreement of the models in words: on the verdict, and on the sections that are most alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from colde.report.formatting import apart, listed, plural, quote, quoted_section
from colde.report.maps.map_names import section_map
from colde.report.wording.verdict import stance
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span

TIE_TOLERANCE = 1e-4
"""Cells this close to the greatest count as equal to it: cosines of equal texts differ in the last bits."""
MAX_PAIRS_NAMED = 4  # section pairs named; further models are counted
MAX_HEADING = 60
MIN_SECTION_WORDS = 60  # words of a section without a heading that is named
SECTIONS_PREFIX = "Among all pairs of sections"  # the strongest match of the verdict is one of passages
NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Pair = tuple[int, int]
"""Row and column of a section map, as indices of the sections in their documents."""


def disagreement(comparison: Comparison) -> tuple[str, ...]:
    """At most two sentences: the verdicts of the models, and the section pairs that they rate highest.

    The first is about models with a threshold, the second about models whose section map has a single highest cell.
    Each needs two such models.
    """
    return tuple(filter(None, (_verdict_sentence(comparison.models), _section_sentence(comparison))))


# ---------------------------------------------------------------- verdicts


def _verdict_sentence(results: Sequence[Score]) -> str:
    groups: dict[str, list[Score]] = {}
    for score in results:
        if side := stance(score):
            groups.setdefault(side, []).append(score)
    judged = sum(map(len, groups.values()))
    if judged < 2:
        return ""
    if len(groups) == 1:
        (only,) = groups
        models = _all_models(judged) if judged == len(results) else listed([s.title for s in groups[only]])
        return f"{models} are undecided." if only == "undecided" else f"{models} agree: {only}."
    doubting = groups.pop("undecided", [])
    first, *second = sorted(
        groups, key=lambda says: -len(groups[says])
    )  # stable: on a tie the first model's side
    parts = [_opening([s.title for s in groups[first]], first)]
    if second:
        does = {"related": ("does", "do"), "unrelated": ("does not", "do not")}[second[0]]
        parts.append(_with_numbers(groups[second[0]], *does))
    if doubting:
        parts.append(_with_numbers(doubting, "is undecided", "are undecided"))
    return "; ".join(parts) + "."


def _opening(titles: Sequence[str], says: str) -> str:
    if says == "related":
        return f"{listed(titles)} {plural(len(titles), 'calls', 'call')} the pair related"
    return f"{listed(titles)} {plural(len(titles), 'does', 'do')} not call the pair related"


def _with_numbers(scores: Sequence[Score], one: str, several: str) -> str:
    """`BM25 does not (score 0.11, threshold 0.12)`: a model that differs, with its numbers."""
    if len(scores) == 1:
        return f"{scores[0].title} {one} ({_score_and_threshold(scores[0])})"
    return f"{listed([f'{s.title} ({_score_and_threshold(s)})' for s in scores])} {several}"


def _score_and_threshold(score: Score) -> str:
    if score.threshold is None:
        raise ValueError(f"{score.name} has no threshold")
    value, threshold = apart(score.score, score.threshold)
    return f"score {value}, threshold {threshold}"


# ---------------------------------------------------------------- sections


def _section_sentence(comparison: Comparison) -> str:
    groups: dict[Pair, list[str]] = {}
    for score in comparison.models:
        pair = highest_section_pair(comparison.maps.get(score.name, {}), comparison.a, comparison.b)
        if pair is not None:
            groups.setdefault(pair, []).append(score.title)
    rating = sum(map(len, groups.values()))
    if rating < 2:
        return ""
    named = {pair: _pair_headings(comparison, pair) for pair in groups}
    if len(groups) == 1:
        ((only, titles),) = groups.items()
        models = _all_models(rating).lower() if rating == len(comparison.models) else listed(titles)
        return f"{SECTIONS_PREFIX}, {models} rate {named[only]} highest."
    first, *rest = groups
    ordered = [first, *sorted(rest, key=lambda pair: -len(groups[pair]))]
    parts = [
        f"{listed(groups[pair])} {plural(len(groups[pair]), 'rates', 'rate')} {named[pair]}"
        for pair in ordered[:MAX_PAIRS_NAMED]
    ]
    parts[0] += " highest"
    left = [title for pair in ordered[MAX_PAIRS_NAMED:] for title in groups[pair]]
    if left:
        parts.append(f"{listed(left)} {plural(len(left), 'rates another pair', 'rate other pairs')}")
    return f"{SECTIONS_PREFIX}, {'; '.join(parts)}."


def highest_section_pair(maps: Mapping[str, SimilarityMap], a: Document, b: Document) -> Pair | None:
    """The sections of the highest cell of a model's section map.

    None without a section map, for a map of one cell, and for several equally high cells. Short sections without a
    heading (names of authors) are left out where others remain: any two lists of names are alike.
    """
    section_scores = section_map(maps)
    if section_scores is None or section_scores.values.size < 2:
        return None
    values = section_scores.values.copy()
    for spans, document, cells in ((section_scores.rows, a, values), (section_scores.columns, b, values.T)):
        slight = np.array([_is_short_untitled(document, s) for s in spans])
        if not slight.all():
            cells[slight] = np.nan
    if np.isnan(values).all():
        return None
    best = np.argwhere(values >= np.nanmax(values) - TIE_TOLERANCE)
    if len(best) > 1:
        return None
    row, column = best[0]
    i, j = a.section_at(section_scores.rows[row].start), b.section_at(section_scores.columns[column].start)
    return None if i is None or j is None else (i, j)


def _is_short_untitled(document: Document, span: Span) -> bool:
    index = document.section_at(span.start)
    if index is None or document.sections[index].heading:
        return False
    return len(quote(document, span).split()) < MIN_SECTION_WORDS


def _pair_headings(comparison: Comparison, pair: Pair) -> str:
    documents = zip((comparison.a, comparison.b), pair, strict=True)
    return " ↔ ".join(quoted_section(d, d.sections[i], MAX_HEADING) for d, i in documents)


# ---------------------------------------------------------------- words


def _all_models(count: int) -> str:
    """`Both models`, `All three models`, `All 13 models`."""
    if count == 2:
        return "Both models"
    return f"All {NUMBER_WORDS[count - 2] if count - 2 < len(NUMBER_WORDS) else count} models"
