"""Token ids of texts, and vectors of texts and sentences by an encoder, always computed and never from a cache."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.encoders.batches import padded_batches
from colde.encoders.encoder import Encoder, Ids
from colde.encoders.sentence_encoder import CachedSentenceEncoder, first_occurrences
from colde.encoders.sentence_layout import Sentences
from colde.results.similarity_map import Array
from colde.text.chunks import CHUNK_TOKENS, SPECIAL_TOKENS, TextTokenizer


def frame_texts(texts: Sequence[str], tokenizer: TextTokenizer, size: int = CHUNK_TOKENS) -> list[Ids]:
    """Ids of short texts (sentences) with special tokens, cut at `size`."""
    ids = (tokens.ids[: size - SPECIAL_TOKENS] for tokens in tokenizer(texts))
    return [np.concatenate(([tokenizer.first], i, [tokenizer.last])).astype(np.int32) for i in ids]


def encode_ids(encoder: Encoder, ids: Sequence[Ids]) -> Array:
    """Vectors of all texts, [texts, dimension], not normalised, in the order given; equal texts are encoded once."""
    first: dict[bytes, int] = {}
    number = np.array([first.setdefault(i.tobytes(), len(first)) for i in ids], dtype=np.int64)
    different = [ids[i] for i in np.unique(number, return_index=True)[1]] if len(ids) else []
    vectors = np.zeros((len(different), encoder.dimension), dtype=np.float32)
    for batch in padded_batches([len(i) for i in different]):
        vectors[batch] = encoder.mean_states([different[i] for i in batch])
    return vectors[number]


def encode_sentences(encoder: CachedSentenceEncoder, layout: Sentences) -> Array:
    """Unit vectors of the sentences of a document: [sentences, width]."""
    vectors = np.zeros((len(layout.ids), encoder.width), dtype=np.float32)
    for batch in encoder.batches(layout):
        vectors[batch] = encoder.read_batch(layout, batch)
    return vectors[first_occurrences(layout.ids)]
