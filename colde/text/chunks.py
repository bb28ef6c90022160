"""Between characters and word pieces: token ids with the offsets they came from, and chunks of at most 512 tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colde.assets import packaged_encoder
from colde.packaged_files import ENCODER_TOKENIZER, check
from colde.text.document import Chunk, Document

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CHUNK_TOKENS = 512  # CoLDE, section 3.1; [CLS] and [SEP] are counted
SPECIAL_TOKENS = 2


@dataclass(frozen=True, slots=True)
class Tokens:
    """Word pieces of a text, without special tokens.

    Attributes:
        ids: [tokens], int32.
        starts, ends: [tokens], int32, code points into the text.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)


class TextTokenizer:
    """A fast tokenizer with character offsets, from any folder that holds a tokenizer.json."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        encoded = tokenizer.encode("")  # only the special tokens
        if len(encoded.ids) != SPECIAL_TOKENS:
            raise ValueError(f"expected a tokenizer that adds a first and a last token, got {encoded.tokens}")
        self.first, self.last = encoded.ids

    @property
    def pieces(self) -> int:
        """Number of word pieces, special tokens included."""
        return int(self._tokenizer.get_vocab_size())

    @classmethod
    def from_folder(cls, folder: Path) -> TextTokenizer:
        """Read `tokenizer.json` in this folder."""
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_file(str(folder / "tokenizer.json")))

    def __call__(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text; offsets point into that text."""
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        token_lists = []
        for e in encoded:
            offsets = np.asarray(e.offsets, dtype=np.int32).reshape(-1, 2)
            token_lists.append(Tokens(np.asarray(e.ids, dtype=np.int32), offsets[:, 0], offsets[:, 1]))
        return token_lists


@lru_cache(maxsize=1)
def default_tokenizer() -> TextTokenizer:
    """The tokenizer of the packaged encoder; DamagedFileError where it is another one than was tested."""
    check(ENCODER_TOKENIZER)
    return TextTokenizer.from_folder(packaged_encoder())


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """Chunks of a document and the token ids of each, special tokens included.

    Attributes:
        chunks: spans in the document's text, in reading order; none crosses a section.
        ids: one int32 array a chunk, at most `CHUNK_TOKENS` long.
        tokens: number of word pieces in everything that is compared.
    """

    chunks: tuple[Chunk, ...]
    ids: tuple[NDArray[np.int32], ...]
    tokens: int


def chunk_document(document: Document, tokenizer: TextTokenizer, size: int = CHUNK_TOKENS) -> ChunkedDocument:
    """Cut each compared section, heading included, into chunks of at most `size` tokens (section 3.1).

    Chunks are filled one after the other and do not overlap; the last one of a section is shorter. Sections
    that hold no word piece give no chunk.
    """
    body = size - SPECIAL_TOKENS
    compared = list(document.compared())
    chunks: list[Chunk] = []
    ids: list[NDArray[np.int32]] = []
    total = 0
    tokenized = tokenizer([document.text[s.start : s.end] for _, s in compared])
    for (index, section), tokens in zip(compared, tokenized, strict=True):
        total += len(tokens)
        for at in range(0, len(tokens), body):
            piece = slice(at, at + body)
            starts, ends = tokens.starts[piece], tokens.ends[piece]
            start, end = section.start + int(starts[0]), section.start + int(ends[-1])
            chunks.append(Chunk(start, end, index, len(starts) + SPECIAL_TOKENS))
            ids.append(_add_special_tokens(tokens.ids[piece], tokenizer))
    return ChunkedDocument(tuple(chunks), tuple(ids), total)


def _add_special_tokens(ids: NDArray[np.int32], tokenizer: TextTokenizer) -> NDArray[np.int32]:
    return np.concatenate(([tokenizer.first], ids, [tokenizer.last])).astype(np.int32)
