"""Small print of the cutting and blanking methods: shares of records, and several sets of keys at once."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode.combination_counts import count_combinations
from shoal.methods.local_suppression.local_suppression import local_suppression

LETTERS = shoal.Taxonomy((("a", "*"), ("b", "*"), ("c", "*"), ("d", "*")))


@pytest.mark.parametrize(("share", "n_blocks"), [(0.1, 4), (0.09, 1)])
def test_the_share_that_may_fail_is_one_of_the_records(share, n_blocks):
    """Two of 22 records stand alone: a tenth is enough for them, a little less is not."""
    table = pa.table({"letter": ["a"] * 10 + ["b"] * 10 + ["c", "d"]})
    schema = shoal.Schema([shoal.Column("letter", "quasi_identifier", taxonomy=LETTERS)])
    assert shoal.global_recoding(table, schema, [shoal.KAnonymity(5)], suppression=share).n_blocks == n_blocks


@pytest.mark.parametrize("seed", range(12))
def test_sets_of_keys_that_overlap_hold_together(seed):
    """A blank that one set needs takes a record away from its class in another."""
    chance = np.random.default_rng(seed)
    names = ["a", "b", "c"]
    table = pa.table({name: [str(value) for value in chance.integers(0, 4, 60)] for name in names})
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in names])
    sets = [("a", "b"), ("b", "c"), ("a", "c")]
    wanted = [shoal.KAnonymity(4, columns=columns) for columns in sets]
    blanks = local_suppression(count_combinations(table, names), schema, wanted).of_records(table)
    told = {name: [None if blank else cell for cell, blank in zip(table[name].to_pylist(), blanks[:, at], strict=True)]
            for at, name in enumerate(names)}  # fmt: skip
    for columns in sets:
        assert min(Counter(zip(*(told[name] for name in columns), strict=True)).values()) >= 4
