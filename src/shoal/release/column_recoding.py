"""Global recoding by hand: every value of one column is replaced by a coarser one, as the policy says.

cells of one column, ColumnRecoding -> cells

    IntervalRecoding    numbers to intervals between given bounds: [18, 30), and [65, inf) beyond the last
    WidthRecoding       numbers to intervals of one width: [30, 35)
    DatePartRecoding    dates to 2024-05, 2024-Q2, 2020s, or to the year, a number that may have bounds
    PrefixRecoding      codes to their first characters: 04*
    CategoryRecoding    values to the category of a table: nodes of a taxonomy, merged categories
    WholeDomain         every value to *
    BoundRecoding       numbers beyond a bound to the bound: top and bottom coding

A recoding looks at one cell at a time, so pieces of any size give the same release. Intervals are written in the
grammar of ``grammar.py``; missing values stay missing.

Hundepool et al. (2012), Statistical Disclosure Control, Wiley, section 3.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.codes import from_codes, to_codes
from shoal.encode.number_column import NumberColumn, from_numbers, is_time, to_numbers
from shoal.errors import TableError
from shoal.kernels import Labels
from shoal.methods.perturbation.coding import TopBottomCode
from shoal.plan import Extents, Interval
from shoal.release.grammar import ANYTHING, write
from shoal.schema import Column
from shoal.schema.grid import Grid
from shoal.schema.taxonomy import DatePart

Cells: TypeAlias = "pa.ChunkedArray[Any]"

MONTHS: Mapping[DatePart, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
EPOCH = date(1970, 1, 1)
WIDTH_LABEL = re.compile(r"\[(?P<low>[-+.e\d]+), (?P<high>[-+.e\d]+)\)")


class ColumnRecoding:
    """A rule that replaces each value of a column by a coarser one."""

    def recode(self, name: str, cells: Cells) -> Cells:
        """The recoded cells of the column ``name``."""
        raise NotImplementedError

    def interval_of(self, value: Any) -> Interval | None:
        """The original numbers, or days since 1970, that a recoded value stands for; None where it has no interval."""
        return None

    def in_order(self, values: Sequence[Any]) -> tuple[str, ...] | None:
        """Recoded values from lowest to highest; None where they have no order of their own."""
        return None


class OrderedRecoding(ColumnRecoding):
    """A recoding of numbers or dates, whose values are ordered by the intervals that they stand for."""

    def in_order(self, values: Sequence[Any]) -> tuple[str, ...] | None:
        return tuple(sorted(values, key=self._low))

    def _low(self, value: Any) -> float:
        interval = self.interval_of(value)
        return -np.inf if interval is None or interval.low is None else interval.low


@dataclass(frozen=True)
class IntervalRecoding(OrderedRecoding):
    bounds: tuple[float, ...]  # ascending

    def recode(self, name: str, cells: Cells) -> Cells:
        numbers = to_numbers(name, cells)
        places = np.searchsorted(np.array(self.bounds), numbers.values, side="right")
        return _labeled(places, numbers.missing, self.labels)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels, from the lowest to the highest interval."""
        return _texts(self._intervals)

    def interval_of(self, value: Any) -> Interval | None:
        return dict(zip(self.labels, self._intervals, strict=True)).get(value)

    @property
    def _intervals(self) -> list[Interval]:
        return [Interval(low, high) for low, high in pairwise([None, *self.bounds, None])]


@dataclass(frozen=True)
class WidthRecoding(OrderedRecoding):
    width: float  # intervals begin at its multiples

    def recode(self, name: str, cells: Cells) -> Cells:
        numbers = to_numbers(name, cells)
        lows, places = np.unique(self._grid.below(numbers.values), return_inverse=True)
        highs = self._grid.above(lows)
        labels = _texts([Interval(low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)])
        return _labeled(places, numbers.missing, labels)

    def interval_of(self, value: Any) -> Interval | None:
        found = WIDTH_LABEL.fullmatch(value)
        return Interval(float(found["low"]), float(found["high"])) if found else None

    @property
    def _grid(self) -> Grid:
        return Grid(self.width)


