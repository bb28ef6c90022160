"""What made CoLDE's score: each channel of the mixture taken apart over pairs of sentences.

Words and chunks are sums, so that their parts are exact. The network's vector is taken apart over its chunks by
integrated Jacobians (`colde.models.integrated`). The encoder reads a chunk as one piece: what the network and the late
interaction owe to a chunk is spread over its sentences by their length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from colde.explain.contribution import (
    Exact,
    Factors,
    contribution_maps,
    units_of,
    weighed,
    word_shares,
)
from colde.models.colde.encoding import ColdeEncoding
from colde.models.colde.late import best_matches
from colde.models.colde.word_channel import WordChannel
from colde.models.integrated import VectorParts, product
from colde.results.maps import SimilarityMap
from colde.results.score import ScorePart
from colde.text.term_weights import Counts

MEANING = (
    "every channel of CoLDE's score over pairs of passages. Words and best matches of chunks exactly; the network's "
    "vector by integrated Jacobians over its chunks, approximate by what the residual states. Inside a chunk, which "
    "the encoder reads as one piece, the network's part is spread over the sentences by their length. A negative cell "
    "speaks against likeness; an empty document has 0, but for the network's constants, which are the reference."
)


def contributions(
    a: ColdeEncoding,
    b: ColdeEncoding,
    parts: Sequence[ScorePart],
    score: float,
    *,
    words: WordChannel | None,
    share: float,
    heads: tuple[VectorParts, VectorParts] | None,
) -> dict[str, SimilarityMap]:
    """Maps of what made the score of a pair.

    Args:
        parts: the channels of the score with their weights.
        words: the words channel.
        share: of the words channel's trained vectors in the part `vectors`; the rest is the network's.
        heads: what the chunks of each document bring to the network's vector; None where it has no weight.
    """
    weight = {p.name: p.weight for p in parts}
    units = units_of(a.document, a.chunk_spans), units_of(b.document, b.chunk_spans)
    shares = (word_shares(units[0]), word_shares(units[1])) if words is not None else None
    factors: list[Factors] = []
    reference = 0.0
    if weight["vectors"] and heads is not None:
        spoken = None
        if share and words is not None and shares is not None:
            assert a.words is not None and b.words is not None
            spoken = spoken_parts(a.words, shares[0], words), spoken_parts(b.words, shares[1], words)
        # The joined vector holds both channels by the roots of their shares, scaled to length one.
        length = 1.0 if spoken is None else _length(share, spoken[0]) * _length(share, spoken[1])
        left, right, owed = product(*heads)
        scale = weight["vectors"] * (1 - share) / length
        factors.append((units[0].spread @ left * scale, units[1].spread @ right))
        reference = owed * scale
        if spoken is not None:
            factors.append((spoken[0] * (weight["vectors"] * share / length), spoken[1]))
    if "chunks" in weight and a.late is not None and b.late is not None:
        matches = best_matches(a.late, b.late) * weight["chunks"]
        factors.append((units[0].spread @ matches, units[1].spread))
    if "words" in weight and shares is not None and a.words is not None and b.words is not None:
        factors.append((weighed(shares[0], a.words) * weight["words"], weighed(shares[1], b.words)))
    return contribution_maps(*units, factors, score, MEANING, reference=reference)


def spoken_parts(weights: Counts, shares: Counts, words: WordChannel) -> Exact:
    """What each unit brings to the words channel's vector, which is of length one or zero: [units, words].

    Args:
        weights: [1, BUCKETS], TF-IDF of the document; shares: [units, BUCKETS], `word_shares`.
    """
    known = words.known(weights)
    table = cast(Exact, words.table.detach().double().numpy())
    parts = np.asarray(weighed(shares[:, words.columns], known) @ table, dtype=np.float64)
    whole = np.asarray(known @ table)[0]  # of all words, also of one that no unit holds
    return np.asarray(parts / max(float(np.linalg.norm(whole)), 1e-12))


def _length(share: float, spoken: Exact) -> float:
    """Of the joined vector before it is scaled: shorter where the text holds no known word."""
    return float(np.sqrt(1 - share + share * (spoken.sum(0) ** 2).sum()))
