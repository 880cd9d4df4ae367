"""Units are told apart as they read, on every engine, and numbers of households follow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from shoal.encode.units import Spellings
from shoal.errors import PolicyError
from shoal.schema import Column
from survey_example import as_parquet

WAYS = (str, str.lower, "{} ".format, "\u200b{}".format)


def table(n=240, tidy=False):
    draw = np.random.default_rng(0)
    units = [f"P{at:04}" for at in np.repeat(np.arange(n // 3), 3)]
    ages, ways = np.repeat(draw.normal(50, 15, n // 3), 3), draw.integers(0, 1 if tidy else len(WAYS), n)
    written = [WAYS[way](unit) for unit, way in zip(units, ways, strict=True)]
    return pa.table({"unit": written, "age": ages, "at": np.random.default_rng(1).permutation(n)})


def policy(role, **rule):
    return {
        "columns": {
            "unit": {"role": role, **rule},
            "age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 9},
            "at": {"role": "other"},
        },
        "requirements": [{"name": "k_anonymity", "k": 3}],
    }


def told(path):
    """By record: its age, and whose number it shares."""
    rows = sorted(pyarrow.csv.read_csv(path).to_pylist(), key=lambda row: row["at"])
    numbers = [row.get("unit") for row in rows]
    return [(row["age"], numbers.index(row.get("unit"))) for row in rows]


@pytest.mark.parametrize("role", ["unit", "household"])
def test_what_is_spelled_in_many_ways_is_released_as_if_it_were_tidy(role, tmp_path):
    for tidy in (True, False):
        data, out = as_parquet(table(tidy=tidy), tmp_path / f"{tidy}.parquet"), tmp_path / f"{tidy}.csv"
        shoal.protect(data, policy(role), output=out)
        assert shoal.verify(out, policy(role)).holds
    assert told(tmp_path / "True.csv") == told(tmp_path / "False.csv")


@pytest.mark.gate
@pytest.mark.parametrize("role", ["unit", "household"])
def test_on_every_engine_alike(role, tmp_path):
    data = as_parquet(table(), tmp_path / "people.parquet")
    for engine in ("memory", "duckdb"):
        shoal.protect(data, policy(role), output=tmp_path / f"{engine}.csv", engine=engine, key=bytes(32))
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()


def test_verify_counts_households_as_they_read(tmp_path):
    out = tmp_path / "forged.csv"
    forged = pa.table({"unit": ["a", "A", "a "] * 2, "age": ["30"] * 6, "at": list("123456")})
    pyarrow.csv.write_csv(forged, out)
    rules = {**policy("household"), "method": {"name": "none"}}
    assert not shoal.verify(out, rules).holds
    rules["columns"]["unit"]["as_written"] = True
    assert shoal.verify(out, rules).k_reached == 3


def test_the_first_of_those_that_read_alike_stands_for_all():
    written = pa.chunked_array([["b", "B ", "P 1", "P1", "n/a", None, "N/A "]])
    found = Spellings.of(Column("unit", "unit", missing=("n/a",)), written)
    told = found.unify(pa.table({"unit": written}))["unit"].to_pylist()
    assert told == ["B ", "B ", "P 1", "P1", None, None, None]


@pytest.mark.parametrize("values", [["a", "b", "a b"], [1, 2, 10]], ids=["texts", "numbers"])
def test_where_all_read_differently_nothing_is_touched(values):
    assert Spellings.of(Column("unit", "unit"), pa.chunked_array([values])) is None


def test_as_written_is_for_what_is_told_apart():
    assert Spellings.of(Column("unit", "unit", as_written=True), pa.chunked_array([["a", "A"]])) is None
    with pytest.raises(PolicyError, match="'unit' or 'household'"):
        Column("age", "quasi_identifier", as_written=True)
