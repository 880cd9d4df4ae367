"""Local suppression that counts units: blanks until every class has records of k different units, nearly as few as can
be."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.local_suppression import distinct_units, fewest_blanks_of_units
from shoal.encode.count_table import CountTable
from shoal.errors import TableError
from shoal.gate.gate import prove_counts
from shoal.methods.local_suppression.local_suppression import local_suppression
from shoal.release.blank import blank
from shoal.schema.helper_columns import UNIT


def table(records, units):
    names = "abcd"[: len(records[0])]
    cells = {name: pa.array([record[j] for record in records], pa.string()) for j, name in enumerate(names)}
    return pa.table(cells | {UNIT: pa.array(units, pa.int64())})


def counted(records):
    return records.group_by(records.column_names).aggregate([([], "count_all")])


def schema_of(records, sensitive=()):
    names = [name for name in records.column_names if name != UNIT]
    return shoal.Schema(shoal.Column(name, "sensitive" if name in sensitive else "quasi_identifier") for name in names)


def suppressed(records, units, wanted, sensitive=(), **options):
    """The plan, and the table with its blanks and the units."""
    original = table(records, units)
    plan = local_suppression(CountTable.of(counted(original)), schema_of(original, sensitive), wanted, **options)
    return plan, blank(original, plan)


def rows(released):
    return [tuple(record.values()) for record in released.drop_columns([UNIT]).to_pylist()]


values = st.sampled_from(["x", "y", "z", None])
units_of_some = st.sampled_from([0, 1, 2, 3, 4, 5, None])
unit_tables = st.lists(st.tuples(st.tuples(values, values, values), units_of_some), min_size=5, max_size=25)


@given(unit_tables, st.integers(2, 5), st.tuples(*[st.sampled_from([1, 2, 7.5])] * 3))
def test_every_class_has_enough_units_and_nothing_else_changes(pairs, k, prices):
    records, units = zip(*pairs, strict=True)
    assume(distinct_units(units) >= k)
    plan, released = suppressed(records, units, [shoal.KAnonymity(k)], importance=dict(zip("abc", prices, strict=True)))
    changed = [(old, new) for r, s in zip(records, rows(released), strict=True) for old, new in zip(r, s, strict=True)]
    assert all(new is None or new == old for old, new in changed)
    assert plan.n_cells == sum(old != new for old, new in changed)
    for record in set(rows(released)):
        alike = [unit for unit, other in zip(units, rows(released), strict=True) if other == record]
        assert distinct_units(alike) >= k


@given(st.lists(st.tuples(st.tuples(values, values, values), st.sampled_from([0, 1])), min_size=5), st.integers(3, 5))
def test_too_few_units_are_refused(pairs, k):
    records, units = zip(*pairs, strict=True)
    with pytest.raises(TableError, match=f"k = {k} needs at least {k} different units"):
        suppressed(records, units, [shoal.KAnonymity(k)])


@given(unit_tables, st.integers(0, 9))
@settings(max_examples=examples(40))
def test_the_order_in_which_combinations_were_counted_does_not_matter(pairs, seed):
    records, units = zip(*pairs, strict=True)
    assume(distinct_units(units) >= 2)
    original = table(records, units)
    counts, schema, wanted = counted(original), schema_of(original), [shoal.KAnonymity(2)]
    again = counts.take(np.random.default_rng(seed).permutation(len(counts)))
    released = [blank(original, local_suppression(CountTable.of(some), schema, wanted)) for some in (counts, again)]
    assert released[0].equals(released[1])


def test_blanks_are_nearly_as_few_as_can_be():
    chance, ours, fewest = np.random.default_rng(0), 0, 0
    for _ in range(60):
        n = int(chance.integers(5, 9))
        records = [tuple(map(str, record)) for record in chance.integers(0, 3, (n, 3))]
        units = [int(unit) for unit in chance.integers(0, n, n)]
        k = min(2 + int(chance.integers(0, 2)), distinct_units(units))
        best = fewest_blanks_of_units(records, units, (1, 1, 1), k)
        found = suppressed(records, units, [shoal.KAnonymity(k)])[0].n_cells
        assert found >= best
        ours, fewest = ours + found, fewest + best
    assert ours <= 1.08 * fewest


def test_several_equal_records_of_one_unit_are_one():
    """Five records of unit 0 need another unit, and the class of units 1 and 2 can spare none."""
    plan, released = suppressed([("x", "p")] * 5 + [("x", "q")] * 2, [0] * 5 + [1, 2], [shoal.KAnonymity(2)])
    assert plan.n_cells == 7
    assert rows(released) == [("x", None)] * 7


def test_one_record_of_a_unit_is_enough_where_another_class_needs_it():
    """Unit 0 has two records in a class of k units: it lends one of them, and its class stays one of k."""
    records = [("x", "p", "1")] * 4 + [("x", "p", "2")] * 2
    plan, released = suppressed(records, [0, 0, 1, 2, 3, 4], [shoal.KAnonymity(3)])
    assert plan.n_cells == 3
    assert sorted(rows(released), key=str) == sorted([("x", "p", "1")] * 3 + [("x", "p", None)] * 3, key=str)
    assert {unit for unit, row in zip([0, 0, 1, 2, 3, 4], rows(released), strict=True) if row[2]} == {0, 1, 2}


@given(st.lists(st.tuples(values, values, values), min_size=4, max_size=20), st.integers(2, 4))
@settings(max_examples=examples(40))
def test_units_of_one_record_each_are_blanked_like_records(records, k):
    _, by_units = suppressed(records, [None] * len(records), [shoal.KAnonymity(k)])
    plain = table(records, [None] * len(records)).drop_columns([UNIT])
    plan = local_suppression(CountTable.of(counted(plain)), schema_of(plain), [shoal.KAnonymity(k)])
    assert rows(by_units) == [tuple(record.values()) for record in blank(plain, plan).to_pylist()]


@given(unit_tables)
@settings(max_examples=examples(60))
def test_other_requirements_count_units_too(pairs):
    records, units = zip(*pairs, strict=True)
    original, wanted = table(records, units), [shoal.KAnonymity(2), shoal.DistinctLDiversity(2, "c")]
    try:
        _, released = suppressed(records, units, wanted, sensitive="c")
    except shoal.errors.ShoalError:
        alike = pa.nulls(len(records), pa.string())
        whole = original.set_column(0, "a", alike).set_column(1, "b", alike)
        assert not prove_counts(counted(whole), schema_of(original, "c"), wanted).holds
    else:
        assert prove_counts(counted(released), schema_of(released, "c"), wanted).holds
        assert released["c"].equals(original["c"])


@pytest.mark.gate
@given(st.lists(st.tuples(st.tuples(*[values] * 4), units_of_some), min_size=6, max_size=20))
@settings(max_examples=examples(40))
def test_sets_of_two_columns_hold_for_units(pairs):
    records, units = zip(*pairs, strict=True)
    assume(distinct_units(units) >= 2)
    wanted = [shoal.KAnonymity(2, columns=pair) for pair in (("a", "b"), ("b", "c"), ("c", "d"))]
    _, released = suppressed(records, units, wanted)
    assert prove_counts(counted(released), schema_of(released), wanted).holds


def test_shares_of_values_are_those_of_units():
    """One patient has three of the four stays with a common diagnosis: among patients it is half, among stays more."""
    records = [("x", "ill")] * 3 + [("x", "well"), ("y", "ill"), ("y", "well")]
    wanted = [shoal.KAnonymity(2), shoal.AlphaKAnonymity(0.5, 2, "b")]
    plan, _ = suppressed(records, [0, 0, 0, 1, 2, 3], wanted, sensitive="b")
    assert plan.n_cells == 0
