"""Where two documents meet: late interaction of sentences, the passages map, and evidence.

A chunk's vector says what 512 tokens are about; a passage of 60 words drowns in it. Windows of three sentences
find it, whatever the order of their sentences: what both documents are about is subtracted first, and a likeness
counts as far as it stands out from how much each of them is like the rest of its own document, and as far as few
other documents say the like (docs/results.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from colde.encoders.vector_math import normalised, window_means
from colde.explain.background_corpus import background_sentences, rarity
from colde.explain.match_selection import descending, overlaps_both
from colde.explain.self_similarity import self_similarity
from colde.explain.sentence_similarity import sentence_similarities
from colde.results.encoding import Encoding
from colde.results.match import STANDS_OUT, Match, Passage
from colde.results.similarity_map import Array, SimilarityMap
from colde.row_blocks import row_blocks
from colde.text.document import Document, Sentence, Span

WINDOW = 3  # sentences
HUBNESS = 1.8  # times the mean of both nearnesses; chosen on one half of the passages (docs/results.md)
CLOSEST = 0.9  # no background above this: the same sentences always stand out
SHORTEST = 5  # words; shorter sentences match anything
MOST_SENTENCES = 2_000  # a side, for the sentence map
MOST_EVIDENCE = 50
SHARED = 0.5  # strength of a window; below, two passages are about the same matter at most
CELLS_PER_BLOCK = 2**22  # cosines of windows by windows: 16 MB
VALUES_AT_ONCE = 2**19  # what is made of them: 2 MB, and a few times that in passing

PASSAGES_MEANING = (
    "Passages: for each pair of chunks the strongest passage they share, in the same or in other words: how near three "
    "sentences are to three others, measured against how much each document repeats itself, and less where many "
    "unrelated documents say the like (thanks, outlines, addresses). 1 is the same passage, and an unusual one; "
    "from about 0.5 on a passage stands out. One makes a cell bright, however different the rest of the chunks may be."
)
SENTENCE_MEANING = (
    "Sentences: how alike they and their neighbours are by meaning (sentence vectors, less what both documents are "
    "about, and less where a sentence is like much of its own document), by parts of their words, and by the words "
    "both have, rare ones more; citations count for nothing. 1 is the same sentence; about 0 is nothing in common."
)


@dataclass(frozen=True, slots=True)
class _Side:
    """The sentences of one document that are long enough to compare."""

    positions: NDArray[np.int64]  # [kept], position in Document.sentences()
    sentences: tuple[Sentence, ...]  # [kept]
    chunk: NDArray[np.int64]  # [kept], the chunk each sentence begins in
    vectors: Array  # [kept, dimension], unit, centred
    windows: Array  # [kept, dimension], unit: the mean of a sentence and its two neighbours
    background_similarity: (
        Array | None
    )  # [kept], how near other documents come to the three; None where that is not known


@dataclass(frozen=True, slots=True)
class _Windows:
    """For each pair of chunks the strongest window: its value and its middle sentences."""

    values: Array  # [chunks a, chunks b], NaN where a chunk has no sentence of its own
    row: NDArray[np.int32]  # [chunks a, chunks b], position among a's kept sentences
    column: NDArray[np.int32]


def match_passages(
    a: Encoding, b: Encoding, model: str, most: int = MOST_EVIDENCE
) -> tuple[dict[str, SimilarityMap], list[Match]]:
    """`passages` (chunk × chunk) and, up to 2,000 sentences a side, `sentence`; and the strongest passages as evidence.

    Args:
        a, b: encodings with `chunk_spans` and `sentences`.
        model: the name the evidence stands under.
        most: passages of evidence, best first; no two overlap on both sides.
    """
    left, right = _sides(a, b)
    windows = _windows(left, right, len(a.chunk_spans), len(b.chunk_spans))
    found = {
        "passages": SimilarityMap(
            windows.values,
            a.chunk_spans,
            b.chunk_spans,
            "cosine",
            PASSAGES_MEANING,
            role="passages",
            level="chunk",
            unit="strength of the strongest passage",
            limits=(0.0, 1.0),
        )
    }
    rows = tuple(s for _, s in a.document.sentences())
    columns = tuple(s for _, s in b.document.sentences())
    if rows and columns and few_sentences(len(rows), len(columns)):
        found["sentence"] = SimilarityMap(
            _sentence_map(a, b),
            rows,
            columns,
            "cosine",
            SENTENCE_MEANING,
            role="passages",
            level="sentence",
            unit="weighted mean of three likenesses",
        )
    return found, _matches(a, b, left, right, windows, model, most)


def few_sentences(*sentences: int) -> bool:
    """Whether texts of so many sentences get maps of sentences: at most `MOST_SENTENCES` each."""
    return max(sentences) <= MOST_SENTENCES


def strongest_matches(a: Encoding, b: Encoding, model: str, most: int = MOST_EVIDENCE) -> list[Match]:
    """The evidence of `match_passages` alone, without the maps."""
    left, right = _sides(a, b)
    windows = _windows(left, right, len(a.chunk_spans), len(b.chunk_spans))
    return _matches(a, b, left, right, windows, model, most)


def _sentence_map(a: Encoding, b: Encoding) -> Array:
    """Meaning and words of every pair of sentences: [sentences a, sentences b], at most 1."""
    left, right = centred(sentence_vectors(a), sentence_vectors(b))
    return sentence_similarities(left, right, _texts(a.document), _texts(b.document))


def _matches(
    a: Encoding, b: Encoding, left: _Side, right: _Side, windows: _Windows, model: str, most: int
) -> list[Match]:
    """The strongest passages both documents share, best first; no two overlap on both sides."""
    found: list[Match] = []
    taken: list[tuple[Passage, Passage]] = []
    for cell in islice(descending(windows.values), 20 * most):
        if len(found) >= most:
            break
        i, j = int(windows.row[cell]), int(windows.column[cell])
        pair = _extent(a.document, b.document, left, right, i, j)
        if overlaps_both(pair, taken):
            continue
        taken.append(pair)
        weight = float(windows.values[cell])
        rarity_values = _rarity(left, right, i, j)
        match_rarity = None if rarity_values is None else float(rarity_values[0])
        alike = (
            weight if match_rarity is None else min(weight / match_rarity, 1.0)
        )  # how they are alike, however usual
        one, other = (e.document.text[p.start : p.end] for e, p in zip((a, b), pair, strict=True))
        found.append(Match(model, *pair, weight, match_type(one, other, alike), match_rarity))
    return found


def match_type(a: str, b: str, weight: float, least: float = SHARED) -> str:
    """How two passages are alike: verbatim, edited, reworded or weak.

    The words in common, in order (difflib's ratio), tell the first two. Below, a weight of `least` or more is
    `reworded`, and a smaller one `weak`: unrelated texts have such a pair, too.
    """
    return match_by_order(a, b) or ("reworded" if weight >= least else "weak")


def match_by_order(a: str, b: str) -> str | None:
    """`verbatim` or `edited` by the words that two passages have in common, in order; None for fewer of them."""
    from difflib import SequenceMatcher

    same = SequenceMatcher(None, _words(a), _words(b), autojunk=False).ratio()
    if same >= 0.9:
        return "verbatim"
    return "edited" if same >= 0.5 else None


def match_by_words(
    a: Document, b: Document, otherwise: str | None = None
) -> Callable[[Span, Span, float], str]:
    """The match type of two spans by their words alone, for models whose values do not tell rewording.

    Only the vectors of the encoder as it came, which are the same for every model, call a passage reworded.

    Args:
        otherwise: the type of spans that have few words in common; by default `related` where the value stands out,
            else `weak`.
    """

    def kind(left: Span, right: Span, value: float) -> str:
        found = match_by_order(a.text[left.start : left.end], b.text[right.start : right.end])
        return found or otherwise or ("related" if value >= STANDS_OUT else "weak")

    return kind


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _texts(document: Document) -> list[str]:
    return [document.text[s.start : s.end] for _, s in document.sentences()]


def sentence_vectors(encoding: Encoding) -> Array:
    """Vectors of the sentences of an encoding made with `explain`: [sentences, dimension]."""
    assert encoding.sentences is not None
    return encoding.sentences


def centred(a: Array, b: Array) -> tuple[Array, Array]:
    """Unit vectors less the mean of the two documents' means, unit again."""
    if not len(a) or not len(b):
        return a, b
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return normalised(a - centre), normalised(b - centre)


def _sides(a: Encoding, b: Encoding) -> tuple[_Side, _Side]:
    vectors = centred(sentence_vectors(a), sentence_vectors(b))
    return _side(a, vectors[0]), _side(b, vectors[1])


def _background_similarity(encoding: Encoding, kept: list[int]) -> Array | None:
    """How near unrelated documents come to each window: [kept]; None for vectors of another encoder."""
    known = background_sentences()
    vectors = sentence_vectors(encoding)
    if known is None or vectors.shape[1] != known.dimension:
        return None
    return window_means(known.background_similarity(vectors[kept])[:, None], WINDOW)[:, 0]


def _rarity(left: _Side, right: _Side, rows: slice | int, columns: slice | int) -> Array | None:
    """How unusual the windows of these rows and columns are together: [rows, columns] or a number, in [0, 1]."""
    if left.background_similarity is None or right.background_similarity is None:
        return None
    one, other = (
        np.asarray(left.background_similarity[rows]),
        np.asarray(right.background_similarity[columns]),
    )
    return rarity(np.asarray((one[..., None] + other) / 2, dtype=np.float32))


def _side(encoding: Encoding, vectors: Array) -> _Side:
    text = encoding.document.text
    sentences = [s for _, s in encoding.document.sentences()]
    kept = [i for i, s in enumerate(sentences) if len(_words(text[s.start : s.end])) >= SHORTEST]
    starts = np.array([c.start for c in encoding.chunk_spans], dtype=np.int64)
    begin = np.array([sentences[i].start for i in kept], dtype=np.int64)
    chunk = np.maximum(np.searchsorted(starts, begin, side="right") - 1, 0)
    vectors = vectors[kept]
    windows = normalised(window_means(vectors, WINDOW))
    background_similarity = _background_similarity(encoding, kept)
    numbers = np.array(kept, dtype=np.int64)
    return _Side(numbers, tuple(sentences[i] for i in kept), chunk, vectors, windows, background_similarity)


def _rows(left: _Side, right: _Side) -> Iterator[tuple[int, Array]]:
    """Window values, some rows at a time: 1 for the same sentences, 0.5 for as near as the backgrounds say.

    With c the cosine of two windows and r their backgrounds' mean times HUBNESS: 0.5 ^ ((1 − c) / (1 − r)), times
    how unusual the two are.
    """
    self_similarity_a, self_similarity_b = (self_similarity(side.windows, WINDOW) for side in (left, right))
    for near in row_blocks(len(left.windows), len(right.windows), CELLS_PER_BLOCK):
        cosines = np.asarray(left.windows[near] @ right.windows.T)  # [rows, count b]
        for part in row_blocks(len(cosines), len(right.windows), VALUES_AT_ONCE):
            some = slice(near.start + part.start, near.start + part.stop)
            cosine = np.minimum(cosines[part], 1)
            usual = (self_similarity_a[some, None] + self_similarity_b[None]) * (HUBNESS / 2)
            usual = np.clip(usual, 0.0, CLOSEST)
            values = 0.5 ** ((1 - cosine) / (1 - usual))
            rarity_values = _rarity(left, right, some, slice(None))
            yield (
                some.start,
                np.asarray(values if rarity_values is None else values * rarity_values, dtype=np.float32),
            )


def _windows(left: _Side, right: _Side, chunks_a: int, chunks_b: int) -> _Windows:
    values = np.full((chunks_a, chunks_b), np.nan, dtype=np.float32)
    row = np.zeros((chunks_a, chunks_b), dtype=np.int32)
    column = np.zeros((chunks_a, chunks_b), dtype=np.int32)
    if not len(left.sentences) or not len(right.sentences):
        return _Windows(values, row, column)
    present_b, first_b, of_b = np.unique(right.chunk, return_index=True, return_inverse=True)
    every = np.arange(len(of_b))
    for at, block in _rows(left, right):
        best = np.maximum.reduceat(block, first_b, axis=1)  # [rows, chunks of b present]
        for c in np.unique(left.chunk[at : at + len(block)]):
            rows = np.flatnonzero(left.chunk[at : at + len(block)] == c)
            strongest = rows[best[rows].argmax(0)]  # [chunks of b present]
            value = best[strongest, np.arange(len(present_b))]
            new = ~(values[c, present_b] >= value)  # NaN or smaller
            reached = np.flatnonzero(block[strongest[of_b], every] == value[of_b])[::-1]
            where = np.zeros(len(present_b), dtype=np.int32)
            where[of_b[reached]] = reached  # the first of each chunk is written last
            values[c, present_b[new]] = np.minimum(value[new], 1.0)
            row[c, present_b[new]] = at + strongest[new]
            column[c, present_b[new]] = where[new]
    return _Windows(values, row, column)


def _extent(a: Document, b: Document, left: _Side, right: _Side, i: int, j: int) -> tuple[Passage, Passage]:
    """The windows around i and j, less outer sentences that answer nothing on the other side."""
    reach = WINDOW // 2
    rows = np.arange(max(i - reach, 0), min(i + reach + 1, len(left.sentences)))
    columns = np.arange(max(j - reach, 0), min(j + reach + 1, len(right.sentences)))
    cosine = left.vectors[rows] @ right.vectors[columns].T
    least = max(0.3, 0.5 * float(cosine.max()))
    from_a, to_a = _matched_range(cosine.max(1), least, i - int(rows[0]))
    from_b, to_b = _matched_range(cosine.max(0), least, j - int(columns[0]))
    return (
        Passage.at(a, Span(left.sentences[rows[from_a]].start, left.sentences[rows[to_a]].end)),
        Passage.at(b, Span(right.sentences[columns[from_b]].start, right.sentences[columns[to_b]].end)),
    )


def _matched_range(best: Array, least: float, middle: int) -> tuple[int, int]:
    """First and last sentence of a window that finds an answer; the middle one where none does."""
    found = np.flatnonzero(best >= least)
    return (int(found[0]), int(found[-1])) if len(found) else (middle, middle)
