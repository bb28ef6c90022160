"""Holm's adjustment against R's `p.adjust(p, "holm")`."""

from __future__ import annotations

import numpy as np

from studies.holm import holm


def test_as_r_adjusts() -> None:
    p = [0.01, 0.02, 0.03, 0.04, 0.001, 0.5]
    np.testing.assert_allclose(holm(p), [0.05, 0.08, 0.09, 0.09, 0.006, 0.5])
    np.testing.assert_allclose(holm([0.9, 0.8]), [1.0, 1.0])
    assert holm([]).shape == (0,)
