"""Households: members share a unit, and those without one stand alone."""

import numpy as np

import shoal
from shoal.methods.microaggregation.household_groups import HouseholdGroups


def test_units_means_and_back():
    households = HouseholdGroups.of(np.array([1, 0, 1, -1, -1]))
    assert households.unit_of.tolist() == [1, 0, 1, 2, 3]
    assert households.members.tolist() == [1, 2, 1, 1]
    X = np.array([[1.0], [10.0], [3.0], [5.0], [7.0]])
    assert households.means(X).ravel().tolist() == [10, 2, 5, 7]
    spread = households.partition_records(shoal.Partition(np.array([0, 1, 1, 0])))
    assert spread.labels.tolist() == [1, 0, 1, 1, 0]


def test_nobody_has_a_household():
    assert HouseholdGroups.of(np.array([-1, -1])).members.tolist() == [1, 1]
