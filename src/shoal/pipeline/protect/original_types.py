"""Types of released columns: those of the original, where all values fit.

Means are computed as int64, float64 or microseconds and modes as texts; a file that states types gets them back as
int32, float32, decimals, seconds or categories. Which columns fit is decided once, on all records, so that pieces of
any size have the same types.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.engines.protocol import F
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable

Types = Mapping[str, pa.DataType]


def original_types(original: FittedTable[F], protected: F) -> Types:
    """The types of the original, by column, where protected records have another type and all of their values fit."""
    before, after = original.as_read.schema, protected.schema
    wanted = {
        name: before.field(name).type
        for name in original.as_read.names
        if name in after.names and _may_return(after.field(name).type, before.field(name).type)
    }
    if not wanted:
        return {}
    n_unfit = original.engine.total(protected, list(wanted), partial(_n_unfit, wanted))
    return {name: type_ for (name, type_), n in zip(wanted.items(), n_unfit.tolist(), strict=True) if not n}


def _n_unfit(wanted: Types, piece: pa.Table) -> Labels:
    """(n_columns,) 1 where values of the piece do not fit the type, else 0."""
    return np.array([not _fits(piece[name], type_) for name, type_ in wanted.items()], dtype=np.int64)


def with_types(table: pa.Table, types: Types) -> pa.Table:
    for name, type_ in types.items():
        if name in table.column_names:
            table = table.set_column(table.schema.get_field_index(name), name, _cast(table[name], type_))
    return table


def _may_return(type_: pa.DataType, own: pa.DataType) -> bool:
    """Whether values of this type are of the same sort as those of the original's own type, and stored otherwise."""
    if type_ == own:
        return False
    return (
        (pa.types.is_integer(type_) and pa.types.is_integer(own))
        or (pa.types.is_floating(type_) and _is_read_by_text(own))
        or (pa.types.is_timestamp(type_) and pa.types.is_timestamp(own))
        or (pa.types.is_dictionary(own) and type_ == own.value_type)
    )


def _fits(cells: Any, own: pa.DataType) -> bool:
    try:
        cast = _cast(cells, own)
        back = cast.cast(pa.string()) if _is_read_by_text(own) else cast
        return bool(back.cast(cells.type).equals(cells))
    except pa.ArrowInvalid:
        return False


def _is_read_by_text(type_: pa.DataType) -> bool:
    """Whether the digits of a number are compared: Arrow's cast of decimals is not exact, and the float32 that is
    written 0.1 is another number than the float64."""
    return pa.types.is_decimal(type_) or pa.types.is_float32(type_)


def _cast(cells: Any, own: pa.DataType) -> Any:
    return cells.dictionary_encode().cast(own) if pa.types.is_dictionary(own) else cells.cast(own)
