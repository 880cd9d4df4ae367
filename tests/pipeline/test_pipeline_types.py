"""What is released has the types of the original: every kind of column, every format, with and without groups."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pytest

import shoal
from shoal.policy import load
from shoal.sources import read, write_table

pytestmark = pytest.mark.linkage

N = 24
DRAWS = np.random.default_rng(5)
START = dt.datetime(2000, 1, 1)


def _times(unit: str, **step: int) -> pa.Array:
    return pa.array([START + dt.timedelta(**step) * int(i) for i in DRAWS.integers(0, 9, N)], pa.timestamp(unit))


COLUMNS: dict[str, tuple[str, pa.Array]] = {
    "whole": ("numeric", pa.array(DRAWS.integers(0, 9, N))),
    "int32": ("numeric", pa.array(DRAWS.integers(0, 9, N), pa.int32())),
    "uint8": ("numeric", pa.array(DRAWS.integers(0, 9, N), pa.uint8())),
    "cents": ("numeric", pa.array(DRAWS.integers(0, 900, N) / 100)),
    "money": ("numeric", pa.array([f"{i}.25" for i in DRAWS.integers(0, 9, N)]).cast(pa.decimal128(10, 2))),
    "year": ("numeric", pa.array(DRAWS.integers(1950, 1960, N))),
    "day": ("date", pa.array([START.date() + dt.timedelta(int(i)) for i in DRAWS.integers(0, 9, N)])),
    "second": ("date", _times("s", seconds=1)),
    "milli": ("date", _times("ms", milliseconds=1)),
    "micro": ("date", _times("us", microseconds=1)),
    "clock": ("nominal", pa.array([dt.time(int(i), 30) for i in DRAWS.integers(0, 3, N)])),
    "flag": ("nominal", pa.array(DRAWS.integers(0, 2, N).astype(bool))),
    "category": ("nominal", pa.array(DRAWS.choice(["a", "b"], N)).dictionary_encode()),
    "gaps": ("numeric", pa.array([None if i % 5 == 0 else i % 4 for i in range(N)])),
    "float32": ("numeric", pa.array(DRAWS.integers(0, 900, N) / 100).cast(pa.float32())),
}
TABLE = pa.table({name: values for name, (_, values) in COLUMNS.items()})
METHODS: dict[str, dict[str, Any]] = {
    "mdav": {"method": {"name": "mdav"}, "requirements": [{"name": "k_anonymity", "k": 3}]},
    "local suppression": {
        "local_suppression": {},
        "requirements": [{"name": "k_anonymity", "k": 2, "columns": ["flag"]}],
    },
    "none": {"method": {"name": "none"}},
}
WITHOUT = {".sav": ["money", "flag"], ".dta": ["money", "flag", "clock"], ".xlsx": []}  # what a format has no type for


def _policy(names: list[str], how: dict[str, Any]) -> dict[str, Any]:
    return {**how, "columns": {name: {"role": "quasi_identifier", "kind": COLUMNS[name][0]} for name in names}}


def _types(path: Path, policy: dict[str, Any]) -> dict[str, pa.DataType]:
    rules = load(policy)
    table = read(path, rules.source, kinds=rules.cell_kinds).table
    return dict(zip(table.schema.names, table.schema.types, strict=True))


@pytest.mark.gate(but=("local suppression-.sav", "mdav-.csv", "mdav-.parquet"))
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".sav", ".dta", ".xlsx"])
@pytest.mark.parametrize("how", METHODS)
def test_types_of_a_release_are_those_of_the_original(tmp_path: Path, suffix: str, how: str) -> None:
    table = TABLE.drop_columns(WITHOUT.get(suffix, []))
    if "flag" not in table.column_names and how == "local suppression":
        pytest.skip("the column of the requirement is not in this file")
    write_table(table, tmp_path / f"x{suffix}")
    policy = _policy(table.column_names, METHODS[how])
    shoal.protect(tmp_path / f"x{suffix}", policy, output=tmp_path / f"r{suffix}", key=bytes(32))
    assert _types(tmp_path / f"r{suffix}", policy) == _types(tmp_path / f"x{suffix}", policy)


@pytest.mark.gate
def test_both_engines_give_back_the_same_types(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "x.parquet")
    policy = _policy(TABLE.column_names, METHODS["mdav"])
    for engine in ("memory", "duckdb"):
        shoal.protect(
            tmp_path / "x.parquet", policy, output=tmp_path / f"{engine}.parquet", engine=engine, key=bytes(32)
        )
    assert (tmp_path / "memory.parquet").read_bytes() == (tmp_path / "duckdb.parquet").read_bytes()
    assert _types(tmp_path / "duckdb.parquet", policy) == _types(tmp_path / "x.parquet", policy)


@pytest.mark.parametrize("name", ["int32", "uint8", "money", "category", "float32"])
def test_recoded_values_have_the_type_of_the_original_where_it_holds_them(name: str) -> None:
    """Top codes and merged categories are values of the same sort."""
    recode = {"merge": {"c": ["a", "b"]}} if name == "category" else {"top": 5}
    policy = _policy([name], METHODS["none"])
    policy["columns"][name]["recode"] = recode
    released = shoal.protect(TABLE.select([name]), policy, key=bytes(32)).table
    assert released[name].type == TABLE[name].type


def test_a_type_that_cannot_hold_the_means_is_left(tmp_path: Path) -> None:
    """Rounded to tens, 127 is 130, which an int8 cannot hold."""
    table = pa.table({"a": pa.array([126, 127] * 6, pa.int8())})
    rule = {"role": "quasi_identifier", "kind": "numeric", "decimals": -1}
    policy = {"columns": {"a": rule}, "requirements": [{"name": "k_anonymity", "k": 3}]}
    released = read(shoal.protect(table, policy, key=bytes(32)).table).table
    assert set(released["a"].to_pylist()) <= {120, 130}
    assert 130 in released["a"].to_pylist()
    assert released["a"].type == pa.int64()


def test_times_of_a_csv_keep_their_resolution(tmp_path: Path) -> None:
    cells = ["2000-01-01 10:00:01", "2000-01-01 10:00:02"]
    (tmp_path / "x.csv").write_text("t\n" + "\n".join(cells * 6) + "\n")
    policy = {"columns": {"t": {"role": "quasi_identifier", "kind": "date"}}, **METHODS["mdav"]}
    shoal.protect(tmp_path / "x.csv", policy, output=tmp_path / "r.csv", key=bytes(32))
    assert set((tmp_path / "r.csv").read_text().splitlines()[1:]) <= set(cells)


def test_times_of_day_are_not_lost_in_a_csv(tmp_path: Path) -> None:
    table = TABLE.select(["clock", "whole"])
    policy = {
        "columns": {"clock": {"role": "quasi_identifier"}, "whole": {"role": "other", "kind": "numeric"}},
        "method": {"name": "none"},
    }
    write_table(table, tmp_path / "x.parquet")
    shoal.protect(tmp_path / "x.parquet", policy, output=tmp_path / "r.csv", key=bytes(32))
    rows = (tmp_path / "r.csv").read_text().splitlines()[1:]
    assert sorted(row.split(",")[0] for row in rows) == sorted(map(str, table["clock"].to_pylist()))
    write_table(table, tmp_path / "same.csv")
    found = shoal.assess(tmp_path / "x.parquet", tmp_path / "same.csv", truth="position")
    assert not any("clock" in note and "extents" in note for note in found.notes)
    assert found.findings["information loss"].estimate == 0


def test_a_workbook_keeps_the_name_and_the_formats_of_its_sheet_and_no_other_sheet(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Persons 2024"
    book.active.append(["income", "born", "town"])
    for i in range(12):
        book.active.append([i + 0.25, dt.datetime(1980, 1, 1 + i), "x"])
    for row in book.active.iter_rows(min_row=2):
        row[0].number_format, row[1].number_format = "#,##0.00", "dd/mm/yyyy"
    book.create_sheet("secret").append(["name"])
    book.save(tmp_path / "x.xlsx")
    rule = {"role": "quasi_identifier"}
    columns = {"income": {**rule, "kind": "numeric"}, "born": {**rule, "kind": "date"}, "town": rule}
    policy = {"columns": columns, **METHODS["mdav"]}
    shoal.protect(tmp_path / "x.xlsx", policy, output=tmp_path / "r.xlsx", key=bytes(32))
    written = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert written.sheetnames == ["Persons 2024"]
    assert [cell.number_format for cell in written.active[2]] == ["#,##0.00", "dd/mm/yyyy", "General"]
    assert shoal.verify(tmp_path / "r.xlsx", policy).holds


def test_a_format_with_a_text_of_its_own_is_not_carried_along(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["income"])
    for i in range(6):
        book.active.append([i])
    for row in book.active.iter_rows(min_row=2):
        row[0].number_format = '0 "Zyx"'
    book.save(tmp_path / "x.xlsx")
    policy = {"columns": {"income": {"role": "quasi_identifier", "kind": "numeric"}}, **METHODS["mdav"]}
    shoal.protect(tmp_path / "x.xlsx", policy, output=tmp_path / "r.xlsx", key=bytes(32))
    assert openpyxl.load_workbook(tmp_path / "r.xlsx").active["A2"].number_format == "General"


@pytest.mark.parametrize(
    ("suffix", "formats"), [("sav", ["F3.0", "F10.2", "EDATE10"]), ("dta", ["%3.0f", "%10.2f", "%td"])]
)
def test_formats_of_spss_and_stata_are_kept(tmp_path: Path, suffix: str, formats: list[str]) -> None:
    import pyreadstat

    names = ["whole", "cents", "day"]
    writer, reader = (getattr(pyreadstat, f"{verb}_{suffix}") for verb in ("write", "read"))
    writer(
        TABLE.select(names).to_pandas(),
        str(tmp_path / f"x.{suffix}"),
        variable_format=dict(zip(names, formats, strict=True)),
    )
    shoal.protect(
        tmp_path / f"x.{suffix}", _policy(names, METHODS["mdav"]), output=tmp_path / f"r.{suffix}", key=bytes(32)
    )
    _, about = reader(str(tmp_path / f"r.{suffix}"))
    assert [about.original_variable_types[name] for name in names] == formats


@pytest.mark.gate(but=("other-0.7-memory-.parquet", "other-0.7-memory-.csv", "other-0.7-duckdb-.parquet"))
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("role", "top"), [("other", 0.7), ("quasi_identifier", 0.7), ("other", 0.123456789)])
def test_top_codes_of_float32_add_no_digits(tmp_path: Path, suffix: str, engine: Any, role: str, top: float) -> None:
    """A float32 is written in its own digits, also next to a top code; one that float32 lacks makes float64 of it."""
    cells = pa.array([0.1, 0.2, 0.5, 1.25] * 6).cast(pa.float32())
    write_table(pa.table({"a": cells, "q": ["x"] * 24}), tmp_path / "x.parquet")
    rule = {"role": role, "kind": "numeric", "recode": {"top": top}}
    policy = {"columns": {"a": rule, "q": {"role": "quasi_identifier"}}, "method": {"name": "none"}}
    release = tmp_path / f"r{suffix}"
    shoal.protect(tmp_path / "x.parquet", policy, output=release, engine=engine, key=bytes(32))
    assert shoal.verify(release, policy).holds
    written = set(read(release).table["a"].cast(pa.string()).to_pylist())
    if top == 0.7:
        assert written == {"0.1", "0.2", "0.5", "0.7"}
    else:
        assert max(map(float, written)) == top
