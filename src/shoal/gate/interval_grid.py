"""The gate for grids: every written end of an interval is on the grid, and texts agree with the columns of ends.

It parses extents with the gate's reader and does its own arithmetic: no code is shared with what rounded the ends.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from math import inf, isclose, isfinite
from typing import Any, get_args

import pyarrow as pa

from shoal.errors import plural
from shoal.gate.extent_reader import read_extents
from shoal.schema import Column
from shoal.schema.extent import Extent, Interval, MissingExtent
from shoal.schema.grid import Grid, Step, Unit

SLACK = 1e-6  # tolerance of the outermost ends for floating-point rounding, relative to a step
ROUNDING = 1e-15  # tolerance of grid points for floating-point rounding, relative to the point
FIRST, LAST = ((end - date(1970, 1, 1)).days for end in (date.min, date.max))
LARGEST = sys.float_info.max
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


def read_grid(entry: Any) -> Grid | None:
    """The grid from an entry of a manifest; None where the entry is not a valid grid."""
    if not isinstance(entry, Mapping) or not _is_step(entry.get("step")):
        return None
    ends = [entry.get("low"), entry.get("high")]
    return Grid(entry["step"], *ends) if all(end is None or _is_number(end) for end in ends) else None


def grid_faults(texts: pa.ChunkedArray[Any], column: Column, grid: Grid) -> tuple[str, ...]:
    """Faults of ends off the grid or beyond its limits. ``texts``: the distinct extents of the column; those that
    cannot be parsed are reported elsewhere."""
    intervals = [each for each in read_extents(texts, column).extents if isinstance(each, Interval)]
    n_off = sum(any(not _is_point(end, grid.step) for end in _ends(each)) for each in intervals)
    n_far = sum(any(not _is_inside(end, grid) for end in _ends(each)) for each in intervals)
    n_closed = sum(each.closed for each in intervals)
    return (
        *_fault(column, n_off, f"with an end off the grid of {grid.step}"),
        *_fault(column, n_far, "with an end beyond the limits of the grid, where few records are"),
        *_fault(column, n_closed, "that are closed by a value"),
    )


def grid_note(name: str) -> str:
    """The note on a column for which neither policy nor manifest declares a grid."""
    return f"{name}: neither policy nor manifest says where its intervals may end, so their ends are not proved."


def ends_faults(extents: pa.Table, column: Column) -> tuple[str, ...]:
    """Faults of ends that differ between texts and columns. ``extents``: the distinct texts, and their two ends."""
    texts = read_extents(extents.column(0), column).extents
    low, high = (read_extents(extents.column(at), Column("", kind=column.kind)).extents for at in (1, 2))
    n_other = sum(not _agree(*each) for each in zip(texts, low, high, strict=True))
    return _fault(column, n_other, "whose ends differ from those in the columns of ends")


def _fault(column: Column, n: int, what: str) -> tuple[str, ...]:
    return (f"the column '{column.name}' has {n} {plural(n, 'interval')} {what}",) if n else ()


def _ends(interval: Interval) -> Iterator[float]:
    return (end for end in (interval.low, interval.high) if end is not None)


def _is_point(end: float, step: Step) -> bool:
    if not isinstance(step, str):
        ratio = end / step
        return isfinite(ratio) and isclose(end, round(ratio) * step, rel_tol=ROUNDING)
    if step == "hour":
        return end == round(end * 24) / 24
    return end == round(end) and (step == "day" or _is_first_day(round(end), step))


def _is_first_day(n_days: int, unit: str) -> bool:
    """Whether a week, month, ... begins on this day (days since 1970); False outside the years 1 to 9999."""
    if not FIRST <= n_days <= LAST:
        return False
    day = date(1970, 1, 1) + timedelta(days=n_days)
    if unit == "week":
        return day.isoweekday() == 1
    return day.day == 1 and (12 * day.year + day.month - 1) % MONTHS[unit] == 0


def _is_inside(end: float, grid: Grid) -> bool:
    """Whether the end is within the limits of the grid. The tolerance is relative to the step, not to the end."""
    low, high = -inf if grid.low is None else grid.low, inf if grid.high is None else grid.high
    slack = 0.0 if isinstance(grid.step, str) else SLACK * grid.step
    return low - slack <= end <= high + slack


def _agree(text: Extent | None, low: Extent | None, high: Extent | None) -> bool:
    """Whether the columns of ends match the text: both are missing for an open end and for what is not an interval."""
    expected: Sequence[float | None] = (text.low, text.high) if isinstance(text, Interval) else (None, None)
    return all(_number(cell) == end for cell, end in zip((low, high), expected, strict=True))


def _number(cell: Extent | None) -> float | str | None:
    """The number in a cell of an end; None where missing, a text (equal to no end) where it is not a number."""
    if isinstance(cell, MissingExtent):
        return None
    return cell.low if isinstance(cell, Interval) and cell.low == cell.high else "no end"


def _is_step(entry: Any) -> bool:
    return entry in get_args(Unit) if isinstance(entry, str) else _is_number(entry) and entry > 0


def _is_number(entry: Any) -> bool:
    return isinstance(entry, int | float) and not isinstance(entry, bool) and abs(entry) <= LARGEST
