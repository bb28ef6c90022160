"""The kind of every word of a text: each counts once, under the strongest kind that covers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import ComparedWords, covered_mask
from colde.results.shared_text import KINDS, LABELS, Label, PassageKind, Stretch
from colde.text.document import Span

MIN_COUNTED_SHARE = 0.75
"""Share of the words of a sentence that must be counted for its match to count."""

_RANK: Mapping[Label, int] = {label: k + 1 for k, label in enumerate(LABELS)}


class WordKinds:
    """The kind of every word of a text, as its rank; 0 for words that are not shared.

    Args:
        words: the words that are counted.
        all_words: with those that are left out.
        fewest: words of a sentence that counts.
    """

    def __init__(self, words: ComparedWords, all_words: ComparedWords, fewest: float) -> None:
        self.words, self._all_words, self._fewest = words, all_words, fewest
        self._ranks = np.zeros(len(words.names), dtype=np.int64)

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Which words are counted: [all words]."""
        return np.isin(self._all_words.starts, self.words.starts)

    def counts(self, span: Span) -> bool:
        """Whether enough of a sentence is counted, and it is long enough."""
        counted, size = self.words.size(span), self._all_words.size(span)
        return len(self.words.inside(span)) > 0 and counted >= max(MIN_COUNTED_SHARE * size, self._fewest)

    def mark(self, span: Span, label: Label) -> bool:
        """Mark the words of a span, except those of a stronger label; whether any of them had none."""
        inside = self.words.inside(span)
        ranks = self._ranks[inside]
        self._ranks[inside] = np.where((ranks == 0) | (ranks > _RANK[label]), _RANK[label], ranks)
        return bool((ranks == 0).any())

    def mark_unequal(self, spans: Sequence[Span]) -> None:
        """Count identical words in these spans as edited."""
        for span in spans:
            inside = self.words.inside(span)
            self._ranks[inside[self._ranks[inside] == _RANK["identical"]]] = _RANK["edited"]

    def sizes(self, span: Span) -> dict[PassageKind, float]:
        """Words of a span by kind, without those of standard text."""
        inside = self.words.inside(span)
        sizes = np.bincount(self._ranks[inside], weights=self.words.sizes[inside], minlength=len(LABELS) + 1)
        return {kind: float(sizes[_RANK[kind]]) for kind in KINDS}

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
                LABELS[self._ranks[first] - 1] if self._ranks[first] else None,
                float(before[end] - before[first]),
                bool(in_quotation[first]),
            )
            for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)
        )

    def shares(self) -> dict[Label, float]:
        """Share of the counted words by label."""
        total = max(1.0, self.words.count)
        return {k: float(self.words.sizes[self._ranks == rank].sum() / total) for k, rank in _RANK.items()}
