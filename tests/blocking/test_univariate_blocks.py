"""Univariate blocks: intervals of the range, runs of the sorted records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.tables import tables
from shoal.errors import ShoalError


@given(X=tables(most=80, columns=3), limit=st.integers(8, 30), form=st.sampled_from(["intervals", "runs"]))
def test_the_rule_gives_the_blocks_and_none_is_small(X, limit, form):
    blocks = shoal.univariate_blocks(X, column=X.shape[1] - 1, limit=limit, k=2, form=form)
    assert (shoal.rule_from_json(blocks.rule.to_json()).block_of(X) == blocks.labels).all()
    blocks.check(2)


@given(X=tables(most=80, columns=2), limit=st.integers(8, 30), form=st.sampled_from(["intervals", "runs"]))
def test_blocks_follow_the_order_of_the_column(X, limit, form):
    blocks = shoal.univariate_blocks(X, column=0, limit=limit, k=2, form=form)
    order = np.lexsort((np.arange(len(X)), X[:, 0]))
    assert (np.diff(blocks.labels[order]) >= 0).all()


@given(X=tables(most=80, columns=2), limit=st.integers(8, 30))
def test_runs_have_exactly_limit_records(X, limit):
    sizes = shoal.univariate_blocks(X, column=0, limit=limit, k=2, form="runs").sizes
    assert (sizes[:-1] == limit).all()
    assert 2 <= sizes[-1] <= limit + 1


def test_intervals_are_equal_and_the_upper_border_is_inside():
    X = np.arange(100.0)[:, None]
    blocks = shoal.univariate_blocks(X, column=0, limit=10, k=3)
    assert blocks.sizes.tolist() == [10] * 10
    outlier = np.append(X, [[1e6]], axis=0)  # 100 records in the first interval, one in the last
    assert shoal.univariate_blocks(outlier, column=0, limit=10, k=3).sizes.tolist() == [101]


def test_an_interval_without_records_joins_the_next():
    X = np.concatenate([np.zeros(20), np.full(20, 10.0)])[:, None]
    assert shoal.univariate_blocks(X, column=0, limit=10, k=3).sizes.tolist() == [20, 20]


@pytest.mark.parametrize("asked", [{"column": 2}, {"column": -1}, {"form": "stripes"}, {"limit": 2}])
def test_what_cannot_be_is_refused(asked):
    with pytest.raises(ShoalError):
        shoal.univariate_blocks(np.random.default_rng(0).random((20, 2)), k=3, **{"limit": 10, **asked})
