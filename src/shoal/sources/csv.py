"""Reading of CSV files: sniffed once, then parsed by Arrow on all cores with all options declared.

Every column is read as text exactly as written; only declared (or inferred) kinds become numbers or dates. A CSV does
not distinguish an empty cell from a missing one: quoted or not, a cell listed in `ReadOptions.missing` is null. Empty
lines are not records.

Arrow quotes cells in its errors, so none of them is passed on: `csv_records` determines again what went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv

from shoal.errors import SourceError
from shoal.errors.base import ErrorList
from shoal.sources.columns import select_columns
from shoal.sources.compression import DAMAGED, open_for_arrow
from shoal.sources.csv_out import options_written, write_pieces
from shoal.sources.csv_records import lines_of_records, shape_error
from shoal.sources.encoding import scan_text
from shoal.sources.formulas import table_without_apostrophes
from shoal.sources.kinds import TextConversion, with_kinds, with_kinds_in_pieces
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
    layout = sniff_layout(path, options)
    table = _checked_texts(layout, layout.select(columns), kinds)
    if table.num_rows == 0:
        raise SourceError.no_records(path)
    table = table_without_apostrophes(table) if layout.sniffed.options.apostrophes else table
    return LoadedTable(with_kinds(table, kinds, layout.conversion), layout.origin)


def open_pieces(
    path: Path,
    options: ReadOptions,
    columns: Iterable[str] | None,
    kinds: Mapping[str, CellKind],
    sizes: PieceSizes,
) -> Pieces:
    layout = sniff_layout(path, options)

    def read_columns(names: list[str]) -> Iterator[pa.Table]:
        return with_kinds_in_pieces(read_pieces(layout, names, sizes), kinds, layout.conversion)

    return Pieces(layout.origin, tuple(layout.select(columns)), kinds, None, read_columns)


def read_pieces(layout: CsvLayout, names: list[str], sizes: PieceSizes) -> Iterator[pa.Table]:
    """The requested columns as text, some megabytes at a time; raises as `read` does."""
    if layout.n_quotes % 2:  # an open quote, which Arrow accepts
        layout.check()
    n_yielded = 0
    for block in (sizes.csv_block, sizes.longest_record):
        try:
            for piece in _parse_pieces(layout, names, block, n_yielded):
                n_yielded += len(piece)
                yield table_without_apostrophes(piece) if layout.sniffed.options.apostrophes else piece
        except pa.ArrowInvalid:
            layout.check()  # if the shape is regular, a record is longer than a block
            continue
        if not n_yielded:
            raise SourceError.no_records(layout.path)
        return
    raise SourceError.not_in_pieces(layout.path, f"a record is longer than {sizes.longest_record >> 20} MiB")


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

    def select(self, columns: Iterable[str] | None) -> list[str]:
        """The requested columns; where names are wrong, the error names irregular lines too."""
        errors = ErrorList(SourceError)
        with errors.collect():
            return select_columns(self.path, self.names, columns)
        with errors.collect():
            self.check()
        errors.raise_all(self.path)
        raise AssertionError("an error was raised")

    @property
    def conversion(self) -> TextConversion:
        return self._conversion(n_cells=None)

    @property
    def conversion_of_regular_lines(self) -> TextConversion:
        """The same for a table of the lines that have as many cells as the first."""
        return self._conversion(n_cells=len(self.names))

    def _conversion(self, n_cells: int | None) -> TextConversion:
        def describe_lines(records: list[int]) -> str:
            return "line " + ", ".join(map(str, lines_of_records(self.path, self.sniffed.options, records, n_cells)))

        options = self.sniffed.options
        return TextConversion(self.path, options, options.missing, options.quote or "", locate=describe_lines)

    @property
    def origin(self) -> Origin:
        options = self.sniffed.options
        written = () if options.encoding in ("ascii", *UTF8) else ("the release is written as UTF-8",)
        notes = (*self.notes, *written, *self.sniffed.notes)
        return Origin("csv", self.path, options, notes, names_in_doubt=self.sniffed.names_in_doubt)

    def check(self) -> None:
        """Raises an error that names lines, where the file has no regular shape."""
        error = shape_error(self.path, self.sniffed.options, len(self.names))
        if error is not None:
            raise error from None


def sniff_layout(path: Path, options: ReadOptions) -> CsvLayout:
    scan, notes = scan_text(path, options.encoding, QUOTES if options.quote is None else (options.quote,))
    sniffed = sniff(path, options, scan)
    return CsvLayout(path, sniffed, scan.n_quotes.get(sniffed.options.quote or "", 0), notes)


def _checked_texts(layout: CsvLayout, names: list[str], kinds: Kinds) -> pa.Table:
    """The requested columns as text. Where lines are irregular, the error names the misfits of all others too."""
    errors = ErrorList(SourceError)
    with errors.collect():
        return _read_texts(layout, names)
    if layout.n_quotes % 2 == 0:
        with errors.collect():
            with_kinds(_regular_lines(layout, names), kinds, layout.conversion_of_regular_lines)
    errors.raise_all(layout.path)
    raise AssertionError("an error was raised")


def _regular_lines(layout: CsvLayout, names: list[str]) -> pa.Table:
    """The records with as many cells as the first line."""
    return _parse(layout, names, LARGEST_BLOCK, may_hold_lines=True, only_regular=True)


def _read_texts(layout: CsvLayout, names: list[str]) -> pa.Table:
    """The requested columns as text; raises an error that names lines, where the file has no regular shape."""
    try:
        table = _parse(layout, names, BLOCK, may_hold_lines=layout.n_quotes > 0)
    except pa.ArrowInvalid:
        layout.check()
        return _read_in_large_blocks(layout, names)
    # Arrow takes the end of the file for the end of an open quote. An odd number of quotes reveals it.
    if layout.n_quotes % 2:
        layout.check()
    return table


def _read_in_large_blocks(layout: CsvLayout, names: list[str]) -> pa.Table:
    """Second attempt, for a file of regular shape with a record longer than a block."""
    try:
        return _parse(layout, names, LARGEST_BLOCK, may_hold_lines=True)
    except pa.ArrowInvalid:
        raise SourceError.damaged(layout.path) from None


def _parse(
    layout: CsvLayout, names: list[str], block: int, may_hold_lines: bool, only_regular: bool = False
) -> pa.Table:
    reading, parsing, converting = _arrow_options(layout.sniffed, names, block, may_hold_lines)
    if only_regular:
        parsing.invalid_row_handler = lambda _: "skip"
        reading.use_threads = False  # a thread that lets go of Python's function while the process ends would abort it
    try:
        with open_for_arrow(layout.path) as stream:
            return arrow_csv.read_csv(stream, reading, parsing, converting)
    except pa.ArrowInvalid:
        raise
    except DAMAGED:
        raise SourceError.damaged(layout.path) from None


def _parse_pieces(layout: CsvLayout, names: list[str], block: int, n_skipped: int) -> Iterator[pa.Table]:
    """The pieces without the first ``n_skipped`` records, which were returned already."""
    try:
        with open_for_arrow(layout.path) as stream:
            arrow_options = _arrow_options(layout.sniffed, names, block, may_hold_lines=layout.n_quotes > 0)
            for batch in arrow_csv.open_csv(stream, *arrow_options):
                kept = batch.slice(min(n_skipped, len(batch)))
                n_skipped -= len(batch) - len(kept)
                if len(kept):
                    yield pa.Table.from_batches([kept])
    except pa.ArrowInvalid:
        raise
    except DAMAGED:
        raise SourceError.damaged(layout.path) from None


def _arrow_options(
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
