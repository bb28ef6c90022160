"""A document as sentences: what the encoder reads, and where each sentence belongs.

Sentences are the atoms: the encoder reads one at a time, and every level above is a weighted sum of them.

    sentence ⊂ segment (consecutive sentences of one chunk, about 64 tokens: what attention looks at)
             ⊂ chunk (consecutive sentences of one section, at most 512 tokens, 3.1)
             ⊂ section (as the document has them)
    chunk    ⊂ part p of n_p (the paper splits every document in two, 3.1), chunk number q counted within its part

Section and chunk numbers are those of the whole document, in training as in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from colde.errors import ModelError
from colde.text.chunks import CHUNK_TOKENS, SPECIAL_TOKENS, TextTokenizer, Tokens
from colde.text.document import Document, Span

PARTS = 2
"""n_p: the paper splits documents into two (3.1)."""

LONGEST = 256
"""Tokens of a sentence, special tokens included; a longer one is cut into pieces. The encoder was made for 256."""

SEGMENT_TOKENS = 64
"""Tokens of a segment, about: between chunks and single sentences the best for the score (docs/results.md)."""

MOST_SEGMENTS = 2_000
"""Segments of a document, about; longer documents have longer ones, for attention costs the product of both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Sections and chunks that sentences belong to: those of a document, or of several, one after the other.

    Attributes:
        tokens: [sentences], word pieces of each, special tokens not counted: its weight.
        chunk: [sentences], number of the chunk in the document, from 0.
        part: [chunks], p, the part of the document that the chunk belongs to.
        place: [chunks], q, its number in that part.
    """

    tokens: NDArray[np.int64]
    chunk: NDArray[np.int64]
    part: NDArray[np.int64]
    place: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences(Layout):
    """The sentences of what is compared of a document, headings among them, in reading order.

    Attributes:
        spans: where each stands in the document's text.
        ids: token ids of each, special tokens included, int32.
        section: [sentences], index into `Document.sections`.
        source: [sentences], index into `Document.sentences()`; −1 for a heading. Pieces of one sentence share it.
        segment: [sentences], number of the segment in the document, from 0.
        segment_chunk: [segments], the chunk that each segment belongs to, rising.
    """

    spans: tuple[Span, ...]
    ids: tuple[NDArray[np.int32], ...]
    section: NDArray[np.int64]
    source: NDArray[np.int64]
    segment: NDArray[np.int64]
    segment_chunk: NDArray[np.int64]

    @property
    def segment_mass(self) -> NDArray[np.int64]:
        """[segments], tokens of each."""
        found = np.zeros(len(self.segment_chunk), dtype=np.int64)
        np.add.at(found, self.segment, self.tokens)
        return found

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[sentences], tokens with special ones."""
        return self.tokens + SPECIAL_TOKENS


def read_sentences(document: Document, tokenizer: TextTokenizer, parts: int = PARTS) -> Sentences:
    """Sentences, chunks and parts of a document.

    Raises:
        ModelError: the document was read without sentences, and each of its sections would pass for one.
    """
    bodies = [document.text[s.body : s.end] for _, s in document.compared() if not s.sentences]
    if len(bodies) == sum(1 for _ in document.compared()) and len(" ".join(bodies).split()) > LONGEST:
        raise ModelError("the document was read without sentences, which CoLDE reads: read it with them")
    spans: list[Span] = []
    sections: list[int] = []
    sources: list[int] = []
    number = 0
    for index, section in document.compared():
        heading = document.text[section.start : section.body]
        if heading.strip():
            spans.append(Span(section.start, section.start + len(heading.rstrip())))
            sections.append(index)
            sources.append(-1)
        for s in section.sentences:
            spans.append(Span(s.start, s.end))
            sections.append(index)
            sources.append(number)
            number += 1
    tokenized = tokenizer([document.text[s.start : s.end] for s in spans])
    pieces: list[tuple[Span, NDArray[np.int32], int, int]] = []
    for span, tokens, index, source in zip(spans, tokenized, sections, sources, strict=True):
        pieces += [(*piece, index, source) for piece in _pieces(span, tokens, tokenizer)]
    count = np.array([len(ids) - SPECIAL_TOKENS for _, ids, *_ in pieces], dtype=np.int64)
    of = np.array([index for *_, index, _ in pieces], dtype=np.int64)
    chunk = fill_chunks(count, of)
    size = np.zeros(int(chunk[-1]) + 1 if len(chunk) else 0)
    np.add.at(size, chunk, count)
    part = split_parts(size, parts)
    segment, segment_chunk = split_segments(count, chunk)
    return Sentences(
        spans=tuple(span for span, *_ in pieces),
        ids=tuple(ids for _, ids, *_ in pieces),
        tokens=count,
        section=of,
        chunk=chunk,
        part=part,
        place=np.arange(len(part)) - np.searchsorted(part, part),
        source=np.array([source for *_, source in pieces], dtype=np.int64),
        segment=segment,
        segment_chunk=segment_chunk,
    )


