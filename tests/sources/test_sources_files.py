"""Parquet, Arrow, SPSS, Stata and Excel."""

from __future__ import annotations

import builtins
import datetime as dt
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from file_examples import READ_WITH_TYPES, WRITTEN_WITH_TYPES
from shoal.errors import SourceError
from shoal.sources import Labels, Origin, ReadOptions, check_writable, read, write_table

TABLE = pa.table(
    {
        "sex": pa.array([1, 2, None]),
        "income": [1.5, None, 2.25],
        "town": ["x", None, "=1+1"],
        "born": [dt.date(2020, 1, 1), None, dt.date(1999, 12, 31)],
        "seen": [dt.datetime(2020, 1, 1, 10), None, dt.datetime(2021, 1, 1, 11)],
    }
)
LABELS = Labels(columns={"sex": "Sex of the person"}, values={"sex": {1: "male", 2: "female"}})


@pytest.mark.parametrize("suffix", WRITTEN_WITH_TYPES)
def test_tables_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    write_table(TABLE, path, Origin("dataframe"))
    assert read(path).table.equals(TABLE)
    assert read(path, columns=["town", "sex"]).table.column_names == ["town", "sex"]
    with pytest.raises(SourceError, match="Did you mean 'town'"):
        read(path, columns=["twon"])


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_labels_survive(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    write_table(TABLE, first, Origin("spss", labels=LABELS))
    loaded = read(first)
    assert loaded.origin.format == {"sav": "spss", "dta": "stata"}[suffix]
    write_table(loaded.table, second, loaded.origin)
    _, about = getattr(pyreadstat, f"read_{suffix}")(str(second))
    assert about.column_names_to_labels["sex"] == "Sex of the person"
    assert about.variable_value_labels["sex"] == {1: "male", 2: "female"}
    assert first.read_bytes() == second.read_bytes()


def test_labels_that_no_longer_fit_are_left_out(tmp_path: Path) -> None:
    table = pa.table({"sex": ["*", "1", "2"]})
    write_table(table, tmp_path / "x.sav", Origin("spss", labels=LABELS))
    loaded = read(tmp_path / "x.sav")
    assert loaded.table.equals(table)
    assert loaded.origin.labels is not None
    assert not loaded.origin.labels.values


def test_files_of_reals_refuse_integers_they_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="column 'n' cannot be written"):
        write_table(pa.table({"n": [2**53 + 2]}), tmp_path / "x.sav")
    with pytest.raises(SourceError, match="cannot store this table"):
        write_table(pa.table({"no name like this": [1]}), tmp_path / "x.dta")


def test_sas_transport(tmp_path: Path) -> None:
    pyreadstat.write_xport(pd.DataFrame({"A": [1.0, 2.0], "B": ["x", ""]}), str(tmp_path / "x.xpt"))
    loaded = read(tmp_path / "x.xpt")
    assert loaded.origin.format == "sas"
    assert loaded.table.to_pydict() == {"A": [1, 2], "B": ["x", None]}


@pytest.mark.parametrize("suffix", READ_WITH_TYPES)
def test_damaged_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(b"PAR1 Zyxwvut " * 100)
    with pytest.raises(SourceError, match="part of one") as caught:
        read(path)
    assert "Zyxwvut" not in str(caught.value)
    path.write_bytes(b"")
    with pytest.raises(SourceError, match="is empty"):
        read(path)


def test_truncated_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": list(range(10_000))}), path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(SourceError, match="part of one"):
        read(path)
    path.write_bytes(b"PAR1" + b"\xff" * 2000 + content[2004:])
    with pytest.raises(SourceError, match="part of one"):
        read(path)


def test_parquet_without_the_index_of_pandas_and_without_folders(tmp_path: Path) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    pd.DataFrame({"a": [1, 2]}, index=["ann", "bob"]).to_parquet(folder / "x.parquet")
    loaded = read(folder / "x.parquet")
    assert loaded.table.column_names == ["a"]
    assert loaded.table.schema.metadata is None
    assert loaded.origin.dropped == ("the index of a pandas frame",)
    assert loaded.origin.notes == ("the index of a pandas frame was left out",)
    pq.write_table(pa.table({"a.b": [1], "a": [2], "x": [float("nan")]}), tmp_path / "y.parquet")
    assert read(tmp_path / "y.parquet", columns=["a"]).table.to_pydict() == {"a": [2]}
    assert read(tmp_path / "y.parquet").table["x"].null_count == 1


@pytest.mark.parametrize("suffix", ["arrow", "feather"])
def test_arrow_without_the_index_of_pandas(tmp_path: Path, suffix: str) -> None:
    table = pa.Table.from_pandas(pd.DataFrame({"a": [1, 2]}, index=["ann", "bob"]))
    with pa.ipc.new_file(str(tmp_path / f"x.{suffix}"), table.schema) as file:
        file.write_table(table)
    loaded = read(tmp_path / f"x.{suffix}")
    assert loaded.table.column_names == ["a"]
    assert loaded.origin.dropped == ("the index of a pandas frame",)
    write_table(TABLE, tmp_path / f"y.{suffix}")
    assert read(tmp_path / f"y.{suffix}").origin.dropped == ()


