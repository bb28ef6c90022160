"""Greedy sentence filling: sentences into blocks of a few tokens, none split (SMITH, 4.1.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.models.shared.network_input import DocumentTokens, Ints, ModelInput
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

SPECIAL = 3  # [CLS] … [SEP] [SEP]: a block of 32 tokens holds 29 of the text


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(ModelInput):
    """A document as the network reads it, block after block.

    Attributes:
        ids: [tokens], `[CLS] … [SEP] [SEP]` of each block, one after the other.
        first: [blocks + 1], tokens of block i are `ids[first[i]:first[i + 1]]`; a text without words has one
            block that holds none.
        starts, ends: [blocks of text], code points into `Document.text`.
    """

    first: Ints
    starts: Ints
    ends: Ints


def pack_sentences(lengths: Sequence[int], room: int, begin: Collection[int] = ()) -> list[range]:
    """Fill blocks with sentences: `lengths` in tokens, in reading order.

    A sentence goes into the current block where it fits, else into the next one; a sentence longer than a block
    has a block to itself, in which it is cut. Sentences without tokens belong to no block of their own.

    Args:
        room: tokens a block can hold.
        begin: sentences that begin a block whatever room there is.
    """
    block_ranges: list[range] = []
    start, held = 0, 0
    for i, length in enumerate(lengths):
        if held and (held + length > room or i in begin):
            block_ranges.append(range(start, i))
            start, held = i, 0
        held += min(length, room)
    if held:
        block_ranges.append(range(start, len(lengths)))
    return block_ranges


def block_tokens(document: Document, tokens: DocumentTokens, room: int, most: int) -> list[NDArray[np.intp]]:
    """Positions in `tokens` of what each of the first `most` blocks holds, rising.

    A heading counts as a sentence. No block reaches over a section that is not compared, so that its passage in the
    text holds nothing the model has not read.
    """
    if not len(tokens):
        return []
    border = (np.diff(tokens.sentence) != 0) | (np.diff(tokens.section) != 0)
    first = np.concatenate(([0], np.flatnonzero(border) + 1, [len(tokens)]))  # [sentences + 1]
    aside = np.cumsum([s.role is not None for s in document.sections])  # sections set aside so far
    part = aside[tokens.section[first[:-1]]]  # [sentences]
    begin = set((np.flatnonzero(np.diff(part)) + 1).tolist())
    filled = pack_sentences(np.diff(first).tolist(), room, begin)[:most]
    return [
        np.concatenate(
            [np.arange(first[i], min(first[i + 1], first[i] + room), dtype=np.intp) for i in sentences]
        )
        for sentences in filled
    ]


def document_blocks(document: Document, tokens: DocumentTokens, size: int, most: int) -> Blocks:
    """The first `most` blocks of `size` tokens each, special tokens counted."""
    tokenizer = default_tokenizer()
    held = block_tokens(document, tokens, size - SPECIAL, most)
    rows = [
        np.concatenate(([tokenizer.first], tokens.ids[positions], [tokenizer.last, tokenizer.last]))
        for positions in held or [np.zeros(0, np.intp)]
    ]
    return Blocks(
        ids=np.concatenate(rows).astype(np.int32),
        first=np.cumsum([0, *(len(r) for r in rows)]).astype(np.int32),
        starts=np.array([tokens.starts[p[0]] for p in held], dtype=np.int32),
        ends=np.array([tokens.ends[p[-1]] for p in held], dtype=np.int32),
    )
