"""Word pieces of a document: what a network reads, where its pieces stand, and how much of the text that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from colde.encoders.vector_math import normalised
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ModelInput:
    """A network's input for a document (or for a pair). Subclasses add fields; each is an int32 array.

    Attributes:
        ids: [tokens], word pieces in the order in which the network takes them, special tokens included.
    """

    ids: Ints

    @property
    def size(self) -> int:
        """Tokens the network works on: what batches are counted by."""
        return len(self.ids)

    def arrays(self) -> dict[str, Ints]:
        """The fields by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def of(cls, arrays: dict[str, Any]) -> Self:
        """The inverse of `arrays`."""
        return cls(**{f.name: np.asarray(arrays[f.name], dtype=np.int32) for f in fields(cls)})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InputEncoding(Encoding):
    """A document as a network's input.

    Attributes:
        prepared: what the network reads of it.
    """

    prepared: ModelInput


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorEncoding(InputEncoding):
    """A document as a network's input and vector.

    Attributes:
        raw: [dimension], the vector as the network gave it; `vector` is the same of length one.
    """

    raw: Array

    def extended(self, kind: type[E], **more: Any) -> E:
        """An encoding of a subclass, with these fields and more."""
        return kind(**{**{f.name: getattr(self, f.name) for f in fields(self)}, **more})


E = TypeVar("E", bound=VectorEncoding)


def vector_encoding(
    document: Document, coverage: Coverage, prepared: ModelInput, raw: Array
) -> VectorEncoding:
    """Encoding of a document without `explain`: what a score needs."""
    return VectorEncoding(
        document=document, coverage=coverage, vector=normalised(raw), prepared=prepared, raw=raw
    )


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTokens:
    """All word pieces of the sections that are compared, headings included, without special tokens.

    Attributes:
        ids: [tokens].
        starts, ends: [tokens], code points into `Document.text`.
        section: [tokens], index into `Document.sections`.
        sentence: [tokens], position in `list(Document.sentences())`; −1 in headings.
    """

    ids: Ints
    starts: Ints
    ends: Ints
    section: Ints
    sentence: Ints

    def __len__(self) -> int:
        return len(self.ids)

    def at(self, positions: NDArray[Any]) -> DocumentTokens:
        """Some of the tokens."""
        return DocumentTokens(**{f.name: getattr(self, f.name)[positions] for f in fields(self)})


def document_tokens(document: Document) -> DocumentTokens:
    """Word pieces of the default tokenizer with their places."""
    compared = list(document.compared())
    parts = default_tokenizer()([document.text[s.start : s.end] for _, s in compared])
    empty = np.zeros(0, np.int32)
    ids = np.concatenate([empty, *(p.ids for p in parts)])
    starts = np.concatenate([empty, *(p.starts + s.start for p, (_, s) in zip(parts, compared, strict=True))])
    ends = np.concatenate([empty, *(p.ends + s.start for p, (_, s) in zip(parts, compared, strict=True))])
    section = np.concatenate(
        [empty, *(np.full(len(p), i) for p, (i, _) in zip(parts, compared, strict=True))]
    )
    return DocumentTokens(
        ids.astype(np.int32),
        starts.astype(np.int32),
        ends.astype(np.int32),
        section.astype(np.int32),
        _sentence_of(document, starts),
    )


def _sentence_of(document: Document, starts: NDArray[Any]) -> Ints:
    """For each token's start the position of the sentence that holds it, or −1: [tokens]."""
    sentences = [s for _, s in document.sentences()]
    if not sentences:
        return np.full(len(starts), -1, np.int32)
    begin = np.array([s.start for s in sentences])
    end = np.array([s.end for s in sentences])
    position = np.searchsorted(begin, starts, side="right") - 1
    inside = (position >= 0) & (starts < end[np.maximum(position, 0)])
    return np.where(inside, position, -1).astype(np.int32)


def framed(ids: Ints) -> Ints:
    """[CLS] ids [SEP]."""
    tokenizer = default_tokenizer()
    return np.concatenate(([tokenizer.first], ids, [tokenizer.last])).astype(np.int32)


def word_start_flags(text: str, starts: Ints, ends: Ints) -> NDArray[np.bool_]:
    """Mark the word pieces that begin a word: [pieces].

    A piece goes on with the word before it where the two overlap, or touch with a letter or digit on either side.

    Args:
        starts, ends: [pieces], code points into `text`, rising.
    """
    new = np.ones(len(starts), dtype=np.bool_)
    for i in range(1, len(starts)):
        at, before = int(starts[i]), int(ends[i - 1])
        new[i] = at > before or (at == before and not (text[at - 1].isalnum() and text[at].isalnum()))
    return new


def group_spans(starts: Ints, ends: Ints, first: NDArray[Any]) -> tuple[Span, ...]:
    """Spans of groups of word pieces: each group begins at a piece in `first` and ends where the next one begins."""
    last = np.append(first, len(starts))[1:] - 1
    return tuple(Span(int(starts[i]), int(ends[j])) for i, j in zip(first, last, strict=True))


def first_read(tokens: DocumentTokens, count: int) -> Coverage:
    """Coverage of a network that reads the first `count` tokens."""
    return coverage_of(tokens, np.arange(len(tokens)) < count)


def coverage_of(tokens: DocumentTokens, read: NDArray[np.bool_]) -> Coverage:
    """Coverage of a document: `read` [tokens] is True where a token went in.

    The unread passages are the runs of tokens that did not, cut at the borders of sections.
    """
    unread: list[Span] = []
    places = np.flatnonzero(~read)
    if len(places):
        breaks = (np.diff(places) > 1) | (np.diff(tokens.section[places]) != 0)
        for run in np.split(places, np.flatnonzero(breaks) + 1):
            unread.append(Span(int(tokens.starts[run[0]]), int(tokens.ends[run[-1]])))
    return Coverage(int(read.sum()), len(tokens), tuple(unread))


def as_float(values: Any) -> Array:
    """A tensor or array on any device as float32 numpy."""
    return np.asarray(values.detach().float().cpu().numpy(), dtype=np.float32)


def sentence_spans(document: Document, positions: Sequence[int] | NDArray[Any]) -> tuple[Span, ...]:
    """Spans of the sentences at these positions of `Document.sentences()`."""
    sentences = [s for _, s in document.sentences()]
    return tuple(Span(sentences[i].start, sentences[i].end) for i in positions)
