"""MHM and MST partitioning agree with their slow twins, and hold what they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from reference.mhm import mdav_path, npn_path
from reference.mst_partition import mst_partition as mst_twin
from reference.tables import groups, tables
from reference.univariate import least_error_of_a_cut
from shoal import kernels


@settings(deadline=None)
@given(tables(most=16), st.integers(2, 5), st.sampled_from(["mdav", "npn"]))
def test_mhm_is_the_best_cut_of_its_path(X, k, path):
    if k <= len(X):
        found = shoal.mhm(X, k, path=path).check(k)
        walk = npn_path(X) if path == "npn" else mdav_path(X, k)
        assert (np.diff(found.labels[walk]) >= 0).all()
        assert found.sse(X) == pytest.approx(float(least_error_of_a_cut(X.tolist(), walk, k)), rel=1e-9, abs=1e-12)


@settings(deadline=None)
@given(tables(most=80), st.integers(2, 6))
def test_mhm_never_loses_more_than_mdav(X, k):
    if k <= len(X):
        assert shoal.mhm(X, k).sse(X) <= shoal.mdav(X, k).sse(X) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("search", ["scan", "tree"])
def test_a_walk_is_the_same_however_it_is_searched(search):
    X = np.random.default_rng(0).normal(size=(1500, 3)).round(1)
    walk = kernels.nearest_next_path(X, 5, kernels.NeighborSearch[search])
    assert walk[0] == 5
    assert sorted(walk) == list(range(1500))
    assert (walk == kernels.nearest_next_path(X, 5)).all()


@settings(deadline=None)
@given(tables(most=25), st.integers(2, 6))
def test_mst_partition_agrees_with_its_twin(X, k):
    if k <= len(X):
        assert groups(shoal.mst_partition(X, k)) == mst_twin(X, k)


@settings(deadline=None)
@given(tables(most=120), st.integers(2, 6))
def test_mst_partition_has_groups_of_k_to_2k_minus_1_records(X, k):
    if k <= len(X):
        assert shoal.mst_partition(X, k).check(k).sizes.max() <= 2 * k - 1


def test_an_unknown_path_is_refused():
    with pytest.raises(shoal.ShoalError, match="npn"):
        shoal.mhm(np.zeros((9, 2)), 3, path="shortest")
