"""Mondrian: against its slow twin, every requirement proved anew on what it made, and what it refuses."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import requirements as twin
from reference.blocks import strict_mondrian
from requirement_examples import example_of, parameters
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, ShoalError, TaxonomyError
from shoal.methods.generalization.mondrian import Mondrian
from shoal.methods.generalization.splits import attributes
from shoal.plan import AnyExtent
from shoal.requirements.requirement import of_schema

JOBS = shoal.Taxonomy(
    (("nurse", "health", "*"), ("doctor", "health", "*"), ("baker", "food", "*"), ("cook", "food", "*"))
)
PATHS = {value: (branch, "*") for value, branch in zip("abcd", "xxyy", strict=True)}
SENSITIVE = shoal.Taxonomy(tuple((value, *path) for value, path in PATHS.items()))

SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("job", role="quasi_identifier", kind="nominal", taxonomy=JOBS),
        shoal.Column("grade", role="quasi_identifier", kind="ordinal", order=("low", "middle", "high")),
        shoal.Column("town", role="quasi_identifier", kind="nominal"),
        shoal.Column("s", role="sensitive", kind="ordinal", order=("a", "b", "c", "d"), taxonomy=SENSITIVE),
    ]
)


def a_table(seed, n=120, gaps=0.0):
    chance = np.random.default_rng(seed)
    columns = {
        "age": chance.integers(18, 30, n).astype(object),
        "job": chance.choice(["nurse", "doctor", "baker", "cook"], n, p=[0.5, 0.3, 0.15, 0.05]).astype(object),
        "grade": chance.choice(["low", "middle", "high"], n).astype(object),
        "town": chance.choice(["u", "v", "w"], n).astype(object),
        "s": chance.choice(list("abcd"), n, p=[0.4, 0.3, 0.2, 0.1]).astype(object),
    }
    for values in columns.values():
        values[chance.random(n) < gaps] = None
    types = {"age": pa.int64()}
    return pa.table({name: pa.array(v.tolist(), types.get(name, pa.string())) for name, v in columns.items()})


@settings(max_examples=examples(60))
@given(st.integers(1, 60), st.integers(1, 3), st.integers(2, 6), st.integers(0, 2**32))
def test_strict_agrees_with_its_twin(n, d, k, seed):
    records = np.random.default_rng(seed).integers(0, 6, (n + k, d))
    names = [f"c{j}" for j in range(d)]
    table = pa.table(dict(zip(names, records.T, strict=True)))
    schema = shoal.Schema(shoal.Column(name, role="quasi_identifier", kind="numeric") for name in names)
    found = shoal.mondrian(table, schema, [shoal.KAnonymity(k)]).partition(table)
    expected = strict_mondrian([tuple(map(float, r)) for r in records], k)
    groups = {frozenset(np.flatnonzero(found.labels == g).tolist()) for g in range(found.n_groups)}
    assert groups == {frozenset(group) for group in expected}


CUT = parameters("cut", lambda requirement: requirement.reads in ("totals", "counts", "order", "tree"))


@pytest.mark.gate(
    but=(
        "0.0-KAnonymity(k=4, columns=None, name='k_anonymity')-strict",
        "0.0-KAnonymity(k=4, columns=None, name='k_anonymity')-greedy",
        "0.0-KAnonymity(k=4, columns=None, name='k_anonymity')-relaxed",
        "0.0-DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')-strict",
    )
)
@pytest.mark.parametrize("mode", ["strict", "greedy", "relaxed"])
@pytest.mark.parametrize("wanted", CUT, ids=repr)
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_every_requirement_is_held_by_every_block(mode, wanted, gaps):
    table, (wanted,) = a_table(7, gaps=gaps), of_schema([wanted], SCHEMA)
    if mode == "relaxed":
        partition = shoal.relaxed_mondrian(table, SCHEMA, [wanted])
    else:
        partition = shoal.mondrian(table, SCHEMA, [wanted], mode=mode).partition(table)
    assert partition.n_groups > 1
    whole = np.array(table["s"].to_pylist(), dtype=object)
    for group in range(partition.n_groups):
        members = whole[partition.labels == group].tolist()
        assert example_of(wanted).holds(wanted, members, whole.tolist(), PATHS)


def test_an_ordered_distance_reads_the_order_of_the_schema():
    table = a_table(3)
    partition = shoal.mondrian(table, SCHEMA, [shoal.TCloseness(0.15, "s", "ordered")]).partition(table)
    numbers = np.array(["abcd".index(value) for value in table["s"].to_pylist()])
    for group in range(partition.n_groups):
        assert twin.t_ordered(numbers[partition.labels == group].tolist(), numbers.tolist()) <= 0.15 + 1e-6


@pytest.mark.parametrize(
    ("wanted", "column", "shortest"),
    [
        (shoal.MinimumLength(4, "age"), "age", lambda e: e.length >= 4),
        (shoal.MinimumLength(1, "job"), "job", lambda e: e.level >= 1),
        (shoal.MinimumLength(1, "grade"), "grade", lambda e: isinstance(e, AnyExtent) or len(e.values) >= 2),
    ],
    ids=["interval", "node", "span"],
)
def test_nothing_is_told_more_precisely_than_allowed(wanted, column, shortest):
    table = a_table(5)
    free = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2)])
    held = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2), wanted])
    assert all(shortest(extent) for extent in held.extents[column].distinct)
    assert not all(shortest(extent) for extent in free.extents[column].distinct)


def test_more_asked_is_never_finer_than_one_block_and_k_bounds_all_sizes():
    table = a_table(1, n=400)
    for mode in ("strict", "greedy"):
        for k in (2, 5, 20):
            sizes = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(k)], mode=mode).partition(table).sizes
            assert sizes.min() >= k
    sizes = shoal.relaxed_mondrian(table.select(["age", "town"]), SCHEMA_OF_LINES, [shoal.KAnonymity(5)]).sizes
    assert (sizes >= 5).all()
    assert (sizes < 10).all()  # halves of halves, wherever equal records are


SCHEMA_OF_LINES = shoal.Schema(
    [shoal.Column("age", role="quasi_identifier", kind="numeric"), shoal.Column("town", role="quasi_identifier")]
)


@pytest.mark.parametrize("loss", ["discernibility", "volume", "certainty", "classification"])
@pytest.mark.parametrize("unordered", ["line", "subsets"])
def test_greedy_by_every_loss_holds_k(loss, unordered):
    table = a_table(2, gaps=0.05)
    tree = shoal.mondrian(
        table, SCHEMA, [shoal.KAnonymity(5)], mode="greedy", loss=loss, target="s", unordered=unordered
    )
    assert tree.partition(table).sizes.min() >= 5
    assert tree.partition(table).n_groups > 3


def test_a_table_of_counts_costs_the_same_plan_as_its_records():
    table = a_table(4)
    many = pa.concat_tables([table] * 1000)
    once = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(3)])
    assert shoal.mondrian(many, SCHEMA, [shoal.KAnonymity(3000)]).to_json() == once.to_json()


def test_missing_values_are_a_node_of_their_own():
    table = a_table(6, n=300, gaps=0.2)
    tree = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(3)])
    kinds = {type(extent).__name__ for extent in tree.extents["age"].distinct}
    assert {"MissingExtent", "Interval"} <= kinds
    assert tree.partition(table).sizes.min() >= 3


def test_cuts_are_where_they_are_given():
    table = a_table(1, n=300)
    tree = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2)], cuts={"age": [20, 25]})
    ends = {e for extent in tree.extents["age"].distinct for e in (extent.low, extent.high)}
    assert ends <= {None, 20.0, 25.0}
    quartiles = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2)], cuts={"age": 4})
    assert len(quartiles.domains[0].cuts) == 3


@pytest.mark.parametrize("rows", [[(2, 8)], [(2, 3), (2, 5)], [(2, 5), (2, 3)], [(2, 7), (2, 1)], [(2, 1), (2, 7)]])
def test_intervals_of_equal_counts_see_records_not_combinations(rows):
    age, n = zip((1, 2), *rows, (3, 2), strict=True)
    schema = shoal.Schema([shoal.Column("age", role="quasi_identifier", kind="numeric")])
    (attribute,) = attributes(CountTable.of(pa.table({"age": age, "n": n})), schema, {"age": 2})
    assert attribute.domain.cuts == (3.0,)


def test_intervals_of_a_column_without_any_value():
    table = pa.table({"age": pa.array([None] * 6, pa.int64()), "town": list("uuuvvv")})
    tree = shoal.mondrian(table, SCHEMA_OF_LINES, [shoal.KAnonymity(3)], cuts={"age": 4})
    assert tree.partition(table).n_groups == 2


def test_dates_are_cut_at_days():
    days = [date(2000, 1, 1), date(2000, 6, 1), date(2001, 1, 1), date(2002, 1, 1)] * 5
    schema = shoal.Schema([shoal.Column("born", role="quasi_identifier", kind="date")])
    tree = shoal.mondrian(pa.table({"born": days}), schema, [shoal.KAnonymity(5)])
    assert tree.n_blocks == 4
    cut = shoal.mondrian(pa.table({"born": days}), schema, [shoal.KAnonymity(5)], cuts={"born": ["2001-01-01"]})
    assert [extent.high for extent in cut.extents["born"].distinct] == [
        (date(2001, 1, 1) - date(1970, 1, 1)).days,
        None,
    ]


def test_a_dataframe_is_as_good_as_a_table():
    table = a_table(4)
    tree = shoal.mondrian(table.to_pandas(), SCHEMA, [shoal.KAnonymity(3)])
    assert tree.to_json() == shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(3)]).to_json()


def test_a_column_of_one_value_is_never_cut():
    table = pa.table({"age": [40] * 10, "town": list("uuuuuvvvvv")})
    tree = shoal.mondrian(table, SCHEMA_OF_LINES, [shoal.KAnonymity(5)])
    assert tree.n_blocks == 2
    assert len(tree.extents["age"].distinct) == 1


REFUSED = [
    ([shoal.KAnonymity(121)], {}, r"k_anonymity: not even all records .* satisfy k = 121; they reach 120"),
    ([shoal.DistinctLDiversity(5, "s")], {}, r"distinct_l_diversity of .* l = 5; they reach 4"),
    ([shoal.MinimumLength(3, "job")], {}, r"minimum_length of .* width = 3; they reach 2"),
    ([shoal.MinimumLength(3, "s")], {}, r"minimum_length: column 's' must have role 'quasi_identifier'"),
    ([shoal.DistinctLDiversity(2, "illness")], {}, r"no column 'illness'"),
    ([shoal.KAnonymity(2)], {"mode": "lazy"}, r"mode is 'lazy'"),
    ([shoal.KAnonymity(2)], {"mode": "greedy", "loss": "classification"}, "needs a target"),
    ([shoal.KAnonymity(2)], {"cuts": {"agee": [1]}}, r"no column 'agee'. Did you mean 'age'"),
    ([shoal.KAnonymity(2)], {"cuts": {"town": [1]}}, r"cuts.town is only allowed with kind"),
    ([shoal.KAnonymity(2)], {"cuts": {"age": ["x"]}}, r"cuts.age must be a number of intervals"),
    ([shoal.KAnonymity(2)], {"cuts": {"age": 0}}, r"cuts.age must be 1 or more"),
]


@pytest.mark.parametrize(("wanted", "options", "words"), REFUSED, ids=[words for _, _, words in REFUSED])
def test_what_cannot_be_is_refused_in_words(wanted, options, words):
    with pytest.raises(ShoalError, match=words):
        shoal.mondrian(a_table(1), SCHEMA, wanted, **options)


def test_a_value_outside_of_the_taxonomy_and_of_the_order_is_counted_and_not_shown():
    table = a_table(1)
    strange = table.set_column(1, "job", pa.array(["spy", *table["job"].to_pylist()[1:]]))
    with pytest.raises(TaxonomyError, match=r"columns.job: 1 values of the column, in 1 records") as found:
        shoal.mondrian(strange, SCHEMA, [shoal.KAnonymity(2)])
    assert "spy" not in str(found.value)
    strange = table.set_column(2, "grade", pa.array(["top", *table["grade"].to_pylist()[1:]]))
    with pytest.raises(ShoalError, match="grade"):
        shoal.mondrian(strange, SCHEMA, [shoal.KAnonymity(2)])
    for rows in (table.slice(0, 0), table):
        with pytest.raises(ShoalError, match="the table of combinations"):
            Mondrian().cut(CountTable(rows, np.zeros(len(rows), dtype=np.int64)), SCHEMA, [])
    with pytest.raises(PolicyError, match="no column 'age'"):
        Mondrian().cut(
            CountTable(table.drop_columns("age"), np.ones(len(table), dtype=np.int64)), SCHEMA, [shoal.KAnonymity(2)]
        )
