"""Alignment of the words of two passages by their token states in the encoder.

A word's vector is the mean of its tokens' states after four of six layers; later layers represent the sentence more
than its words. Two words match where each is the other's nearest (SimAlign, Jalili Sabet et al. 2020, section 2.3) and
their cosine reaches `MIN_COSINE`. Words of most documents match nothing. Layer and limit were chosen on four pairs of
sentences written for this purpose; the quality is not measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from colde.results.shared_text import AlignedWords, SharedPassage
from colde.results.similarity_map import Array
from colde.text.chunks import TextTokenizer
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import bucket, shipped_statistics

MAX_PARTS = 16
"""Parts of passages whose words are aligned: 0.2 seconds on one core."""
IN_OTHER_WORDS = ("paraphrased", "opposite")
"""Kinds of parts whose words are aligned."""
MAX_TOKENS = 128  # of a passage, special tokens included; the rest has no words
LAYERS = 4
MIN_COSINE = 0.5
"""Cosine from which two words match; equal words always do when they are each other's nearest."""
MIN_LETTERS = 3  # letters

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

States = Callable[[Sequence[NDArray[np.int32]], int], list[Array]]
"""States of the tokens of texts after so many layers, special tokens included: [tokens, dimension] each."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Distinctive words of a passage: their places in the document, and their vectors, [words, dimension]."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]
    vectors: Array


def with_aligned_words(
    passages: Sequence[SharedPassage], a: Document, b: Document, tokenizer: TextTokenizer, states: States
) -> tuple[SharedPassage, ...]:
    """The same passages; the first of their parts that are in other words have their matching words."""
    parts = [(i, part) for i, p in enumerate(passages) for part in p.parts if part.kind in IN_OTHER_WORDS][
        :MAX_PARTS
    ]
    words = _words([side for _, part in parts for side in ((a, part.a), (b, part.b))], tokenizer, states)
    aligned = list(passages)
    for k, (i, _) in enumerate(parts):
        nearest = mutual_nearest_words(words[2 * k], words[2 * k + 1])
        aligned[i] = replace(aligned[i], aligned=(*aligned[i].aligned, *nearest))
    return tuple(aligned)


def _words(
    passages: Sequence[tuple[Document, Span]], tokenizer: TextTokenizer, states: States
) -> list[_Words]:
    if not passages:
        return []
    texts = [d.text[s.start : s.end] for d, s in passages]
    tokens = tokenizer(texts)
    most = MAX_TOKENS - 2
    framed = [
        np.concatenate(([tokenizer.first], t.ids[:most], [tokenizer.last])).astype(np.int32) for t in tokens
    ]
    idf = shipped_statistics().idf
    words = []
    for (_, span), text, t, state in zip(passages, texts, tokens, states(framed, LAYERS), strict=True):
        starts, ends = t.starts[:most], t.ends[:most]
        spans, names, vectors = [], [], []
        for match in _WORD.finditer(text):
            name = match[0].lower()
            inside = np.flatnonzero((starts < match.end()) & (ends > match.start()))
            if len(name) < MIN_LETTERS or not len(inside) or idf[bucket(name)] <= 0:
                continue
            spans.append(Span(span.start + match.start(), span.start + match.end()))
            names.append(name)
            vectors.append(state[inside + 1].mean(0))
        words.append(_Words(tuple(spans), tuple(names), np.array(vectors, dtype=np.float32)))
    return words


def mutual_nearest_words(a: _Words, b: _Words) -> tuple[AlignedWords, ...]:
    """Words that are each other's nearest, most similar first."""
    if not a.spans or not b.spans:
        return ()
    values = _unit(a.vectors) @ _unit(b.vectors).T
    rows, columns = values.argmax(1), values.argmax(0)
    pairs = [
        AlignedWords(a.spans[i], b.spans[j], round(float(values[i, j]), 3))
        for i, j in enumerate(rows.tolist())
        if columns[j] == i and (values[i, j] >= MIN_COSINE or a.names[i] == b.names[j])
    ]
    return tuple(sorted(pairs, key=lambda w: -w.weight))


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))
