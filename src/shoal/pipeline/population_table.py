"""The population that the persons of a release are from: a table of persons, or of counts of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import is_time, to_numbers
from shoal.errors import TableError
from shoal.kernels import Ints
from shoal.release.column_recoding import ColumnRecoding
from shoal.sources import CellKind, read

COUNT_NAMES = ("count", "frequency", "n")  # names of a column of counts, in any case


def read_population(
    source: Any, names: Sequence[str], original: pa.Schema, recodings: Mapping[str, ColumnRecoding] | None = None
) -> CountTable:
    """Persons by the quasi-identifiers ``names``, recoded as the release. ``source``: a file or any dataframe, with
    values as in ``original``, the columns as they were read. A column with a name of ``COUNT_NAMES`` that the original
    does not have counts persons; without one, every row is a person."""
    kinds: dict[str, CellKind] = {name: _kind(original.field(name).type) for name in names}
    table = read(source, kinds=kinds | dict.fromkeys(COUNT_NAMES, "text")).table
    lacking = [name for name in names if name not in table.column_names]
    if lacking:
        raise TableError.population_lacks(lacking)
    counted_by = _count_column(table.column_names, original.names)
    for name in (name for name in names if name in (recodings or {})):
        recoded = (recodings or {})[name].recode(name, table[name])
        table = table.set_column(table.schema.get_field_index(name), name, recoded)
    if counted_by is None:
        return count_combinations(table, names)
    return CountTable(table.select(list(names)), _persons(counted_by, table[counted_by])).by(names)


def _kind(type_: pa.DataType) -> CellKind:
    if is_time(type_):
        return "date"
    return "numeric" if pa.types.is_integer(type_) or pa.types.is_floating(type_) else "text"


def _count_column(names: Sequence[str], original: Collection[str]) -> str | None:
    return next((name for name in names if name.lower() in COUNT_NAMES and name not in original), None)


def _persons(name: str, cells: pa.ChunkedArray[Any]) -> Ints:
    """(n_rows,) whole numbers from 0, also where a file holds them as text."""
    try:
        numbers = cells.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise TableError.population_counts(name, len(cells)) from None
    read_numbers = to_numbers(name, numbers)
    unfit: NDArray[np.bool_] = read_numbers.missing | ~(read_numbers.values >= 0) | (read_numbers.values % 1 != 0)
    if unfit.any():
        raise TableError.population_counts(name, int(unfit.sum()))
    return read_numbers.values.astype(np.int64)
