"""Rows that some columns single out, by looking at every other row; few combinations, and more than a table holds."""

from functools import reduce

import numpy as np
import pytest

from shoal import kernels

MANY = 3_000  # values of a column: three of them have more combinations than are indexed


def twin(codes, units, columns, skipped):
    """Rows that share the columns with no row of another unit, among those that are not skipped."""
    rows = [row for row in range(codes.shape[1]) if not skipped[row]]
    keys = {row: tuple(codes[column][row] for column in columns) for row in rows}
    return [row for row in rows if {units[other] for other in rows if keys[other] == keys[row]} == {units[row]}]


@pytest.mark.parametrize(
    "columns", [[0], [2], [0, 1], [1, 2], [3, 4], [0, 1, 2], [2, 3, 4], [4, 0, 3], [4, 3, 2, 1], [0, 3, 1, 4, 2]]
)
@pytest.mark.parametrize("with_units", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_unique_rows_agree_with_their_twin(seed, columns, with_units):
    draw = np.random.default_rng(seed)
    n, n_values = 150, np.array([2, 5, 9, MANY, MANY])
    codes = np.stack([draw.integers(0, min(size, 12), n) for size in n_values])
    codes[3:] *= MANY // 12  # far apart, so that the combinations need all of their digits
    units = draw.integers(0, n // 2, n) if with_units else np.arange(n)
    skipped = draw.random(n) < 0.2
    found = kernels.UniqueRows(codes, n_values, units).find(np.array(columns), skipped)
    assert found.tolist() == twin(codes, units, columns, skipped)


def test_a_search_can_be_repeated():
    """Nothing is left of one set of columns when the next is searched, in either table."""
    codes = np.array([[0, 0, 1, 1], [0, 2999, 0, 2999], [0, 1, 0, 0]])
    search = kernels.UniqueRows(codes, np.array([2, MANY, MANY]), np.arange(4))
    nobody = np.zeros(4, dtype=bool)
    for _ in range(2):
        assert search.find(np.array([1, 2]), nobody).tolist() == [1, 3]
        assert search.find(np.array([0]), nobody).tolist() == []
        assert search.find(np.array([0, 1]), nobody).tolist() == [0, 1, 2, 3]
        assert search.find(np.array([0, 1, 2]), np.ones(4, dtype=bool)).tolist() == []


def mixed(x):
    """The hash of src/kernels/common/hash_index.hpp."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = (x ^ (x >> shift)) * factor % 2**64
    return x


def test_combinations_that_share_a_hash_are_told_apart():
    """An index compares 32 bits of it before the codes. A table of 100,000 combinations has such a pair by chance."""
    pair = [[0, 530, 824], [0, 530, 2033]]
    assert len({reduce(lambda found, code: mixed(found ^ code), row, 0) % 2**32 for row in pair}) == 1
    search = kernels.UniqueRows(np.array(pair).T.copy(), np.array([2, MANY, MANY]), np.arange(2))
    assert search.find(np.arange(3), np.zeros(2, dtype=bool)).tolist() == [0, 1]
