"""Who fails takes its pair along, and nothing but the class itself tells what its records have."""

from collections import defaultdict
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError
from shoal.methods import Mdav
from shoal.methods.microaggregation.merge import merge_failing
from shoal.methods.microaggregation.pairs import merge_pairs, pair_groups
from shoal.policy import load
from shoal.requirements import DistinctLDiversity
from shoal.requirements.groups import Groups


def diverse(values, l):  # noqa: E741
    ones = np.ones(len(values), dtype=np.int64)
    return lambda p: DistinctLDiversity(l, "s").holds(Groups.of(p.labels, ones, values))


def none(n):
    return np.zeros(n, dtype=bool)


def everyone(n):
    return np.ones(n, dtype=bool)


def two_values(codes, partition):
    ones = np.bincount(partition.labels, weights=codes)
    return (ones > 0) & (ones < partition.sizes)


def most_told(merge, n, k):
    """How far what is concluded of a record can lie above the share of its class, over all tables of two values.

    The intruder holds quasi-identifiers and release, runs the method on every table that there can be, and keeps
    those that give this very release.
    """
    X = np.random.default_rng(3).normal(size=(n, 2))
    parts = shoal.mdav(X, k)
    seen = defaultdict(list)
    for values in product([0, 1], repeat=n):
        codes = np.array(values)
        groups = merge(X, parts, partial(two_values, codes))
        shown = np.bincount(groups.labels, weights=codes)
        seen[groups.labels.tobytes(), shown.tobytes()].append((codes, groups, shown))
    return max(
        float(np.abs(np.mean([codes for codes, _, _ in same], axis=0) - (shown / groups.sizes)[groups.labels]).max())
        for same in seen.values()
        for _, groups, shown in same[:1]
    )


@pytest.mark.parametrize(("n", "k"), [(8, 2), (9, 3), pytest.param(12, 2, marks=pytest.mark.long)])
def test_merging_tells_nothing_that_the_class_does_not(n, k):
    """Every table that gives a release was tried: each record of a class has a value as often as all others of it."""
    told = most_told(lambda X, parts, holds: merge_pairs(X, parts, holds, none), n, k)
    assert told == pytest.approx(0, abs=1e-12)


def test_merging_by_cost_tells_more():
    assert most_told(merge_failing, 10, 2) > 0.3


@given(st.integers(4, 60), st.integers(0, 2**32), st.integers(2, 3), st.booleans())
def test_all_groups_hold_in_the_end(n, seed, l, grid):  # noqa: E741
    chance = np.random.default_rng(seed)
    X = chance.integers(0, 3, (n, 2)).astype(float) if grid else chance.normal(size=(n, 2))
    values = chance.integers(0, 4, n)
    before = shoal.mdav(X, 2)
    after = merge_pairs(X, before, diverse(values, l), none)
    if len(set(values.tolist())) >= l:
        assert diverse(values, l)(after).all()
    else:
        assert after.n_groups == 1
    assert len({(b, a) for b, a in zip(before.labels.tolist(), after.labels.tolist(), strict=True)}) == before.n_groups


def test_what_holds_is_left_alone_but_for_decoys():
    X = np.random.default_rng(0).random((24, 2))
    before = shoal.mdav(X, 3)

    def all_hold(partition):
        return np.ones(partition.n_groups, dtype=bool)

    assert merge_pairs(X, before, all_hold, none).n_groups == 8
    assert merge_pairs(X, before, all_hold, everyone).n_groups == 4


@given(st.integers(4, 40), st.integers(0, 2**32))
def test_pairs_are_of_equal_size_where_there_are_two(n, seed):
    """A size that occurs once cannot have an equal."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(3, 6, n)
    pairs = pair_groups(chance.normal(size=(n, 2)), sizes)
    assert set(np.bincount(pairs)) <= {2, 3}
    unequal = [pair for pair in range(pairs.max() + 1) if len(set(sizes[pairs == pair])) > 1]
    assert len(unequal) <= 1 + (np.unique(sizes, return_counts=True)[1] == 1).sum() // 2


def test_near_groups_are_a_pair():
    centroids = np.array([[0.0], [9.0], [0.1], [9.1], [5.0], [5.1]])
    pairs = pair_groups(centroids, np.full(6, 3))
    assert pairs[0] == pairs[2]
    assert pairs[1] == pairs[3]
    assert pairs[4] == pairs[5]


@pytest.mark.parametrize("decoys", [-0.1, 1.5, float("nan")])
def test_a_share_is_a_share(decoys):
    with pytest.raises(PolicyError, match=r"method\.decoys must be from 0 to 1"):
        Mdav(decoys=decoys)


@pytest.mark.parametrize("decoys", [True, "0.3", "all"])
def test_a_share_is_a_number(decoys):
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}}
    with pytest.raises(PolicyError, match=r"method\.decoys"):
        load({"columns": columns, "method": {"k": 3, "decoys": decoys}})


def test_decoys_are_about_merging():
    with pytest.raises(PolicyError, match=r"method\.decoys is only allowed with method\.merge = true"):
        Mdav(decoys="auto", merge=False)
