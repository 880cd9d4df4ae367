"""Determined cells: values that can be computed from what is released about a class.

counts of the released records by class and weight, public knowledge -> DeterminedCells

The intruder holds the release alone: means with their written digits, the weights of the records, the ends of extents;
and knows the lowest and the highest value of the column and its step. They need not identify anybody: a cell is
determined where only one value is consistent with the release (`solutions.py`). With exact ends, two records of a class
have the least and the greatest value: these two are counted, and all records where the two values are equal.

Classes that are too large to decide are reported as such. A class without any solution, because values are missing in
it or the mean was computed from others, counts as undecided as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.public_range import PublicRange
from shoal.assessment.risk.sampled_classes import SampledClasses, sampled_classes
from shoal.assessment.risk.solutions import MOST_WORK, Equation, MeanBounds, SolutionCounts, count_without_weights
from shoal.confidence import mean_interval
from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import NumberColumn, is_time, to_numbers
from shoal.encode.steps import Steps
from shoal.findings import Finding
from shoal.gate.extent_reader import read_extents
from shoal.kernels import Vector
from shoal.plan import Interval
from shoal.schema import Column
from shoal.total import TotalOfClasses

DETERMINED = "determined cells"
MOST_CLASSES = 500  # examined
FEWEST_ENDS = 8  # different ends needed to conclude that ends were rounded
FLOAT_ERROR = Fraction(1, 2**51)  # error of a float64, relative to the largest number

NOT_SHOWN = (0, SolutionCounts(0, 0))  # of a class of which the release shows no value


@dataclass(frozen=True, eq=False)
class DeterminedCells:
    """Determined cells of one column, in the classes that were examined."""

    column: str
    cells: Vector  # (n_examined,) cells of every class that was examined; 0 where the release shows no value
    determined: Vector  # (n_examined,) those that are determined
    undecided: Vector  # (n_examined,)
    n_classes: int

    @property
    def n_examined(self) -> int:
        """Classes."""
        return len(self.cells)

    @property
    def n_cells(self) -> int:
        return int(self.cells.sum())

    @property
    def n_determined(self) -> int:
        return int(self.determined.sum())

    @property
    def n_undecided(self) -> int:
        return int(self.undecided.sum())

    @property
    def share(self) -> float:
        """Share of the cells that are determined, 0 to 1."""
        return self.n_determined / max(self.n_cells, 1)

    @property
    def share_with_undecided(self) -> float:
        """The same if every undecided cell is counted as determined."""
        return (self.n_determined + self.n_undecided) / max(self.n_cells, 1)

    def finding(self, limit: float | None) -> Finding:
        """``limit``: percent accepted without a warning."""
        return Finding(
            f"{DETERMINED}, {self.column}",
            100 * self.share,
            self._meaning,
            interval=self._interval,
            baseline=0,
            goal=limit,
            unit="%",
        )

    @property
    def _interval(self) -> tuple[float, float] | None:
        """Cells of one class are dependent, so classes are the cases, and their cells are the weights. None where all
        were examined and decided."""
        if self.n_examined == self.n_classes:
            return (100 * self.share, 100 * self.share_with_undecided) if self.n_undecided else None
        low, _ = self._interval_of(self.determined)
        _, high = self._interval_of(self.determined + self.undecided)
        return 100 * low, 100 * high

    def _interval_of(self, cells: Vector) -> tuple[float, float]:
        if not self.n_cells:
            return 0.0, 1.0
        return mean_interval(cells / np.maximum(self.cells, 1), self.cells, self.n_classes)

    @property
    def _meaning(self) -> str:
        coverage = (
            f"Computed from {self.n_examined:,} of {self.n_classes:,} classes. "
            if self.n_examined < self.n_classes
            else ""
        )
        percent = 100 * (self.share_with_undecided - self.share)
        undecided = f" {percent:.2g} % more could not be decided." if self.n_undecided else ""
        return (
            f"{coverage}Share of the values of {self.column} that can be computed from what the release shows of their "
            f"classes, by somebody who knows from where to where the column reaches.{undecided}"
        )


@dataclass(frozen=True)
class Classes:
    """The classes of one key set that are examined.

    total    over classes of the released records
    columns  the columns of a class
    weight   the column of the released weights, where there is one
    """

    total: TotalOfClasses
    columns: tuple[str, ...]
    weight: str | None

    def weights(self, counts: CountTable) -> Vector:
        """(n_rows,) weight of each record of a row; 1 without a column of weights."""
        if self.weight is None:
            return np.ones(len(counts))
        return to_numbers(self.weight, counts.combinations.column(len(self.columns))).values

    def sample(self) -> SampledClasses:
        values = [self.weight] if self.weight else []
        return sampled_classes(self.total, self.columns, values, MOST_CLASSES)


def determined_by_means(
    classes: Classes, sample: SampledClasses, column: Column, known: PublicRange
) -> DeterminedCells:
    """Determined cells of a column that is released as means."""
    precision = MeanPrecision.of(column, sample.counts[column.name], known)
    weights, n, n_steps = classes.weights(sample.counts), sample.n, known.n_steps
    found, work = list[tuple[int, SolutionCounts]](), 0
    for rows, size in zip(sample.rows, sample.sizes.tolist(), strict=True):
        if work > MOST_WORK:
            break
        mean_bounds = precision.mean_bounds(rows.start)
        if mean_bounds is None:
            found.append(NOT_SHOWN)
        elif classes.weight is None:
            found.append((size, count_without_weights(size, mean_bounds, n_steps)))
        else:
            solutions = Equation.of(weights[rows], n[rows], mean_bounds, n_steps).count_solutions()
            found.append((size, solutions))
            work += solutions.work
    return _total(column.name, found, sample.n_classes)


def determined_by_ends(
    sample: SampledClasses, column: Column, known: PublicRange, *, half_open: bool
) -> DeterminedCells:
    """Determined cells of a column that is released as the least and the greatest value of every class: as closed
    intervals, or as half-open ones where the policy requires ends on a grid of its own."""
    codes = to_codes(column.name, sample.counts[column.name])
    extents = read_extents(codes.values, column).extents
    intervals = [one if isinstance(one, Interval) and (half_open or one.closed) else None for one in extents]
    ends_of_extents = [None if one is None else _least_and_greatest(one, known) for one in intervals]
    ends = [end for interval in intervals if interval for end in (interval.low, interval.high) if end is not None]
    exact = _are_exact(np.unique(np.rint(np.array(ends) * known.per_day) if known.per_day > 1 else ends), known)
    found = list[tuple[int, SolutionCounts]]()
    for code, n in zip(codes.codes[sample.starts].tolist(), sample.sizes.tolist(), strict=True):
        class_ends = ends_of_extents[code] if code >= 0 else None
        if class_ends is None:
            found.append(NOT_SHOWN)
        else:
            is_one_value = len(class_ends) == 2 and class_ends[0] == class_ends[1]
            n_determined = n if is_one_value else min(n, len(class_ends))
            found.append((n, SolutionCounts(n_determined if exact else 0, 0)))
    return _total(column.name, found, sample.n_classes)


def _total(name: str, found: Sequence[tuple[int, SolutionCounts]], n_classes: int) -> DeterminedCells:
    """``found``: cells and solutions of every class that was examined."""
    counts = [(n, solutions.n_determined, solutions.n_undecided) for n, solutions in found]
    cells, determined, undecided = np.array(counts, dtype=np.float64).reshape(-1, 3).T
    return DeterminedCells(name, cells, determined, undecided, n_classes)


def _least_and_greatest(interval: Interval, known: PublicRange) -> tuple[float, ...]:
    """As far as they are released; below an open upper end, the greatest value is one step lower."""
    gap = 0.0 if interval.closed else float(known.step / known.per_day)
    ends = (interval.low, None if interval.high is None else interval.high - gap)
    return tuple(end for end in ends if end is not None)


def _are_exact(ends: Vector, known: PublicRange) -> bool:
    """Whether ends are values: ends rounded outward are on a coarser grid than these. ``ends``: different ones."""
    steps = Steps()
    steps.add_numbers(ends)
    return len(ends) < FEWEST_ENDS or steps.step < 2 * known.step


@dataclass(frozen=True)
class MeanPrecision:
    """How a released mean is read: how far the true one may be from it."""

    means: NumberColumn  # (n_rows,)
    known: PublicRange
    error: Fraction
    is_strict: bool

    @classmethod
    def of(cls, column: Column, cells: pa.ChunkedArray[Any], known: PublicRange) -> MeanPrecision:
        """The true mean of numbers or times is less than one rounding step away: the step that all means are on, or
        else their last digit. Dates were rounded to the nearest day, and times that are on no step to the nearest
        microsecond; all other means are off by their last bits."""
        means, float_error = to_numbers(column.name, cells), FLOAT_ERROR * known.largest_magnitude
        if is_time(cells.type) and not _are_on_step(means.values[~means.missing], column):
            return cls(means, known, Fraction(1, 2) + float_error, False)
        error = _rounding_step(means.values[~means.missing], column)
        return cls(means, known, error, True) if error else cls(means, known, float_error, False)

    def mean_bounds(self, row: int) -> MeanBounds | None:
        """Bounds of the true mean, in steps above the lowest value; None where no mean is released."""
        if self.means.missing[row]:
            return None
        mean = Fraction(Decimal(repr(float(self.means.values[row]))))
        return MeanBounds((mean - self.known.low) / self.known.step, self.error / self.known.step, self.is_strict)


def _rounding_step(means: Vector, column: Column) -> Fraction | None:
    """The column's step of means if all are on it, else its last digit if they have no more; None: neither."""
    decimals, step = column.decimals or 0, column.step_of_means
    if step is None or not (np.round(means, decimals) == means).all():
        return None
    return step if _are_on_step(means, column) else Fraction(10) ** -decimals


def _are_on_step(means: Vector, column: Column) -> bool:
    if column.step_of_means is None:
        return False
    steps = Steps()
    steps.add_numbers(np.append(means, float(column.offset_of_means)))
    return (steps.apart / column.step_of_means).denominator == 1
