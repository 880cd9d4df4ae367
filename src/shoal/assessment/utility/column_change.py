"""How far the distribution of one column moved: Kolmogorov-Smirnov, Hellinger and earth mover's distance.

All in percent: 0 where nothing changed, 100 where the two have nothing in common. The earth mover's distance is scaled
to the range of the column; values of an ordinal column are one step apart, and of a nominal column all equally far, so
that it is the share of records that would have to change their category. Known values are compared; Hellinger's
distance has one more class for missing ones, and takes numbers in classes of equal frequency.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.assessment.utility.column_classes import NumberClasses
from shoal.assessment.utility.distributions import MISSING
from shoal.assessment.utility.extent_values import ExtentColumn, expected_values, interval_ends, to_days
from shoal.assessment.utility.spread import Spread, spread_distances
from shoal.encode.codes import Codes, to_codes
from shoal.kernels import Vector
from shoal.schema import Column, Kind
from shoal.schema.extent import MissingExtent

Cells: TypeAlias = "pa.ChunkedArray[Any]"

N_FOR_HELLINGER = 20  # classes of numbers


@dataclass(frozen=True)
class ColumnChange:
    """Distances in percent; None where values have no order, or no value is known. ``missing``: percent of records."""

    column: str
    kind: Kind
    kolmogorov_smirnov: float | None
    hellinger: float
    earth_mover: float | None
    missing_before: float
    missing_after: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def column_change(column: Column, original: Cells, released: Cells, *, by_extents: bool) -> ColumnChange:
    """The change of a column; ``by_extents``: it is released as intervals, nodes or sets."""
    if column.kind in ("numeric", "date"):
        return _of_numbers(column, original, released, by_extents)
    return _of_categories(column, original, released, by_extents)


def _of_numbers(column: Column, original: Cells, released: Cells, by_extents: bool) -> ColumnChange:
    classes = NumberClasses.of(column, original, N_FOR_HELLINGER)
    before = classes.membership(original, by_extents=False).margin
    after = classes.membership(released, by_extents=by_extents).margin
    distances = _number_distances(column, original, released, by_extents)
    return _change(column, distances, before, after)


def _number_distances(
    column: Column, original: Cells, released: Cells, by_extents: bool
) -> tuple[float | None, float | None]:
    numbers = to_days(column.name, original)
    known = numbers.values[~numbers.missing]
    if not known.size:
        return None, None
    unit = number_unit(known) if by_extents else 0.0
    after = released_spread(column, original, released, unit) if by_extents else _spread(column, released)
    if after is None:
        return None, None
    largest, moved = spread_distances(Spread.of_numbers(known, unit), after)
    width = float(known.max() - known.min())
    return largest, moved / width if width else float(moved > 0)


def number_unit(known: Vector) -> float:
    """1 for whole numbers: such a number fills the interval up to the next one. Else 0."""
    return float(bool((known == np.rint(known)).all()))


def _spread(column: Column, released: Cells) -> Spread | None:
    numbers = to_days(column.name, released)
    known = numbers.values[~numbers.missing]
    return Spread.of_numbers(known) if known.size else None


def released_spread(column: Column, original: Cells, released: Cells, unit: float) -> Spread | None:
    """Released intervals with their shares of the records; None where no value is known."""
    extents = ExtentColumn.of(column, released)
    written = extents.known_of_record[extents.known_of_record >= 0]
    n = np.bincount(written, minlength=len(extents.extents))
    if not n.sum():
        return None
    ends, used = interval_ends(column, original, extents, unit), n > 0
    return Spread(ends[used, 0], ends[used, 1], n[used] / n.sum())


def _of_categories(column: Column, original: Cells, released: Cells, by_extents: bool) -> ColumnChange:
    codes = to_codes(column.name, original, column.order)
    before = _counts(codes)
    after = _expected(column, codes, released) if by_extents else _counts(to_codes(column.name, released))
    values = _values(column, codes, before, after)
    first, second = (np.array([each.get(value, 0.0) for value in values]) for each in (before, after))
    return _change(column, _category_distances(column, first[:-1], second[:-1]), first, second)


def _values(column: Column, codes: Codes, *counts: Mapping[str, float]) -> list[str]:
    """All values that occur, in order; the missing one last."""
    known = dict.fromkeys([*(column.order or ()), *codes.texts, *(value for each in counts for value in each)])
    return [*(value for value in known if value != _NONE), _NONE]


_NONE = f"\0{MISSING}"  # no value of a column: the key of missing cells


def _counts(codes: Codes) -> dict[str, float]:
    n = np.bincount(codes.codes + 1, minlength=codes.n_values + 1).astype(np.float64)
    return {**dict(zip(codes.texts, n[1:].tolist(), strict=True)), _NONE: float(n[0])}


def _expected(column: Column, codes: Codes, released: Cells) -> dict[str, float]:
    extents = ExtentColumn.of(column, released)
    n_missing = int(np.count_nonzero(extents.known_of_record < 0))
    known = ExtentColumn(
        tuple(extent for extent in extents.extents if not isinstance(extent, MissingExtent)),
        _without_missing(extents),
    )
    return {**expected_values(column, codes, known), _NONE: float(n_missing)}


def _without_missing(extents: ExtentColumn) -> Any:
    """Numbers of the extents of all records when missing ones are left out."""
    is_known = np.array([*(not isinstance(extent, MissingExtent) for extent in extents.extents), False])
    new = np.where(is_known, np.cumsum(is_known) - 1, -1)
    return new[extents.of_record]


def _category_distances(column: Column, before: Vector, after: Vector) -> tuple[float | None, float | None]:
    if not before.sum() or not after.sum():
        return None, None
    differences = before / before.sum() - after / after.sum()
    if column.kind != "ordinal":
        return None, float(np.abs(differences).sum() / 2)
    steps = np.abs(np.cumsum(differences))[:-1]
    return (float(steps.max()), float(steps.mean())) if steps.size else (0.0, 0.0)


def _change(
    column: Column, distances: tuple[float | None, float | None], before: Vector, after: Vector
) -> ColumnChange:
    """``before``, ``after``: records by class, the missing ones last."""
    first, second = before / max(before.sum(), 1.0), after / max(after.sum(), 1.0)
    affinity = float(np.sqrt(first * second).sum())
    largest, moved = (None if each is None else 100 * each for each in distances)
    hellinger = 100 * float(np.sqrt(max(0.0, 1 - affinity))) if affinity < 1 - 1e-12 else 0.0
    missing = 100 * float(first[-1]), 100 * float(second[-1])
    return ColumnChange(column.name, column.kind, largest, hellinger, moved, *missing)
