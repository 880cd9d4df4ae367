"""Size of a map, by the rule of the SOM Toolbox.

5 sqrt n units; the ratio of the sides is that of the standard deviations along the first two principal axes. If the
second axis is negligible compared with the first (l2 units < l1), the Toolbox takes equal sides; if its variance is 0,
the map is a chain. For few records, the number of units is about the number of records.
"""

from __future__ import annotations

from math import ceil, floor, sqrt

from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map_rules import MapRules
from shoal.kernels import Vector

UNITS_PER_ROOT = 5
NOTHING = 1e-12  # share of the variance along the first axis; less is rounding error


def lattice_for(rules: MapRules, n_records: int, variances: Vector) -> Lattice:
    """``variances``: (d,) along the principal axes, largest first."""
    if isinstance(rules.size, tuple):
        return Lattice(*rules.size, rules.lattice, rules.shape)
    n_units = rules.size or min(n_records, ceil(UNITS_PER_ROOT * sqrt(n_records)))
    rows, columns = _sides(n_units, variances, sqrt(0.75) if rules.lattice == "hexagonal" else 1.0)
    if rules.lattice == "hexagonal" and rules.shape == "toroid":
        rows += rows % 2  # shifted and unshifted rows must alternate around the toroid
    return Lattice(rows, columns, rules.lattice, rules.shape)


def _sides(n_units: int, variances: Vector, height: float) -> tuple[int, int]:
    """(rows, columns)"""
    first, second = float(variances[0]), float(variances[1]) if len(variances) > 1 else 0.0
    if first > 0 and second <= NOTHING * first:
        return 1, n_units
    ratio = 1.0 if first == 0 or second * n_units < first else sqrt(first / second)
    columns = min(n_units, max(1, _round_half_up(sqrt(n_units / ratio * height))))
    return _round_half_up(n_units / columns), columns


def _round_half_up(x: float) -> int:
    """Rounds halves up, as the Toolbox does."""
    return floor(x + 0.5)
