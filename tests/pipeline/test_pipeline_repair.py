"""Blocks whose borders are repaired: a second round over other blocks, less lost, nothing promised broken."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError

N, LIMIT = 6000, 300


def policy(repair, passes=1, **more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("x", "y")}
    return {
        "columns": columns,
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "blocking": {"method": "twod_tree", "limit": LIMIT, "repair": repair, "passes": passes},
        **more,
    }


@pytest.fixture
def table():
    chance = np.random.default_rng(5)
    return pa.table({name: chance.normal(size=N) for name in ("x", "y")})


def loss(release):
    return next(finding.estimate for finding in release.findings if finding.name == "information loss")


def crossing(release, table):
    """Groups with records of more than one block of the first round."""
    points = shoal.standardize(np.column_stack([table[name].to_numpy() for name in ("x", "y")]))
    block = shoal.twod_tree(points, limit=LIMIT, k=3).labels
    group = release.groups["group"].to_numpy()
    return sum(np.unique(block[group == one]).size > 1 for one in np.unique(group))


@pytest.mark.gate
def test_less_is_lost_and_groups_cross_the_borders(table):
    blocked, repaired = (shoal.protect(table, policy(repair)) for repair in (False, True))
    assert crossing(blocked, table) == 0
    assert crossing(repaired, table) > 100
    assert loss(repaired) < 0.97 * loss(blocked)
    assert repaired.manifest.k_reached >= 3
    assert any("exchanged records" in note for note in repaired.manifest.notes)
    assert not any("exchanged records" in note for note in blocked.manifest.notes)


@pytest.mark.gate
def test_a_second_pass_with_other_borders_loses_less(table):
    once, twice = (shoal.protect(table, policy(True, passes)) for passes in (1, 2))
    assert loss(twice) < loss(once)
    assert twice.manifest.k_reached >= 3


def test_a_table_that_is_not_divided_is_left_as_it_is(table):
    small = table.slice(0, 200)
    whole, repaired = (shoal.protect(small, policy(repair)) for repair in (False, True))
    assert repaired.groups.equals(whole.groups)


def test_several_key_sets_are_refused(table):
    of_each = [{"name": "k_anonymity", "k": 3, "columns": [name]} for name in ("x", "y")]
    with pytest.raises(PolicyError, match=r"blocking\.repair: the requirements name different quasi-identifiers"):
        shoal.protect(table, policy(True, requirements=of_each))
