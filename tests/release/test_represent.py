"""The tightest extents: what plain Python finds for one group after the other."""

from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import ArrayError, TaxonomyError
from shoal.plan import AnyExtent, Interval, MissingExtent, Span, TaxonomyNode, Values
from shoal.release.represent import represent

TREE = shoal.Taxonomy((("a", "ab", "abc", "*"), ("b", "ab", "abc", "*"), ("c", "c", "abc", "*"), ("d", "d", "d", "*")))
ORDER = ("d", "unused", "a", "b", "c")


def extents(kind, values, labels, **options):
    column = shoal.Column("x", "quasi_identifier", kind, **options)
    values = values if isinstance(values, pa.Array) else pa.array(values)
    found = represent(pa.table({"x": values}), shoal.Schema([column]), shoal.Partition(np.array(labels)))["x"]
    return [found.distinct[at] for at in found.of_group], found.distinct


def lowest_common(members):
    for level in range(TREE.height + 1):
        above = {path[level] for path in TREE.paths if path[0] in members}
        if len(above) == 1:
            return TaxonomyNode(above.pop(), level)
    raise AssertionError


def unless_whole(extent, n_values=4):
    """``*`` instead of a list of all values."""
    return AnyExtent() if len(extent.values) == n_values else extent


TWINS = {
    "interval": lambda members: Interval(min(members), max(members), closed=True),
    "sorted": lambda members: unless_whole(Span(tuple(v for v in "abcd" if min(members) <= v <= max(members)))),
    "order": lambda members: unless_whole(
        Span(ORDER[min(map(ORDER.index, members)) : max(map(ORDER.index, members)) + 1]), len(ORDER)
    ),
    "node": lowest_common,
    "set": lambda members: unless_whole(Values(tuple(sorted(set(members))))),
}
COLUMNS = {
    "interval": ("numeric", {}),
    "sorted": ("ordinal", {}),
    "order": ("ordinal", {"order": ORDER}),
    "node": ("nominal", {"taxonomy": TREE}),
    "set": ("nominal", {}),
}


@pytest.mark.parametrize("rule", TWINS)
@given(data=st.data())
def test_extents_agree_with_their_twin(rule, data):
    kind, options = COLUMNS[rule]
    value = st.integers(-9, 9) if kind == "numeric" else st.sampled_from("abcd")
    values = data.draw(
        st.lists(value, min_size=4, max_size=30).map(lambda v: v if kind == "numeric" else [*"abcd", *v])
    )
    values += data.draw(st.lists(st.none(), max_size=4))
    raw = data.draw(st.lists(st.integers(0, 5), min_size=len(values), max_size=len(values)))
    labels = np.unique(raw, return_inverse=True)[1].tolist()
    type_ = pa.int64() if kind == "numeric" else pa.string()
    found, distinct = extents(kind, pa.array(values, type_), labels, **options)
    assert len(set(distinct)) == len(distinct)
    for group, extent in enumerate(found):
        members = [v for v, label in zip(values, labels, strict=True) if label == group]
        known = [v for v in members if v is not None]
        if not known:
            assert extent == MissingExtent()
        elif len(known) < len(members):
            assert extent == AnyExtent()
        else:
            assert extent == TWINS[rule](known)


def test_all_values_of_a_block_are_listed_where_the_table_has_more():
    column = shoal.Column("c", "quasi_identifier", n_values=3)
    found = represent(pa.table({"c": ["a", "b"]}), shoal.Schema([column]), shoal.Partition(np.array([0, 0])))
    assert found["c"].distinct == (Values(("a", "b")),)


def test_the_only_value_of_a_column_is_no_secret():
    assert extents("nominal", ["a", "a"], [0, 0])[0] == [Values(("a",))]


def test_dates_count_days_and_times_parts_of_them():
    assert extents("date", [date(1970, 1, 2), date(1970, 1, 4)], [0, 0])[0] == [Interval(1, 3, True)]
    assert extents("date", [datetime(1970, 1, 2), datetime(1970, 1, 2, 12)], [0, 0])[0] == [Interval(1, 1.5, True)]


@pytest.mark.parametrize(("kind", "options"), COLUMNS.values(), ids=COLUMNS)
def test_a_column_without_any_value_is_missing_in_every_group(kind, options):
    type_ = pa.float64() if kind == "numeric" else pa.string()
    assert extents(kind, pa.array([None] * 4, type_), [0, 1, 0, 1], **options)[0] == [MissingExtent()] * 2


def test_bad_input_is_named():
    with pytest.raises(TaxonomyError, match="1 values of the column, in 2 records, are not in taxonomy"):
        extents("nominal", ["a", "z", "z"], [0, 0, 0], taxonomy=TREE)
    with pytest.raises(ArrayError, match="The partition has 2 records, but the array has 3"):
        extents("numeric", [1, 2, 3], [0, 0])
