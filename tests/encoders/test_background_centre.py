"""The mean vectors of example sentences: those that ship are those of the multilingual encoder."""

from __future__ import annotations

import numpy as np
import pytest

from colde.encoders.background_centre import LANGUAGES, background_centre, language_means
from colde.encoders.encoder_names import MULTILINGUAL, has_multilingual


def test_the_background_ships() -> None:
    centre = background_centre(MULTILINGUAL)
    assert centre.shape == (384,) and 0.5 < float(np.linalg.norm(centre)) < 1


@pytest.mark.skipif(not has_multilingual(), reason="the extra languages is not installed")
def test_it_is_what_the_encoder_computes() -> None:
    means = language_means(MULTILINGUAL)
    assert len(means) == len(LANGUAGES)
    np.testing.assert_allclose(means.mean(0), background_centre(MULTILINGUAL), atol=2e-3)
