"""Readers: whatever a file holds, it is a table or a complaint of ours, and no complaint shows a cell.

Both ways to read a file, at once and in pieces, come to the same.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from hypothesis import given, note
from hypothesis import strategies as st

from file_examples import ONE_OF_EACH_FORMAT
from shoal.errors import ShoalError
from shoal.sources import ReadOptions, read, write_table
from shoal.sources.formats import format_of
from soak.mutations import damaged
from survey_example import carrier, survey

CANARY = "canary"
NUMBER = 98765432.125
KINDS = {"age": "numeric", "code": "numeric", "amount": "numeric", "born": "date", "grade": "text"}
OFTEN = ["csv", "csv", "parquet", "xlsx", "csv.gz"]
SUFFIXES = [*(extension.removeprefix(".") for extension in ONE_OF_EACH_FORMAT), *OFTEN]


@cache
def whole(suffix: str) -> bytes:
    """A file of this format whose cells are canaries."""
    table = survey(30)
    table = table.append_column("name", pa.array([f"{CANARY}{i}" for i in range(30)]))
    table = table.set_column(table.column_names.index("amount"), "amount", pa.array([NUMBER + i for i in range(30)]))
    if suffix in ("sav", "dta"):  # which hold no whole number of this size
        table = table.drop_columns(["code"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"whole.{suffix}"
        write_table(table, path)
        return path.read_bytes()


@st.composite
def book(draw: st.DrawFn) -> bytes:
    """An Excel file that is a proper archive, with one of its parts damaged."""
    with zipfile.ZipFile(io.BytesIO(whole("xlsx"))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = draw(st.sampled_from(sorted(parts)))
    parts[name] = draw(damaged(parts[name]))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for each, content in parts.items():
            archive.writestr(zipfile.ZipInfo(each), content)
    return made.getvalue()


@st.composite
def written(draw: st.DrawFn) -> bytes:
    """A CSV made from nothing: any lines, delimiters, quotes, line ends and encodings."""
    cells = st.sampled_from(
        ["", "1", "-2.5", "1,5", "NA", "2020-02-29", "x", '"', "'", "a\nb", "é", "007", "\t", "€", " "]
    )
    delimiter, end = draw(st.sampled_from([",", ";", "\t", "|", " "])), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines = draw(st.lists(st.lists(cells, min_size=1, max_size=5), max_size=8))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "utf-32"]))
    text = "a,b\n".replace(",", delimiter) * draw(st.integers(0, 1)) + end.join(map(delimiter.join, lines))
    return text.encode(encoding, errors="replace")


options = st.builds(
    ReadOptions,
    delimiter=st.none() | st.sampled_from([",", ";", "x"]),
    quote=st.sampled_from([None, None, '"', "'", ""]),
    encoding=st.sampled_from([None, None, None, "utf-8", "cp1252", "utf-16"]),
    decimal=st.sampled_from([None, None, ".", ","]),
    header=st.sampled_from([None, None, True, False]),
    missing=st.sampled_from([("",), ("", "NA"), ("x",)]),
    date_format=st.sampled_from([None, None, "%d.%m.%Y"]),
)


class File:
    """What is read; a long one is not shown whole."""

    def __init__(self, suffix: str, content: bytes) -> None:
        self.suffix, self.content = suffix, content

    def __repr__(self) -> str:
        return f"File({self.suffix!r}, {len(self.content)} bytes: {self.content[:200]!r})"


@st.composite
def files(draw: st.DrawFn) -> File:
    suffix = draw(st.sampled_from(SUFFIXES))
    if suffix == "xlsx" and draw(st.booleans()):
        return File(suffix, draw(book()))
    if suffix.startswith("csv"):
        header = whole("csv").index(b"\n") + 1  # names of columns may be shown
        content = draw(written() | damaged(whole("csv"), header) | st.binary(max_size=60))
        if suffix == "csv":
            return File(suffix, content)
        packed, opener = draw(st.sampled_from([("gz", gzip.compress), ("bz2", bz2.compress)]))
        content = opener(content)
        return File(f"csv.{packed}", draw(st.just(content) | damaged(content)))
    return File(suffix, draw(damaged(whole(suffix))))


def outcome(reading: Callable[[], pa.Table]) -> pa.Table | ShoalError:
    try:
        return reading()
    except ShoalError as error:
        complaint = error
    assert CANARY not in str(complaint), "the message shows a cell"
    assert "9876543" not in str(complaint), "the message shows a number"
    return complaint


@given(files(), options, st.sampled_from([None, KINDS, "infer"]))
def fuzz(file: File, options: ReadOptions, kinds: object) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{file.suffix}"
        path.write_bytes(file.content)
        at_once = outcome(lambda: read(path, options, kinds=kinds).table)
        note(f"{file.suffix}: {at_once if isinstance(at_once, ShoalError) else at_once.schema}")
        if isinstance(at_once, pa.Table):
            at_once.validate(full=True)
            assert at_once.num_rows > 0
        if not format_of(path).in_pieces or kinds == "infer":
            return
        with carrier("duckdb", Path(folder)) as engine:
            in_pieces = outcome(lambda: engine.collect(engine.read(path, options, kinds=kinds)))
        assert type(at_once) is type(in_pieces), f"at once {at_once!r}, in pieces {in_pieces!r}"
        if isinstance(at_once, pa.Table):
            assert at_once.equals(in_pieces)
