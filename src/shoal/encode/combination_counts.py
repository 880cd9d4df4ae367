"""Counts of combinations of columns: the number of records with each combination that occurs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.errors import ReservedNameError
from shoal.schema.helper_columns import COUNT as COUNT

FEW_RECORDS = 2**15  # one batch of Arrow: threads would only wait


def count_combinations(table: pa.Table, by: Sequence[str]) -> CountTable:
    """Counts the combinations of the columns ``by``. A missing value counts as a value of its own."""
    return count_encoded({name: dictionary_encoded(table[name]) for name in by})


def count_encoded(columns: Mapping[str, Any]) -> CountTable:
    """The same of columns that are `dictionary_encoded`, for tables that are counted many times."""
    if COUNT in columns:
        raise ReservedNameError.of("the table", [COUNT])
    keys = [str(at) for at in range(len(columns))]  # neutral names: a column of the table may have any name
    codes = pa.table([column.indices for column in columns.values()], names=keys)
    counted = codes.group_by(keys, use_threads=len(codes) > FEW_RECORDS).aggregate([([], "count_all")]).combine_chunks()
    values = [column.dictionary.take(counted[key]) for key, column in zip(keys, columns.values(), strict=True)]
    return CountTable(pa.table(values, names=list(columns)), counted["count_all"].to_numpy().astype(np.int64))


def dictionary_encoded(column: Any) -> Any:
    """Integer codes are grouped several times faster than texts."""
    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    return plain.combine_chunks().dictionary_encode()
