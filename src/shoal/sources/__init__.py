"""Reading and writing of records: CSV, Parquet, Arrow, SPSS, Stata, SAS, Excel, folders of Parquet and any dataframe.

`read` returns a `LoadedTable` (an Arrow table and its `Origin`); `to_native` converts a table back to the caller's own
kind of dataframe; `write_table` within `whole_file` writes one to disk, completely or not at all. No message of this
package shows a cell of the data, and no library is imported before a source needs it.
"""

from shoal.sources.atomic import whole_file, whole_files
from shoal.sources.fingerprint import sha256_of, sha256_of_table
from shoal.sources.formats import check_readable, check_readable_file, check_writable, compression_of
from shoal.sources.native import to_native
from shoal.sources.options import CellKind, FormatName, Kinds, ReadOptions
from shoal.sources.origin import Formulas, Labels, LoadedTable, Measure, Origin
from shoal.sources.read import read
from shoal.sources.target import Target, real_path
from shoal.sources.write import options_written, write_pieces, write_table, write_text

__all__ = [
    "CellKind",
    "FormatName",
    "Formulas",
    "Kinds",
    "Labels",
    "LoadedTable",
    "Measure",
    "Origin",
    "ReadOptions",
    "Target",
    "check_readable",
    "check_readable_file",
    "check_writable",
    "compression_of",
    "options_written",
    "read",
    "real_path",
    "sha256_of",
    "sha256_of_table",
    "to_native",
    "whole_file",
    "whole_files",
    "write_pieces",
    "write_table",
    "write_text",
]
