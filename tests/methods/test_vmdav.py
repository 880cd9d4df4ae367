"""V-MDAV agrees with its slow twin however it searches, and holds what it promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from reference.tables import groups, tables
from reference.vmdav import vmdav as twin
from shoal.datasets import clustered_array

GAMMAS = [0.0, 0.2, 1.0, 1.1, 3.0]
searches = st.sampled_from(["scan", "tree"])
leftovers = st.sampled_from(["record", "centroid"])


@settings(deadline=None)
@given(tables(), st.integers(2, 6), st.sampled_from(GAMMAS), searches, leftovers, st.booleans())
def test_it_agrees_with_its_twin(X, k, gamma, search, leftovers, split):
    if k <= len(X):
        found = shoal.vmdav(X, k, gamma=gamma, search=search, leftovers=leftovers, split=split)
        assert groups(found) == twin(X, k, gamma, leftovers, split)


@settings(deadline=None)
@given(tables(), st.integers(2, 6), st.sampled_from(GAMMAS))
def test_groups_have_k_to_3k_minus_2_records_and_below_2k_once_split(X, k, gamma):
    if k <= len(X):
        found = shoal.vmdav(X, k, gamma=gamma)
        assert found.check(k).sizes.max() <= 3 * k - 2
        split = shoal.vmdav(X, k, gamma=gamma, split=True)
        assert split.check(k).sizes.max() <= max(2 * k - 1, k)
        assert split.sse(X) <= found.sse(X) * (1 + 1e-12) + 1e-12


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 5))
def test_the_order_of_records_decides_nothing_but_ties(seed, k):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(30, 3))  # no ties among real numbers
    order = chance.permutation(30)
    original = {frozenset(group) for group in groups(shoal.vmdav(X, k))}
    shuffled = {frozenset(order[group].tolist()) for group in groups(shoal.vmdav(X[order], k))}
    assert original == shuffled


@pytest.mark.parametrize("leftovers", [[10.0, 11.5], [11.5, 10.0]])
def test_leftovers_join_groups_as_they_were_before_any_joined(leftovers):
    """Each is nearer to the other than to any group: 10 still joins the group at 2, and 11.5 the one at 20."""
    X = np.array([0.0, 1.0, 2.0, *leftovers, 20.0, 21.0, 22.0])[:, None]
    found = shoal.vmdav(X, 3, gamma=0)
    assert sorted(sorted(X[group, 0].tolist()) for group in groups(found)) == [[0, 1, 2, 10], [11.5, 20, 21, 22]]


@pytest.mark.gate(but=("0.0-shape0", "0.0-shape1", "0.0-shape2"))
@pytest.mark.parametrize("shape", [(3000, 2), (2000, 9), (4000, 3)])
@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1])
def test_tree_and_scan_agree_on_larger_tables(shape, gamma):
    X = np.random.default_rng(7).normal(size=shape)
    X[: shape[0] // 2] = X[: shape[0] // 2].round(1)  # ties and duplicates
    for k in (2, 5):
        by_scan = shoal.vmdav(X, k, gamma=gamma, search="scan")
        assert (by_scan.labels == shoal.vmdav(X, k, gamma=gamma, search="tree").labels).all()
        assert (by_scan.labels == shoal.vmdav(X, k, gamma=gamma).labels).all()


def test_gamma_zero_lets_no_group_grow():
    X = np.random.default_rng(0).random((90, 3))
    assert (shoal.vmdav(X, 3, gamma=0).sizes == 3).all()


def test_natural_clusters_are_found_by_a_bold_gamma():
    X = shoal.standardize(clustered_array(400, 5, (3, 5), 0.005, seed=2))
    cautious, bold = (shoal.vmdav(X, 3, gamma=gamma).information_loss(X) for gamma in (0, 1.1))
    assert bold < cautious / 4
    assert shoal.vmdav_diagnosis(X, 3).is_clustered


def test_euclidean_is_the_square_of_gamma_on_squared_distances():
    X = np.random.default_rng(3).normal(size=(200, 2))
    assert (shoal.vmdav(X, 3, gamma=0.5, distance="euclidean").labels == shoal.vmdav(X, 3, gamma=0.25).labels).all()


@pytest.mark.parametrize(
    ("rule", "said"),
    [({"gamma": -1}, "gamma must be 0 or more"), ({"gamma": float("nan")}, "gamma"), ({"distance": "l1"}, "squared")],
)
def test_what_cannot_be_is_refused(rule, said):
    with pytest.raises(shoal.ShoalError, match=said):
        shoal.vmdav(np.zeros((9, 2)), 3, **rule)


def test_the_probe_keeps_a_tree_from_noise_of_many_columns():
    """Nothing but time depends on it, so it is only seen to answer."""
    X = np.random.default_rng(0).normal(size=(1000, 20))
    assert shoal.vmdav(X, 3).n_records == 1000


def test_a_heap_of_duplicates_costs_no_more_than_other_records():
    X = np.repeat(np.arange(3.0), 21_000)[:, None]
    assert shoal.vmdav(X, 3, search="tree").sse(X) == 0
