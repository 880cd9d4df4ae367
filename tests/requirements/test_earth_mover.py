"""The closed forms of the earth mover's distance against the transport problem itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.stats import wasserstein_distance

import shoal
from example_numbers import examples
from shoal.requirements.groups import Groups

counts = st.lists(st.lists(st.integers(0, 6), min_size=5, max_size=5), min_size=1, max_size=3).filter(np.any)
TREE = np.array([[0, 0, 0], [1, 1, 0], [2, 1, 0], [3, 2, 1], [4, 2, 1]])


def ground(distance, shown):
    """(m, m) between the values that occur, as the paper defines it."""
    places, m = np.arange(shown.size), shown.size
    if distance == "equal":
        return (places[:, None] != places).astype(float)
    if distance == "ordered":
        return np.abs(places[:, None] - places) / max(m - 1, 1)
    nodes = TREE[shown]
    return (nodes[:, None, :] != nodes[None, :, :]).sum(axis=2) / TREE.shape[1]


def transport(p, q, distances):
    """The cheapest flows from q to p, by linear programming."""
    m = p.size
    leaves = np.kron(np.eye(m), np.ones(m))
    arrives = np.kron(np.ones(m), np.eye(m))
    found = linprog(distances.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate([q, p]))
    assert found.success
    return found.fun


@pytest.mark.gate(but="equal")
@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
@settings(max_examples=examples(25))
@given(counts=counts)
def test_closed_forms_solve_the_transport_problem(distance, counts):
    counts = np.array(counts)
    groups = Groups(counts.sum(axis=1), csr_array(counts), tree=TREE)
    shown = np.flatnonzero(counts.sum(axis=0))
    p = counts.sum(axis=0)[shown] / counts.sum()
    requirement = shoal.TCloseness(0, "s", distance)
    for g, row in enumerate(counts):
        alone = Groups(row.sum(keepdims=True), csr_array(row[None]), counts.sum(axis=0), TREE)
        expected = transport(p, row[shown] / row.sum(), ground(distance, shown)) if row.any() else 1.0
        assert requirement.reached(alone) == pytest.approx(expected, abs=1e-8)
        assert requirement.holds(groups)[g] == (expected < 1e-8)


def test_a_large_ordered_column_against_scipy():
    """More values than any group shows: the sparse form."""
    chance = np.random.default_rng(3)
    values, labels = chance.integers(0, 2000, 4_000), np.sort(chance.integers(0, 60, 4_000))
    values = np.unique(values, return_inverse=True)[1]
    groups = Groups.of(np.unique(labels, return_inverse=True)[1], np.ones(4_000, dtype=np.int64), values)
    m = values.max() + 1
    expected = max(wasserstein_distance(values[labels == g], values) / (m - 1) for g in np.unique(labels))
    assert shoal.TCloseness(0.1, "s", "ordered").reached(groups) == pytest.approx(expected)


def test_values_that_do_not_occur_do_not_count():
    """An order may name more values than a release shows: they would only make distances smaller."""
    few = np.array([[1, 0, 1, 0, 0], [2, 0, 0, 0, 0]])
    groups = Groups(few.sum(axis=1), csr_array(few))
    dense = Groups(few.sum(axis=1), csr_array(few[:, [0, 2]]))
    requirement = shoal.TCloseness(0.2, "s", "ordered")
    assert requirement.reached(groups) == requirement.reached(dense) == pytest.approx(0.25)
