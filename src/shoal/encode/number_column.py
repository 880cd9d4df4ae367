"""Numeric and date columns as float64, and back.

Dates count days, timestamps microseconds since 1970. Integers beyond 2^53 (not exact in float64), infinities (no mean)
and numbers so large that their squares overflow are refused, with the name of their column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.kernels import Vector

LARGEST_EXACT = 2**53
LARGEST_INTEGER = 2**62  # well within an int64
LARGEST_SQUARED = 1e140  # the sum of squares of larger numbers could overflow


@dataclass(frozen=True)
class NumberColumn:
    """A column as numbers. Where a value is missing, ``values`` holds 0."""

    values: Vector  # (n_records,)
    missing: NDArray[np.bool_]  # (n_records,)


def to_numbers(name: str, column: pa.ChunkedArray[Any]) -> NumberColumn:
    has_gaps = column.null_count > 0  # blocks are small and many: no pass where nothing is missing
    missing = column.is_null().to_numpy() if has_gaps else np.zeros(len(column), dtype=bool)
    numbers: Any = as_arrow_numbers(name, column)
    known = (numbers.drop_null() if has_gaps else numbers).to_numpy()
    if pa.types.is_integer(numbers.type):
        beyond = _n_inexact(known)
        if beyond:
            raise TableError.integer_too_large(name, beyond)
    values = np.zeros(len(column))
    values[~missing] = known
    if np.any(np.abs(values) > LARGEST_SQUARED):
        if np.isinf(values).any():
            raise TableError.infinite(name)
        raise TableError.too_large(name, LARGEST_SQUARED)
    return NumberColumn(values, missing)


def are_numbers(*columns: pa.ChunkedArray[Any]) -> bool:
    """Whether all columns can be converted to numbers."""
    try:
        for column in columns:
            to_numbers("", column)
    except TableError:
        return False
    return True


def is_time(type_: pa.DataType) -> bool:
    """Whether the type is a date or a timestamp."""
    return pa.types.is_date(type_) or pa.types.is_timestamp(type_)


def timestamp_type(*types: pa.DataType) -> pa.DataType:
    """The timestamp type in which dates and times of any unit are counted; with the first time zone found, if any."""
    zones = (type_.tz for type_ in types if pa.types.is_timestamp(type_) and type_.tz)
    return pa.timestamp("us", tz=next(zones, None))


def from_numbers(numbers: NumberColumn, like: pa.DataType, decimals: int | None = None) -> pa.Array[Any]:
    """Back to a column: dates and timestamps, rounded to the nearest day or microsecond; all else as float64.

    With ``decimals``, numbers are rounded to that many digits after the decimal point, and become integers where it is
    0 or less and they fit.
    """
    mask = numbers.missing
    if pa.types.is_date(like):
        return pa.array(np.rint(numbers.values).astype(np.int32), mask=mask, type=pa.int32()).cast(pa.date32())
    if pa.types.is_timestamp(like):
        micro = pa.array(np.rint(numbers.values).astype(np.int64), mask=mask, type=pa.int64())
        return micro.cast(timestamp_type(like))
    if decimals is None:
        return pa.array(numbers.values, mask=mask, type=pa.float64())
    rounded = np.round(numbers.values, decimals) + 0.0  # no -0.0
    whole = decimals <= 0 and bool((np.abs(rounded) < LARGEST_INTEGER).all())
    return pa.array(rounded, mask=mask, type=pa.float64()).cast(pa.int64() if whole else pa.float64())


def _n_inexact(integers: NDArray[Any]) -> int:
    """The number of integers that float64 cannot distinguish from their neighbors."""
    return int(np.count_nonzero((integers > LARGEST_EXACT) | (integers < -LARGEST_EXACT)))


def as_arrow_numbers(name: str, column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """The column as Arrow integers or floats."""
    kind = column.type
    if pa.types.is_date(kind):
        return (column if pa.types.is_date32(kind) else column.cast(pa.date32())).cast(pa.int32())
    if pa.types.is_timestamp(kind):
        return column.cast(timestamp_type(kind), safe=False).cast(pa.int64())
    if pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return column.cast(pa.float64())
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return column
    raise TableError.not_numeric(name, str(kind))
