"""Counts of combinations of columns: the number of records with each combination that occurs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import from_codes, places_in_dictionary
from shoal.encode.count_table import CountTable
from shoal.errors import ReservedNameError
from shoal.kernels.combinations import combination_keys
from shoal.schema.helper_columns import COUNT as COUNT

FEW_RECORDS = 2**15  # one batch of Arrow: threads would only wait


def count_combinations(table: pa.Table, by: Sequence[str]) -> CountTable:
    """Counts the combinations of the columns ``by``. A missing value counts as a value of its own."""
    return count_encoded({name: dictionary_encoded(table[name]) for name in by})


def count_encoded(columns: Mapping[str, Any]) -> CountTable:
    """The same of columns that are `dictionary_encoded`, for tables that are counted many times."""
    if COUNT in columns:
        raise ReservedNameError.of("the table", [COUNT])
    n_records = len(next(iter(columns.values()), ()))
    return _few_counted(columns, n_records) if columns and n_records <= FEW_RECORDS else _counted(columns)


def _few_counted(columns: Mapping[str, Any], n_records: int) -> CountTable:
    """By one key of all columns, in the order in which combinations appear."""
    codes = [places_in_dictionary(column) for column in columns.values()]
    numbers: Any = pa.array(combination_keys(codes, n_records)).dictionary_encode().indices.to_numpy()
    n = np.bincount(numbers).astype(np.int64)
    first = np.empty(len(n), dtype=np.int64)
    first[numbers[::-1]] = np.arange(n_records)[::-1]
    values = [from_codes(each[first], column.dictionary) for each, column in zip(codes, columns.values(), strict=True)]
    return CountTable(pa.table(values, names=list(columns)), n)


def _counted(columns: Mapping[str, Any]) -> CountTable:
    keys = [str(at) for at in range(len(columns))]  # neutral names: a column of the table may have any name
    codes = pa.table([column.indices for column in columns.values()], names=keys)
    counted = codes.group_by(keys).aggregate([([], "count_all")]).combine_chunks()
    values = [column.dictionary.take(counted[key]) for key, column in zip(keys, columns.values(), strict=True)]
    return CountTable(pa.table(values, names=list(columns)), counted["count_all"].to_numpy().astype(np.int64))


def dictionary_encoded(column: Any) -> Any:
    """Integer codes are grouped several times faster than texts."""
    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    return plain.combine_chunks().dictionary_encode()
