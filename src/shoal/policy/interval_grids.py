"""Grids of numbers and dates that are released as intervals: the points where the intervals may end.

policy, all records -> column -> Grid

The step is that of the policy (``grid``), or the first width of the taxonomy of the column, or by default

    numbers   the largest 1, 2 or 5 times a power of ten that is at most a twentieth of the standard deviation: about
              two digits of what distinguishes the records. Where values have a step of their own (years, cents), at
              least five of these steps, so that an end covers five values; two or one where five would exceed half a
              standard deviation, since a column of so few values has many records at each
    dates     the largest of hour, day, week, month, quarter, year and decade that is at most a twentieth of the
              standard deviation; at least an hour for times, at least a week for days (a day where a week would exceed
              half a standard deviation)

Mean and standard deviation are those of the values clamped to the range from the k-th smallest to the k-th largest. No
end is released beyond three standard deviations from the mean (rounded outward to the grid), nor where fewer than k
units (records, where the policy has no units) are beyond it: the smallest and the largest value belong to one person,
and a bound within one step of them discloses them. k is that of the policy, or 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import floor, log10

import numpy as np
import pyarrow as pa

from shoal.encode.statistics import WinsorizedMoments
from shoal.encode.steps import Steps
from shoal.encode.tails import Tails
from shoal.policy.column_profile import ColumnProfile
from shoal.policy.column_rule import ColumnRule
from shoal.policy.policy import Policy
from shoal.policy.release_plan import ReleasePlan
from shoal.schema import Kind
from shoal.schema.grid import DAYS, MONTHS, Grid, Step, Unit
from shoal.schema.time_unit import units_of_a_day
from shoal.total import OfColumns, Total

STEPS_PER_DEVIATION = 20  # of the default step, at least
FEWEST_STEPS = 2  # per standard deviation, of a step that covers several values
VALUES_PER_STEP = (5, 2, 1)  # values that a step should cover, in order of preference
DEFAULT_K = 5  # units beyond the outermost released end, where the policy requires no k
MOST_DEVIATIONS = 3  # standard deviations from the mean
FINEST_STEP = 1e-9  # smallest step relative to the largest value: finer grids are lost to floating-point precision
LENGTHS: dict[Unit, float] = {  # in days, approximately
    **{unit: float(length) for unit, length in DAYS.items()},
    **{unit: 30.4375 * n_months for unit, n_months in MONTHS.items()},
}


def grids(policy: Policy, total: Total, profiles: Mapping[str, ColumnProfile]) -> dict[str, Grid]:
    """The grids of the columns whose intervals end on a grid, by name."""
    plan = ReleasePlan.of(policy)
    found = _winsorized_statistics(plan.on_grid, total, plan.k or DEFAULT_K, plan.unit)
    return {
        name: _grid(policy.columns[name].recoded, statistics, units_of_a_day(profiles[name].type))
        for name, statistics in found.items()
    }


@dataclass(frozen=True)
class WinsorizedStatistics:
    """Statistics of a column with enough units, in the column's own unit of measurement. Values beyond ``inner`` are
    clamped to it, so that no extreme value determines the deviation and is disclosed by the step."""

    mean: float
    deviation: float
    resolution: float
    inner: tuple[float, float]  # the k-th smallest and the k-th largest value, counted by units


@dataclass(frozen=True)
class _StepsAndTails:
    steps: Steps
    tails: Tails

    @classmethod
    def of(cls, name: str, n_beyond: int, unit: str | None, piece: pa.Table) -> _StepsAndTails:
        return cls(Steps.of(piece[name]), Tails.of(name, n_beyond, unit, piece))

    def __add__(self, other: _StepsAndTails) -> _StepsAndTails:
        return _StepsAndTails(self.steps + other.steps, self.tails + other.tails)


def _winsorized_statistics(
    names: Sequence[str], total: Total, n_beyond: int, unit: str | None
) -> dict[str, WinsorizedStatistics | None]:
    """Statistics by column, in two passes over the records; None for a column with too few units."""
    if not names:
        return {}
    read = list(dict.fromkeys([*names, unit] if unit else names))
    ends_of = total(read, OfColumns({name: partial(_StepsAndTails.of, name, n_beyond, unit) for name in names}))
    steps = {name: ends_of[name].steps for name in names}
    inner = {name: ends for name in names if (ends := ends_of[name].tails.inner) is not None}
    clamped = {name: partial(WinsorizedMoments.of, name, min(ends), max(ends)) for name, ends in inner.items()}
    winsorized = total(list(clamped), OfColumns(clamped)).parts if clamped else {}
    found = {
        name: WinsorizedStatistics(moments.mean, moments.deviation, float(steps[name].resolution), inner[name])
        for name, moments in winsorized.items()
    }
    return {name: found.get(name) for name in names}


def _grid(rule: ColumnRule, statistics: WinsorizedStatistics | None, unit: int) -> Grid:
    """The grid of one column. ``unit``: units of measurement per day; 1 for numbers and for dates in days."""
    if statistics is None:
        return _without_ends(rule.step or _default_step(rule.kind, 0.0, 0.0, 0.0))
    least, greatest, mean, deviation = (x / unit for x in (*statistics.inner, statistics.mean, statistics.deviation))
    step = rule.step or _default_step(
        rule.kind, deviation, statistics.resolution / unit, max(abs(least), abs(greatest))
    )
    on, far = Grid(step), MOST_DEVIATIONS * deviation
    bottom = max(on.above(np.array([least]))[0], on.below(np.array([mean - far]))[0])
    top = min(on.below(np.array([greatest]))[0], on.above(np.array([mean + far]))[0])
    return Grid(step, float(bottom), float(top))


def _without_ends(step: Step) -> Grid:
    """A grid that releases no end: its bounds do not depend on the values, and the lower is above the upper."""
    nowhere = np.zeros(1)
    return Grid(step, float(Grid(step).above(nowhere)[0]), float(Grid(step).below(nowhere)[0]))


def _default_step(kind: Kind, deviation: float, resolution: float, largest: float) -> Step:
    return _date_step(deviation, resolution) if kind == "date" else _number_step(deviation, resolution, largest)


def _number_step(deviation: float, resolution: float, largest: float) -> float:
    """The default step of numbers; for a constant column of zeros any step will do."""
    coarse = next((n for n in VALUES_PER_STEP if n * resolution <= deviation / FEWEST_STEPS), 1) * resolution
    fine = max(deviation / STEPS_PER_DEVIATION, largest * FINEST_STEP)
    return max(coarse, _round_down(fine)) if fine else coarse or 1.0


def _round_down(value: float) -> float:
    power = floor(log10(value))
    digit = next(digit for digit in (5, 2, 1) if digit * 10.0**power <= value or digit == 1)
    return float(f"{digit}e{power}")  # the double nearest to the decimal


def _date_step(deviation: float, resolution: float) -> Step:
    least: tuple[Unit, ...] = ("hour",) if resolution < 1 else ("week", "day")
    coarse = next((unit for unit in least if LENGTHS[unit] <= deviation / FEWEST_STEPS), least[-1])
    most = max(deviation / STEPS_PER_DEVIATION, LENGTHS[coarse])
    return [unit for unit, length in LENGTHS.items() if length <= most][-1]
