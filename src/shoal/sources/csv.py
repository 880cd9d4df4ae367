"""CSV: sniffed once, then read by Arrow on all cores with everything declared.

Every column is read as text exactly as written; only declared (or inferred) kinds become numbers or dates.
An empty cell and a missing one are the same thing in a CSV: quoted or not, a cell listed in
`ReadOptions.missing` is null. Empty lines hold no record.

Arrow quotes cells in its errors, so none of them is passed on: what went wrong is found again by `records`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv

from shoal.errors import SourceError
from shoal.sources.columns import chosen
from shoal.sources.compression import DAMAGED, open_bytes
from shoal.sources.encoding import Census, census
from shoal.sources.kinds import Reading, with_kinds
from shoal.sources.options import Kinds, ReadOptions
from shoal.sources.origin import Loaded, Origin
from shoal.sources.records import diagnosis, lines_of
from shoal.sources.sniff import QUOTES, Sniffed, sniff

BLOCK = 1 << 20  # bytes that one thread parses at a time
LARGEST_BLOCK = 1 << 30
UTF8 = {"utf-8": "utf8", "utf-8-sig": "utf8"}  # what Arrow reads itself, without Python's decoders


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None, kinds: Kinds) -> Loaded:
    """The records of a CSV file."""
    found, notes = census(path, options.encoding, QUOTES if options.quote is None else (options.quote,))
    sniffed = sniff(path, options, found)
    names = chosen(path, sniffed.names, columns)
    table = _texts(path, sniffed, found, names)
    if table.num_rows == 0:
        raise SourceError.no_records(path)
    settled = sniffed.options

    def in_lines(records: list[int]) -> str:
        return "line " + ", ".join(map(str, lines_of(path, settled, records)))

    table = with_kinds(table, kinds, Reading(path, settled, in_lines))
    written = () if settled.encoding in ("ascii", *UTF8) else ("the release is written as UTF-8",)
    return Loaded(table, Origin("csv", path, settled, (*notes, *written, *sniffed.notes)))


def _texts(path: Path, sniffed: Sniffed, found: Census, names: list[str]) -> pa.Table:
    """The wanted columns as text; a complaint that names lines where the file has no regular shape."""
    n_quotes = found.n_quotes.get(sniffed.options.quote or "", 0)
    try:
        table = _parsed(path, sniffed, names, BLOCK, may_hold_lines=n_quotes > 0)
    except pa.ArrowInvalid:
        complaint = diagnosis(path, sniffed.options, len(sniffed.names))
        if complaint is not None:
            raise complaint from None
        return _in_large_blocks(path, sniffed, names)
    # Arrow takes the end of the file for the end of an open quote. An odd number of quotes gives it away.
    if n_quotes % 2 and (complaint := diagnosis(path, sniffed.options, len(sniffed.names))):
        raise complaint
    return table


def _in_large_blocks(path: Path, sniffed: Sniffed, names: list[str]) -> pa.Table:
    """Once more, for a file of regular shape with a record longer than a block."""
    try:
        return _parsed(path, sniffed, names, LARGEST_BLOCK, may_hold_lines=True)
    except pa.ArrowInvalid:
        raise SourceError.damaged(path) from None


def _parsed(path: Path, sniffed: Sniffed, names: list[str], block: int, may_hold_lines: bool) -> pa.Table:
    options = sniffed.options
    encoding = str(options.encoding)
    reading = arrow_csv.ReadOptions(
        column_names=sniffed.names,
        skip_rows=sniffed.n_header_lines,
        encoding=UTF8.get(encoding, encoding),
        block_size=block,
    )
    parsing = arrow_csv.ParseOptions(
        delimiter=str(options.delimiter), quote_char=options.quote or False, newlines_in_values=may_hold_lines
    )
    converting = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        include_columns=names,
        null_values=list(options.missing),
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
    )
    try:
        with open_bytes(path) as stream:
            return arrow_csv.read_csv(stream, reading, parsing, converting)
    except pa.ArrowInvalid:
        raise
    except DAMAGED:
        raise SourceError.damaged(path) from None
