"""A cut tree is a rule: the same by the kernel, by its extents, as SQL and after a trip through JSON."""

import json
from datetime import date, timedelta

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.blocks import blocks_of
from shoal.errors import ShoalError, TableError
from shoal.sources import write_table

TAXONOMY = shoal.Taxonomy((("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "z", "*")))
PATHS = {"node": {path[0]: path for path in TAXONOMY.paths}}
SCHEMA = shoal.Schema(
    [
        shoal.Column("number", role="quasi_identifier", kind="numeric"),
        shoal.Column("node", role="quasi_identifier", kind="nominal", taxonomy=TAXONOMY),
        shoal.Column("day", role="quasi_identifier", kind="date"),
        shoal.Column('it\'s "named"', role="quasi_identifier", kind="nominal"),
        shoal.Column("flag", role="quasi_identifier", kind="nominal"),
    ]
)


def a_table(seed, n=80, gaps=0.1):
    chance = np.random.default_rng(seed)
    columns = {
        "number": np.round(chance.normal(size=n), 1).astype(object),
        "node": chance.choice(list("abcd"), n, p=[0.4, 0.3, 0.2, 0.1]).astype(object),
        "day": np.array([date(2000, 1, 1) + timedelta(int(x)) for x in chance.integers(0, 99, n)], dtype=object),
        'it\'s "named"': chance.choice(["o'hara", "b", "c"], n).astype(object),
        "flag": (chance.random(n) < 0.3).astype(object),
    }
    for values in columns.values():
        values[chance.random(n) < gaps] = None
    return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})


def a_tree(table, k=3, **options):
    return shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(k)], **options)


TREES = st.tuples(
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.15]),
    st.sampled_from(["strict", "greedy"]),
    st.sampled_from(["line", "subsets"]),
)


@pytest.mark.gate
@settings(max_examples=examples(25))
@given(TREES)
def test_kernel_extents_sql_and_json_agree(drawn):
    seed, gaps, mode, unordered = drawn
    table = a_table(seed, gaps=gaps)
    tree = a_tree(table, mode=mode, unordered=unordered)
    found = tree.block_of(table)
    assert [blocks_of(record, tree, PATHS) for record in table.to_pylist()] == [[block] for block in found]
    by_sql = duckdb.connect().register("records", table).sql(f"SELECT {tree.to_sql()} AS block FROM records")
    assert [block for (block,) in by_sql.fetchall()] == found.tolist()
    again = shoal.CutTree.from_json(tree.to_json())
    assert again.to_json() == tree.to_json()
    assert again.block_of(table).tolist() == found.tolist()
    assert again.extents.keys() == tree.extents.keys()


@settings(max_examples=examples(15))
@given(TREES, st.integers(0, 2**32))
def test_a_tree_works_on_records_it_has_never_seen(drawn, other):
    seed, gaps, mode, unordered = drawn
    table, unseen = a_table(seed, gaps=gaps), a_table(other, gaps=0)
    tree = a_tree(table, mode=mode, unordered=unordered)
    found = tree.block_of(unseen)
    assert [blocks_of(record, tree, PATHS) for record in unseen.to_pylist()] == [[block] for block in found]


def test_numbers_fall_by_rule_and_categories_outside_are_refused():
    table = a_table(1, gaps=0)
    tree = a_tree(table)
    far = table.set_column(0, "number", pa.array([1e300, float("inf"), -1e300, *[0.0] * 77]))
    assert (tree.block_of(far) >= 0).all()
    strange = table.set_column(1, "node", pa.array(["secret"] * 80))
    with pytest.raises(TableError, match=r"column 'node': 1 values, in 80 records") as error:
        tree.block_of(strange)
    assert "secret" not in str(error.value)
    with pytest.raises(TableError, match=r"column 'flag': 2 values are missing"):
        tree.block_of(table.set_column(4, "flag", pa.array([None, None, *[True] * 78])))
    with pytest.raises(ShoalError, match="no column 'node'"):
        tree.block_of(table.drop_columns("node"))


def test_no_smallest_or_largest_number_is_told():
    table = a_table(3)
    told = [e for e in a_tree(table).extents["number"].distinct if isinstance(e, type(shoal.plan.Interval(0, 1)))]
    numbers = [value for value in table["number"].to_pylist() if value is not None]
    ends = {end for e in told for end in (e.low, e.high)}
    assert None in ends
    assert min(numbers) not in ends
    assert "number" in str(a_tree(table))


def test_partition_numbers_only_blocks_with_records():
    table = a_table(4)
    tree = a_tree(table)
    partition = tree.partition(table)
    assert partition.n_groups == len(np.unique(tree.block_of(table)))
    assert partition.sizes.min() >= 3


