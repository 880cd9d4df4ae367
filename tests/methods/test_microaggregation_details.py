"""Small print of the grouping methods: scales of gamma, the best of several runs, parts that just fit."""

import numpy as np
import pytest

import shoal
from shoal.blocking.som import MapRules
from shoal.methods.microaggregation.gamma_search import GAMMAS
from shoal.methods.microaggregation.micro_som import _divide_by_map


@pytest.mark.parametrize("gamma", [0.3, 0.8, 1.4])
def test_gamma_of_distances_is_that_of_their_squares_squared(gamma):
    X = np.random.default_rng(2).normal(size=(200, 2))
    printed = shoal.vmdav(X, 3, gamma=gamma, distance="euclidean")
    assert printed.labels.tolist() == shoal.vmdav(X, 3, gamma=gamma**2).labels.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_gamma_auto_is_the_best_of_its_runs(seed):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(40, 2))[chance.integers(0, 40, 150)] + 0.01 * chance.normal(size=(150, 2))
    losses = [shoal.vmdav(X, 3, gamma=gamma).sse(X) for gamma in GAMMAS]
    assert shoal.vmdav(X, 3, gamma="auto").sse(X) == min(losses) < max(losses)


def test_a_part_of_as_many_records_as_allowed_stays_whole():
    X = np.random.default_rng(0).normal(size=(61, 2))
    how = {"k": 3, "most": 60, "fusing": "smallest_first", "rules": MapRules(), "seed": 0}
    assert _divide_by_map(X[:60], **how).n_groups == 1
    assert _divide_by_map(X, **how).n_groups > 1


@pytest.mark.parametrize("seed", range(8))
def test_the_last_similar_column_is_given_up_first(seed):
    """Nobody elsewhere agrees on both: the partner is the one who agrees on the first."""
    regions, rare = np.array([0, 1, 1]), np.array([0, 1, 1])
    swaps = shoal.record_swap(regions, np.arange(3), [rare], similar=[[0, 0, 1], [0, 1, 0]], k=2, seed=seed)
    assert swaps.source.tolist() == [1, 0, 2]
