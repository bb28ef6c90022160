"""Shared text by kind: every word of both texts under the strongest kind that covers it.

Identical text lies in a run of at least six words that stand in the other text, too (`shared_runs`). The other kinds
are those of matching sentences (`sentence_matches`). Everything follows from the two texts alone. So it is the same for
every model, and it is mirrored when the texts are swapped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from colde.explain.shared_runs import (
    MOST_WORDS,
    ComparedWords,
    SharedRun,
    compared_words,
    covered_mask,
    shared_runs,
)
from colde.results.shared_text import (
    EXCLUSIONS,
    KINDS,
    Exclusion,
    Kind,
    SentenceMatch,
    SentenceMatches,
    SharedPassage,
    SharedText,
)
from colde.text.document import Document
from colde.text.exclusions import excluded_spans

SMALL = 12
"""Words of a match; smaller ones can be left out."""
MIN_COUNTED_SHARE = 0.75
"""Share of a sentence's words that must be counted for its match to count: a match with less is of what is left out."""

_RANK: Mapping[Kind, int] = {kind: k + 1 for k, kind in enumerate(KINDS)}


def shared_text(
    a: Document, b: Document, sentences: SentenceMatches, leave_out: Collection[Exclusion] = ()
) -> SharedText | None:
    """Shares of both texts by kind, and the passages; None where the texts have no word or too many for a search.

    Args:
        sentences: the matching sentences of the two texts.
        leave_out: what is neither counted nor searched.
    """
    all_words = [compared_words(d) for d in (a, b)]
    words = [compared_words(d, excluded_spans(d, leave_out)) for d in (a, b)] if leave_out else all_words
    if sum(w.count for w in all_words) > MOST_WORDS or not all(w.count for w in all_words):
        return None
    fewest = SMALL if "small" in leave_out else 0
    forward = [r for r in shared_runs(words[0], words[1]) if r.words >= fewest]
    backward = [SharedRun(r.b, r.a, r.words) for r in shared_runs(words[1], words[0]) if r.words >= fewest]
    labels = [np.zeros(len(w.names), dtype=np.int64) for w in words]
    labels[0][covered_mask(words[0], [r.a for r in backward])] = _RANK["copied"]
    labels[1][covered_mask(words[1], [r.b for r in forward])] = _RANK["copied"]
    passages = [SharedPassage("copied", r.a, r.b, r.words) for r in _without_overlaps([*forward, *backward])]
    for match in sentences.matches:
        inside = [w.inside(span) for w, span in zip(words, (match.a, match.b), strict=True)]
        if not _is_counted(match, inside, words, all_words, fewest):
            continue
        new = any((labels[side][inside[side]] != _RANK["copied"]).any() for side in (0, 1))
        for side in (0, 1):
            here = labels[side][inside[side]]
            labels[side][inside[side]] = np.where(
                (here == 0) | (here > _RANK[match.kind]), _RANK[match.kind], here
            )
        if new:
            passages.append(SharedPassage(match.kind, match.a, match.b, round(words[0].size(match.a))))
    return SharedText(
        a=_shares(labels[0], words[0]),
        b=_shares(labels[1], words[1]),
        words_a=round(words[0].count),
        words_b=round(words[1].count),
        passages=tuple(sorted(passages, key=lambda p: (_RANK[p.kind], -p.words, p.a.start))),
        left_out=tuple(x for x in EXCLUSIONS if x in leave_out),
        kinds=("copied", *sentences.kinds),
        not_searched=sentences.reason,
    )


def _without_overlaps(runs: Iterable[SharedRun]) -> list[SharedRun]:
    """Runs of both directions without those that overlap a longer one in both texts."""
    kept: list[SharedRun] = []
    different = sorted(set(runs), key=lambda r: (-r.words, r.a.start + r.b.start, abs(r.a.start - r.b.start)))
    taken = np.zeros((len(different), 4), dtype=np.int64)
    for run in different:
        start_a, end_a, start_b, end_b = taken[: len(kept)].T
        apart = (
            (start_a >= run.a.end) | (end_a <= run.a.start) | (start_b >= run.b.end) | (end_b <= run.b.start)
        )
        if apart.all():
            taken[len(kept)] = run.a.start, run.a.end, run.b.start, run.b.end
            kept.append(run)
    return kept


def _is_counted(
    match: SentenceMatch,
    inside: Sequence[NDArray[np.int64]],
    words: Sequence[ComparedWords],
    all_words: Sequence[ComparedWords],
    fewest: float,
) -> bool:
    """Whether enough of both sentences is counted, and they are long enough."""
    for side, span in enumerate((match.a, match.b)):
        counted, size = words[side].size(span), all_words[side].size(span)
        if not len(inside[side]) or counted < max(MIN_COUNTED_SHARE * size, fewest):
            return False
    return True


def _shares(labels: NDArray[np.int64], words: ComparedWords) -> dict[Kind, float]:
    total = max(1.0, words.count)
    return {kind: float(words.weights[labels == rank].sum() / total) for kind, rank in _RANK.items()}
