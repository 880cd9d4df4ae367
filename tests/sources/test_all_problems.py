"""All problems of a file, a table or a policy are listed in one message."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, SourceError, TableError
from shoal.policy import load
from shoal.sources import read

NUMBERS = dict.fromkeys("abc", "numeric")


def _complaint(path: Path, text: str, kinds: dict[str, str] | None = None) -> str:
    path.write_text(text)
    with pytest.raises(SourceError) as caught:
        read(path, kinds=kinds)
    return str(caught.value)


def test_unreadable_cells_of_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    text = "a,b,c,d\n1,2,x,2020-01-01\n1,Zyx,3,1.1.2020\n1,Zyx,4,2020-01-03\n"
    complaint = _complaint(path, text, {**NUMBERS, "d": "date"})
    assert complaint.startswith(
        f"{path}: 3 problems.\n  column 'b': declared numeric, but 2 cells do not hold a number"
    )
    assert "\n  column 'c': declared numeric, but 1 cell does not hold a number (line 2)" in complaint
    assert "\n  column 'd': declared date, but 1 cell does not hold an ISO date (line 3)" in complaint
    assert "Zyx" not in complaint


def test_irregular_lines_and_the_cells_of_all_others(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    complaint = _complaint(path, "a,b,c\n1,2\n1,2,3\n1,Zyx,3\n1,2,3,4\n1,2,Zyx\n", NUMBERS)
    assert complaint.startswith(f"{path}: 3 problems.\n")
    assert "every line should have 3 cells, like the first, but line 2 has 2, line 5 has 4" in complaint
    assert "column 'b': declared numeric, but 1 cell does not hold a number (line 4)" in complaint
    assert "column 'c': declared numeric, but 1 cell does not hold a number (line 6)" in complaint
    assert "Zyx" not in complaint


def test_names_that_occur_twice_and_irregular_lines(tmp_path: Path) -> None:
    complaint = _complaint(tmp_path / "x.csv", "a,b,a\n1,2,3\n1,2\n")
    assert "2 problems" in complaint
    assert "several columns have the same name: columns 1, 3" in complaint
    assert "line 3 has 2" in complaint


def test_many_problems_are_shown_in_part(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(14)]
    text = ",".join(names) + "\n" + ",".join("x" * 14) + "\n" + ",".join("1" * 14) + "\n"
    complaint = _complaint(tmp_path / "x.csv", text, dict.fromkeys(names, "numeric"))
    assert "14 problems" in complaint
    assert complaint.count("declared numeric") == 10
    assert complaint.endswith("and 4 more")


def test_columns_of_a_table_that_do_not_fit_the_policy() -> None:
    table = pa.table({"a": pa.nulls(9, pa.int64()), "b": ["x"] * 9, "c": list(range(9)), "d": pa.nulls(9, pa.int64())})
    rule = {"role": "quasi_identifier", "kind": "numeric"}
    columns = {"a": rule, "b": {**rule, "kind": "nominal"}, "c": {**rule, "kind": "date"}, "d": rule}
    with pytest.raises(TableError) as caught:
        shoal.protect(table, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]})
    complaint = str(caught.value)
    assert complaint.startswith("the table: 3 problems.\n  columns.a: every value is missing.")
    assert "columns.c: declared date, but the table holds int64" in complaint
    assert "columns.d: every value is missing." in complaint


def test_taxonomies_that_do_not_fit() -> None:
    rule = {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"intervals": [5]}}
    table = pa.table({"a": ["x"] * 9, "b": ["y"] * 9})
    with pytest.raises(PolicyError, match=r"(?s)2 problems.*columns\.a.*columns\.b"):
        shoal.protect(table, {"columns": {"a": rule, "b": rule}, "requirements": [{"name": "k_anonymity", "k": 2}]})


def test_contradictions_of_all_columns_of_a_policy() -> None:
    rule = {"role": "quasi_identifier", "kind": "nominal"}
    columns = {"a": {**rule, "decimals": 2}, "b": rule, "c": {**rule, "order": ["x"]}}
    with pytest.raises(PolicyError, match=r"(?s)2 problems.*columns\.a\.decimals.*columns\.c\.order"):
        load({"columns": columns})
