"""Plain words seen from a centre, held against scikit-learn's cosines of centred rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from colde.explain.contribution import default_units, factor_products, word_shares
from colde.ingest import read_text
from colde.models.colde_words.tfidf_centre import NO_CENTRE, TfidfCentre
from colde.models.colde_words.trained_words import DocumentWords
from colde.text.word_weights.term_weights import Counts, shipped_statistics, tfidf

TEXTS = [
    "The prism splits sunlight into colours. A lens bends light towards its focal point, and a prism bends it twice.",
    "Glass of a lens bends sunlight. The focal length of a lens depends on its glass; a prism has none.",
    "The river bank was flooded. Sunlight returned after the rain, and the meadow dried slowly in spring.",
]


@pytest.fixture
def rows() -> Counts:
    return tfidf(TEXTS, shipped_statistics())


@pytest.fixture
def centre(rows: Counts) -> TfidfCentre:
    return TfidfCentre.of(rows)


def words(rows: Counts) -> tuple[DocumentWords, DocumentWords]:
    """The words of the first two texts, without vectors."""
    a, b = (DocumentWords(Counts(row), np.zeros(0, np.float32)) for row in rows[:2])
    return a, b


def test_cosines_are_those_of_rows_less_the_mean(rows: Counts, centre: TfidfCentre) -> None:
    used = np.unique(rows.indices)
    dense = rows[:, used].toarray()
    expected = cosine_similarity(dense - dense.mean(0))
    i, j = np.triu_indices(len(TEXTS))
    assert centre.cosines(Counts(rows[i]), Counts(rows[j])) == pytest.approx(expected[i, j], abs=1e-6)


def test_without_a_centre_they_are_the_plain_ones(rows: Counts) -> None:
    assert NO_CENTRE.cosines(Counts(rows[0]), Counts(rows[1]))[0] == pytest.approx(
        cosine_similarity(rows[0], rows[1])[0, 0], abs=1e-6
    )


@pytest.mark.parametrize("centred", [False, True])
def test_what_passages_add_sums_to_the_weighted_cosine(
    rows: Counts, centre: TfidfCentre, centred: bool
) -> None:
    seen = centre if centred else NO_CENTRE
    shares = [word_shares(default_units(read_text(text))) for text in TEXTS[:2]]
    a, b = words(rows)
    cells = factor_products(seen.factors(a, b, shares[0], shares[1], 0.6))
    assert cells.shape == (shares[0].shape[0], shares[1].shape[0])
    assert cells.sum() == pytest.approx(0.6 * (seen.score(a, b) or 0), abs=1e-6)


def test_a_word_that_is_usual_adds_less(rows: Counts, centre: TfidfCentre) -> None:
    """*sunlight* stands in all three texts, *prism* in the two that are compared."""
    a, b = words(rows)
    parts, plain = (seen.shared_words(a, b, 1.0).toarray() for seen in (centre, NO_CENTRE))
    ratio = parts / np.maximum(plain, 1e-12)
    column = {word: int(tfidf([word], shipped_statistics()).indices[0]) for word in ("sunlight", "prism")}
    assert ratio[0, column["sunlight"]] < ratio[0, column["prism"]]
