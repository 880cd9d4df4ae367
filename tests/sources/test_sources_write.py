"""What is written reads back as it was, and the same table gives the same bytes."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from example_numbers import examples
from shoal.errors import SourceError
from shoal.sources import Origin, ReadOptions, options_written, read, write_table

# No NUL, which no CSV may hold, and no empty text, which is a missing one.
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1) | st.sampled_from(
    [
        '"',
        '""',
        "'",
        ",",
        ";",
        "\n",
        "\r",
        "\r\n",
        "007",
        "a,b",
        'a"b',
        " x ",
        "NA",
        "=1+1",
        "\ufeff",
        "\x1e",
        "é",
        "1,5",
    ]
)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
REALS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1e308, 5e-324, -0.0, 1e15, 1e16, 3.0])
DATES = st.dates(dt.date(1000, 1, 1))
TIMES = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))
KINDS = {"text": "text", "integer": "numeric", "real": "numeric", "date": "date", "time": "date"}
SCHEMA = pa.schema(
    {
        "text": pa.string(),
        "integer": pa.int64(),
        "real": pa.float64(),
        "date": pa.date32(),
        "time": pa.timestamp("us"),
    }
)


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    records = draw(
        st.lists(st.tuples(*(st.none() | cells for cells in (TEXTS, INTEGERS, REALS, DATES, TIMES))), min_size=1)
    )
    columns = {name: [record[i] for record in records] for i, name in enumerate(SCHEMA.names)}
    return pa.table(columns, schema=SCHEMA)


def typed(table: pa.Table) -> pa.Table:
    """A column without a value has no type in a CSV: give it the one it had."""
    gone = {f.name for f, c in zip(table.schema, table.columns, strict=True) if c.null_count == len(c)}
    return table.cast(pa.schema([SCHEMA.field(n) if n in gone else table.schema.field(n) for n in table.column_names]))


def bits(table: pa.Table) -> list[str]:
    return [value.hex() if value is not None else "" for value in table["real"].to_pylist()]


@pytest.mark.gate
@settings(max_examples=examples(200), deadline=None)
@given(table=tables(), delimiter=st.sampled_from(",;\t|"), decimal=st.sampled_from(".,"), header=st.booleans())
def test_a_csv_reads_back_as_it_was(table: pa.Table, delimiter: str, decimal: str, header: bool) -> None:
    like = Origin("csv", options=ReadOptions(delimiter=delimiter, decimal=decimal, header=header))
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.csv")
        write_table(table, path, like)
        names = table.column_names if header else [f"column_{i}" for i in range(1, 6)]
        kinds = dict(zip(names, KINDS.values(), strict=True))
        back = typed(read(path, options_written(path, like), kinds=kinds).table.rename_columns(table.column_names))
    assert back.schema == table.schema
    assert back.equals(table)
    assert bits(back) == bits(table)  # -0.0 equals 0.0, yet is another value


@pytest.mark.gate
@settings(max_examples=examples(100), deadline=None)
@given(texts=st.lists(st.none() | TEXTS, min_size=1), suffix=st.sampled_from(["csv", "csv.gz"]))
@example(texts=[None], suffix="csv")
@example(texts=["\n", None, "\x1e"], suffix="csv")
def test_a_single_column_reads_back_as_it_was(texts: list[str | None], suffix: str) -> None:
    table = pa.table({"x": pa.array(texts, pa.string())})
    with TemporaryDirectory() as folder:
        path = Path(folder, f"x.{suffix}")
        write_table(table, path, None)
        assert read(path, options_written(path)).table.equals(table)


@settings(max_examples=examples(30), deadline=None)
@given(table=tables(), suffix=st.sampled_from(["parquet", "arrow", "feather"]))
def test_typed_formats_read_back_as_they_were(table: pa.Table, suffix: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"x.{suffix}")
        write_table(table, path, None)
        assert read(path).table.equals(table)


SAMPLE = pa.table(
    {
        "name": pa.array(["ann", 'b;"b"', None]),
        "weight": [1.0, 0.1, None],
        "born": [dt.date(2000, 1, 2), None, dt.date(1999, 12, 31)],
        "ok": [True, False, None],
        "sex": pa.array(["m", "f", "m"]).dictionary_encode(),
        "n": pa.array([1, None, 3]),
    }
)


def test_a_csv_looks_like_its_input(tmp_path: Path) -> None:
    like = Origin("csv", options=ReadOptions(delimiter=";", decimal=",", date_format="%d.%m.%Y"))
    write_table(SAMPLE, tmp_path / "x.csv", like)
    assert (tmp_path / "x.csv").read_bytes() == (
        b'name;weight;born;ok;sex;n\nann;1,0;02.01.2000;true;m;1\n"b;""b""";0,1;;false;f;\n;;31.12.1999;;m;3\n'
    )


