"""Where intervals of a table may end: the grid of every number and date that is told by extents.

policy, all records -> column -> Grid

The step is that of the policy (``grid``), or the first width of the taxonomy of the column, or by default

    numbers   the largest 1, 2 or 5 times a power of ten that is at most a twentieth of the standard deviation: about
              two digits of what tells the records apart. Where values are counted in steps of their own (years, cents),
              five of these at least, so that an end stands for five values; two or one where five would be more than
              half a standard deviation, since a column of so few values has many records at each
    dates     the largest of day, week, month, quarter, year and decade that is at most a twentieth; weeks at least
              where days are told, hours where times are

Mean and deviation are those of the values between the k-th least and the k-th greatest; what is beyond counts as these.
No end is told beyond three standard deviations from the mean, nor where fewer than k units (records, where the policy
has none) lie beyond it: the least and the greatest value are one person's, and a bound one step beside them tells them.
k is that of the policy, or 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
import pyarrow as pa

from shoal.encode.statistics import Clamped
from shoal.encode.steps import Steps
from shoal.encode.tails import Tails
from shoal.policy.look import Fold, Look
from shoal.policy.parts import ColumnRule
from shoal.policy.policy import Policy
from shoal.policy.release_plan import ReleasePlan
from shoal.schema import Kind
from shoal.schema.grid import DAYS, MONTHS, Grid, Step, Unit
from shoal.schema.time_unit import units_of_a_day

PARTS, FEW_PARTS = 20, 2  # of a standard deviation
SEVERAL = (5, 2, 1)  # values that an end may stand for, at best
FEWEST = 5  # units beyond the last told end, where the policy asks for no k
FAR = 3  # standard deviations from the mean
FINEST = 1e-9  # of the largest value: below, reals have no points left
LENGTHS: dict[Unit, float] = {  # in days, about
    **{unit: float(length) for unit, length in DAYS.items()},
    **{unit: 30.4375 * n_months for unit, n_months in MONTHS.items()},
}


def grids(policy: Policy, fold: Fold, looks: Mapping[str, Look]) -> dict[str, Grid]:
    """Of the columns whose ends lie on a grid."""
    plan = ReleasePlan.of(policy)
    measured = _measured(plan.on_grid, fold, plan.k or FEWEST, plan.unit)
    return {name: _grid(policy.columns[name], of, units_of_a_day(looks[name].type)) for name, of in measured.items()}


@dataclass(frozen=True)
class Measured:
    """What was seen of the values of a column that has units enough, in its own units. What is beyond ``inner`` counts
    as its end: an extreme value makes no deviation, and so no step that tells it."""

    mean: float
    deviation: float
    resolution: float
    inner: tuple[float, float]  # the last values beyond which there are units enough


def _measured(names: Sequence[str], fold: Fold, n_beyond: int, unit: str | None) -> dict[str, Measured | None]:
    """None: of a column with too few units."""
    steps, tails = {name: Steps() for name in names}, {name: Tails(name, n_beyond, unit) for name in names}

    def first(piece: pa.Table) -> None:
        for name in names:
            steps[name].add(piece[name])
            tails[name].add(piece)

    def second(piece: pa.Table) -> None:
        for each in clamped.values():
            each.add(piece)

    if not names:
        return {}
    fold(list(dict.fromkeys([*names, unit] if unit else names)), first)
    inner = {name: ends for name, tail in tails.items() if (ends := tail.inner) is not None}
    clamped = {name: Clamped(name, min(ends), max(ends)) for name, ends in inner.items()}
    if clamped:
        fold(list(clamped), second)
    found = {
        name: Measured(of.mean, of.deviation, float(steps[name].resolution), inner[name])
        for name, of in clamped.items()
    }
    return {name: found.get(name) for name in names}


def _grid(rule: ColumnRule, of: Measured | None, unit: int) -> Grid:
    """``unit``: how many of what was measured make a day."""
    if of is None:
        return _without_ends(rule.step or _default(rule.kind, 0.0, 0.0, 0.0))
    least, greatest, mean, deviation = (x / unit for x in (*of.inner, of.mean, of.deviation))
    step = rule.step or _default(rule.kind, deviation, of.resolution / unit, max(abs(least), abs(greatest)))
    on, far = Grid(step), FAR * deviation
    bottom = max(on.above(np.array([least]))[0], on.below(np.array([mean - far]))[0])
    top = min(on.below(np.array([greatest]))[0], on.above(np.array([mean + far]))[0])
    return Grid(step, float(bottom), float(top))


def _without_ends(step: Step) -> Grid:
    """Its bounds are the same whatever the values are, and none lies between them."""
    nowhere = np.zeros(1)
    return Grid(step, float(Grid(step).above(nowhere)[0]), float(Grid(step).below(nowhere)[0]))


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
