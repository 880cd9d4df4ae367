"""Units of dates and times: plans, grids and extents count days since 1970, cells of times whole microseconds."""

from __future__ import annotations

from typing import overload

import numpy as np
import pyarrow as pa

from shoal.kernels import Labels, Vector

SECONDS_OF_A_DAY = 86_400
MICROSECONDS_OF_A_DAY = SECONDS_OF_A_DAY * 1_000_000


@overload
def microseconds_to_days(microseconds: float | np.int64) -> float: ...
@overload
def microseconds_to_days(microseconds: Labels | Vector) -> Vector: ...
def microseconds_to_days(microseconds: float | np.int64 | Labels | Vector) -> float | Vector:
    return microseconds / MICROSECONDS_OF_A_DAY


def days_to_microseconds(days: float) -> int:
    """Rounded to the nearest microsecond."""
    return round(days * MICROSECONDS_OF_A_DAY)


def units_of_a_day(kind: pa.DataType) -> int:
    """Units per day of a column: microseconds for times; 1 for dates, which count days, and for numbers."""
    return MICROSECONDS_OF_A_DAY if pa.types.is_timestamp(kind) else 1
