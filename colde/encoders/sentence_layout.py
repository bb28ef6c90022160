"""A document as sentences for the encoder, and the segments, chunks and sections that they belong to.

The encoder reads one sentence at a time; vectors of every level above are weighted sums of sentence vectors.

    sentence ⊂ segment (consecutive sentences of one chunk, about 64 tokens: the unit of attention)
             ⊂ chunk (consecutive sentences of one section, at most 512 tokens, 3.1)
             ⊂ section (of the document)

Training splits the chunks of a document into parts, too (`colde.models.colde.augmentation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from colde.errors import ModelError
from colde.text.chunks import CHUNK_TOKENS, SPECIAL_TOKENS, TextTokenizer, Tokens
from colde.text.document import Document, Span

LONGEST = 256
"""Tokens of a sentence, special tokens included; longer ones are cut. The encoder was trained with 256."""

SEGMENT_TOKENS = 64
"""Approximate tokens of a segment: better for the score than chunks and than single sentences (docs/log/colde.md)."""

MOST_SEGMENTS = 2_000
"""Approximate segments of a document; those of longer documents are longer, as attention costs their product."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """The sentences that are compared of a document, headings among them, in reading order.

    Attributes:
        spans: in the document's text.
        ids: token ids of each, special tokens included, int32.
        tokens: [sentences], word pieces of each without special tokens; the weight of the sentence.
        section: [sentences], index into `Document.sections`.
        chunk: [sentences], number of the chunk in the document, from 0.
        source: [sentences], index into `Document.sentences()`; −1 for a heading. Pieces of one sentence share it.
        segment: [sentences], number of the segment in the document, from 0.
        segment_chunk: [segments], the chunk of each segment, rising.
    """

    spans: tuple[Span, ...]
    ids: tuple[NDArray[np.int32], ...]
    tokens: NDArray[np.int64]
    section: NDArray[np.int64]
    chunk: NDArray[np.int64]
    source: NDArray[np.int64]
    segment: NDArray[np.int64]
    segment_chunk: NDArray[np.int64]

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return int(self.chunk[-1]) + 1 if len(self.chunk) else 0

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[sentences], tokens with special tokens."""
        return self.tokens + SPECIAL_TOKENS


class _Passage(NamedTuple):
    """A heading or sentence, or a piece of one; `section` and `source` as in `Sentences`."""

    span: Span
    section: int
    source: int


def read_sentences(document: Document, tokenizer: TextTokenizer) -> Sentences:
    """The sentences, segments and chunks of a document.

    Raises:
        ModelError: a long document without sentences, each of whose sections would count as one sentence.
    """
    bodies = [document.text[s.body : s.end] for _, s in document.compared() if not s.sentences]
    if len(bodies) == sum(1 for _ in document.compared()) and len(" ".join(bodies).split()) > LONGEST:
        raise ModelError("the document was read without sentences, which CoLDE reads: read it with them")
    passages = list(_passages(document))
    tokenized = tokenizer([document.text[p.span.start : p.span.end] for p in passages])
    pieces: list[_Passage] = []
    ids: list[NDArray[np.int32]] = []
    for passage, tokens in zip(passages, tokenized, strict=True):
        for span, piece_ids in _pieces(passage.span, tokens, tokenizer):
            pieces.append(passage._replace(span=span))
            ids.append(piece_ids)
    count = np.array([len(i) - SPECIAL_TOKENS for i in ids], dtype=np.int64)
    section = np.array([p.section for p in pieces], dtype=np.int64)
    chunk = fill_chunks(count, section)
    segment, segment_chunk = split_segments(count, chunk)
    return Sentences(
        spans=tuple(p.span for p in pieces),
        ids=tuple(ids),
        tokens=count,
        section=section,
        chunk=chunk,
        source=np.array([p.source for p in pieces], dtype=np.int64),
        segment=segment,
        segment_chunk=segment_chunk,
    )


def _passages(document: Document) -> Iterator[_Passage]:
    """Headings and sentences of what is compared, in reading order."""
    source = 0
    for index, section in document.compared():
        heading = document.text[section.start : section.body].rstrip()
        if heading:
            yield _Passage(Span(section.start, section.start + len(heading)), index, -1)
        for sentence in section.sentences:
            yield _Passage(Span(sentence.start, sentence.end), index, source)
            source += 1


def _pieces(span: Span, tokens: Tokens, tokenizer: TextTokenizer) -> Iterator[tuple[Span, NDArray[np.int32]]]:
    """A sentence with its token ids, or equal pieces of a very long one; nothing for a sentence without tokens."""
    count = -(-len(tokens) // (LONGEST - SPECIAL_TOKENS))
    borders = [round(i * len(tokens) / count) for i in range(count + 1)] if count else []
    for start, end in pairwise(borders):
        ids = np.concatenate(([tokenizer.first], tokens.ids[start:end], [tokenizer.last])).astype(np.int32)
        yield Span(span.start + int(tokens.starts[start]), span.start + int(tokens.ends[end - 1])), ids


def fill_chunks(tokens: Sequence[int] | NDArray[np.int64], section: NDArray[np.int64]) -> NDArray[np.int64]:
    """Chunk of each sentence: chunks are filled one after the other with at most 510 tokens of one section (3.1).

    A chunk ends where a sentence ends, so that it is the sum of its sentences.
    """
    chunk = np.zeros(len(tokens), dtype=np.int64)
    number, filled, last = -1, 0, -1
    for i, (count, index) in enumerate(zip(tokens, section, strict=True)):
        if index != last or filled + count > CHUNK_TOKENS - SPECIAL_TOKENS:
            number, filled, last = number + 1, 0, int(index)
        filled += int(count)
        chunk[i] = number
    return chunk


def split_segments(
    tokens: NDArray[np.int64], chunk: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Segment of each sentence, and chunk of each segment: runs of sentences with about as many tokens each.

    Args:
        tokens, chunk: [sentences] of one document; chunks from 0 and rising.
    """
    if not len(tokens):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    target = max(SEGMENT_TOKENS, int(tokens.sum()) / MOST_SEGMENTS)
    size = np.bincount(chunk, tokens)
    count = np.maximum(np.round(size / target), 1)  # [chunks], segments of each
    end = np.cumsum(tokens) - (np.cumsum(size) - size)[chunk]  # of each sentence in its chunk, in tokens
    middle = (end - tokens / 2) / np.maximum(size[chunk], 1)
    in_chunk = np.minimum(middle * count[chunk], count[chunk] - 1).astype(np.int64)
    first = (np.cumsum(count) - count)[chunk].astype(np.int64)
    _, at, segment = np.unique(first + in_chunk, return_index=True, return_inverse=True)
    return np.asarray(segment, dtype=np.int64), np.asarray(chunk[at], dtype=np.int64)
