"""Records of a CSV one by one, slowly: to inspect the first ones, and to locate errors."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from shoal.errors import SourceError
from shoal.sources.compression import open_bytes
from shoal.sources.encoding import codec
from shoal.sources.options import ReadOptions

csv.field_size_limit(2**31 - 1)  # long cells are allowed

# Appended after the last line: a quote that is still open there swallows it.
END = "\x1e"
SHOWN = 3


def parse(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line in which it starts, counted from 1; empty lines are not records."""
    reader = csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    start = 1
    for fields in reader:
        if fields:
            yield start, fields
        start = reader.line_num + 1


def shape_error(path: Path, options: ReadOptions, n_columns: int) -> SourceError | None:
    """What is wrong with the shape of the file: an unclosed quote, or records with another number of cells; None if
    nothing."""
    odd_lines: list[int] = []
    odd_sizes: list[int] = []
    n_odd = 0
    start, fields = 0, [END]
    for start, fields in _records(path, options):
        if len(fields) != n_columns and fields != [END]:
            n_odd += 1
            if len(odd_lines) < SHOWN:
                odd_lines.append(start)
                odd_sizes.append(len(fields))
    if fields != [END]:
        return SourceError.unclosed_quote(path, start)
    return SourceError.irregular_lines(path, n_columns, odd_lines, odd_sizes, n_odd) if n_odd else None


def lines_of_records(path: Path, options: ReadOptions, records: list[int], n_cells: int | None = None) -> list[int]:
    """The lines in which these records start; records are counted from 0, without the header, and only those with
    ``n_cells`` cells where it is given."""
    positions = [record + bool(options.header) for record in records]
    lines = []
    counted = (line for line, fields in _records(path, options) if n_cells is None or len(fields) == n_cells)
    for index, line in enumerate(counted):
        if index in positions:
            lines.append(line)
        if index >= max(positions):
            break
    return lines


def _records(path: Path, options: ReadOptions) -> Iterator[tuple[int, list[str]]]:
    with (
        open_bytes(path) as stream,
        io.TextIOWrapper(stream, encoding=codec(options.encoding or "utf-8"), newline="") as text,
    ):
        yield from parse(chain(text, [END]), options.delimiter or ",", options.quote or "")
