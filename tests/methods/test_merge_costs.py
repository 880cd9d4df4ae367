"""A failing group joins the neighbor that adds least to the squared errors, as trying all of them shows."""

import numpy as np
import pytest

import shoal
from shoal.methods.microaggregation.merge import merge_failing


def joined(labels, one, other):
    return shoal.Partition(np.unique(np.where(labels == one, other, labels), return_inverse=True)[1])


def only_first_fails(before):
    """True of every group but the first, and of all once it was merged."""
    return lambda p: np.arange(p.n_groups) > 0 if p.n_groups == before.n_groups else np.ones(p.n_groups, dtype=bool)


def test_a_large_group_nearby_costs_more_than_a_small_one_a_little_farther():
    X = np.array([0.0] * 2 + [1.0] * 20 + [-1.1] * 2)[:, None]
    before = shoal.Partition(np.repeat([0, 1, 2], [2, 20, 2]))
    after = merge_failing(X, before, only_first_fails(before))
    assert after.labels.tolist() == [0] * 2 + [1] * 20 + [0] * 2


@pytest.mark.parametrize("seed", range(20))
def test_the_partner_is_the_one_of_least_cost(seed):
    chance = np.random.default_rng(seed)
    sizes = chance.integers(2, 30, 7)
    labels = np.repeat(np.arange(7), sizes)
    X = chance.normal(size=(7, 2))[labels] + 0.1 * chance.normal(size=(len(labels), 2))
    before = shoal.Partition(labels)
    after = merge_failing(X, before, only_first_fails(before))
    least = min(joined(labels, 0, other).sse(X) for other in range(1, 7))
    assert after.n_groups == 6
    assert after.sse(X) == pytest.approx(least)
