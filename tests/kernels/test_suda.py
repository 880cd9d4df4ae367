"""SUDA2 finds what looking at every set of columns finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reference.suda import minimal_sample_uniques
from shoal import kernels


@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**32))
def test_minimal_sample_uniques_agree_with_their_twin(n, d, n_values, max_size, seed):
    codes = np.random.default_rng(seed).integers(0, n_values, (n, d))
    max_size = min(max_size, d)
    state = kernels.Suda(codes, np.full(d, n_values), max_size)
    while state.step(2):
        pass
    expected = minimal_sample_uniques(codes.tolist(), max_size)
    by_record = np.zeros((n, max_size), dtype=int)
    by_column = np.zeros((d, max_size), dtype=int)
    for record, sets in enumerate(expected):
        for columns in sets:
            by_record[record, len(columns) - 1] += 1
            by_column[list(columns), len(columns) - 1] += 1
    if n == 1:  # alone without any column: no set of columns is minimal
        by_record[:], by_column[:] = 0, 0
    assert (state.by_record() == by_record).all()
    assert (state.by_column() == by_column).all()