def test_a_tree_of_one_block():
    table = a_table(5, n=4)
    tree = a_tree(table, k=4, cuts={"number": []})
    assert repr(tree).startswith("CutTree(")
    assert set(a_tree(table, k=4).partition(table).labels) == {0}


def test_the_text_and_the_picture_of_a_small_tree():
    schema = shoal.Schema(
        [
            shoal.Column("age", role="quasi_identifier", kind="numeric"),
            shoal.Column("sex", role="quasi_identifier", kind="nominal"),
        ]
    )
    table = pa.table({"age": [20, 20, 30, 30, 40, 40, 50, 50], "sex": list("fmffmmmm")})
    tree = shoal.mondrian(table, schema, [shoal.KAnonymity(2)])
    assert str(tree) == (
        "all records\n"
        "  age < 40\n"
        "    age < 30  -> block 0\n"
        "    age from 30 to < 40  -> block 1\n"
        "  age >= 40\n"
        "    age from 40 to < 50  -> block 2\n"
        "    age >= 50  -> block 3"
    )
    boxes = tree.boxes("age", "sex", {"age": (20, 50)})
    assert boxes.tolist() == [[20, 30, 0, 2], [30, 40, 0, 2], [40, 50, 0, 2], [50, 50, 0, 2]]
    with pytest.raises(ShoalError, match="no column 'hours'"):
        tree.boxes("age", "hours", {})


@pytest.mark.parametrize(
    "break_it",
    [
        lambda j: j.update(format="shoal cut tree 99"),
        lambda j: j.pop("parents"),
        lambda j: j["parents"].__setitem__(1, 5),
        lambda j: j["parents"].__setitem__(0, 0),
        lambda j: j["cut_on"].__setitem__(1, 99),
        lambda j: j["part_of"].__setitem__(1, 99),
        lambda j: j["part_of"].__setitem__(1, j["part_of"][1] - 1 or 2),
        lambda j: [j[key].pop() for key in ("parents", "cut_on", "part_of")],
        lambda j: j["cut_on"].append(0),
        lambda j: j["parents"].append(0),
        lambda j: j["part_of"].pop(),
        lambda j: j.update(part_of=[j["part_of"]]),
        lambda j: [part.__setitem__(0, 99) for column in j["columns"] if "paths" in column for part in column["parts"]],
        lambda j: [part.__setitem__(0, -1) for column in j["columns"] if "paths" in column for part in column["parts"]],
        lambda j: j["columns"][0]["parts"][0].pop(),
        lambda j: j["columns"][0]["parts"][0].__setitem__(1, [0, 999]),
        lambda j: [column["paths"][0].pop() for column in j["columns"] if "paths" in column],
    ],
)
def test_what_is_no_tree_is_refused(break_it):
    told = json.loads(a_tree(a_table(6)).to_json())
    break_it(told)
    with pytest.raises(TableError, match="this is not a valid cut tree"):
        shoal.CutTree.from_json(json.dumps(told))
    with pytest.raises(TableError, match="this is not a valid cut tree"):
        shoal.CutTree.from_json("nonsense")


@pytest.mark.parametrize("method", ["global_recoding", "mondrian", "gensearch"])
@pytest.mark.parametrize("form", ["pandas", "polars", "dict", "csv", "parquet"])
def test_a_tree_takes_every_table_that_its_method_takes(tmp_path, method, form):
    """Numbers, dates and codes with leading zeros; a file without types is read by the kinds of the tree."""
    n = 24
    people = pa.table(
        {
            "number": [float(at % 7) for at in range(n)],
            "day": [date(2000, 1, 1 + at % 9) for at in range(n)],
            "code": [f"00{at % 3}" for at in range(n)],
            "other": ["x"] * n,
        }
    )
    schema = shoal.Schema([
        shoal.Column("number", role="quasi_identifier", kind="numeric"),
        shoal.Column("day", role="quasi_identifier", kind="date"),
        shoal.Column("code", role="quasi_identifier", kind="nominal"),
    ])  # fmt: skip
    path = tmp_path / f"people.{form}"
    if form in ("csv", "parquet"):
        write_table(people, path)
    given = {"pandas": people.to_pandas, "polars": lambda: pl.from_arrow(people), "dict": people.to_pydict}.get(
        form, lambda: path
    )()
    options = {"nodes": 100} if method == "gensearch" else {}
    found = getattr(shoal, method)(given, schema, [shoal.KAnonymity(3)], **options)
    tree = found.tree if method == "gensearch" else found
    assert tree.block_of(given).tolist() == tree.block_of(people).tolist()
    assert tree.partition(given).sizes.min() >= 3
    with pytest.raises(ShoalError, match="number"):
        tree.block_of({"day": [], "code": []})
