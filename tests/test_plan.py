"""A partition is a group for every record, and knows what it costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import ArrayError


def test_sizes_and_numbers():
    p = shoal.Partition(np.array([0, 1, 1, 0, 2]))
    assert (p.n_records, p.n_groups, p.sizes.tolist()) == (5, 3, [2, 2, 1])
    assert repr(p) == "Partition(5 records in 3 groups of 1 to 2)"
    with pytest.raises(ArrayError, match="1 groups have fewer than k = 2"):
        p.check(2)
    assert p.check(1) is p


@pytest.mark.parametrize("labels", [[0, 2], [-1, 0], [], [[0, 1]], [0.0, 1.0], [7]])
def test_labels_with_gaps_are_refused(labels):
    with pytest.raises(ArrayError):
        shoal.Partition(np.array(labels))


def test_labels_cannot_be_changed():
    p = shoal.Partition(np.array([0, 0, 1]))
    with pytest.raises(ValueError, match="read-only"):
        p.labels[0] = 1


def test_the_callers_array_stays_writable():
    labels = np.array([0, 0, 1])
    shoal.Partition(labels)
    labels[0] = 1


def test_another_table_is_refused():
    with pytest.raises(ArrayError, match="has 3 records, but the array has 4"):
        shoal.Partition(np.array([0, 0, 1])).sse(np.zeros((4, 1)))


@given(st.integers(2, 30), st.integers(1, 3), st.integers(0, 2**32))
def test_spread_within_and_between_groups_add_up(n, d, seed):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(n, d))
    p = shoal.Partition(np.unique(chance.integers(0, n, n), return_inverse=True)[1])
    between = (p.sizes[:, None] * (p.centroids(X) - X.mean(axis=0)) ** 2).sum()
    total = ((X - X.mean(axis=0)) ** 2).sum()
    assert p.sse(X) + between == pytest.approx(total)
    assert p.information_loss(X) == pytest.approx(100 * p.sse(X) / total)


def test_loss_at_its_ends():
    X = np.array([[0.0], [1.0], [2.0]])
    assert shoal.Partition(np.array([0, 1, 2])).information_loss(X) == 0
    assert shoal.Partition(np.array([0, 0, 0])).information_loss(X) == 100
    assert shoal.Partition(np.array([0, 0, 0])).information_loss(np.ones((3, 2))) == 0
