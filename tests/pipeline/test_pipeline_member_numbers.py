"""Numbers of members, and columns that put households together whose number is not released."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import RequirementError

K = 3
ROLES = {
    "household": {"role": "household"},
    "number": {"role": "other", "kind": "numeric"},
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "rent": {"role": "other", "kind": "numeric"},
}


def households(sizes, first=1):
    """Households of these sizes, numbered from ``first``, with a rent of their own."""
    at = np.repeat(np.arange(len(sizes)), sizes)
    number = np.concatenate([first + np.arange(size) for size in sizes])
    ages = np.random.default_rng(4).integers(0, 90, at.size)
    return pa.table({"household": at, "number": number, "age": ages, "rent": 400 + 7 * at})


MANY = [2] * 12 + [3] * 9 + [7, 9]


def released(table, *, limit=0.0, **output):
    policy = {
        "requirements": [{"name": "k_anonymity", "k": K}],
        "columns": {name: ROLES[name] for name in table.column_names},
        "output": {"shuffle": False, **output},
        "suppression": {"limit": limit},
    }
    return shoal.protect(table, policy)


@pytest.mark.gate(but=("0-memory", "1-memory"))
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_member_is_numbered_where_the_household_is(first, engine, tmp_path):
    table = households(MANY, first)
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": ROLES, "output": {"shuffle": False}}
    pq.write_table(table, tmp_path / "table.parquet")
    shoal.protect(tmp_path / "table.parquet", policy, output=tmp_path / "release.parquet", engine=engine)
    records = pq.read_table(tmp_path / "release.parquet").to_pydict()
    unnumbered = [number is None for number in records["household"]]
    assert 0 < sum(unnumbered) < len(table)
    assert [number is None for number in records["number"]] == unnumbered
    pairs = [pair for pair in zip(records["household"], records["number"], strict=True) if pair[0] is not None]
    assert len(set(pairs)) == len(pairs)


def test_numbers_that_run_over_the_whole_file_are_numbers_of_members():
    table = households(MANY)
    records = released(table.set_column(1, "number", pa.array(np.arange(len(table))))).records
    assert records["number"].is_null().to_pylist() == records["household"].is_null().to_pylist()


def test_nobody_is_numbered_where_no_household_is():
    release = released(households(MANY), household="unlinked")
    assert release.records["number"].null_count == len(release.records)
    assert sum("number numbers the records of a unit of household" in note for note in release.manifest.notes) == 1


def test_other_numbers_stay():
    """A value of the household, and one that members may share, number nobody."""
    table = households(MANY)
    shared = np.random.default_rng(1).integers(1, 3, len(table))
    release = released(table.set_column(1, "number", pa.array(shared)), household="unlinked")
    assert release.records["number"].to_pylist() == shared.tolist()
    assert release.records["rent"].null_count == 0


@pytest.mark.parametrize("output", [{}, {"household": "unlinked"}], ids=["linked", "unlinked"])
def test_the_gate_closes_where_a_number_is_left(output, monkeypatch):
    monkeypatch.setattr("shoal.pipeline.protect.unit_release.member_numbers", lambda *_: ())
    with pytest.raises(RequirementError, match="'number' numbers the members of a unit in "):
        released(households(MANY), **output)


def put_together(records, originals, column):
    """Slowly: records without a number whose value only records of their household have, and their households."""
    lost = [at for at, number in enumerate(records.get("household", [None] * len(originals))) if number is None]
    holders = defaultdict(set)
    for at in lost:
        holders[records[column][at]].add(originals[at])
    times = Counter(records[column][at] for at in lost)
    linked = [at for at in lost if len(holders[records[column][at]]) == 1 and times[records[column][at]] > 1]
    several = [each for each, n in Counter(originals[at] for at in lost).items() if n > 1]
    return len(linked), len(lost), len({originals[at] for at in linked}), len(several)


@pytest.mark.parametrize("output", [{}, {"household": "unlinked"}], ids=["linked", "unlinked"])
def test_columns_that_put_households_together_are_told_with_their_number(output):
    """Compared are records without a number: of few households, almost every value is that of one."""
    table = households([2] * 300 + [3] * 9 + [7, 9])
    rents = np.array(table["household"].to_pylist()) % 250 * 10
    table = table.set_column(3, "rent", pa.array(rents))
    release = released(table, **output)
    originals = table["household"].to_pylist()
    n, n_all, n_units, n_several = put_together(release.records.to_pydict(), originals, "rent")
    told = [note for note in release.manifest.notes if note.startswith("rent ties units again")]
    assert n > 0
    assert len(told) == 1
    assert f"in {n} of {n_all} records" in told[0]
    assert f"records of {n_units} of {n_several} units with several records together" in told[0]
    assert not any("Nothing links" in note or "nothing says" in note for note in release.manifest.notes)


def test_cells_that_cannot_be_compared_number_nobody():
    table = households(MANY)
    lists = pa.array([[number] for number in table["number"].to_pylist()])
    release = released(table.set_column(1, "number", lists), household="unlinked")
    assert release.records["number"].null_count == 0
