"""Reading of CSV files: sniffed once, then parsed by Arrow on all cores with all options declared.

Every column is read as text exactly as written; only declared (or inferred) kinds become numbers or dates. A CSV does
not distinguish an empty cell from a missing one: quoted or not, a cell listed in `ReadOptions.missing` is null. Empty
lines are not records.

Arrow quotes cells in its errors, so none of them is passed on: `records` determines again what went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv

from shoal.errors import SourceError
from shoal.sources.columns import chosen
from shoal.sources.compression import DAMAGED, open_bytes
from shoal.sources.csv_out import options_written, write_pieces
from shoal.sources.csv_records import diagnosis, lines_of
from shoal.sources.encoding import census
from shoal.sources.formulas import plain_table
from shoal.sources.kinds import TextConversion, with_kinds, with_kinds_each
from shoal.sources.options import CellKind, Kinds, ReadOptions
from shoal.sources.origin import LoadedTable, Origin
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.pieces import Pieces
from shoal.sources.sniff import QUOTES, SniffedOptions, sniff

__all__ = ["CsvLayout", "open_pieces", "options_written", "read", "read_pieces", "write_pieces"]

BLOCK = 1 << 20  # bytes that one thread parses at a time
LARGEST_BLOCK = 1 << 30
UTF8 = {"utf-8": "utf8", "utf-8-sig": "utf8"}  # what Arrow reads itself, without Python's decoders


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None, kinds: Kinds) -> LoadedTable:
    """The records of a CSV file."""
    shape = look(path, options)
    table = _texts(shape, chosen(path, shape.names, columns))
    if table.num_rows == 0:
        raise SourceError.no_records(path)
    table = plain_table(table) if shape.sniffed.options.apostrophes else table
    return LoadedTable(with_kinds(table, kinds, shape.reading), shape.origin)


def open_pieces(
    path: Path,
    options: ReadOptions,
    columns: Iterable[str] | None,
    kinds: Mapping[str, CellKind],
    sizes: PieceSizes,
) -> Pieces:
    shape = look(path, options)

    def read_columns(names: list[str]) -> Iterator[pa.Table]:
        return with_kinds_each(read_pieces(shape, names, sizes), kinds, shape.reading)

    return Pieces(shape.origin, tuple(chosen(path, shape.names, columns)), kinds, None, read_columns)


def read_pieces(shape: CsvLayout, names: list[str], sizes: PieceSizes) -> Iterator[pa.Table]:
    """The wanted columns as text, some megabytes at a time; raises as `read` does."""
    if shape.n_quotes % 2:  # an open quote, which Arrow accepts
        shape.check()
    n_given = 0
    for block in (sizes.csv_block, sizes.longest_record):
        try:
            for piece in _parsed_pieces(shape, names, block, n_given):
                n_given += len(piece)
                yield plain_table(piece) if shape.sniffed.options.apostrophes else piece
        except pa.ArrowInvalid:
            shape.check()  # if the shape is regular, a record is longer than a block
            continue
        if not n_given:
            raise SourceError.no_records(shape.path)
        return
    raise SourceError.not_in_pieces(shape.path, f"a record is longer than {sizes.longest_record >> 20} MiB")


@dataclass(frozen=True)
class CsvLayout:
    """What is found by sniffing a CSV file."""

    path: Path
    sniffed: SniffedOptions
    n_quotes: int
    notes: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return self.sniffed.names

    @property
    def reading(self) -> TextConversion:
        def in_lines(records: list[int]) -> str:
            return "line " + ", ".join(map(str, lines_of(self.path, self.sniffed.options, records)))

        return TextConversion(self.path, self.sniffed.options, in_lines)

    @property
    def origin(self) -> Origin:
        settled = self.sniffed.options
        written = () if settled.encoding in ("ascii", *UTF8) else ("the release is written as UTF-8",)
        notes = (*self.notes, *written, *self.sniffed.notes)
        return Origin("csv", self.path, settled, notes, names_in_doubt=self.sniffed.names_in_doubt)

    def check(self) -> None:
        """Raises an error that names lines, where the file has no regular shape."""
        complaint = diagnosis(self.path, self.sniffed.options, len(self.names))
        if complaint is not None:
            raise complaint from None


def look(path: Path, options: ReadOptions) -> CsvLayout:
    found, notes = census(path, options.encoding, QUOTES if options.quote is None else (options.quote,))
    sniffed = sniff(path, options, found)
    return CsvLayout(path, sniffed, found.n_quotes.get(sniffed.options.quote or "", 0), notes)


def _texts(shape: CsvLayout, names: list[str]) -> pa.Table:
    """The wanted columns as text; raises an error that names lines, where the file has no regular shape."""
    try:
        table = _parsed(shape, names, BLOCK, may_hold_lines=shape.n_quotes > 0)
    except pa.ArrowInvalid:
        shape.check()
        return _in_large_blocks(shape, names)
    # Arrow takes the end of the file for the end of an open quote. An odd number of quotes reveals it.
    if shape.n_quotes % 2:
        shape.check()
    return table


def _in_large_blocks(shape: CsvLayout, names: list[str]) -> pa.Table:
    """Second attempt, for a file of regular shape with a record longer than a block."""
    try:
        return _parsed(shape, names, LARGEST_BLOCK, may_hold_lines=True)
    except pa.ArrowInvalid:
        raise SourceError.damaged(shape.path) from None


def _parsed(shape: CsvLayout, names: list[str], block: int, may_hold_lines: bool) -> pa.Table:
    try:
        with open_bytes(shape.path) as stream:
            return arrow_csv.read_csv(stream, *_declared(shape.sniffed, names, block, may_hold_lines))
    except pa.ArrowInvalid:
        raise
    except DAMAGED:
        raise SourceError.damaged(shape.path) from None


def _parsed_pieces(shape: CsvLayout, names: list[str], block: int, n_skipped: int) -> Iterator[pa.Table]:
    """The pieces without the first ``n_skipped`` records, which were returned already."""
    try:
        with open_bytes(shape.path) as stream:
            declared = _declared(shape.sniffed, names, block, may_hold_lines=shape.n_quotes > 0)
            for batch in arrow_csv.open_csv(stream, *declared):
                kept = batch.slice(min(n_skipped, len(batch)))
                n_skipped -= len(batch) - len(kept)
                if len(kept):
                    yield pa.Table.from_batches([kept])
    except pa.ArrowInvalid:
        raise
    except DAMAGED:
        raise SourceError.damaged(shape.path) from None


def _declared(
    sniffed: SniffedOptions, names: list[str], block: int, may_hold_lines: bool
) -> tuple[arrow_csv.ReadOptions, arrow_csv.ParseOptions, arrow_csv.ConvertOptions]:
    """All options that Arrow would otherwise guess."""
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
    return reading, parsing, converting
