"""Local suppression: what it promises is proved by the gate, and its blanks are nearly as few as can be."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.local_suppression import fewest_blanks, fewest_wildcards, wildcard_sizes
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, RequirementError, TableError
from shoal.gate.gate import prove_counts
from shoal.gate.wildcards import wildcard_class_sizes
from shoal.methods.local_suppression.local_suppression import local_suppression
from shoal.release.blank import blank, blanked_counts


def table(records):
    names = "abcdefghijklmnop"[: len(records[0])]
    return pa.table({name: pa.array([record[j] for record in records], pa.string()) for j, name in enumerate(names)})


def counted(records):
    return records.group_by(records.column_names).aggregate([([], "count_all")])


def schema_of(records, sensitive=()):
    return shoal.Schema(
        shoal.Column(name, "sensitive" if name in sensitive else "quasi_identifier") for name in records.column_names
    )


def suppressed(records, wanted, sensitive=(), **options):
    """The plan, and the table with its blanks."""
    original = table(records)
    plan = local_suppression(CountTable.of(counted(original)), schema_of(original, sensitive), wanted, **options)
    return plan, blank(original, plan)


def rows(released):
    return [tuple(record.values()) for record in released.to_pylist()]


values = st.sampled_from(["x", "y", "z", None])


@st.composite
def tables(draw, most=25, columns=4):
    q = draw(st.integers(1, columns))
    return draw(st.lists(st.tuples(*[values] * q), min_size=5, max_size=most))


@pytest.mark.parametrize("rule", ["value", "wildcard"])
@given(records=tables(), k=st.integers(2, 5), prices=st.lists(st.sampled_from([1, 2, 7.5]), min_size=4, max_size=4))
def test_every_record_is_like_enough_others_and_nothing_else_changes(rule, records, k, prices):
    importance = dict(zip("abcd"[: len(records[0])], prices, strict=False))
    plan, released = suppressed(records, [shoal.KAnonymity(k)], importance=importance, blanks=rule)
    changed = [(old, new) for r, s in zip(records, rows(released), strict=True) for old, new in zip(r, s, strict=True)]
    assert all(new is None or new == old for old, new in changed)
    assert plan.n_cells == sum(old != new for old, new in changed)
    assert sum(plan.n.tolist()) == len(records)
    if rule == "value":
        assert prove_counts(counted(released), schema_of(released), [shoal.KAnonymity(k)]).holds
        assert prove_counts(blanked_counts(plan), schema_of(released), [shoal.KAnonymity(k)]).k_reached >= k
    else:
        assert min(wildcard_sizes(rows(released))) >= k
        assert wildcard_class_sizes(blanked_counts(plan), plan.columns).min() >= k


@pytest.mark.gate(but="wildcard")
@pytest.mark.parametrize("rule", ["value", "wildcard"])
@given(records=st.lists(st.tuples(values, values, values), min_size=4, max_size=20), seed=st.integers(0, 9))
@settings(max_examples=examples(40))
def test_the_order_in_which_combinations_were_counted_does_not_matter(rule, records, seed):
    original = table(records)
    counts, schema, wanted = counted(original), schema_of(original, "c"), [shoal.KAnonymity(2)]
    again = counts.take(np.random.default_rng(seed).permutation(len(counts)))
    released = [
        blank(original, local_suppression(CountTable.of(some), schema, wanted, blanks=rule)) for some in (counts, again)
    ]
    assert released[0].equals(released[1])


def random_records(chance, n, q, n_values):
    return [tuple(map(str, record)) for record in chance.integers(0, n_values, (n, q))]


@pytest.mark.gate
def test_blanks_are_nearly_as_few_as_can_be():
    chance, ours, fewest = np.random.default_rng(0), 0, 0
    for trial in range(60):
        k, q = 2 + trial % 2, 3 + trial // 2 % 2
        records = random_records(chance, int(chance.integers(2 * k, 11)), q, int(chance.integers(2, 5)))
        best = fewest_blanks(tuple(records), (1,) * q, k)
        found = suppressed(records, [shoal.KAnonymity(k)])[0].n_cells
        assert found >= best
        ours, fewest = ours + found, fewest + best
    assert ours <= 1.08 * fewest


def test_wildcards_are_nearly_as_few_as_can_be():
    chance, ours, fewest = np.random.default_rng(0), 0, 0
    for trial in range(40):
        k = 2 + trial % 2
        records = random_records(chance, int(chance.integers(k, 7)), 2, int(chance.integers(3, 5)))
        best = fewest_wildcards(records, (1, 1), k)
        found = suppressed(records, [shoal.KAnonymity(k)], blanks="wildcard")[0].n_cells
        assert found >= best
        ours, fewest = ours + found, fewest + best
    assert ours <= 1.15 * fewest


@given(tables(most=10, columns=3), st.integers(2, 3), st.tuples(*[st.sampled_from([1, 3])] * 3))
@settings(max_examples=examples(40))
def test_no_plan_is_cheaper_than_the_optimum(records, k, prices):
    prices = prices[: len(records[0])]
    plan, _ = suppressed(records, [shoal.KAnonymity(k)], importance=dict(zip("abc", prices, strict=False)))
    cost = sum(n * price for n, price in zip(plan.n_blanked.values(), prices, strict=True))
    assert cost >= fewest_blanks(tuple(records), prices, k)


def test_a_class_that_can_spare_records_lends_them():
    plan, released = suppressed([("x",)] * 5 + [("y",)], [shoal.KAnonymity(3)])
    assert plan.n_cells == 3
    assert rows(released) == [("x",)] * 3 + [(None,)] * 3


def test_a_record_without_company_joins_the_nearest_class():
    records = [("x", "p", "1")] * 3 + [("y", "q", "2")] * 3 + [("x", "p", "3")]
    _, released = suppressed(records, [shoal.KAnonymity(3)])
    assert rows(released) == [("x", "p", None)] * 3 + [("y", "q", "2")] * 3 + [("x", "p", None)]


def test_what_holds_already_stays_as_it_is():
    records = [("x", None)] * 3 + [("y", "q")] * 3
    plan, released = suppressed(records, [shoal.KAnonymity(3)])
    assert plan.n_cells == 0
    assert rows(released) == records


def test_less_important_columns_are_blanked_first():
    records = [("x", "p"), ("x", "q"), ("y", "p"), ("y", "q")]
    for important, blanked in (("a", "b"), ("b", "a")):
        plan, _ = suppressed(records, [shoal.KAnonymity(2)], importance={important: 5})
        assert plan.n_blanked == {important: 0, blanked: 4}


def test_a_missing_value_is_a_blank_that_costs_nothing():
    plan, released = suppressed([("x", None), ("x", "p")], [shoal.KAnonymity(2)])
    assert plan.n_blanked == {"a": 0, "b": 1}
    assert rows(released) == [("x", None)] * 2


def test_wildcards_need_fewer_blanks_and_one_blank_serves_two_records():
    records = [("x", "p"), ("x", "q")]
    assert suppressed(records, [shoal.KAnonymity(2)])[0].n_cells == 2
    assert suppressed(records, [shoal.KAnonymity(2)], blanks="wildcard")[0].n_cells == 1


@given(st.lists(st.tuples(values, values, st.sampled_from(["p", "q", "r", None])), min_size=4, max_size=25))
def test_other_requirements_hold_as_well(records):
    original = table(records)
    wanted = [shoal.KAnonymity(3), shoal.DistinctLDiversity(2, "c"), shoal.TCloseness(0.4, "c")]
    try:
        plan, released = suppressed(records, wanted, sensitive="c")
    except RequirementError:
        one_class = original.set_column(0, "a", pa.nulls(len(records), pa.string()))
        one_class = one_class.set_column(1, "b", pa.nulls(len(records), pa.string()))
        assert not prove_counts(counted(one_class), schema_of(original, "c"), wanted).holds
        return
    assert prove_counts(counted(released), schema_of(released, "c"), wanted).holds
    assert released["c"].equals(original["c"])
    assert plan.columns == ("a", "b")


@pytest.mark.gate(but="value")
@pytest.mark.parametrize("rule", ["value", "wildcard"])
@given(records=st.lists(st.tuples(*[values] * 4), min_size=4, max_size=20), k=st.integers(2, 4))
@settings(max_examples=examples(50))
def test_every_two_columns_hold(rule, records, k):
    wanted = [shoal.KAnonymity(k, columns=pair) for pair in combinations("abcd", 2)]
    plan, released = suppressed(records, wanted, blanks=rule)
    if rule == "value":
        assert prove_counts(counted(released), schema_of(released), wanted).holds
    else:
        assert all(wildcard_class_sizes(blanked_counts(plan), pair.columns).min() >= k for pair in wanted)


def test_many_columns_with_many_values():
    chance = np.random.default_rng(4)
    records = random_records(chance, 60, 14, 200)  # more than 64 bits, more than 4096 sets of columns
    records = [(*record[:12], str(i % 3), str(i % 2)) for i, record in enumerate(records)]
    plan, released = suppressed(records, [shoal.KAnonymity(5)])
    assert prove_counts(counted(released), schema_of(released), [shoal.KAnonymity(5)]).holds
    assert plan.n_blanked["m"] == plan.n_blanked["n"] == 0


def test_categories_and_numbers_are_blanked_like_texts():
    original = pa.table({"a": pa.array(["x", "x", "y"]).dictionary_encode(), "b": [1, 1, 1]})
    plan = local_suppression(CountTable.of(counted(original)), schema_of(original), [shoal.KAnonymity(3)])
    assert blank(original, plan).to_pydict() == {"a": [None] * 3, "b": [1, 1, 1]}


def test_a_plan_is_for_the_records_it_was_made_from():
    plan, _ = suppressed([("x",)] * 3 + [("y",)] * 3, [shoal.KAnonymity(3)])
    for other in ([("x",)] * 6, [("x",)] * 3 + [("z",)] * 3, [("x",)] * 3):
        with pytest.raises(TableError, match="records of the table are not those"):
            blank(table(other), plan)


def test_bad_input_is_named():
    records = [("x", "p"), ("y", "q"), ("z", "q")]
    with pytest.raises(TableError, match="k = 4 needs at least 4 records, but the table has 3"):
        suppressed(records, [shoal.KAnonymity(4)])
    with pytest.raises(PolicyError, match=r"no column 'aa'\. Did you mean 'a'"):
        suppressed(records, [shoal.KAnonymity(2)], importance={"aa": 1})
    with pytest.raises(PolicyError, match=r"k_anonymity\.columns: the policy has no column 'z'"):
        suppressed(records, [shoal.KAnonymity(2, columns=("z",))])
    with pytest.raises(PolicyError, match="importance of 'a' must be a number above 0"):
        suppressed(records, [shoal.KAnonymity(2)], importance={"a": 0})
    with pytest.raises(PolicyError, match=r"blanks is 'wild'\. Did you mean 'wildcard'"):
        suppressed(records, [shoal.KAnonymity(2)], blanks="wild")
    with pytest.raises(PolicyError, match="is only allowed with k_anonymity, got distinct_l_diversity"):
        suppressed(records, [shoal.DistinctLDiversity(2, "b")], sensitive="b", blanks="wildcard")
    with pytest.raises(
        RequirementError, match="distinct_l_diversity of 'b' does not hold even if all cells of a are blank"
    ):
        suppressed(records, [shoal.DistinctLDiversity(3, "b")], sensitive="b")
    with pytest.raises(PolicyError, match="minimum_length"):
        suppressed(records, [shoal.MinimumLength(2, "a")])
    wide = table([tuple(map(str, range(i, i + 14))) for i in range(600)])
    with pytest.raises(TableError, match="distinguished in 128 bits"):
        local_suppression(CountTable.of(counted(wide)), schema_of(wide), [shoal.KAnonymity(2)])
