"""Where records come from and go: CSV, Parquet, Arrow, SPSS, Stata, SAS, Excel and any dataframe.

`read` gives a `Loaded` (an Arrow table and its `Origin`); `to_native` gives a table back in the caller's own
kind of dataframe, `write_table` inside `whole_file` writes one to disk, whole or not at all. No message of
this room shows a cell of the data, and no library is imported before a source asks for it.
"""

from shoal.sources.atomic import whole_file
from shoal.sources.fingerprint import sha256_of, sha256_of_table
from shoal.sources.formats import check_readable, check_writable, compression_of
from shoal.sources.native import to_native
from shoal.sources.options import CellKind, Kinds, ReadOptions
from shoal.sources.origin import Formulas, Labels, Loaded, Origin
from shoal.sources.read import read
from shoal.sources.write import options_written, write_pieces, write_table

__all__ = [
    "CellKind",
    "Formulas",
    "Kinds",
    "Labels",
    "Loaded",
    "Origin",
    "ReadOptions",
    "check_readable",
    "check_writable",
    "compression_of",
    "options_written",
    "read",
    "sha256_of",
    "sha256_of_table",
    "to_native",
    "whole_file",
    "write_pieces",
    "write_table",
]
