"""MIC-vm-k is MDAV on one set of columns after the other."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.rng import Rng

X = np.random.default_rng(7).normal(size=(60, 5))


def test_every_set_has_the_means_of_its_own_groups():
    Y = shoal.mic(X, v=2, k=4)
    for columns in ([0, 1], [2, 3], [4]):
        partition = shoal.mdav(X[:, columns], 4)
        assert (Y[:, columns] == partition.centroids(X[:, columns])[partition.labels]).all()


def test_every_combination_of_a_set_is_shared_by_k():
    _, counts = np.unique(shoal.mic(X, v=3, k=7)[:, :3], axis=0, return_counts=True)
    assert counts.min() >= 7


def test_in_a_table_a_single_known_value_is_not_released():
    table = pa.table({"a": [1.0, None, None, 50.0, 51.0, 52.0]})
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier", "numeric")])
    found = shoal.Mic(v=1, k=3).perturb(table, schema, Rng(b"", 0))["a"].to_pylist()
    assert found == [None, None, None, 51.0, 51.0, 51.0]


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match=r"mic\.v"):
        shoal.mic(X, v=0, k=3)
    with pytest.raises(shoal.ShoalError, match="k must"):
        shoal.mic(X, v=2, k=1)
    with pytest.raises(shoal.ShoalError, match=r"mic\.k"):
        shoal.Mic(k=1)
