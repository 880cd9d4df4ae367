"""V-MDAV with the gamma that loses least, and the diagnosis of clusters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from reference.tables import groups, tables
from reference.vmdav import vmdav as twin
from shoal.datasets import clustered_array
from shoal.methods.microaggregation.gamma_search import GAMMAS
from shoal.methods.microaggregation.vmdav import VMdav
from shoal.methods.microaggregation.vmdav_diagnosis import MOST_RECORDS, sampled_parts
from shoal.plan import Partition


@settings(deadline=None, max_examples=60)
@given(tables(), st.integers(2, 6), st.sampled_from(["squared", "euclidean"]), st.booleans())
def test_auto_loses_no_more_than_mdav_or_any_of_41_gammas(X, k, distance, split):
    if k <= len(X):
        found = shoal.vmdav(X, k, gamma="auto", distance=distance, split=split)
        others = [shoal.vmdav(X, k, gamma=gamma, distance=distance, split=split) for gamma in GAMMAS]
        assert found.check(k).sse(X) == min(each.sse(X) for each in (shoal.mdav(X, k), *others))


@settings(deadline=None, max_examples=30)
@given(tables(), st.integers(2, 5), st.sampled_from([0.0, 0.35, 1.1, 2.0]))
def test_runs_that_share_searches_form_the_groups_of_single_runs(X, k, gamma):
    """Lists of nearest records that an earlier run made longer, or left short, change no group."""
    if k <= len(X):
        shared = shoal.kernels.VmdavRuns(X, k, [gamma, 2.0])
        for place in (1, 0):
            run = shared.with_gain(place, float("inf"))
            run.step(len(X))
        single = shoal.kernels.Vmdav(X, k, gamma, shoal.kernels.NeighborSearch.scan)
        single.step(len(X))
        assert (run.labels() == single.labels()).all()
        assert groups(shoal.vmdav(X, k, gamma=gamma)) == twin(X, k, gamma)


@settings(deadline=None, max_examples=30)
@given(tables(), st.integers(2, 5), st.integers(0, len(GAMMAS) - 1))
def test_gains_are_the_same_if_and_only_if_they_form_the_same_groups(X, k, place):
    def labels(gain):
        single = shoal.kernels.Vmdav(X, k, gain, shoal.kernels.NeighborSearch.scan)
        single.step(len(X))
        return single.labels()

    if k <= len(X):
        run = shoal.kernels.VmdavRuns(X, k, list(GAMMAS)).with_gain(place, float("inf"))
        run.step(len(X))
        same = [at for at, gain in enumerate(GAMMAS) if (labels(gain) == run.labels()).all()]
        first, last = run.same_gains
        assert same == list(range(first, last + 1))


@pytest.mark.parametrize("shape", [(1500, 2), (900, 9)])
def test_shared_searches_form_the_same_groups_of_larger_tables(shape):
    X = np.random.default_rng(1).normal(size=shape)
    X[: shape[0] // 2] = X[: shape[0] // 2].round(1)  # ties and duplicates
    gammas = [0.0, 0.4, 1.5]
    shared = shoal.kernels.VmdavRuns(X, 5, gammas)
    for place, gamma in enumerate(gammas):
        run = shared.with_gain(place, float("inf"))
        run.step(len(X))
        single = shoal.kernels.Vmdav(X, 5, gamma, shoal.kernels.NeighborSearch.automatic)
        single.step(len(X))
        assert (run.labels() == single.labels()).all()


def test_the_gamma_that_is_told_is_the_one_that_was_taken():
    X = np.random.default_rng(3).normal(size=(200, 2))
    found = VMdav(gamma="auto").plan(X, 4, 0)
    assert (found.labels == shoal.vmdav(X, 4, gamma=found.gamma).labels).all()
    assert found.rule == f"gamma {found.gamma:g}"
    diagnosis = shoal.vmdav_diagnosis(X, 4)
    assert found.information_loss(X) == pytest.approx(min(diagnosis.losses), rel=1e-12)
    assert diagnosis.best_gamma == found.gamma
    assert not diagnosis.is_clustered


def test_mdav_is_taken_where_every_gamma_loses_more():
    for seed in range(40):
        X = np.random.default_rng(seed).random((40, 2))
        found = VMdav(gamma="auto").plan(X, 4, 0)
        if found.gamma is None:
            break
    assert found.rule == "MDAV"
    assert (found.labels == shoal.mdav(X, 4).labels).all()


def test_clusters_are_seen_in_a_sample_of_a_large_table():
    """Of clusters of three to five records, a sample of single records would break every one."""
    X = shoal.standardize(clustered_array(4 * MOST_RECORDS, 3, (3, 5), 0.001, seed=4))
    diagnosis = shoal.vmdav_diagnosis(X, 3)
    assert diagnosis.n_records <= MOST_RECORDS
    assert diagnosis.is_clustered
    assert not shoal.vmdav_diagnosis(np.random.default_rng(0).random(X.shape), 3).is_clustered


def test_a_sample_is_of_whole_blocks_and_no_part_has_records_of_two():
    X = np.random.default_rng(0).random((30_000, 2))
    blocks = Partition(np.arange(30_000) // 600)
    parts = sampled_parts(X, 3, blocks)
    assert all(len(part) == 600 and len(set(blocks.labels[part])) == 1 for part in parts)
    assert sum(map(len, parts)) <= MOST_RECORDS + 600
