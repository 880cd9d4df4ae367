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


def test_a_tree_is_the_same_for_any_number_of_threads():
    X = np.random.default_rng(5).integers(0, 40, (50_000, 3)).astype(float)
    one, three = (kernels.NeighborTree(X, threads).nearest(0, 2000, 7, 500) for threads in (1, 3))
    assert one.tolist() == three.tolist()
