"""Shared text by kind: every word of both texts is counted under the strongest kind that covers it.

Identical text lies in a run of at least six words that is also in the other text (`shared_runs`). The other kinds are
those of matching sentences (`sentence_matches`). The result depends on the two texts alone: it is the same for every
model, and mirrored when the texts are swapped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from colde.explain.shared_runs import (
    MAX_WORDS,
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
    SentenceMatches,
    SharedPassage,
    SharedText,
    Stretch,
)
from colde.text.document import Document, Span
from colde.text.set_aside import excluded_spans

SMALL = 12
"""Words of a match from which it is not small; small ones can be left out."""
MIN_COUNTED_SHARE = 0.75
"""Share of the words of a sentence that must be counted for its match to count."""

_RANK: Mapping[Kind, int] = {kind: k + 1 for k, kind in enumerate(KINDS)}


def shared_text(
    a: Document, b: Document, sentences: SentenceMatches, leave_out: Collection[Exclusion] = ()
) -> SharedText | None:
    """Shares of both texts by kind, and the passages; None where a text has no words, or too many for a search.

    Args:
        sentences: the matching sentences of the two texts.
        leave_out: what is neither counted nor searched.
    """
    all_words = [compared_words(d) for d in (a, b)]
    hidden = [excluded_spans(d, leave_out) for d in (a, b)]
    words = [compared_words(d, spans) for d, spans in zip((a, b), hidden, strict=True)]
    if sum(w.count for w in all_words) > MAX_WORDS or not all(w.count for w in all_words):
        return None
    fewest = SMALL if "small" in leave_out else 0
    labels = [_Labels(counted, full, fewest) for counted, full in zip(words, all_words, strict=True)]
    passages = [*_identical_passages(labels, fewest), *_matching_sentences(labels, sentences)]
    return SharedText(
        a=labels[0].shares(),
        b=labels[1].shares(),
        words_a=int(words[0].count),
        words_b=int(words[1].count),
        passages=tuple(sorted(passages, key=lambda p: (_RANK[p.kind], -p.words, p.a.start))),
        left_out=tuple(x for x in EXCLUSIONS if x in leave_out),
        kinds=("copied", *sentences.kinds),
        not_searched=sentences.reason,
        stretches={
            "a": labels[0].stretches([p.a for p in passages], excluded_spans(a, ("quotes",))),
            "b": labels[1].stretches([p.b for p in passages], excluded_spans(b, ("quotes",))),
        },
    )


class _Labels:
    """The kind of every word of a text, as its rank; 0 for words that are not shared.

    Args:
        words: the words that are counted.
        all_words: with those that are left out.
        fewest: words of a sentence that counts.
    """

    def __init__(self, words: ComparedWords, all_words: ComparedWords, fewest: float) -> None:
        self.words, self._all_words, self._fewest = words, all_words, fewest
        self._ranks = np.zeros(len(words.names), dtype=np.int64)

    def counts(self, span: Span) -> bool:
        """Whether enough of a sentence is counted, and it is long enough."""
        counted, size = self.words.size(span), self._all_words.size(span)
        return len(self.words.inside(span)) > 0 and counted >= max(MIN_COUNTED_SHARE * size, self._fewest)

    def mark_identical(self, spans: Sequence[Span]) -> None:
        """Mark the words of identical passages."""
        self._ranks[covered_mask(self.words, spans)] = _RANK["copied"]

    def mark(self, span: Span, kind: Kind) -> bool:
        """Mark the words of a sentence, except those of a stronger kind; whether any of them is not identical."""
        inside = self.words.inside(span)
        ranks = self._ranks[inside]
        self._ranks[inside] = np.where((ranks == 0) | (ranks > _RANK[kind]), _RANK[kind], ranks)
        return bool((ranks != _RANK["copied"]).any())

    def stretches(self, passages: Sequence[Span], quoted: Sequence[Span]) -> tuple[Stretch, ...]:
        """All counted words in stretches of one kind, cut where passages and quotations begin and end."""
        starts, before = self.words.starts, self.words.before
        if not len(starts):
            return ()
        in_quotation = covered_mask(self.words, quoted)
        edges = np.array([edge for p in passages for edge in (p.start, p.end)], dtype=np.int64)
        cuts = np.searchsorted(np.unique(edges), starts, side="right")
        groups = np.stack([self._ranks, in_quotation, cuts])
        firsts = np.flatnonzero(np.r_[True, (groups[:, 1:] != groups[:, :-1]).any(axis=0)])
        ends = np.r_[firsts[1:], len(starts)]
        return tuple(
            Stretch(
                self.words.spans[first].start,
                self.words.spans[end - 1].end,
                KINDS[self._ranks[first] - 1] if self._ranks[first] else None,
                float(before[end] - before[first]),
                bool(in_quotation[first]),
            )
            for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)
        )

    def shares(self) -> dict[Kind, float]:
        """Share of the counted words by kind."""
        total = max(1.0, self.words.count)
        return {k: float(self.words.sizes[self._ranks == rank].sum() / total) for k, rank in _RANK.items()}


def _identical_passages(labels: Sequence[_Labels], fewest: float) -> list[SharedPassage]:
    """Mark the identical words of both texts, and list the passages."""
    one, other = labels
    forward = shared_runs(one.words, other.words)
    backward = [SharedRun(r.b, r.a, r.words) for r in shared_runs(other.words, one.words)]
    forward, backward = ([r for r in runs if _size(labels, r) >= fewest] for runs in (forward, backward))
    one.mark_identical([r.a for r in backward])
    other.mark_identical([r.b for r in forward])
    runs = _without_overlaps([*forward, *backward])
    return [SharedPassage("copied", r.a, r.b, _passage_words(one, r.a)) for r in runs]


def _size(labels: Sequence[_Labels], run: SharedRun) -> float:
    """Words of the text in which the run has fewer."""
    return min(labels[0].words.size(run.a), labels[1].words.size(run.b))


def _passage_words(labels: _Labels, span: Span) -> int:
    """Whole words of a passage: one, where it is a part of a word."""
    return max(1, round(labels.words.size(span)))


def _matching_sentences(labels: Sequence[_Labels], sentences: SentenceMatches) -> Iterator[SharedPassage]:
    """Mark the words of matching sentences, and list those that are not identical."""
    one, other = labels
    for match in sentences.matches:
        if one.counts(match.a) and other.counts(match.b):
            new = (one.mark(match.a, match.kind), other.mark(match.b, match.kind))
            if any(new):
                yield SharedPassage(match.kind, match.a, match.b, _passage_words(one, match.a))


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