@dataclass(frozen=True)
class DatePartRecoding(OrderedRecoding):
    part: DatePart
    bottom: float | None = None  # of years
    top: float | None = None

    def recode(self, name: str, cells: Cells) -> Cells:
        if not is_time(cells.type):
            raise TableError.not_dates(name, str(cells.type))
        years: Any = pc.year(cells)
        if self.part == "year":
            return self._bounded(pa.chunked_array(years))
        months: Any = pc.add(pc.multiply(years, 12), pc.subtract(pc.month(cells), 1))
        missing = months.is_null().to_numpy()
        steps = months.fill_null(0).to_numpy() // MONTHS[self.part]
        found, places = np.unique(steps, return_inverse=True)
        return _labeled(places, missing, tuple(self._label(int(step)) for step in found))

    def interval_of(self, value: Any) -> Interval | None:
        try:
            first = self._first_month(value)
        except ValueError:  # not a value of this recoding
            return None
        is_bottom, is_top = (
            self.part == "year" and bound is not None and value == bound for bound in (self.bottom, self.top)
        )
        return Interval(
            None if is_bottom else _first_day(first), None if is_top else _first_day(first + MONTHS[self.part])
        )

    def _bounded(self, years: Cells) -> Cells:
        if self.bottom is None and self.top is None:
            return years
        return BoundRecoding(self.bottom, self.top).recode("", years)

    def _label(self, step: int) -> str:
        year, month = divmod(step * MONTHS[self.part], 12)
        match self.part:
            case "month":
                return f"{year:04}-{month + 1:02}"
            case "quarter":
                return f"{year:04}-Q{month // 3 + 1}"
            case _:
                return f"{year}s"

    def _first_month(self, value: Any) -> int:
        """The number of the month in which a part begins, from January of the year 0."""
        match self.part:
            case "month":
                return 12 * int(value[:-3]) + int(value[-2:]) - 1
            case "quarter":
                return 12 * int(value[:-3]) + 3 * (int(value[-1]) - 1)
            case "decade":
                return 12 * int(value[:-1])
            case _:
                return 12 * int(np.floor(value))


def _first_day(month: int) -> float:
    """The first day of a month, in days since 1970; months are counted from January of the year 0."""
    return float(np.datetime64(month - 12 * EPOCH.year, "M").astype("datetime64[D]").astype(np.int64))


@dataclass(frozen=True)
class PrefixRecoding(ColumnRecoding):
    """One star stands for the rest of every code, whether it has one or not: the length of a code would tell codes with
    equal prefixes apart, and that of the longest one is the length of a code that may be suppressed."""

    length: int

    def recode(self, name: str, cells: Cells) -> Cells:
        return _by_value(name, cells, lambda code: code[: self.length] + ANYTHING)


@dataclass(frozen=True)
class CategoryRecoding(ColumnRecoding):
    categories: Mapping[str, str]  # by value; other values stay

    def recode(self, name: str, cells: Cells) -> Cells:
        return _by_value(name, cells, lambda value: self.categories.get(value, value))


@dataclass(frozen=True)
class WholeDomain(ColumnRecoding):
    def recode(self, name: str, cells: Cells) -> Cells:
        return _by_value(name, cells, lambda _: ANYTHING)


@dataclass(frozen=True)
class BoundRecoding(ColumnRecoding):
    """Numbers stay numbers: whole ones stay whole if the bounds are, and float32 stays where it holds the bounds."""

    bottom: float | None
    top: float | None

    def recode(self, name: str, cells: Cells) -> Cells:
        numbers, rule = to_numbers(name, cells), TopBottomCode(bottom=self.bottom, top=self.top)
        whole = pa.types.is_integer(cells.type) and all(float(bound).is_integer() for bound in self._bounds)
        coded = from_numbers(NumberColumn(rule.code(numbers.values), numbers.missing), cells.type, 0 if whole else None)
        narrow = pa.types.is_float32(cells.type) and all(
            float(str(np.float32(bound))) == bound for bound in self._bounds
        )
        return pa.chunked_array([coded.cast(cells.type) if narrow else coded])

    @property
    def _bounds(self) -> list[float]:
        return [bound for bound in (self.bottom, self.top) if bound is not None]


def _texts(intervals: Sequence[Interval]) -> tuple[str, ...]:
    extents = Extents(tuple(intervals), np.arange(len(intervals)))
    return tuple(map(str, write(extents, Column("", kind="numeric")).to_pylist()))


def _labeled(places: Labels, missing: NDArray[np.bool_], labels: Sequence[str]) -> Cells:
    """The label at each place; null where the value is missing."""
    return pa.chunked_array([from_codes(np.where(missing, -1, places), pa.array(labels, pa.string()))])


def _by_value(name: str, cells: Cells, label: Callable[[str], str]) -> Cells:
    """Every known value replaced by the label of its text; each different value is looked up once."""
    found = to_codes(name, cells)
    return pa.chunked_array([from_codes(found.codes, pa.array(map(label, found.texts), pa.string()))])
