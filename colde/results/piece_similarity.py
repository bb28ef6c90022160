"""How well the word pieces of a passage have like ones in a clause, whatever the words around them.

Vectors of sentences blur what single words say: a passage in wholly other words is often no closer to its counterpart
than to another sentence on the subject. Each piece therefore takes its nearest piece of the other text, by the cosine
of their states in the encoder (BERTScore, Zhang et al. 2020, section 3; the shares above a cosine as in K-NRM, Xiong et
al. 2017, section 3.2, with hard kernels).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.results.similarity_map import Array

LAYERS = (3, 6)
"""Layers of the encoder whose states are compared: half of them, and all."""
CLOSE = 0.6
"""Cosine from which a piece has a like one. Shares above several limits gain little more (docs/log/passages.md)."""
PIECE_FEATURES = (
    *(
        f"{name} after {layer} layers"
        for layer in LAYERS
        for name in (
            "pieces of the passage",  # mean of their highest cosine with a piece of the closest sentence
            "pieces of the sentence",  # the other way round
            "pieces in the clause",  # as the first, with a piece of any sentence
            "close pieces",  # share of the passage's pieces with one of the closest sentence at `CLOSE` or more
        )
    ),
    "equal pieces",  # share of the passage's pieces that the clause has
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces of a text.

    Attributes:
        ids: [pieces].
        states: after each of `LAYERS`, unit vectors: [pieces, dimension].
    """

    ids: NDArray[np.int32]
    states: tuple[Array, ...]


ReadPieces = Callable[[Sequence[str]], list[Pieces]]
"""The word pieces of each of some texts."""


def piece_features(passage: Pieces, clause: Sequence[Pieces]) -> tuple[float, ...]:
    """The features of a passage and the sentences of a clause, in the order of `PIECE_FEATURES`."""
    clause = [sentence for sentence in clause if len(sentence.ids)]
    if not len(passage.ids) or not clause:
        return (0.0,) * len(PIECE_FEATURES)
    features: list[float] = []
    for layer, states in enumerate(passage.states):
        cosines = [states @ sentence.states[layer].T for sentence in clause]
        closest = max(cosines, key=lambda c: c.max(1).mean() + c.max(0).mean())
        highest = closest.max(1)
        anywhere = np.max([c.max(1) for c in cosines], axis=0)
        features += [highest.mean(), closest.max(0).mean(), anywhere.mean(), (highest >= CLOSE).mean()]
    equal = np.isin(passage.ids, np.concatenate([sentence.ids for sentence in clause])).mean()
    return (*map(float, features), float(equal))
