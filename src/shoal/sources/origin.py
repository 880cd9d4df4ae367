"""Origin: where a table came from, and what is needed to return it in the same form."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from shoal.errors import SourceError
from shoal.sources.file_state import FileState
from shoal.sources.options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

Library = Literal["pandas", "polars", "polars-lazy", "pyarrow", "duckdb", "dict", "pyspark"]
Measure = Literal["nominal", "ordinal", "scale"]
Formulas: TypeAlias = Mapping[str, int]
"""How many texts of each column of a CSV a spreadsheet would run as formulas; columns without any are left out."""


@dataclass(frozen=True)
class Labels:
    """What SPSS, Stata, SAS and Excel state about columns and codes, by column; carried along, never interpreted."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Variable labels."""
    values: Mapping[str, Mapping[object, str]] = field(default_factory=dict)
    """Value labels: the text of each code, user-missing codes included."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats as the program writes them: F8.2 or DATE11 of SPSS, %9.0g or %td of Stata, 0.00 of Excel."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """Levels of measurement that SPSS states."""


@dataclass(frozen=True)
class Native:
    """The caller's own kind of dataframe. A column is converted to its own type where its values kept theirs."""

    library: Library
    types: Mapping[str, pa.DataType] = field(default_factory=dict)
    """The Arrow type of each column as it was read."""
    own_types: Mapping[str, object] = field(default_factory=dict)
    """The type of each column in the caller's library."""
    own_names: Mapping[str, Hashable] = field(default_factory=dict)
    """Column names of pandas that are not text."""


@dataclass(frozen=True)
class Origin:
    """What was read, and how."""

    format: str
    """The name of the file format, or "dataframe"."""
    path: Path | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    """The options as settled: declared, or found by sniffing."""
    notes: tuple[str, ...] = ()
    """Sentences for the user about what was decided while reading."""
    dropped: tuple[str, ...] = ()
    """What was found besides the records and left out: the index of a pandas dataframe, further sheets."""
    other_sheets: tuple[str, ...] = ()
    """Sheets of a workbook besides the one that was read."""
    names_in_doubt: bool = False
    """Whether the first line was taken for column names and may be a record: then no message shows them."""
    labels: Labels | None = None
    native: Native | None = None
    file_state: FileState | None = None
    """The state of the file when it was opened."""

    def check_unchanged(self) -> None:
        if self.path and self.file_state:
            self.file_state.check(self.path)


@dataclass(frozen=True)
class LoadedTable:
    """A table and where it came from."""

    table: pa.Table
    origin: Origin

    def check_named(self) -> None:
        """Raises where the column names may be cells, which must not be shown."""
        if self.origin.names_in_doubt:
            where = self.origin.path or "the dataframe"
            raise SourceError.uncertain_header(where, self.table.num_columns, self.origin.other_sheets)

    def check_columns(self, names: Iterable[str]) -> None:
        """Raises where one of these columns does not exist."""
        available = self.table.column_names
        unknown = [name for name in names if name not in available]
        if not unknown:
            return
        where = self.origin.path or "the dataframe"
        if self.origin.names_in_doubt:
            raise SourceError.not_in_first_line(where, unknown, len(available))
        raise SourceError.unknown_columns(where, unknown, available)