def _pieces(span: Span, tokens: Tokens, tokenizer: TextTokenizer) -> list[tuple[Span, NDArray[np.int32]]]:
    """A sentence, or what a very long one is cut into: pieces of like length with their token ids."""
    many = -(-len(tokens) // (LONGEST - SPECIAL_TOKENS))
    borders = [round(i * len(tokens) / many) for i in range(many + 1)] if many else []
    found = []
    for start, end in pairwise(borders):
        ids = np.concatenate(([tokenizer.first], tokens.ids[start:end], [tokenizer.last])).astype(np.int32)
        place = Span(span.start + int(tokens.starts[start]), span.start + int(tokens.ends[end - 1]))
        found.append((place, ids))
    return found


def fill_chunks(tokens: Sequence[int] | NDArray[np.int64], section: NDArray[np.int64]) -> NDArray[np.int64]:
    """Chunk number of each sentence: filled one after the other with at most 510 tokens of one section (3.1).

    A chunk ends at the end of a sentence, so that it is the sum of its sentences.
    """
    found = np.zeros(len(tokens), dtype=np.int64)
    number, held, last = -1, 0, -1
    for i, (count, index) in enumerate(zip(tokens, section, strict=True)):
        if index != last or held + count > CHUNK_TOKENS - SPECIAL_TOKENS:
            number, held, last = number + 1, 0, int(index)
        held += int(count)
        found[i] = number
    return found


def split_segments(
    tokens: NDArray[np.int64], chunk: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Segment of each sentence, and the chunk of each segment: runs of sentences of about as many tokens.

    Args:
        tokens, chunk: of the sentences of one document, chunks from 0 and rising.
    """
    if not len(tokens):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    wanted = max(SEGMENT_TOKENS, int(tokens.sum()) / MOST_SEGMENTS)
    size = np.bincount(chunk, tokens)
    many = np.maximum(np.round(size / wanted), 1)
    before = np.cumsum(tokens) - (np.cumsum(size) - size)[chunk]  # of its chunk, with the sentence itself
    middle = (before - tokens / 2) / np.maximum(size[chunk], 1)
    run = np.minimum(middle * many[chunk], many[chunk] - 1).astype(np.int64)
    first = (np.cumsum(many) - many)[chunk].astype(np.int64)
    _, at, segment = np.unique(first + run, return_index=True, return_inverse=True)
    return np.asarray(segment, dtype=np.int64), np.asarray(chunk[at], dtype=np.int64)


def split_parts(tokens: NDArray[np.float64], parts: int) -> NDArray[np.int64]:
    """Part p of each chunk, from the tokens of each: n_p runs of chunks of about as many tokens; fewer if need be."""
    if not len(tokens):
        return np.zeros(0, dtype=np.int64)
    middle = (np.cumsum(tokens) - tokens / 2) / max(float(np.sum(tokens)), 1.0)  # of each chunk, in (0, 1)
    number = np.minimum((middle * parts).astype(np.int64), parts - 1)
    number = np.maximum.accumulate(number)
    return np.asarray(np.unique(number, return_inverse=True)[1], dtype=np.int64)
