"""Failing groups are merged until all hold, with the cheapest neighbor."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from shoal.methods.microaggregation.merge import merge_failing
from shoal.requirements import DistinctLDiversity
from shoal.requirements.groups import Groups


def diverse(values, l):  # noqa: E741
    ones = np.ones(len(values), dtype=np.int64)
    return lambda p: DistinctLDiversity(l, "s").holds(Groups.of(p.labels, ones, values))


@given(st.integers(4, 60), st.integers(0, 2**32), st.integers(2, 3), st.booleans())
def test_all_groups_hold_in_the_end(n, seed, l, grid):  # noqa: E741
    chance = np.random.default_rng(seed)
    X = chance.integers(0, 3, (n, 2)).astype(float) if grid else chance.normal(size=(n, 2))
    values = chance.integers(0, 4, n)
    before = shoal.mdav(X, 2)
    after = merge_failing(X, before, diverse(values, l))
    if len(set(values.tolist())) >= l:
        assert diverse(values, l)(after).all()
    else:
        assert after.n_groups == 1
    # Groups are only ever joined: records that were together stay together.
    assert len({(b, a) for b, a in zip(before.labels.tolist(), after.labels.tolist(), strict=True)}) == before.n_groups


def test_what_holds_is_left_alone():
    X = np.random.default_rng(0).random((20, 2))
    before = shoal.mdav(X, 4)
    assert merge_failing(X, before, lambda p: np.ones(p.n_groups, dtype=bool)) is before


def test_the_cheapest_neighbor_is_taken():
    X = np.array([[0.0], [0.1], [1.0], [1.1], [9.0], [9.1]])
    partition = shoal.Partition(np.array([0, 0, 1, 1, 2, 2]))
    after = merge_failing(X, partition, diverse(np.array([0, 0, 0, 1, 0, 1]), 2))
    assert after.labels.tolist() == [0, 0, 0, 0, 1, 1]


@given(st.integers(6, 40), st.integers(0, 2**32), st.integers(1, 3))
def test_a_failing_group_joins_where_the_sse_grows_least(n, seed, d):
    """One group fails: of all partners the one that a recount of the whole partition finds cheapest, near or large."""
    chance = np.random.default_rng(seed)
    X = chance.lognormal(0, 1, (n, d))
    partition = shoal.Partition(np.unique(chance.integers(0, 5, n), return_inverse=True)[1])
    assume(partition.n_groups >= 2)
    failing = int(chance.integers(partition.n_groups))

    def joined(other):
        labels = np.where(partition.labels == other, failing, partition.labels)
        return shoal.Partition(np.unique(labels, return_inverse=True)[1])

    def holds(judged):
        return (
            np.ones(judged.n_groups, dtype=bool) if judged is not partition else np.arange(judged.n_groups) != failing
        )

    least = min(joined(other).sse(X) for other in range(partition.n_groups) if other != failing)
    assert np.isclose(merge_failing(X, partition, holds).sse(X), least, rtol=1e-9)
