"""Units as vectors: members in order, positions of groups, and which units are grouped record by record."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.encode.member_order import member_order, ordering_columns
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.microaggregation.unit_layout import UnitLayout
from shoal.methods.microaggregation.unit_vectors import UnitGroups, UnitVectors, size_of_kind
from shoal.schema import Column, Schema


def test_members_share_a_unit_and_those_without_one_stand_alone():
    households = HouseholdGroups.of(np.array([1, 0, 1, -1, -1]))
    assert households.unit_of.tolist() == [1, 0, 1, 2, 3]
    assert households.members.tolist() == [1, 2, 1, 1]
    assert HouseholdGroups.of(np.array([-1, -1])).members.tolist() == [1, 1]


def test_a_vector_holds_the_points_of_all_members_and_what_they_share_once():
    own, shared = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[7.0], [8.0], [8.0], [7.0]])
    vectors = UnitVectors(np.array([[0, 3], [2, 1]]))
    assert vectors.points(own, shared)[:, :2].tolist() == [[1, 4], [3, 2]]
    assert vectors.points(own, shared)[:, 2] == pytest.approx([7 * 2**0.5, 8 * 2**0.5])


def test_distances_of_vectors_are_those_of_their_records():
    draw = np.random.default_rng(0)
    own, rows = draw.normal(size=(12, 3)), np.arange(12).reshape(4, 3)
    shared = np.repeat(draw.normal(size=(4, 2)), 3, axis=0)
    points, records = UnitVectors(rows).points(own, shared), np.hstack([own, shared])
    for one, other in pairwise(range(4)):
        by_member = ((records[rows[one]] - records[rows[other]]) ** 2).sum()
        assert ((points[one] - points[other]) ** 2).sum() == pytest.approx(by_member)


def test_groups_of_units_are_groups_of_records_by_position():
    vectors = (UnitVectors(np.array([[0, 3], [2, 1], [5, 4]])), UnitVectors.of_records(np.array([6, 7])))
    groups = UnitGroups(vectors, (shoal.Partition(np.array([0, 1, 0])), shoal.Partition(np.array([0, 0]))))
    assert groups.of_records.labels.tolist() == [0, 3, 2, 1, 1, 0, 4, 4]
    assert groups.of_units.labels.tolist() == [0, 1, 1, 0, 0, 0, 2, 2]
    assert [size_of_kind(int(kind)) for kind in groups.kinds] == [2] * 6 + [1, 1]


MEMBERS = Schema(
    [
        Column("hid", "household", members=("relation",)),
        Column("relation"),
        Column("region", "quasi_identifier", level="household"),
        Column("sex", "quasi_identifier"),
        Column("age", "quasi_identifier", "numeric"),
        Column("grade", "quasi_identifier", "ordinal", order=("low", "high")),
    ]
)


def test_members_are_ordered_by_declared_columns_then_by_ordered_ones():
    assert ordering_columns(MEMBERS) == ("relation", "age", "grade", "sex")
    plain = Schema([Column("hid", "household"), *MEMBERS.columns[1:]])
    assert ordering_columns(plain) == ("age", "grade", "sex")
    cells = {
        "hid": [1, 1, 1, 0, 0],
        "relation": ["b", "a", "a", "x", "x"],
        "region": ["R"] * 5,
        "sex": ["f", "f", "m", "m", "f"],
        "age": pa.array([1, 9, 10, None, 5]),
        "grade": ["low", "high", "low", "low", "high"],
    }
    units = np.array([1, 1, 1, 0, 0])
    assert member_order(pa.table(cells), MEMBERS, units).tolist() == [3, 4, 1, 2, 0]
    assert member_order(pa.table(cells), plain, units).tolist() == [3, 4, 0, 1, 2]


def layout(sizes, k, enough=None):
    """Units of these sizes, records in their order; ``enough``: units of a group, k if not given."""
    unit_of = np.repeat(np.arange(len(sizes)), sizes)
    points = np.arange(len(unit_of), dtype=float)[:, None]

    def can_hold(vectors):
        return len(set(unit_of[vectors.records].tolist())) >= (enough or k)

    return UnitLayout(unit_of, np.arange(len(unit_of)), points, k, can_hold)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30), st.integers(2, 4), st.data())
def test_every_record_has_one_place_and_every_size_enough_units(sizes, k, data):
    found = layout(sizes, k)
    separate = np.isin(found.unit_of, data.draw(st.sets(st.integers(0, len(sizes) - 1))) or [-1])
    vectors = found.vectors(separate)
    assert sorted(np.concatenate([each.records for each in vectors]).tolist()) == list(range(sum(sizes)))
    for each in vectors[:-1] if len(vectors) > 1 else ():
        assert each.n_units >= k
        assert (found.unit_of[each.rows] == found.unit_of[each.rows[:, :1]]).all()
        assert not separate[each.records].any()
    if len(sizes) >= k:
        assert all(found.can_hold(each) for each in vectors)


def test_the_nearest_of_the_most_frequent_size_join_those_that_are_too_few():
    whole = layout([2] * 10 + [1] * 4 + [3], 3).vectors(np.zeros(27, dtype=bool))
    assert [(each.size, each.n_units) for each in whole] == [(1, 4), (2, 7), (1, 9)]
    assert whole[-1].records.tolist() == [14, 15, 16, 17, 18, 19, 24, 25, 26]  # the last three of the pairs are nearest


def test_twice_as_many_join_where_k_do_not_suffice():
    whole = layout([1] * 40 + [2], 3, enough=6).vectors(np.zeros(42, dtype=bool))
    assert [(each.size, each.n_units) for each in whole] == [(1, 34), (1, 8)]


def test_a_size_that_would_become_rare_joins_as_a_whole():
    (whole,) = layout([1] * 4 + [2], 3).vectors(np.zeros(6, dtype=bool))
    assert (whole.size, whole.n_units) == (1, 6)
