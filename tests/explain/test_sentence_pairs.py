"""Strengths of pairs of sentences: rarity, fragments, and the same sentence."""

from __future__ import annotations

import numpy as np
import pytest

from colde.encoders.vector_math import normalised
from colde.explain.sentence_pairs import (
    FRAGMENT_WEIGHT,
    NO_WORD_WEIGHT,
    pair_weights,
    readable_sentences,
    sentence_strengths,
)

PROSE = (
    "The court held that the clause was void from the first day.",
    "Die Brücke wurde nach dem Hochwasser an derselben Stelle neu gebaut (Meyer et al., 2003).",
    "Мост построили заново на том же месте после наводнения.",
    "L’eau d’un lac s’évapore l’été, et l’on n’y voit qu’un peu d’herbe.",
    "И в лесу, и в поле, и у реки было тихо с утра.",
    "湖の水は夏に蒸発し、草だけが残る。",
)
FRAGMENTS = (
    "44 tun3 (shall/to plan) 106 kan4 (to see) 41 ------------------- Total 4497",
    "2 × (gain × loss) / (gain + loss)",
    "Table 3.",
    "M i 1 Pi, where Pi (precision at i) equals i/H i, and H i is the number of units before the i th hit.",
    "left left left right right right left left right",
)


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_readable(text: str) -> None:
    assert readable_sentences([text]).all()


@pytest.mark.parametrize("text", FRAGMENTS)
def test_rows_of_tables_and_formulas_are_not(text: str) -> None:
    assert not readable_sentences([text]).any()


def test_fragments_and_pairs_without_a_subject_word_weigh_less() -> None:
    bridge, other = (
        "The bridge was built anew on the same spot.",
        "The old bridge stood on this spot since 1840.",
    )
    phrase = "The results are shown in the first table of this part."
    weights = pair_weights([bridge, phrase], [other, phrase, FRAGMENTS[0]], _unknown(2), _unknown(3))
    assert weights[0, 0] == 1
    assert weights[1, 1] == pytest.approx(NO_WORD_WEIGHT)
    assert weights[0, 2] <= FRAGMENT_WEIGHT
    common = pair_weights([bridge], [other], np.full(1, 0.7, np.float32), np.full(1, 0.7, np.float32))
    assert 0 < common[0, 0] < 0.5


def _unknown(sentences: int) -> np.ndarray:
    return np.zeros(sentences, dtype=np.float32)


def test_the_same_sentence_is_1_and_a_fragment_weighs_less() -> None:
    rng = np.random.default_rng(0)
    vectors = normalised(rng.normal(size=(3, 8)).astype(np.float32))
    one, other = [*PROSE[:2], FRAGMENTS[0]], [PROSE[1], PROSE[0], FRAGMENTS[0]]
    found = sentence_strengths((one, other), (vectors, vectors[[1, 0, 2]]), (_unknown(3), _unknown(3)))
    assert found[0, 1] == found[1, 0] == found[2, 2] == 1
    assert found.max() == 1 and found[2, :2].max() <= FRAGMENT_WEIGHT


def test_swapping_the_documents_transposes_the_strengths() -> None:
    rng = np.random.default_rng(1)
    a, b = (normalised(rng.normal(size=(n, 8)).astype(np.float32)) for n in (3, 2))
    one = sentence_strengths((PROSE[:3], FRAGMENTS[:2]), (a, b), (_unknown(3), _unknown(2)))
    other = sentence_strengths((FRAGMENTS[:2], PROSE[:3]), (b, a), (_unknown(2), _unknown(3)))
    assert np.allclose(one, other.T, atol=1e-6)
