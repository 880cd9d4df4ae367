"""Sensitive values change places inside of their group, and nothing else changes."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import ArrayError
from shoal.release.permute import permute
from shoal.rng import Rng

SCHEMA = shoal.Schema(
    [
        shoal.Column("a", "quasi_identifier"),
        shoal.Column("s", "sensitive"),
        shoal.Column("o"),
        shoal.Column("t", "sensitive"),
    ]
)


def chance(seed=0):
    return Rng(b"a key", seed)


def table(n, values=3):
    drawn = np.random.default_rng(n).integers(0, values, (4, n))
    return pa.table({name: pa.array(drawn[i], mask=drawn[i] == 2) for i, name in enumerate("asot")})


def inside(groups, *columns):
    return Counter(zip(groups, *(column.to_pylist() for column in columns), strict=True))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.booleans(), st.integers(0, 9))
def test_every_group_keeps_its_values(raw, together, seed):
    labels = np.unique(raw, return_inverse=True)[1]
    original = table(len(labels))
    released = permute(original, SCHEMA, shoal.Partition(labels), chance(seed), together=together)
    assert released.select(["a", "o"]).equals(original.select(["a", "o"]))
    assert released.schema == original.schema
    groups = labels.tolist()
    for name in "st":
        assert inside(groups, released[name]) == inside(groups, original[name])
    if together:
        assert inside(groups, released["s"], released["t"]) == inside(groups, original["s"], original["t"])


def test_places_are_those_of_chance_and_ties_between_sensitive_columns_go_with_them():
    n = 400
    original = pa.table({"a": range(n), "s": range(n), "o": range(n), "t": range(n)})
    partition = shoal.Partition(np.arange(n) // 200)
    apart, again = (permute(original, SCHEMA, partition, chance()) for _ in range(2))
    assert apart.equals(again)
    assert not apart.equals(permute(original, SCHEMA, partition, chance(1)))
    assert np.mean(apart["s"].to_numpy() == np.arange(n)) < 0.05
    assert np.mean(apart["s"].to_numpy() == apart["t"].to_numpy()) < 0.05
    together = permute(original, SCHEMA, partition, chance(), together=True)
    assert together["s"].equals(together["t"])


def test_all_orders_of_a_group_are_equally_likely():
    original = pa.table({"a": [1] * 3, "s": [0, 1, 2], "o": [1] * 3, "t": [0] * 3})
    partition = shoal.Partition(np.zeros(3, dtype=np.int64))
    seen = Counter(tuple(permute(original, SCHEMA, partition, chance(seed))["s"].to_pylist()) for seed in range(1200))
    assert len(seen) == 6
    assert all(140 < n < 260 for n in seen.values())  # 200 expected, five deviations around it


def test_a_partition_of_other_records_is_refused():
    with pytest.raises(ArrayError, match="partition has 2 records"):
        permute(table(3), SCHEMA, shoal.Partition(np.array([0, 0])), chance())
