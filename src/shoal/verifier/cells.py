"""The written file as a table of a database: cells as texts, columns by position, nothing left unread.

file, policy -> table of DuckDB: r (record, from 0), c0, c1, ... (texts; NULL: missing)

Names never reach the database, which ignores their case. A cell of a typed file is the shortest text of its value, bit
by bit: -0.0 is not 0.0. A missing cell and an empty text are different, in a CSV those without and with quotes; but
that of its only column needs quotes, as an empty line is no record.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

import duckdb

from shoal.verifier.policy import Asked, check_names
from shoal.verifier.refused import RefusedError

DELIMITERS = (",", ";", "\t", "|")
TEXTS = (".csv", ".tsv", ".txt", ".dat", ".data")
PACKED: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
PACKED_FOR_ARROW: dict[str, Any] = {".zst": "zstd", ".lz4": "lz4", ".br": "brotli"}
LONGEST_LINE = 2**28  # bytes
MOST_DIGITS = 38  # of a decimal in the database
ZONED = "TIMESTAMP WITH TIME ZONE"
# Types whose values have one text each. Nested ones and durations have none that readers agree on.
PLAIN = (
    "VARCHAR", "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "FLOAT", "DOUBLE", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS",
    ZONED, "UUID", "BLOB", '"NULL"',
)  # fmt: skip
# A text that a spreadsheet would run as a formula, with the apostrophe that the release has put before it.
GUARDED = r"''+[=+\-@\t\r].*"
NUMBER = r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?"


@dataclass(frozen=True)
class Cells:
    """A table of texts in the database."""

    table: str
    names: tuple[str, ...]
    n_records: int
    reader: str  # who has read the cells

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def at(self, name: str) -> str:
        """The column of this name in the table."""
        return f"c{self.names.index(name)}"


@contextmanager
def database(memory: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with tables of its own, to a database in memory that spills what is too large to a temporary folder.
    The database is opened once in a process."""
    with _opened().cursor() as connection:
        if memory:
            connection.execute(f"SET memory_limit = {literal(memory)}")
        yield connection


@cache
def _opened() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    return connection


def read_cells(at: duckdb.DuckDBPyConnection, source: Any, asked: Asked, table: str = "t") -> Cells:
    """The table of a file, of a folder of Parquet files, or of an Arrow table. Raises RefusedError."""
    if not isinstance(source, str | Path):
        return _of_arrow(at, source, "an Arrow table in memory", asked, table)
    path = Path(source)
    kind = path.suffix.lower()
    plain = path.with_suffix("").suffix.lower() if kind in (*PACKED, *PACKED_FOR_ARROW) else kind
    try:
        if path.is_dir() or kind in (".parquet", ".pq"):
            with _named_plainly(path) as named:
                return _of_parquet(at, _parts(named) if path.is_dir() else [named], asked, table)
        if plain in TEXTS:
            return _of_csv(at, path, asked, table)
        if kind in (".arrow", ".ipc", ".feather"):
            import pyarrow as pa

            with pa.memory_map(str(path)) as file:
                return _of_arrow(at, pa.ipc.open_file(file).read_all(), "pyarrow", asked, table)
        from shoal.verifier.adapter import read_other

        return _of_arrow(at, *read_other(path), asked, table)
    except (duckdb.Error, OSError, EOFError, lzma.LZMAError, ValueError, csv.Error) as reason:
        raise RefusedError(f"{path.name} cannot be read: {type(reason).__name__}") from reason


def _of_csv(at: duckdb.DuckDBPyConnection, path: Path, asked: Asked, table: str) -> Cells:
    marker = "" if "" in asked.missing or not asked.missing else asked.missing[0]
    with _unpacked(path) as file:
        names, delimiter = _header(file, asked)
        if len(names) == 1 and _has_empty_line(file):
            raise RefusedError(f"{path.name} has an empty line, which some read as a record")
        if asked.has_apostrophes:
            names = [name[1:] if name.startswith("'") and _is_formula(name) else name for name in names]
        types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(names)))
        in_quotes = not marker and len(names) == 1
        at.execute(
            f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT row_number() OVER () - 1 AS r, * FROM "
            f"read_csv({literal(str(file))}, auto_detect = false, columns = {{{types}}}, header = true, "
            f"delim = {literal(delimiter)}, quote = {literal(asked.quote)}, escape = {literal(asked.quote)}, "
            f"nullstr = {literal(marker)}, allow_quoted_nulls = {in_quotes}, strict_mode = true, null_padding = false, "
            "hive_partitioning = false, "
            f"compression = 'none', max_line_size = {LONGEST_LINE})"
        )
    for place in range(len(names)) if asked.has_apostrophes else ():
        cell = f"c{place}"
        at.execute(
            f"UPDATE {table} SET {cell} = substr({cell}, 2) WHERE regexp_full_match({cell}, '{GUARDED}', 's') "
            f"AND NOT regexp_full_match(ltrim({cell}, ''''), '{NUMBER}')"
        )
    return _cells(at, names, "DuckDB", table)


def _is_formula(text: str) -> bool:
    return text.lstrip("'").startswith(tuple("=+-@\t\r"))


def _header(path: Path, asked: Asked) -> tuple[list[str], str]:
    """The names of the first line, and the delimiter: that of the policy, else the one by which the first line has most
    names of the policy."""
    with path.open("rb") as stream:
        if stream.read(3) == b"\xef\xbb\xbf":
            raise RefusedError(f"{path.name} begins with a byte order mark, which is no cell")
    with path.open(encoding="utf-8", newline="") as text:
        first = _first_record(text, asked.quote)
    expected, tried = {*asked.released, "group", "count"}, [asked.delimiter] if asked.delimiter else DELIMITERS
    found = [(_names(first, each, asked.quote), each) for each in tried]
    return max(found, key=lambda one: len(expected & set(one[0])))


