"""Word pieces of a passage take their nearest pieces of a clause."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from colde.encoders.piece_states import MOST_PIECES, read_pieces
from colde.results.piece_similarity import LAYERS, PIECE_FEATURES, Pieces, piece_features


def pieces(*numbers: int, cosine: float = 1.0) -> Pieces:
    """Pieces in directions of these numbers, turned towards an unused one so that equal ones have this cosine."""
    states = np.zeros((len(numbers), 12), dtype=np.float32)
    states[np.arange(len(numbers)), list(numbers)] = cosine
    states[:, 11] = np.sqrt(1 - cosine**2)
    return Pieces(np.array(numbers, dtype=np.int32), (states,) * len(LAYERS))


def features(passage: Pieces, clause: Sequence[Pieces]) -> dict[str, float]:
    return dict(zip(PIECE_FEATURES, piece_features(passage, clause), strict=True))


def test_pieces_of_the_passage_may_lie_in_any_sentence_of_the_clause() -> None:
    values = features(pieces(1, 2, 3, 4), [pieces(1, 2, 3, 7), pieces(4, 8, 9, 10)])
    layer = f"after {LAYERS[0]} layers"
    assert values[f"pieces of the passage {layer}"] == pytest.approx(
        0.75
    )  # the first sentence is the closest
    assert values[f"pieces of the sentence {layer}"] == pytest.approx(0.75)
    assert values[f"pieces in the clause {layer}"] == values["equal pieces"] == pytest.approx(1.0)


@pytest.mark.parametrize(("cosine", "share"), [(0.9, 0.5), (0.5, 0.0)])
def test_close_pieces_reach_a_cosine(cosine: float, share: float) -> None:
    passage, sentence = pieces(1, 2), pieces(1, 5, cosine=cosine)
    assert features(passage, [sentence])[f"close pieces after {LAYERS[1]} layers"] == share


def test_a_text_without_pieces_has_no_features() -> None:
    assert set(piece_features(pieces(), [pieces(1)])) == set(piece_features(pieces(1), [pieces()])) == {0.0}


def test_pieces_that_are_read_together_are_those_read_alone() -> None:
    texts = ["The keeper lit the lamp at dusk.", "", "fog " * (MOST_PIECES + 9)]
    together = read_pieces(texts)
    assert [len(p.ids) for p in together] == [8, 0, MOST_PIECES]
    (alone,) = read_pieces(texts[:1])
    for one, other in zip(alone.states, together[0].states, strict=True):
        np.testing.assert_allclose(one, other, atol=0.02)
        np.testing.assert_allclose(np.linalg.norm(one, axis=1), 1, atol=1e-3)
