"""`thousands`: the mark between groups of three digits."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shoal.errors import SourceError
from shoal.sources import ReadOptions, read, write_table
from shoal.sources.conversion_error import ConversionError
from shoal.sources.text_numbers import to_numbers

MARKS = [(".", "."), (",", ","), (" ", " "), (" ", "\u00a0"), (" ", "\u202f"), ("'", "'"), ("'", "\u2019")]


def _decimal(mark: str) -> str:
    return "," if mark == "." else "."


@pytest.mark.parametrize(("declared", "written"), MARKS)
@given(numbers=st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=5), cents=st.booleans())
def test_grouped_numbers_read_as_python_writes_them(
    declared: str, written: str, numbers: list[int], cents: bool
) -> None:
    texts = [f"{n:,}".replace(",", written) + f"{_decimal(declared)}25" * cents for n in numbers]
    expected = [float(f"{n}.25") for n in numbers] if cents else numbers
    assert to_numbers(pa.chunked_array([texts]), _decimal(declared), declared).to_pylist() == expected


@pytest.mark.parametrize(
    "wrong", ["1.23.4", "1234.567", "1.2345", ".123", "1..234", "1.234.", "1,5.000", "1.234e3", "1.234x"]
)
def test_a_wrong_grouping_is_no_number_and_is_counted(wrong: str) -> None:
    texts = pa.chunked_array([["1.234", wrong, None, "5", "x"]])
    with pytest.raises(ConversionError) as caught:
        to_numbers(texts, ",", ".")
    assert (caught.value.n, caught.value.first_records(3)) == (2, [1, 4])


def test_the_message_counts_and_shows_no_cell(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a;b\n1.234.567,89;x\n9.87.6;y\n-1.000;z\n12;w\n")
    with pytest.raises(SourceError, match="1 cell does not hold a number with groups of three digits") as caught:
        read(path, ReadOptions(thousands="."), kinds={"a": "numeric"})
    assert "9.87" not in str(caught.value)
    path.write_text(path.read_text().replace("9.87.6", "9.876"))
    loaded = read(path, ReadOptions(thousands="."), kinds={"a": "numeric"})
    assert loaded.table["a"].to_pylist() == [1234567.89, 9876.0, -1000.0, 12.0]
    write_table(loaded.table, tmp_path / "y.csv", loaded.origin)
    assert (tmp_path / "y.csv").read_text() == "a;b\n1234567,89;x\n9876,0;y\n-1000,0;z\n12,0;w\n"


@pytest.mark.parametrize("quoted", ["'", '"'])
def test_quotes_and_commas_of_a_csv(tmp_path: Path, quoted: str) -> None:
    path = tmp_path / "x.csv"
    mark = "'" if quoted == '"' else ","
    path.write_text(f"a,b\n{quoted}1{mark}234{quoted},5\n{quoted}12{quoted},6\n")
    loaded = read(path, ReadOptions(thousands=mark, quote=quoted), kinds={"a": "numeric"})
    assert loaded.table["a"].to_pylist() == [1234, 12]


@pytest.mark.parametrize(
    "wrong",
    [
        {"thousands": ".", "decimal": "."},
        {"thousands": ",", "decimal": ","},
        {"thousands": "'", "quote": "'"},
        {"thousands": ",", "delimiter": ",", "quote": ""},
        {"thousands": "x"},
        {"thousands": ""},
    ],
)
def test_marks_that_cannot_be_told_apart_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        ReadOptions(**wrong)
