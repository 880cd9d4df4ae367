"""Writing of CSV files: UTF-8, line feeds as line ends, the delimiter and decimal mark of the input.

A missing value is an empty cell, so an empty text and a missing value look alike, and both read as missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from shoal.sources.buffers import concatenated_bytes
from shoal.sources.compression import create_bytes
from shoal.sources.compute import Column, pc
from shoal.sources.formulas import count_formulas
from shoal.sources.options import ReadOptions
from shoal.sources.origin import Formulas, Origin
from shoal.sources.text_cells import to_cells

N_RECORDS = 1 << 16  # converted to bytes at a time


def options_written(path: Path, like: Origin | None) -> ReadOptions:
    """The options that read a CSV written to this path in the style of this origin: cells without blanks around them,
    numbers without marks of thousands."""
    source = like.options if like is not None and like.format == "csv" else ReadOptions()
    default = "\t" if ".tsv" in path.suffixes else ","
    return source.model_copy(
        update={
            "delimiter": source.delimiter or default,
            "quote": source.quote or '"',
            "encoding": "utf-8",
            "decimal": source.decimal_mark,
            "thousands": None,
            "trim": False,
            "format": None,
            "header": source.header is not False,
            "apostrophes": like is not None and like.options.apostrophes,
        }
    )


def write_pieces(pieces: Iterable[pa.Table], path: Path, like: Origin | None) -> Formulas:
    """Writes the records as CSV; the same records give the same bytes, however they are split into pieces. Returns, by
    column, how many texts a spreadsheet would run as formulas."""
    options = options_written(path, like)
    formulas: Counter[str] = Counter()
    with create_bytes(path) as sink:
        for at, piece in enumerate(pieces):
            if options.header and at == 0:
                names = [to_cells(name, pa.array([name]), options) for name in piece.column_names]
                sink.write(_lines(names, options))
            for batch in piece.to_batches(max_chunksize=N_RECORDS):
                columns = list(zip(batch.schema.names, batch.columns, strict=True))
                sink.write(_lines([to_cells(name, values, options) for name, values in columns], options))
                formulas.update({name: n for name, values in columns if (n := _n_formulas(values))})
    return dict(formulas)


def _n_formulas(values: Column) -> int:
    kind = values.type
    if pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type):
        return count_formulas(values.dictionary_decode())
    return count_formulas(values) if pa.types.is_string(kind) else 0


def _lines(columns: Sequence[Column], options: ReadOptions) -> pa.Buffer:
    """The bytes of these records. Texts joined by Arrow are contiguous in memory, as in the file."""
    filled = [pc.fill_null(cells, _missing(options)) for cells in columns]
    if len(filled) == 1:  # an empty line would not be a record
        filled = [pc.if_else(pc.equal(filled[0], ""), (options.quote or '"') * 2, filled[0])]
    ended = [*filled[:-1], pc.binary_join_element_wise(filled[-1], "\n", "")]
    return concatenated_bytes(pc.binary_join_element_wise(*ended, options.delimiter or ","))


def _missing(options: ReadOptions) -> str:
    """Empty, unless the input distinguished an empty cell from a missing one; then its first mark for missing."""
    return "" if "" in options.missing or not options.missing else options.missing[0]