def _names(line: str, delimiter: str, quote: str) -> list[str]:
    """The names of the first line; none where this delimiter does not follow a quote that ends."""
    try:
        return next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter, quotechar=quote, strict=True), [])
    except csv.Error:
        return []


def _first_record(text: IO[str], quote: str) -> str:
    """The first lines up to where no quote is open."""
    lines = ""
    for line in text:
        lines += line
        if lines.count(quote) % 2 == 0:
            break
    return lines


def _has_empty_line(path: Path) -> bool:
    with path.open("rb") as lines:
        return any(not line.rstrip(b"\r\n") for line in lines)


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """The file itself; of one that is compressed, a copy in a folder that only its owner can read."""
    kind = path.suffix.lower()
    if kind not in PACKED and kind not in PACKED_FOR_ARROW:
        with _named_plainly(path) as named:
            yield named
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "release.csv"
        with copy.open("wb") as plain:
            if kind in PACKED:
                with PACKED[kind](path, "rb") as packed:
                    shutil.copyfileobj(packed, plain)
            else:
                import pyarrow as pa

                codec = PACKED_FOR_ARROW[kind]
                with pa.OSFile(str(path), "rb") as file, pa.CompressedInputStream(file, codec) as packed:
                    shutil.copyfileobj(packed, plain)
        yield copy


def _parts(folder: Path) -> list[Path]:
    """The files of a folder, but for those that nobody reads. Others might be read by somebody, and are not proved."""
    parts = sorted(each for each in folder.iterdir() if not each.name.startswith((".", "_")))
    others = sum(
        not each.is_file() or each.suffix != ".parquet" or any(mark in each.name for mark in "*?[") for each in parts
    )
    if others:
        raise RefusedError(f"the folder of the release holds {others} files that are no part of it")
    if not parts:
        raise RefusedError(f"{folder.name} holds no Parquet files")
    return parts


def _of_parquet(at: duckdb.DuckDBPyConnection, parts: Sequence[Path], asked: Asked, table: str) -> Cells:
    files = f"[{', '.join(literal(str(part)) for part in parts)}]"
    described = {str(at.execute(f"DESCRIBE FROM read_parquet({literal(str(part))})").fetchall()) for part in parts}
    if len(described) > 1:
        raise RefusedError("the files of the release have different columns")
    order = "filename, file_row_number" if len(parts) > 1 else "file_row_number"
    found = f"read_parquet({files}, file_row_number = true, filename = true, hive_partitioning = false)"
    columns = [
        (str(name), str(kind))
        for name, kind, *_ in at.execute(
            f"DESCRIBE SELECT * EXCLUDE (file_row_number, filename) FROM {found}"
        ).fetchall()
    ]
    stored = at.execute(f"SELECT name, type, coalesce(precision, 0) FROM parquet_schema({files})").fetchall()
    if not {name for name, _ in columns} <= {str(name) for name, *_ in stored}:  # DuckDB has renamed one
        raise RefusedError("two columns have one name, or differ only in case")
    if any(precision > MOST_DIGITS or kind == "INT96" for _, kind, precision in stored):
        raise RefusedError(
            "the file has decimals of over 38 digits, or times as INT96: DuckDB does not read all digits"
        )
    return _as_texts(at, found, columns, [name for name, _ in columns], asked, "DuckDB", table, order)


@contextmanager
def _named_plainly(path: Path) -> Iterator[Path]:
    """The file or folder; where the database would take its name for a pattern of names, a link to it."""
    if not any(mark in str(path) for mark in "*?["):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "release"
        link.symlink_to(path.absolute())
        yield link


def _of_arrow(at: duckdb.DuckDBPyConnection, source: Any, reader: str, asked: Asked, table: str) -> Cells:
    """``source``: an Arrow table."""
    names = [str(name) for name in source.column_names]
    at.register("arrow_source", source.rename_columns([f"c{place}" for place in range(len(names))]))
    columns = [(str(name), str(kind)) for name, kind, *_ in at.execute("DESCRIBE arrow_source").fetchall()]
    found = _as_texts(at, "arrow_source", columns, names, asked, reader, table)
    at.unregister("arrow_source")
    return found


def _as_texts(
    at: duckdb.DuckDBPyConnection,
    found: str,
    columns: Sequence[tuple[str, str]],
    names: Sequence[str],
    asked: Asked,
    reader: str,
    table: str,
    order: str = "",
) -> Cells:
    """Every value as its shortest text. ``columns``: names in the database, and types."""
    check_names(list(names))  # before the database takes x and X for one column
    texts = []
    for place, (name, kind) in enumerate(columns):
        is_plain = kind in PLAIN or kind.startswith(("DECIMAL", "ENUM"))
        if names[place] in asked.counted and not is_plain:
            raise RefusedError(f"the column {names[place]!r} is of type {kind}, of which the verifier knows no text")
        value = _identifier(name) if kind != ZONED else f"({_identifier(name)} AT TIME ZONE 'UTC')"
        texts.append(f"{value}::VARCHAR AS c{place}")
    over = f"ORDER BY {order}" if order else ""
    at.execute(
        f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT row_number() OVER ({over}) - 1 AS r, {', '.join(texts)} "
        f"FROM {found}"
    )
    return _cells(at, names, reader, table)


def _cells(at: duckdb.DuckDBPyConnection, names: Sequence[str], reader: str, table: str) -> Cells:
    check_names(list(names))
    [(count,)] = at.execute(f"SELECT count(*) FROM {table}").fetchall()
    return Cells(table, tuple(names), count, reader)


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text of SQL."""
    return "'" + text.replace("'", "''") + "'"
