"""`trim`: blanks around cells are no part of them, in every source, whole and in pieces."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.errors import SourceError
from shoal.sources import ReadOptions, read, write_table
from shoal.sources.padding import padded_columns
from shoal.sources.piece_sizes import USUAL
from shoal.sources.pieces import open_pieces

TRIM = ReadOptions(trim=True, missing=("", "?"))
KINDS = {"age": "numeric", "born": "date", "work": "text"}
PADDED = "age , work, born\n39, State-gov , 1980-01-02\n 50, ?,\t1970-12-31 \n+7,\u00a0 , ?\n\n"
TABLE = {"age": [39, 50, 7], "work": ["State-gov", None, None], "born": ["1980-01-02", "1970-12-31", None]}


def _texts(table: pa.Table) -> dict[str, list[object]]:
    return table.set_column(2, "born", table["born"].cast(pa.string())).select(list(TABLE)).to_pydict()


def _csv(tmp_path: Path, text: str = PADDED) -> Path:
    path = tmp_path / "x.data"
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_names_and_words_for_missing_are_trimmed(tmp_path: Path) -> None:
    loaded = read(_csv(tmp_path), TRIM, kinds=KINDS)
    assert _texts(loaded.table) == TABLE
    assert pa.types.is_date(loaded.table["born"].type)
    with pytest.raises(SourceError, match="no column 'age'"):
        read(_csv(tmp_path), columns=["age"])


def test_pieces_of_any_size_hold_the_same_cells(tmp_path: Path) -> None:
    path = _csv(tmp_path, PADDED.rstrip("\n") + "\n" + " 50, ?,\t1970-12-31 \n" * 30)
    whole = read(path, TRIM, kinds=KINDS).table
    sizes = USUAL.__class__(**{**USUAL.__dict__, "csv_block": 64})
    pieces = list(open_pieces(path, TRIM, kinds=KINDS, sizes=sizes).read(["age", "work", "born"]))
    assert len(pieces) > 3
    assert pa.concat_tables(pieces, promote_options="permissive").cast(whole.schema).equals(whole)


def test_numbers_are_inferred_from_trimmed_cells(tmp_path: Path) -> None:
    assert pa.types.is_integer(read(_csv(tmp_path), TRIM, kinds="infer").table["age"].type)
    assert pa.types.is_string(read(_csv(tmp_path), kinds="infer").table["age "].type)


def test_quotes_after_a_blank_are_quotes(tmp_path: Path) -> None:
    path = _csv(tmp_path, 'a,b\n1, "x ""y"" "\n2, "z" \n3,"  w "\n')
    assert read(path, TRIM).table["b"].to_pylist() == ['x "y"', "z", "w"]


def test_sheets_frames_and_parquet_are_trimmed_alike(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in ([" age", "work "], [" 39", " State-gov"], [" 50 ", " ? "]):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    expected = {"age": [39, 50], "work": ["State-gov", None]}
    assert read(tmp_path / "x.xlsx", TRIM, kinds=KINDS).table.to_pydict() == expected
    frame = pd.DataFrame({"age": [" 39", "50 "], "work": [" State-gov", None]})
    assert read(frame, TRIM, kinds=KINDS).table.to_pydict() == expected
    assert read(frame, TRIM).table["work"].to_pylist() == ["State-gov", None]
    pq.write_table(pa.Table.from_pandas(frame), tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet", TRIM, kinds=KINDS).table.to_pydict() == expected
    (piece,) = open_pieces(tmp_path / "x.parquet", TRIM, kinds=KINDS).read(["age", "work"])
    assert piece.to_pydict() == expected
    (piece,) = open_pieces(tmp_path / "x.parquet", TRIM, kinds={}).read(["work"])
    assert piece.to_pydict() == {"work": ["State-gov", None]}


def test_what_is_written_has_no_blanks_and_is_read_as_it_is(tmp_path: Path) -> None:
    loaded = read(_csv(tmp_path), TRIM, kinds=KINDS)
    write_table(loaded.table, tmp_path / "y.csv", loaded.origin)
    assert (tmp_path / "y.csv").read_text() == "age,work,born\n39,State-gov,1980-01-02\n50,,1970-12-31\n7,,\n"


def test_padded_columns_are_found(tmp_path: Path) -> None:
    assert padded_columns(read(_csv(tmp_path)).table) == ("age ", " work", " born")
    assert padded_columns(read(_csv(tmp_path), TRIM).table) == ()
