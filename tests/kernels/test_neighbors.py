"""Nearest neighbors agree with sorting by (distance, record), ties and all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reference.mdav import squared_distance
from shoal import kernels


@given(st.integers(1, 120), st.integers(1, 3), st.integers(0, 2**32), st.booleans())
def test_neighbors_agree_with_their_twin(n, d, seed, grid):
    chance = np.random.default_rng(seed)
    X = chance.integers(0, 4, (n, d)).astype(float) if grid else chance.normal(size=(n, d))
    k = int(chance.integers(1, n + 1))
    of = chance.integers(0, n, 5)
    expected = [sorted(range(n), key=lambda j: (squared_distance(X[i], X[j]), j))[:k] for i in of]
    assert kernels.nearest_neighbors(X, of, k).tolist() == expected