def test_a_missing_value_is_not_an_empty_one_where_the_input_said_so(tmp_path: Path) -> None:
    like = Origin("csv", options=ReadOptions(missing=("NA",)))
    table = pa.table({"a": ["", None], "b": ["x", "y"]})
    write_table(table, tmp_path / "x.csv", like)
    assert (tmp_path / "x.csv").read_text() == "a,b\n,x\nNA,y\n"
    assert read(tmp_path / "x.csv", options_written("x.csv", like)).table.equals(table)


def test_a_time_of_day_is_not_cut_off_by_a_date_format(tmp_path: Path) -> None:
    like = Origin("csv", options=ReadOptions(date_format="%d.%m.%Y"))
    write_table(pa.table({"t": [dt.datetime(2020, 1, 1, 10)]}), tmp_path / "x.csv", like)
    assert "10:00" in (tmp_path / "x.csv").read_text()


@pytest.mark.parametrize(
    "suffix",
    [
        "csv",
        "tsv",
        "csv.gz",
        "csv.xz",
        "csv.bz2",
        "csv.zst",
        "parquet",
        "arrow",
        "sav",
        "zsav",
        "dta",
        "xlsx",
    ],
)
def test_the_same_table_gives_the_same_bytes(tmp_path: Path, suffix: str, another_day: Callable[[], None]) -> None:
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    write_table(SAMPLE, one, None)
    another_day()
    write_table(pa.concat_tables([SAMPLE.slice(0, 1), SAMPLE.slice(1)]), other, None)
    assert one.read_bytes() == other.read_bytes()


@pytest.fixture
def another_day(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Turns the clock on: that of Python, and by the time zone also that of libraries in C."""

    def turn() -> None:
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 100_000)
        monkeypatch.setenv("TZ", "FAR-23:59:59" if time.timezone >= 0 else "FAR+23:59:59")
        time.tzset()

    yield turn
    monkeypatch.undo()
    time.tzset()


def test_a_workbook_does_not_say_when_it_was_written(tmp_path: Path) -> None:
    write_table(SAMPLE, tmp_path / "x.xlsx", None)
    with zipfile.ZipFile(tmp_path / "x.xlsx") as book:
        assert {part.date_time for part in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        times = re.findall(rb"\d{4}-\d\d-\d\dT[\d:]+Z?", book.read("docProps/core.xml"))
    assert set(times) == {b"1980-01-01T00:00:00Z"}


def test_gzip_holds_the_csv(tmp_path: Path) -> None:
    write_table(SAMPLE, tmp_path / "x.csv", None)
    write_table(SAMPLE, tmp_path / "x.csv.gz", None)
    assert gzip.decompress((tmp_path / "x.csv.gz").read_bytes()) == (tmp_path / "x.csv").read_bytes()


def test_what_a_csv_cannot_hold_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="column 'a' cannot be written as CSV"):
        write_table(pa.table({"a": [[1, 2]]}), tmp_path / "x.csv", None)
    with pytest.raises(SourceError, match="NUL"):
        write_table(pa.table({"a": ["x\0y"]}), tmp_path / "x.csv", None)
    with pytest.raises(SourceError, match="cannot write it"):
        write_table(SAMPLE, tmp_path / "x.sas7bdat", None)
