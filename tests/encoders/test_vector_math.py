"""Sums over vectors, against pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.encoders.vector_math import group_sums


@given(st.lists(st.integers(0, 5), max_size=30))
def test_sums_of_groups_are_those_of_pandas(of: list[int]) -> None:
    values = np.random.default_rng(len(of)).normal(size=(len(of), 3))
    expected = pd.DataFrame(values).groupby(np.array(of, dtype=int)).sum().reindex(range(6), fill_value=0.0)
    np.testing.assert_allclose(group_sums(values, np.array(of, dtype=int), 6), expected, atol=1e-12)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_sums_keep_their_precision(kind: type) -> None:
    assert group_sums(np.ones((4, 2, 2), kind), np.array([0, 0, 2, 2]), 4).dtype == kind
