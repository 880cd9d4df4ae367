"""Where intervals of a table may end: the grid of every number and date that is told by extents.

policy, all records -> column -> Grid

The step is that of the policy (``grid``), or the first width of the taxonomy of the column, or by default

    numbers   the largest 1, 2 or 5 times a power of ten that is at most a twentieth of the standard deviation: about
              two digits of what tells the records apart. Where values are counted in steps of their own (years, cents),
              five of these at least, so that an end stands for five values; two or one where five would be more than
              half a standard deviation, since a column of so few values has many records at each
    dates     the largest of day, week, month, quarter, year and decade that is at most a twentieth; weeks at least
              where days are told, hours where times are

No end is told beyond three standard deviations from the mean, nor in the outermost steps of the column: few records are
there, and the least and the greatest value are one person's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10

import numpy as np
import pyarrow as pa

from shoal.encode.common_step import CommonStep
from shoal.encode.statistics import Moments, Squares, Sums
from shoal.policy.look import Fold, Look
from shoal.policy.policy import ColumnRule, Policy
from shoal.schema import Kind
from shoal.schema.grid import DAYS, MONTHS, Grid, Step, Unit

PARTS, FEW_PARTS = 20, 2  # of a standard deviation
SEVERAL = (5, 2, 1)  # values that an end may stand for, at best
FAR = 3  # standard deviations from the mean
FINEST = 1e-9  # of the largest value: below, reals have no points left
LENGTHS: dict[Unit, float] = {  # in days, about
    **{unit: float(length) for unit, length in DAYS.items()},
    **{unit: 30.4375 * n_months for unit, n_months in MONTHS.items()},
}
MICROSECONDS_OF_A_DAY = 86_400_000_000


def grids(policy: Policy, fold: Fold, looks: Mapping[str, Look]) -> dict[str, Grid]:
    """Of the columns whose ends lie on a grid."""
    names = policy.on_grid
    moments, resolutions = _measured(names, fold)
    return {
        name: _grid(policy.columns[name], moments[name], resolutions[name], is_time=_is_time(looks[name]))
        for name in names
    }


def _is_time(look: Look) -> bool:
    return pa.types.is_timestamp(look.type)


def _measured(names: Sequence[str], fold: Fold) -> tuple[dict[str, Moments], dict[str, float]]:
    sums, resolutions = [Sums(name) for name in names], [CommonStep() for _ in names]

    def first(piece: pa.Table) -> None:
        for sum_, resolution in zip(sums, resolutions, strict=True):
            sum_.add(piece)
            resolution.add_cells(sum_.name, piece[sum_.name])

    def second(piece: pa.Table) -> None:
        for each in squares:
            each.add(piece)

    if not names:
        return {}, {}
    fold(names, first)
    squares = [Squares(each) for each in sums]
    fold(names, second)
    return (
        {name: each.moments() for name, each in zip(names, squares, strict=True)},
        {name: each.value for name, each in zip(names, resolutions, strict=True)},
    )


def _grid(rule: ColumnRule, moments: Moments, resolution: float, *, is_time: bool) -> Grid:
    unit = MICROSECONDS_OF_A_DAY if is_time else 1
    low, high, mean, far = (x / unit for x in (moments.low, moments.high, moments.mean, FAR * moments.deviation))
    step = rule.step or _default(rule.kind, moments.deviation / unit, resolution / unit, max(abs(low), abs(high)))
    on = Grid(step)
    bottom = max(on.above(np.array([low]))[0], on.below(np.array([mean - far]))[0])
    top = min(on.below(np.array([high]))[0], on.above(np.array([mean + far]))[0])
    return Grid(step, float(bottom), float(top))


def _default(kind: Kind, deviation: float, resolution: float, largest: float) -> Step:
    return _part(deviation, resolution) if kind == "date" else _round(deviation, resolution, largest)


def _round(deviation: float, resolution: float, largest: float) -> float:
    """A constant column has any step."""
    few = next((n for n in SEVERAL if n * resolution <= deviation / FEW_PARTS), 1) * resolution
    wanted = max(deviation / PARTS, largest * FINEST)
    return max(few, _round_below(wanted)) if wanted else few or 1.0


def _round_below(value: float) -> float:
    power = floor(log10(value))
    digit = next(digit for digit in (5, 2, 1) if digit * 10.0**power <= value or digit == 1)
    return float(f"{digit}e{power}")  # the nearest double, as it is written


def _part(deviation: float, resolution: float) -> Step:
    least: tuple[Unit, ...] = ("hour",) if resolution < 1 else ("week", "day")
    few = next((unit for unit in least if LENGTHS[unit] <= deviation / FEW_PARTS), least[-1])
    return [unit for unit, length in LENGTHS.items() if length <= max(deviation / PARTS, LENGTHS[few])][-1]
