"""What blocking cost, told beside what it would be without."""

import numpy as np
import pytest

import shoal
from shoal.assessment.utility.coverage import coverage_findings, error_bounds
from shoal.kernels import nearest_neighbors


@pytest.fixture(scope="module")
def blocked():
    X = shoal.standardize(np.random.default_rng(0).random((3000, 2)))
    blocks = shoal.twod_tree(X, limit=300, k=3)
    return X, blocks, shoal.mdav(X, 3, blocks=blocks)


def test_a_table_that_can_be_grouped_whole_is(blocked):
    X, blocks, partition = blocked
    loss = coverage_findings(X, partition, blocks, 3)["SSE / SST within blocks"]
    assert loss.estimate == partition.information_loss(X)
    assert loss.baseline == shoal.mdav(X, 3).information_loss(X)


def test_a_larger_one_stands_beside_a_bound(blocked):
    X, blocks, partition = blocked
    loss = coverage_findings(X, partition, blocks, 3, feasible=100)["SSE / SST within blocks"]
    refined = shoal.refine(X, partition, 3, proposals=2_000_000)
    assert 0.3 * refined.information_loss(X) < loss.baseline < refined.information_loss(X)
    assert "lower bound" in loss.meaning


def test_the_bound_is_one():
    X = np.random.default_rng(3).normal(size=(60, 2))
    everybody = np.arange(60)
    bound = error_bounds(X, everybody, nearest_neighbors(X, everybody, 5), 3).sum()
    assert bound <= shoal.refine(X, shoal.mdav(X, 3), 3, proposals=200_000).sse(X)


def test_records_parted_by_a_border_are_counted(blocked):
    X, blocks, partition = blocked
    parted = coverage_findings(X, partition, blocks, 3)["parted by blocks"]
    assert parted.interval[0] < parted.estimate < parted.interval[1]
    small, whole = X[:300], shoal.Partition(np.zeros(300, dtype=int))
    counted = coverage_findings(small, shoal.mdav(small, 3), whole, 3)["parted by blocks"]
    assert (counted.estimate, counted.interval) == (0.0, None)


def test_what_was_chosen_is_told(blocked):
    X, _, partition = blocked
    blocks = shoal.twod_tree(X, limit="auto", k=3)
    found = coverage_findings(X, partition, blocks, 3)["blocks"]
    assert found.estimate == blocks.n_groups
    assert f"Limit {blocks.limit:,}" in found.meaning
