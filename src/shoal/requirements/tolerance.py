"""Tolerance: amounts that are near each other count as one, for requirements that compare values by equality.

values, tolerance -> the cell of each value, in two readings

1,000.01 and 1,000.02 are two values for a computer and one salary for a neighbor. A tolerance is an amount (100) or a
share of the value ("5%"). It sets a grid: borders at the multiples of the amount, or at the powers of 1 + share. A cell
is two neighboring steps of the grid, and there are two ways to join them: a requirement must hold in both readings.

Where all values of a class are within one tolerance, at most one border is among them. It divides the cells of one
reading only, and in the other one the class has a single value. For the same reason all values within a tolerance of
any value are in one cell of one of the readings. The grid depends on no table, so that the gate finds the same cells in
the written file. Each reading only renames values: what holds of requirements, searches and proofs holds of it.

Borders are computed in decimals, and a value is the decimal as which it is written: which cell it is in depends neither
on the machine nor on rounding. Powers are rounded such that no step is shorter than the share. Shares are counted from
0 in both directions, and 0 is a value of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import PolicyError, TableError
from shoal.kernels import Labels
from shoal.schema import Column

Tolerance = float | str
Step = tuple[int, int]  # the sign, where steps are mirrored at 0, and the number of the step

SHARE = re.compile(r"(\d+(?:\.\d+)?) ?%")
LEAST_PERCENT, MOST_PERCENT = Decimal("0.1"), 100
NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
EXACT = Context(prec=1000)  # digits of a quotient of any two floating-point numbers
UP, DOWN = (Context(prec=40, rounding=rounding) for rounding in (ROUND_CEILING, ROUND_FLOOR))


def check_tolerance(where: str, tolerance: Tolerance | None) -> None:
    """Raises PolicyError unless it is an amount above 0 or a share that is written in percent."""
    if tolerance is None:
        return
    if isinstance(tolerance, str):
        written = SHARE.fullmatch(tolerance)
        if written is None or not LEAST_PERCENT <= Decimal(written[1]) <= MOST_PERCENT:
            raise PolicyError.no_tolerance(where, tolerance)
    elif not 0 < tolerance < np.inf:
        raise PolicyError.not_above(where, 0, tolerance, "values that are equal count as one in any case")


def cells_of(values: pa.Array[Any], column: Column, tolerance: Tolerance) -> tuple[Labels, Labels]:
    """(n_values,) The number of the cell of every value, by first occurrence, in both readings; -1 where there is
    none."""
    if column.kind != "numeric":
        raise PolicyError.tolerates_numbers("tolerance", column.name, column.kind)
    if not any(is_type(values.type) for is_type in NUMBERS):
        raise TableError.not_numeric(column.name, str(values.type))
    written = [None if text is None else Decimal(text) for text in pc.cast(values, pa.string()).to_pylist()]
    amounts = [each if each is not None and each.is_finite() else None for each in written]
    known = [each for each in amounts if each is not None]
    step_of = _steps_of_share(tolerance, known) if isinstance(tolerance, str) else _steps_of_amount(tolerance)
    with localcontext(EXACT):
        steps = [None if each is None else step_of(each) for each in amounts]
    return _numbered(steps, 0), _numbered(steps, 1)


def _steps_of_amount(tolerance: float) -> Callable[[Decimal], Step]:
    width = Decimal(str(tolerance))

    def step(amount: Decimal) -> Step:
        return 1, int(amount // width) - (amount % width < 0)  # a quotient is cut off towards 0

    return step


def _steps_of_share(tolerance: str, known: Sequence[Decimal]) -> Callable[[Decimal], Step]:
    """The steps between the powers of 1 + share, which are multiplied one by one from 1."""
    ratio = 1 + Decimal(tolerance.rstrip("% ")) / 100
    sizes = [abs(each) for each in known if each] or [Decimal(1)]
    least, most = min(sizes), max(sizes)
    above, below = [Decimal(1)], [Decimal(1)]
    while above[-1] <= most:
        above.append(UP.multiply(above[-1], ratio))
    while below[-1] > least:
        below.append(DOWN.divide(below[-1], ratio))
    borders = [*reversed(below[1:]), *above]

    def step(amount: Decimal) -> Step:
        sign = (amount > 0) - (amount < 0)
        return sign, bisect_right(borders, abs(amount)) - len(below) if sign else 0

    return step


def _numbered(steps: Sequence[Step | None], moved: int) -> Labels:
    """(n_values,) The cells of two neighboring steps each; ``moved``: by how many steps they are moved."""
    seen: dict[Step, int] = {}
    joined = (None if each is None else (each[0], (each[1] + moved) // 2) for each in steps)
    return np.array([-1 if each is None else seen.setdefault(each, len(seen)) for each in joined], dtype=np.int64)
