"""Intersections of classes: what the classes of all records of a unit together reveal of its sensitive value.

classes, values and units of the released records -> Finding

The intruder knows all records of a unit, and so their classes, and names the value that is most likely in all of them:
the largest product of its shares. They are right if a record of the unit has the value. The baseline is the same claim
from the class of a single record.

Where units are grouped as vectors, enough units share all of their classes, and there is nothing to measure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.confidence import mean_interval
from shoal.findings import Finding
from shoal.kernels import Labels, Vector
from shoal.rng import sampled_places

INTERSECTIONS = "intersections of classes"
FEWEST_UNITS = 30  # of fewer, a share of all or none would reveal their values
MOST_CELLS = 2**22  # units, or their records, times different values
FIRST = 1e6  # a value that is possible in more of the classes comes before one that is more likely in some


@dataclass(frozen=True)
class UnitClasses:
    """Released records of units, with a known value each."""

    classes: Labels  # (n_records,)
    values: Labels  # (n_records,)
    units: Labels  # (n_records,)

    def finding(self, name: str) -> Finding | None:
        """None where too few units have several records."""
        units = self._compared()
        if units.size < FEWEST_UNITS:
            return None
        rows = np.flatnonzero(np.isin(self.units, units))
        of_unit = np.searchsorted(units, self.units[rows])
        together, single = self._guesses(rows, of_unit, units.size)
        right = self._are_right(units, together).astype(np.float64)
        is_right = self._are_right(self.units[rows], single)
        of_single = np.bincount(of_unit, weights=is_right) / np.bincount(of_unit)  # (n_units,) mean of their records
        low, high = mean_interval(right)
        return Finding(
            f"{INTERSECTIONS}, {name}",
            100 * float(right.mean()),
            f"How often an intruder who knows all records of a unit, and compares their classes, names its {name} "
            f"rightly, for {units.size:,} units with several records. The baseline is the same from a single class.",
            interval=(100 * low, 100 * high),
            baseline=100 * float(of_single.mean()),
            unit="%",
        )

    def _compared(self) -> Labels:
        """Units with several records, or a random sample of them."""
        units, n_records = np.unique(self.units, return_counts=True)
        several = units[n_records > 1]
        most = max(MOST_CELLS // (int(n_records.max(initial=1)) * self._n_values), 1)
        return several[sampled_places(several.size, most, "intersections")]

    def _guesses(self, rows: Labels, of_unit: Labels, n_units: int) -> tuple[Labels, Labels]:
        """(n_units,) the most likely value by all classes of each unit, and (n_rows,) by that of each record."""
        from scipy.sparse import coo_array

        shape = int(self.classes.max()) + 1, self._n_values
        counts = coo_array((np.ones(self.classes.size), (self.classes, self.values)), shape=shape).tocsr()
        shares = counts[self.classes[rows]]
        single = np.asarray(shares.argmax(axis=1)).ravel().astype(np.int64)
        n: Vector = np.asarray(shares.sum(axis=1)).ravel()
        shares.data = FIRST + np.log(shares.data / np.repeat(n, np.diff(shares.indptr)))
        members = coo_array((np.ones(rows.size), (of_unit, np.arange(rows.size))), shape=(n_units, rows.size)).tocsr()
        together = np.asarray((members @ shares).argmax(axis=1)).ravel().astype(np.int64)
        return together, single

    def _are_right(self, units: Labels, guesses: Labels) -> NDArray[np.bool_]:
        return np.isin(units * self._n_values + guesses, self.units * self._n_values + self.values)

    @property
    def _n_values(self) -> int:
        return int(self.values.max(initial=0)) + 1
