"""Threads of Arrow hold no file of Python's: one that they release while the process ends would abort it."""

import os
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv

from shoal.sources import read


@pytest.mark.parametrize("name", [b"x.csv", "\u00fc x.csv".encode(), b"\xff.csv"])
def test_a_csv_is_read_by_arrow_itself(tmp_path, monkeypatch, name):
    streams, read_csv = [], arrow_csv.read_csv
    monkeypatch.setattr(arrow_csv, "read_csv", lambda stream, *rest: streams.append(stream) or read_csv(stream, *rest))
    path = tmp_path / Path(os.fsdecode(name))
    path.write_text("age,town\n31,a\n42,b\n")
    assert read(path).table.to_pydict() == {"age": ["31", "42"], "town": ["a", "b"]}
    assert [isinstance(stream, pa.OSFile) for stream in streams] == [True]
