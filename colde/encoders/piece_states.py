"""Word pieces of texts with their states in the packaged encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.vector_math import normalised
from colde.results.piece_similarity import LAYERS, Pieces

MOST_PIECES = 254
"""Of a text, without the two special ones; the encoder was trained on 256. The rest of a text is left out."""


def read_pieces(texts: Sequence[str]) -> list[Pieces]:
    """The word pieces of each text, without special ones.

    >>> [pieces] = read_pieces(["The lamp burned."])
    >>> len(pieces.ids), [states.shape for states in pieces.states]
    (4, [(4, 384), (4, 384)])
    """
    encoder = shared_encoder()
    tokens = encoder.tokenizer
    ids = [t.ids[:MOST_PIECES] for t in tokens(texts)]
    framed = [np.concatenate(([tokens.first], i, [tokens.last])).astype(np.int32) for i in ids]
    by_layer = [[normalised(s[1:-1]) for s in states] for states in encoder.states_of_layers(framed, LAYERS)]
    return [Pieces(i, states) for i, states in zip(ids, zip(*by_layer, strict=True), strict=True)]