def test_texts_that_are_no_unicode(tmp_path: Path) -> None:
    broken = pa.array([b"Zyxwvut\xed\xa0\x80"]).view(pa.string())
    pq.write_table(pa.table({"a": [1], "note": broken}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="column 'note': some of its texts are not valid Unicode") as caught:
        read(tmp_path / "x.parquet")
    assert "Zyxwvut" not in str(caught.value)


def test_no_records(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="no records"):
        read(tmp_path / "x.parquet")


def test_arrow_streams(tmp_path: Path) -> None:
    with pa.ipc.new_stream(str(tmp_path / "x.arrow"), TABLE.schema) as stream:
        stream.write_table(TABLE)
    assert read(tmp_path / "x.arrow").table.equals(TABLE)


def test_sheets(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a", "b", "c"])
    book.active.append([1, "007", dt.datetime(2020, 1, 1)])
    book.active.append([2.5, 5, None])
    book.active.append([None, None, None])
    book.create_sheet("people").append(["x"])
    book["people"].append([1])
    book.save(tmp_path / "x.xlsx")
    loaded = read(tmp_path / "x.xlsx")
    assert loaded.table.to_pydict() == {"a": [1.0, 2.5], "b": ["007", "5"], "c": [dt.date(2020, 1, 1), None]}
    assert loaded.origin.options.sheet == "Sheet"
    assert read(tmp_path / "x.xlsx", ReadOptions(sheet="people")).table.to_pydict() == {"x": [1]}
    assert loaded.origin.dropped == ("sheet 'people'",)
    assert loaded.origin.notes == ("sheet 'people' was left out",)
    assert read(tmp_path / "x.xlsx", ReadOptions(sheet="people")).origin.dropped == ("sheet 'Sheet'",)
    with pytest.raises(SourceError, match="Did you mean 'people'"):
        read(tmp_path / "x.xlsx", ReadOptions(sheet="poeple"))


def test_text_never_becomes_a_formula(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "x.xlsx")
    assert openpyxl.load_workbook(tmp_path / "x.xlsx").active["C4"].data_type == "s"


@pytest.mark.parametrize(("suffix", "package"), [("sav", "pyreadstat"), ("xlsx", "openpyxl")])
def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, package: str) -> None:
    path = tmp_path / f"x.{suffix}"
    path.write_bytes(b"x")
    really = builtins.__import__

    def without(name: str, *args: object) -> object:
        if name == package:
            raise ImportError(name)
        return really(name, *args)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SourceError, match=r"pip install 'shoal\[stat\]'"):
        read(path)


@pytest.mark.parametrize(
    ("suffix", "package"), [("sav", "pyreadstat"), ("dta", "pyreadstat"), ("dta", "pandas"), ("xlsx", "openpyxl")]
)
def test_a_missing_writer_is_noticed_early(monkeypatch: pytest.MonkeyPatch, suffix: str, package: str) -> None:
    check_writable(Path(f"x.{suffix}"))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SourceError, match=rf"need {package}\. Install it with: pip install 'shoal\[stat\]'"):
        check_writable(Path(f"x.{suffix}"))
    check_writable(Path("x.parquet"))


def test_nothing_heavy_is_imported_early() -> None:
    code = (
        "import sys, shoal.sources; heavy = {'duckdb', 'pandas', 'polars', 'pyarrow', 'pyreadstat', 'openpyxl'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_workbook_with_a_damaged_part_is_said_in_our_words(tmp_path):
    write_table(TABLE, tmp_path / "whole.xlsx")
    with zipfile.ZipFile(tmp_path / "whole.xlsx") as book:
        parts = {name: book.read(name) for name in book.namelist()}
    refused = set()
    for damaged in parts:
        with zipfile.ZipFile(tmp_path / "damaged.xlsx", "w") as book:
            for name, content in parts.items():
                book.writestr(name, b"<a" if name == damaged else content)
        try:
            read(tmp_path / "damaged.xlsx")
        except SourceError as complaint:
            refused.add(damaged)
            assert "not a valid .xlsx file" in str(complaint)  # noqa: PT017 some parts are never looked at
    assert {"xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"} <= refused


def test_names_of_columns_are_read_with_the_declared_encoding(tmp_path):
    """Names of columns are read with it, too: they cannot be one thing in the head and another below."""
    path = tmp_path / "people.sav"
    write_table(pa.table({"person": ["a", "b"], "age": [31, 40]}), path)
    assert read(path, ReadOptions(encoding="utf-16")).table.shape == (2, 2)
