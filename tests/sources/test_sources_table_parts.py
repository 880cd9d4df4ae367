"""A folder of Parquet files is one table: parts in the order of their names, common types, one hash."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.engines.choose import source_size
from shoal.errors import PartsError, ShoalError, SourceError
from shoal.sources import ReadOptions, read, sha256_of
from shoal.sources.carriers import carriers_of
from shoal.sources.file_state import FileState
from shoal.sources.pieces import open_pieces
from shoal.sources.table_parts import MOST_PARTS, part_name, parts_of

CANARY = "Mrs Canary"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir()
    return made


def write(folder: Path, **columns: list[Any]) -> None:
    """A file for every column of ``x``, named after it."""
    for name, cells in columns.items():
        pq.write_table(pa.table({"x": cells}), folder / f"{name}.parquet")


def pieces_of(path: Path) -> pa.Table:
    found = open_pieces(path, ReadOptions())
    return pa.concat_tables(found.read(found.names))


def test_parts_follow_one_another_in_the_order_of_their_names(folder: Path) -> None:
    write(folder, **{"b": [3], "a": [1, 2], "part-10": [6], "part-9": [7], "Z": [0]})
    for name in (".hidden.csv", "_SUCCESS", "_metadata"):
        (folder / name).write_text("nothing that is read")
    assert [part.stem for part in parts_of(folder)] == ["Z", "a", "b", "part-10", "part-9"]
    assert read(folder).table["x"].to_pylist() == [0, 1, 2, 3, 6, 7]
    assert pieces_of(folder)["x"].to_pylist() == [0, 1, 2, 3, 6, 7]
    assert read(folder).origin.format == "parquet"


def test_a_pattern_names_some_files_of_a_folder(folder: Path) -> None:
    write(folder, **{"2023-1": [1], "2023-2": [2], "2024-1": [3]})
    (folder / "notes.txt").write_text("read by nobody")
    assert read(folder / "2023-*.parquet").table["x"].to_pylist() == [1, 2]
    assert pieces_of(folder / "*.parquet")["x"].to_pylist() == [1, 2, 3]
    assert sha256_of(folder / "2024-?.parquet") != sha256_of(folder / "2023-1.parquet")
    with pytest.raises(PartsError, match="no Parquet file has a name of this pattern"):
        read(folder / "2022-*.parquet")


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder: Path) -> None:
    write(folder, **{"a[1]": [1], "a1": [2]})
    assert read(folder / "a[1].parquet").table["x"].to_pylist() == [1]


def test_the_hash_is_that_of_what_sha256sum_prints(folder: Path) -> None:
    write(folder, **{"part-00001": [2], "part-00000": [1], "übrig": [3]})
    command = "LC_ALL=C; export LC_ALL; sha256sum *.parquet | sha256sum"
    printed = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=True, text=True).stdout
    assert sha256_of(folder) == printed.split()[0]
    before = sha256_of(folder)
    (folder / "part-00001.parquet").rename(folder / "part-00002.parquet")
    assert sha256_of(folder) != before


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ((pa.array([1], pa.int32()), pa.array([2**40], pa.int64())), pa.int64()),
        ((pa.array([16_777_217], pa.int32()), pa.array([0.5], pa.float32())), pa.float64()),
        ((pa.array([2**53]), pa.array([0.5])), pa.float64()),
        ((pa.nulls(1), pa.array([7])), pa.int64()),
        ((pa.array([dt.date(2020, 1, 1)]), pa.nulls(1), pa.nulls(1)), pa.date32()),
        ((pa.nulls(1), pa.nulls(1)), pa.string()),
        ((pa.array(["a"], pa.large_string()), pa.array(["b"])), pa.string()),
        ((pa.array([1], pa.timestamp("s")), pa.array([1], pa.timestamp("us"))), pa.timestamp("us")),
        ((pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", None]).dictionary_encode()), None),
    ],
)
def test_columns_have_a_type_that_holds_all_parts(
    folder: Path, cells: tuple[pa.Array[Any], ...], kind: pa.DataType | None
) -> None:
    for number, part in enumerate(cells):
        pq.write_table(pa.table({"x": part}), folder / part_name(number))
    table = read(folder).table
    assert table["x"].type == (kind or pa.dictionary(pa.int32(), pa.string()))
    expected = [value for part in cells for value in part.to_pylist()]
    assert table["x"].to_pylist() == expected
    assert pieces_of(folder).to_pydict() == {"x": expected}
    assert pieces_of(folder).schema == table.schema


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["1"], [1]),
        ([Decimal("0.1")], [0.5]),
        ([dt.date(2020, 1, 1)], [True]),
        ([dt.datetime(9999, 1, 1)], pa.array([1], pa.timestamp("ns"))),
        ([2**53 + 1], [0.5]),
    ],
    ids=str,
)
def test_cells_that_no_type_holds_are_refused(folder: Path, first: Any, second: Any) -> None:
    write(folder, a=first, b=second)
    for reading in (read, pieces_of):
        with pytest.raises(SourceError, match="column 'x'"):
            reading(folder)


def test_columns_may_be_in_any_order_but_must_be_the_same(folder: Path) -> None:
    pq.write_table(pa.table({"x": [1], "y": ["a"]}), folder / "a.parquet")
    pq.write_table(pa.table({"y": ["b"], "x": [2]}), folder / "b.parquet")
    assert read(folder).table.to_pydict() == pieces_of(folder).to_pydict() == {"x": [1, 2], "y": ["a", "b"]}
    assert read(folder, columns=["y"]).table.to_pydict() == {"y": ["a", "b"]}
    pq.write_table(pa.table({"z": [CANARY], "x": [2]}), folder / "b.parquet")
    for reading in (read, pieces_of):
        with pytest.raises(PartsError, match=r"b.parquet has other columns than a.parquet.* no column 'y'.*column 'z'"):
            reading(folder)


def empty(folder: Path) -> None:
    (folder / "_SUCCESS").touch()


def with_text(folder: Path) -> None:
    write(folder, a=[CANARY])
    (folder / "b.csv").write_text(CANARY)


def nested(folder: Path) -> None:
    write(folder, a=[CANARY])
    (folder / "year=2020").mkdir()


def of_delta(folder: Path) -> None:
    write(folder, a=[CANARY])
    (folder / "_delta_log").mkdir()


def with_damage(folder: Path) -> None:
    write(folder, a=[CANARY])
    (folder / "b.parquet").write_text(CANARY)


def with_empty_file(folder: Path) -> None:
    write(folder, a=[CANARY])
    (folder / "b.parquet").touch()


@pytest.mark.parametrize(
    ("fill", "words"),
    [
        (empty, "data is a folder without Parquet files"),
        (with_text, r"data: 1 file is not .parquet: b.csv"),
        (nested, "data: there are folders among its files: year=2020"),
        (of_delta, "tables of Delta"),
        (with_damage, "b.parquet: this is not a valid .parquet file"),
        (with_empty_file, "b.parquet is empty"),
    ],
)
def test_what_is_no_folder_of_parts_is_said_without_a_cell(folder: Path, fill: Any, words: str) -> None:
    fill(folder)
    for reading in (read, pieces_of, source_size):
        with pytest.raises(SourceError, match=words) as said:
            reading(folder)
        assert CANARY not in str(said.value)


def test_several_files_are_parquet_and_nothing_else(folder: Path) -> None:
    write(folder, a=[1])
    with pytest.raises(PartsError, match="format = 'csv' is declared"):
        read(folder, ReadOptions(format="csv"))
    assert len(read(folder, ReadOptions(format="parquet")).table) == 1


def test_a_part_without_records_is_a_part(folder: Path) -> None:
    write(folder, a=[1, 2], b=[3])
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), folder / "aa.parquet")
    assert read(folder).table["x"].to_pylist() == pieces_of(folder)["x"].to_pylist() == [1, 2, 3]


@pytest.mark.parametrize(
    "named", [lambda folder: folder, lambda folder: folder / "*.parquet"], ids=["folder", "pattern"]
)
def test_every_change_of_a_part_is_seen(folder: Path, named: Any) -> None:
    write(folder, a=[1], b=[2])
    path, state = named(folder), FileState.of(named(folder))
    state.check(path)
    (folder / "_SUCCESS").touch()
    state.check(path)
    part = folder / "b.parquet"
    content, times = part.read_bytes(), part.stat()
    for change in (lambda: part.write_bytes(content), part.unlink, lambda: write(folder, b=[2], c=[3])):
        change()
        with pytest.raises(SourceError, match="changed while it was being read"):
            state.check(path)
    write(folder, b=[4])
    (folder / "c.parquet").unlink()
    os.utime(part, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(SourceError, match="changed while it was being read"):
        state.check(path)


def test_the_size_is_that_of_all_parts(folder: Path) -> None:
    write(folder, a=[1] * 1000, b=[2] * 500)
    assert source_size(folder).n_bytes >= 8 * 1500


def test_what_a_folder_holds_besides_its_parts_is_found(folder: Path) -> None:
    write(folder, a=[1], b=[2])
    (bounds,) = carriers_of(folder)
    assert (bounds.n, bounds.may_stay) == (4, True)  # minimum and maximum of each part
    (folder / ".notes").write_text(CANARY)
    besides = carriers_of(folder)[0]
    assert (besides.what, besides.n, besides.may_stay) == ("files besides the parts", 1, False)
    pq.write_table(pa.table({"x": [3]}).replace_schema_metadata({"secret": CANARY}), folder / "b.parquet")
    assert not all(carrier.may_stay for carrier in carriers_of(folder)[1:])


def test_parts_keep_the_order_of_their_numbers() -> None:
    assert (part_name(7), part_name(MOST_PARTS - 1)) == ("part-00007.parquet", "part-99999.parquet")
    with pytest.raises(ShoalError, match="at most 100,000 parts"):
        part_name(MOST_PARTS)
