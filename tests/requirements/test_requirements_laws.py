"""Predicates over groups: against slow twins, and the law by which a search may prune."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError
from shoal.requirements import Groups

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(-1, 3)), min_size=1, max_size=30)


def groups_of(rows):
    labels = np.unique([group for group, _, _ in rows], return_inverse=True)[1].astype(np.int64)
    n, values = (np.array([row[i] for row in rows], dtype=np.int64) for i in (1, 2))
    return labels, Groups.of(labels, n, values)


def by_hand(rows):
    """Of every group, in order: its records, and the values that it shows."""
    total, shown = defaultdict(int), defaultdict(set)
    for group, n, value in rows:
        total[group] += n
        shown[group] |= {value} - {-1}
    return [total[g] for g in sorted(total)], [len(shown[g]) for g in sorted(total)]


REQUIREMENTS = [
    shoal.KAnonymity(2),
    shoal.KAnonymity(5),
    shoal.DistinctLDiversity(2, "s"),
    shoal.DistinctLDiversity(3, "s"),
]


@given(rows, st.integers(2, 9))
def test_k_anonymity_agrees_with_counting(rows, k):
    totals, _ = by_hand(rows)
    groups = groups_of(rows)[1]
    requirement = shoal.KAnonymity(k)
    assert requirement.holds(groups).tolist() == [total >= k for total in totals]
    assert requirement.reached(groups) == min(totals)


@given(rows, st.integers(2, 4))
def test_distinct_l_diversity_agrees_with_counting(rows, l):  # noqa: E741 the letter of the paper
    _, shown = by_hand(rows)
    groups = groups_of(rows)[1]
    requirement = shoal.DistinctLDiversity(l, "s")
    assert requirement.holds(groups).tolist() == [n >= l for n in shown]
    assert requirement.reached(groups) == min(shown)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=repr)
@given(data=st.data())
def test_all_hold_exactly_where_the_weakest_reaches_what_is_asked(requirement, data):
    groups = groups_of(data.draw(rows))[1]
    assert requirement.holds(groups).all() == (requirement.reached(groups) >= requirement.asked)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=repr)
@given(data=st.data())
def test_monotone(requirement, data):
    """Where one part of a merger holds, the merger holds: so where a group fails, every division of it fails."""
    table = data.draw(rows)
    labels, groups = groups_of(table)
    merge = np.array(data.draw(st.lists(st.integers(0, 2), min_size=groups.n_groups, max_size=groups.n_groups)))
    coarse = np.unique(merge, return_inverse=True)[1]  # (n_groups,) the merged group of every group
    merged = groups_of([(int(coarse[label]), n, value) for label, (_, n, value) in zip(labels, table, strict=True)])[1]
    assert requirement.monotone
    after = requirement.holds(merged)
    for part, holds in enumerate(requirement.holds(groups)):
        assert after[coarse[part]] or not holds
    assert requirement.reached(merged) >= requirement.reached(groups)


@given(rows, st.permutations(range(5)))
def test_neither_the_order_of_rows_nor_the_names_of_values_count(rows, names):
    renamed = [(group, n, names[value] if value >= 0 else -1) for group, n, value in reversed(rows)]
    for requirement in REQUIREMENTS:
        first, second = groups_of(rows)[1], groups_of(renamed)[1]
        assert requirement.holds(first).tolist() == requirement.holds(second).tolist()


@given(rows)
def test_a_row_of_n_is_n_rows_of_one(rows):
    single = [(group, 1, value) for group, n, value in rows for _ in range(n)]
    for requirement in REQUIREMENTS:
        assert requirement.holds(groups_of(rows)[1]).tolist() == requirement.holds(groups_of(single)[1]).tolist()


def test_what_protects_nobody_is_refused():
    with pytest.raises(PolicyError, match=r"k_anonymity\.k must be 2 or more, got 1"):
        shoal.KAnonymity(1)
    with pytest.raises(PolicyError, match=r"distinct_l_diversity\.l must be 2 or more, got 1: one value tells"):
        shoal.DistinctLDiversity(1, "s")


def test_diversity_needs_the_counts_of_its_column():
    with pytest.raises(TypeError, match="needs groups with counts"):
        shoal.DistinctLDiversity(2, "s").holds(Groups.of(np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)))
