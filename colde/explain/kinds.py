"""Copied, edited, paraphrased, same subject only: every word of both texts under the strongest kind that holds it.

Copied is what lies in a run of at least six words that stands in the other text, too (`shared_runs`), a fact. The other
kinds are of sentences and their best counterparts on a model's sentence map: edited where at least half of the words
are the same in the same order, paraphrased and same subject by how alike the model finds them, with thresholds that few
sentences of unrelated texts reach.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from colde.explain.shared_runs import MOST_WORDS, Words, covered, shared_runs, words_of
from colde.results.comparison import Comparison
from colde.results.maps import Array, SimilarityMap
from colde.results.shared import EXCLUSIONS, KINDS, Exclusion, Kind, SharedPassage, SharedText
from colde.text.boilerplate import boilerplate_sections
from colde.text.document import Document, Span

SAME_WORDS = 0.5
"""Share of the words that stand in both sentences in the same order."""
PARAPHRASED, SUBJECT = 0.5, 0.4
"""Values of the sentence map. Of 100 sentences of unrelated pairs 1 has a best counterpart above .40, of 500 one above
.50 (23 pairs of three corpora, CoLDE)."""
SHORTEST = 5
"""Words of a sentence that is compared."""
SMALL = 12
"""Words of a match; smaller ones can be left out."""

_QUOTED = re.compile(r"“[^”]{3,2000}”|\"[^\"\n]{3,600}\"|«[^»]{3,2000}»|„[^“”]{3,2000}[“”]")
_CITED = re.compile(
    r"\((?:[^()]{0,120}?\b(?:1[5-9]|20)\d\d[a-z]?[^()]{0,40})\)|\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
)
_RANK: Mapping[Kind, int] = {kind: k + 1 for k, kind in enumerate(KINDS)}


def shared_text(comparison: Comparison, leave_out: Collection[Exclusion] = ()) -> SharedText | None:
    """Count what both texts share, by kind; None where the texts are too long for that.

    Args:
        comparison: with at least the documents; sentences are compared on the map of the first model that has one.
        leave_out: not counted, neither as shared nor as text.
    """
    documents = comparison.a, comparison.b
    words = words_of(comparison.a), words_of(comparison.b)
    if words[0].count + words[1].count > MOST_WORDS or not words[0].count or not words[1].count:
        return None
    counted = [_counted(d, w, leave_out) for d, w in zip(documents, words, strict=True)]
    fewest = SMALL if "small" in leave_out else 0
    found: list[SharedPassage] = []
    labels = [np.zeros(len(w.names), dtype=np.int64) for w in words]
    runs = [r for r in shared_runs(*words) if r.words >= fewest]
    found += [SharedPassage("copied", r.a, r.b, r.words) for r in runs]
    labels[1][covered(words[1], [r.b for r in runs])] = _RANK["copied"]
    back = [r for r in shared_runs(words[1], words[0]) if r.words >= fewest]
    labels[0][covered(words[0], [r.b for r in back])] = _RANK["copied"]
    name, sentences = _sentence_map(comparison)
    if sentences is not None:
        for kind, row, column, sides in _alike(documents, sentences):
            a, b = sentences.rows[row], sentences.columns[column]
            own = [_inside(w, s) for w, s in zip(words, (a, b), strict=True)]
            if len(own[0]) < max(fewest, SHORTEST):
                continue
            for side in sides:
                here = own[side]
                if len(here):
                    rest = labels[side][here] == 0
                    stronger = labels[side][here] > _RANK[kind]
                    labels[side][here[rest | stronger]] = _RANK[kind]
            if not (labels[0][own[0]] == _RANK["copied"]).all():
                found.append(SharedPassage(kind, a, b, len(own[0])))
    shares = [_shares(label, keep) for label, keep in zip(labels, counted, strict=True)]
    kept = [p for p in found if _any(words[0], p.a, counted[0]) and _any(words[1], p.b, counted[1])]
    return SharedText(
        a=shares[0],
        b=shares[1],
        words_a=int(counted[0].sum()),
        words_b=int(counted[1].sum()),
        passages=tuple(sorted(kept, key=lambda p: (_RANK[p.kind], -p.words, p.a.start))),
        left_out=tuple(x for x in EXCLUSIONS if x in leave_out),
        by=name,
    )


def _sentence_map(comparison: Comparison) -> tuple[str | None, SimilarityMap | None]:
    """The first model's map of sentences that says which passages are shared."""
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    for name in names:
        for m in comparison.maps.get(name, {}).values():
            if m.role == "passages" and m.level == "sentence" and m.side == "across" and m.values.size:
                return name, m
    return None, None


def _alike(
    documents: tuple[Document, Document], m: SimilarityMap
) -> Iterator[tuple[Kind, int, int, tuple[int, ...]]]:
    """Sentences and their best counterparts: kind, row, column, and whose best it is (0 for a's, 1 for b's)."""
    values: Array = np.nan_to_num(m.values, nan=-1.0)
    pairs: dict[tuple[int, int], tuple[int, ...]] = {}
    for i, j in enumerate(values.argmax(1)):
        pairs[i, int(j)] = (0,)
    for j, i in enumerate(values.argmax(0)):
        pairs[int(i), j] = (*pairs.get((int(i), j), ()), 1)
    for (i, j), sides in pairs.items():
        if values[i, j] < SUBJECT:
            continue
        a, b = (
            re.findall(r"\w+", d.text[s.start : s.end].lower())
            for d, s in zip(documents, (m.rows[i], m.columns[j]), strict=True)
        )
        if min(len(a), len(b)) < SHORTEST:
            continue
        if SequenceMatcher(None, a, b, autojunk=False).ratio() >= SAME_WORDS:
            yield "edited", i, j, sides
        else:
            yield ("paraphrased" if values[i, j] >= PARAPHRASED else "same subject"), i, j, sides


def left_out_spans(document: Document, leave_out: Collection[Exclusion]) -> list[Span]:
    """The stretches of a text that are not counted; they may overlap."""
    gone: list[Span] = []
    if "quotes" in leave_out:
        gone += [Span(m.start(), m.end()) for m in _QUOTED.finditer(document.text)]
    if "references" in leave_out:
        gone += [Span(m.start(), m.end()) for m in _CITED.finditer(document.text)]
        gone += [Span(s.start, s.end) for s in document.sections if s.role == "references"]
    if "boilerplate" in leave_out:
        gone += [Span(s.start, s.end) for s in boilerplate_sections(document)]
    return gone


def _counted(document: Document, words: Words, leave_out: Collection[Exclusion]) -> NDArray[np.bool_]:
    """Which words are counted: [words]."""
    gone = left_out_spans(document, leave_out)
    return np.asarray(words.there & ~covered(words, gone), dtype=np.bool_)


def _shares(labels: NDArray[np.int64], counted: NDArray[np.bool_]) -> dict[Kind, float]:
    whole = max(1, int(counted.sum()))
    return {kind: float((counted & (labels == rank)).sum() / whole) for kind, rank in _RANK.items()}


def _inside(words: Words, span: Span) -> NDArray[np.int64]:
    """Positions of the words of a passage."""
    first, last = np.searchsorted(words.starts, [span.start, span.end])
    return np.asarray(first + np.flatnonzero(words.there[first:last]), dtype=np.int64)


def _any(words: Words, span: Span, counted: NDArray[np.bool_]) -> bool:
    inside = _inside(words, span)
    return bool(len(inside)) and bool(counted[inside].mean() > 0.5)
