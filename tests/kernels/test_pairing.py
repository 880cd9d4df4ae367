"""Partners agree with their twin, draw for draw."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reference.pairing import pair_up as twin
from shoal import kernels


@given(st.integers(1, 200), st.integers(0, 2**32), st.booleans())
def test_partners_agree_with_their_twin(n, seed, limited):
    chance = np.random.default_rng(seed)
    ranks = np.arange(n)
    low, high = np.sort(chance.integers(0, n + 1, (2, n)), axis=0)
    own_low = np.clip(ranks - chance.integers(0, 4, n), 0, None)
    own_high = np.clip(ranks + 1 + chance.integers(0, 4, n), None, n)
    low, high = np.minimum(low, own_low), np.maximum(high, own_high)
    most = int(chance.integers(0, 4)) if limited else n
    arguments = (
        chance.random(n) < 0.8,
        chance.permutation(n),
        np.column_stack([low, own_low, own_high, high]),
        most,
        seed,
    )
    assert kernels.pair_up(*arguments).tolist() == twin(*(getattr(a, "tolist", lambda a=a: a)() for a in arguments))


def test_every_candidate_is_equally_likely():
    """Rank 0 draws among 1 .. 9, over many seeds."""
    ranks = np.arange(10)
    windows = np.column_stack([np.zeros(10, dtype=np.int64), ranks, ranks + 1, np.full(10, 10)])
    drawn = [kernels.pair_up(np.ones(10, dtype=bool), ranks[:1], windows, 10, seed)[0] for seed in range(9000)]
    counts = np.bincount(drawn, minlength=10)
    assert counts[0] == 0
    assert ((counts[1:] - 1000) ** 2 / 1000).sum() < 27.9  # chi-squared of 8 degrees, one in two thousand
