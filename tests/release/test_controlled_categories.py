"""Controlled categories: against all assignments, by their laws, and with groups and categories of every odd kind."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from shoal.plan import Partition
from shoal.release import controlled_categories as module
from shoal.release.aggregate import aggregate
from shoal.release.controlled_categories import CategoryPairs, controlled_categories, random_shares
from shoal.rng import Rng

DRAWS = Rng(bytes(32), 0)


def draws():
    return DRAWS.for_purpose("test")


def distance(one, other, is_ordered):
    return abs(one - other) if is_ordered else float(one != other)


def cost_of(assigned, groups, codes, weights, is_ordered):
    """Of the records whose category is replaced, one by one."""
    return sum(
        w * distance(code, assigned[group], is_ordered) for group, code, w in zip(groups, codes, weights, strict=True)
    )


def shift_of(assigned, groups, codes, weights, n_codes):
    """(n_codes,) change of the weight of every category."""
    before = np.bincount(codes, weights=weights, minlength=n_codes)
    return np.bincount(np.asarray(assigned)[groups], weights=weights, minlength=n_codes) - before


def assign(groups, codes, weights=None, is_ordered=False):
    groups, codes = np.asarray(groups), np.asarray(codes)
    weights = np.ones(codes.size) if weights is None else np.asarray(weights, dtype=np.float64)
    pairs = CategoryPairs.of(groups, codes, weights)
    sizes = np.bincount(groups, weights=weights)
    shares = np.bincount(codes, weights=weights) / weights.sum()
    return controlled_categories(pairs, sizes, shares, draws(), is_ordered=is_ordered)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.booleans())
def test_of_all_assignments_that_keep_the_shares_it_is_the_cheapest(seed, n_groups, is_ordered):
    """Groups of one size, and every category as often as some groups have records: then the shares can be kept."""
    chance = np.random.default_rng(seed)
    codes = np.repeat(chance.integers(0, 3, n_groups), 3)[chance.permutation(3 * n_groups)]
    codes = np.unique(codes, return_inverse=True)[1]
    groups, ones, n_codes = np.repeat(np.arange(n_groups), 3), np.ones(3 * n_groups), codes.max() + 1
    found = assign(groups, codes, is_ordered=is_ordered)
    inside = [sorted(set(codes[groups == group])) for group in range(n_groups)]
    keeping = [all_of for all_of in product(*inside) if not shift_of(all_of, groups, codes, ones, n_codes).any()]
    assert not shift_of(found, groups, codes, ones, n_codes).any()
    cheapest = min(cost_of(all_of, groups, codes, ones, is_ordered) for all_of in keeping)
    assert cost_of(found, groups, codes, ones, is_ordered) == pytest.approx(cheapest)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 6), st.booleans(), st.booleans())
def test_a_category_occurs_in_its_group_and_shares_change_by_a_few_groups(
    seed, n_groups, n_codes, weighted, is_ordered
):
    chance = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), chance.integers(3, 6, n_groups))
    codes = np.unique(chance.integers(0, n_codes, groups.size), return_inverse=True)[1]
    weights = chance.uniform(0.5, 9, groups.size) if weighted else np.ones(groups.size)
    found = assign(groups, codes, weights, is_ordered)
    assert all(found[group] in codes[groups == group] for group in range(n_groups))
    largest = np.bincount(groups, weights=weights).max()
    assert np.abs(shift_of(found, groups, codes, weights, codes.max() + 1)).max() <= largest * codes.max() + 1e-6


@pytest.mark.parametrize("weighted", [False, True])
def test_many_kinds_of_groups_are_solved_in_parts_and_leave_no_more_over(weighted, monkeypatch):
    chance = np.random.default_rng(3)
    groups, codes = np.repeat(np.arange(400), 5), chance.choice(4, 2000, p=[0.6, 0.25, 0.1, 0.05])
    weights = chance.uniform(0.5, 9, 2000) if weighted else np.ones(2000)
    largest = np.bincount(groups, weights=weights).max()
    monkeypatch.setattr(module, "MOST_KINDS", 7)
    found = assign(groups, codes, weights)
    assert np.abs(shift_of(found, groups, codes, weights, 4)).max() <= 3 * largest
    np.testing.assert_array_equal(found, assign(groups, codes, weights))


def test_the_costs_of_ordered_pairs_are_steps():
    pairs = CategoryPairs.of(np.array([0, 0, 0, 1, 1]), np.array([0, 2, 2, 1, 3]), np.array([1.0, 2, 3, 4, 5]))
    np.testing.assert_allclose(pairs.costs(is_ordered=True), [10, 2, 10, 8])
    np.testing.assert_allclose(pairs.costs(is_ordered=False), [5, 1, 5, 4])


def released(column, groups, kind="nominal", weights=None, controlled=True):
    about = [shoal.Column("c", "quasi_identifier", kind)]
    table = pa.table({"c": pa.array(column)})
    if weights is not None:
        about.append(shoal.Column("w", "weight", "numeric"))
        table = table.append_column("w", pa.array(weights))
    made = aggregate(table, shoal.Schema(about), Partition(np.asarray(groups)), DRAWS, controlled=controlled)
    return made["c"].to_pylist()


def test_a_category_that_never_is_the_most_frequent_keeps_its_share():
    column, groups = ["a", "a", "a", "b"] * 8, np.repeat(np.arange(8), 4)
    assert released(column, groups, controlled=False).count("b") == 0
    assert released(column, groups).count("b") == 8


def test_one_group_has_its_most_frequent_category():
    assert released(["a", "b", "b"], [0, 0, 0]) == ["b"] * 3


def test_groups_of_one_category_keep_it():
    assert released(["a"] * 3 + ["b"] * 3, [0] * 3 + [1] * 3) == ["a"] * 3 + ["b"] * 3


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_a_group_without_enough_known_values_stays_missing(kind):
    column, groups = [None, None, "a", "b", "a", "b", "b", "b"], [0] * 4 + [1] * 4
    made = released(column, groups, kind)
    assert made == [None] * 4 + ["b"] * 4


def test_shares_are_those_of_persons_where_records_have_weights():
    """Each group has one light and three heavy records: by records "a" is rare, by persons it is frequent."""
    column, groups = ["a", "b", "b", "b"] * 6, np.repeat(np.arange(6), 4)
    weights = [3.0, 1, 1, 1] * 6
    assert released(column, groups, weights=weights).count("a") == 12


def test_which_of_equal_groups_gets_a_category_is_drawn():
    column, groups = ["a", "a", "a", "b"] * 8, np.repeat(np.arange(8), 4)
    table, schema = pa.table({"c": column}), shoal.Schema([shoal.Column("c", "quasi_identifier")])
    made = {
        tuple(aggregate(table, schema, Partition(groups), Rng(bytes(32), seed), controlled=True)["c"].to_pylist())
        for seed in range(12)
    }
    assert len(made) > 3


def test_shares_are_rounded_at_random_by_less_than_a_group_and_evenly():
    """A category that does not occur stays out; on average over keys every share is what it was."""
    shares, n_groups = np.array([0.5, 0.3, 0.0, 0.2]), 40
    found = np.array([random_shares(shares, n_groups, Rng(b"key", seed).for_purpose("shares")) for seed in range(2000)])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found[:, 2] == 0).all()
    assert 0.5 < n_groups * np.abs(found - shares).max() < 1
    np.testing.assert_allclose(found.mean(axis=0), shares, atol=0.05 / n_groups)
