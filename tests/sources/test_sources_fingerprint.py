"""A fingerprint depends on what a table says, not on how it is kept."""

from __future__ import annotations

import datetime as dt
import decimal
import hashlib
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.sources import sha256_of, sha256_of_table

COLUMNS = {
    "text": pa.array(["a", None, "", "ab", "c"]),
    "n": pa.array([1, None, 0, -1, 2**63 - 1]),
    "x": pa.array([1.5, None, 0.0, -0.0, 1e308]),
    "ok": pa.array([True, None, False, True, True]),
    "d": pa.array([dt.date(2020, 1, 1), None] * 2 + [None]),
    "t": pa.array([dt.datetime(2020, 1, 1), None] * 2 + [None]),
    "money": pa.array([decimal.Decimal("1.10"), None] * 2 + [None]),
    "list": pa.array([[1], None, [], [2, 3], None]),
    "none": pa.nulls(5),
}
TABLE = pa.table(COLUMNS)


@given(cut=st.integers(0, 5))
def test_chunks_do_not_matter(cut: int) -> None:
    chunked = pa.concat_tables([TABLE.slice(0, cut), TABLE.slice(cut)])
    assert sha256_of_table(chunked) == sha256_of_table(TABLE)


def test_dictionaries_metadata_and_garbage_do_not_matter() -> None:
    plain = pa.table({"a": ["x", "y", "x", None]})
    forward = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None]), pa.array(["x", "y"]))
    backward = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2, None]), pa.array(["y", "z", "x"]))
    wide = pa.table({"a": pa.array(["x", "y", "x", None], pa.large_string())})
    tables = [plain, pa.table({"a": forward}), pa.table({"a": backward}), wide]
    tables.append(plain.replace_schema_metadata({"made": "today"}))
    assert len({sha256_of_table(table) for table in tables}) == 1
    garbage = pa.Array.from_buffers(pa.int64(), 2, [pa.py_buffer(b"\x01"), pa.array([1, 99]).buffers()[1]])
    assert sha256_of_table(pa.table({"a": garbage})) == sha256_of_table(pa.table({"a": pa.array([1, None])}))


@pytest.mark.parametrize(
    "other",
    [
        {"a": ["xy", "z"]},
        {"b": ["x", "yz"]},
        {"a": ["x", "yz"], "b": ["x", "yz"]},
        {"a": ["x", None]},
        {"a": ["x", ""]},
        {"a": ["x"]},
        {"a": [1, 2]},
        {"a": [1.0, 2.0]},
    ],
)
def test_content_matters(other: dict[str, list[object]]) -> None:
    assert sha256_of_table(pa.table(other)) != sha256_of_table(pa.table({"a": ["x", "yz"]}))


def test_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert sha256_of(tmp_path / "x") == hashlib.sha256(b"abc").hexdigest()
