"""The network over words, sentences and paragraphs, and what it reads: SMASH RNN and HAN are made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import BiEncoder, ProjectedWords
from colde.models.shared.gru_attention import Hierarchy, LevelOutput
from colde.models.shared.network_input import (
    DocumentTokens,
    Ints,
    ModelInput,
    document_tokens,
    group_spans,
    word_start_flags,
)
from colde.results.model_score import Coverage
from colde.text.document import Document, Span

DEPTHS = {"p": 3, "s": 2, "w": 1}
"""Hierarchy → its levels (SMASH, 3.1): words in sentences in paragraphs, words in sentences, words alone."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Limits on how much of a document is read, and in which pieces; the papers read it all (SMASH) or say nothing.

    Attributes:
        tokens: word pieces, by whole sentences.
        words: word pieces of the word hierarchy, a single sequence of that many steps.
        sentence: word pieces; a longer sentence is cut into several.
        run: sentences of a paragraph where the document knows no paragraphs.
    """

    tokens: int = 2048
    words: int = 512
    sentence: int = 128
    run: int = 5


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyText(ModelInput):
    """Word pieces in sentences in paragraphs; a heading is the first sentence of the paragraph after it.

    Attributes:
        sentences: [sentences], number of word pieces in each.
        paragraphs: [paragraphs], number of sentences in each.
        extent: [2], the code point where reading ended, and the word pieces of the whole document.
    """

    sentences: Ints
    paragraphs: Ints
    extent: Ints


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """Spans of the pieces of a `HierarchyText` in the document's text.

    Attributes:
        word_of: [tokens], the word each word piece belongs to.
        words, sentences, paragraphs: their spans, in reading order.
    """

    word_of: NDArray[np.int64]
    words: tuple[Span, ...]
    sentences: tuple[Span, ...]
    paragraphs: tuple[Span, ...]


def read_text(document: Document, tokens: DocumentTokens, limits: ReadingLimits) -> HierarchyText:
    """Take the first sentences that fit into `limits.tokens`."""
    starts = _sentence_starts(tokens, limits.sentence)
    lengths = np.diff(np.append(starts, len(tokens)))
    fitting = int(np.searchsorted(np.cumsum(lengths), limits.tokens, side="right"))
    lengths = lengths[:fitting]
    count = int(lengths.sum())
    paragraph = _paragraph_of(document, tokens, starts[:fitting], limits.run)
    return HierarchyText(
        ids=tokens.ids[:count],
        sentences=lengths.astype(np.int32),
        paragraphs=np.unique(paragraph, return_counts=True)[1].astype(np.int32),
        extent=np.array([tokens.ends[count - 1] if count else 0, len(tokens)], dtype=np.int32),
    )


def coverage_up_to(document: Document, text: HierarchyText) -> Coverage:
    """Coverage of the first `len(ids)` word pieces; the rest of each section was not read."""
    end, total = (int(x) for x in text.extent)
    if len(text.ids) == total:
        return Coverage(total, total)
    unread = []
    for _, section in document.compared():
        rest = document.text[max(end, section.start) : section.end]
        if rest.strip():
            unread.append(Span(max(end, section.start) + len(rest) - len(rest.lstrip()), section.end))
    return Coverage(len(text.ids), total, tuple(unread))


def _sentence_starts(tokens: DocumentTokens, longest: int) -> NDArray[np.int64]:
    """First token of each sentence, heading, or piece of a sentence that is longer than `longest`."""
    if not len(tokens):
        return np.zeros(0, np.int64)
    new = np.ones(len(tokens), dtype=bool)
    new[1:] = (np.diff(tokens.sentence) != 0) | (np.diff(tokens.section) != 0)
    starts = np.flatnonzero(new)
    within = np.arange(len(tokens)) - np.repeat(starts, np.diff(np.append(starts, len(tokens))))
    return np.flatnonzero(within % longest == 0)


def _paragraph_of(
    document: Document, tokens: DocumentTokens, starts: NDArray[np.int64], run: int
) -> NDArray[np.int64]:
    """A number for the paragraph of each sentence, rising: [sentences]."""
    lengths = np.zeros(len(starts), np.int64)
    section_of = tokens.section[starts]
    offset = 0
    for index in np.unique(section_of):
        here = np.flatnonzero(section_of == index)
        paragraphs = document.sections[index].paragraphs
        if paragraphs:
            begin = np.array([p.start for p in paragraphs])
            inner = np.maximum(np.searchsorted(begin, tokens.starts[starts[here]], side="right") - 1, 0)
        else:
            inner = np.arange(len(here)) // run
        lengths[here] = offset + inner
        offset += int(inner.max()) + 1
    return lengths


def token_spans(document: Document, tokens: DocumentTokens, text: HierarchyText) -> TokenSpans:
    """Spans of the words, sentences and paragraphs that `read_text` has taken."""
    count = len(text.ids)
    starts, ends = tokens.starts[:count], tokens.ends[:count]
    first = np.cumsum(text.sentences) - text.sentences
    paragraph = np.cumsum(text.paragraphs) - text.paragraphs
    new = word_start_flags(document.text, starts, ends)
    new[first] = True
    return TokenSpans(
        np.cumsum(new) - 1,
        group_spans(starts, ends, np.flatnonzero(new)),
        group_spans(starts, ends, first),
        group_spans(starts, ends, first[paragraph]),
    )


class HierarchicalNetwork(BiEncoder):
    """One attention-based recurrent network a hierarchy over the same word vectors; d = [d^p; d^s; d^w] (3.3)."""

    input_type: ClassVar[type[ModelInput]] = HierarchyText

    def __init__(
        self,
        hierarchies: Sequence[str],
        *,
        words: int,
        hidden: int,
        attention: int,
        dropout: float,
        limits: ReadingLimits,
    ) -> None:
        super().__init__()
        if not {"p", "s"} & set(hierarchies) or not set(hierarchies) <= set(DEPTHS):
            raise ModelError(
                f"hierarchies are of p, s and w, with p or s among them; got {list(hierarchies)}"
            )
        self.limits = limits
        self.dimension = 2 * hidden * len(hierarchies)
        self.words = ProjectedWords(words)
        self.words.centre()
        self.dropout = nn.Dropout(dropout)
        self.hierarchies = nn.ModuleDict(
            {h: Hierarchy(words, hidden, attention, DEPTHS[h]) for h in DEPTHS if h in hierarchies}
        )

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> HierarchyText:
        tokens = document_tokens(document) if tokens is None else tokens
        return read_text(document, tokens, self.limits)

    def levels(self, documents: Sequence[ModelInput]) -> dict[str, list[LevelOutput]]:
        """Every level of every hierarchy, lowest first, the documents' items one after the other."""
        texts = [_checked(d) for d in documents]
        ids = torch.from_numpy(np.concatenate([t.ids for t in texts])).long().to(self.device)
        unique, where = torch.unique(ids, return_inverse=True)
        table = self.dropout(self.words(unique))  # a word piece that occurs twice is projected once
        sentences = _lengths(np.concatenate([t.sentences for t in texts]))
        paragraphs = _lengths(np.concatenate([t.paragraphs for t in texts]))
        level_vectors = {}
        for name, hierarchy in self.hierarchies.items():
            words = where
            if name == "p":
                lengths = [sentences, paragraphs, _lengths([len(t.paragraphs) for t in texts])]
            elif name == "s":
                lengths = [sentences, _lengths([len(t.sentences) for t in texts])]
            else:
                lengths = [_lengths([min(len(t.ids), self.limits.words) for t in texts])]
                words = where[self._first_words(texts)]
            level_vectors[name] = hierarchy(table, words, lengths)
        return level_vectors

    def _first_words(self, texts: Sequence[HierarchyText]) -> Tensor:
        """Positions of each document's first word pieces in the flat sequence."""
        starts = np.cumsum([0, *(len(t.ids) for t in texts[:-1])])
        parts = [
            s + np.arange(min(len(t.ids), self.limits.words)) for s, t in zip(starts, texts, strict=True)
        ]
        return torch.from_numpy(np.concatenate(parts)).to(self.device)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, dimension]."""
        return torch.cat([levels[-1].vectors for levels in self.levels(documents).values()], dim=1)


def _checked(prepared: ModelInput) -> HierarchyText:
    assert isinstance(prepared, HierarchyText)
    return prepared


def _lengths(counts: Any) -> Tensor:
    """Lengths as a tensor on the CPU, where the GRU needs them."""
    return torch.as_tensor(counts, dtype=torch.int64)
