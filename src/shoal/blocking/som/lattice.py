"""The lattice of a map: positions, distances and neighbors of its units.

Distances are those of the SOM Toolbox: neighbors in a row are 1 apart; rows of a hexagonal lattice are sqrt 0.75
apart and every other row is shifted by half a step. Four times a squared distance is therefore an integer, the sum of a
row term and a column term; this also holds for distances around a cylinder or a toroid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.blocking.som.map_rules import Form, Shape
from shoal.kernels import Ints, Matrix

HEXAGONAL_STEPS = (  # (row, column) offsets of the neighbors of a unit; in even rows, in odd rows
    ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)),
    ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)),
)
RECTANGULAR_STEPS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c)


@dataclass(frozen=True)
class Lattice:
    """Units are numbered row by row."""

    rows: int
    columns: int
    form: Form = "hexagonal"
    shape: Shape = "sheet"

    @property
    def n_units(self) -> int:
        return self.rows * self.columns

    @property
    def longer_side(self) -> int:
        return max(self.rows, self.columns)

    @property
    def parity(self) -> Ints:
        """(rows,) 1 where a row is shifted by half a step."""
        return np.arange(self.rows) % 2 * (self.form == "hexagonal")

    @cached_property
    def positions(self) -> Matrix:
        """(n_units, 2) x and y coordinates of every unit."""
        row, column = np.divmod(np.arange(self.n_units), self.columns)
        height = np.sqrt(0.75) if self.form == "hexagonal" else 1.0
        return np.column_stack([column + 0.5 * self.parity[row], row * height])

    @cached_property
    def row_gaps(self) -> Ints:
        """(rows, rows) the row term of four times the squared distance."""
        apart = np.abs(np.subtract.outer(np.arange(self.rows), np.arange(self.rows)))
        if self.shape == "toroid":
            apart = np.minimum(apart, self.rows - apart)
        gaps: Ints = (3 if self.form == "hexagonal" else 4) * apart**2
        return gaps

    @cached_property
    def column_gaps(self) -> Ints:
        """(3, columns, columns) the column term, for rows whose parities differ by -1, 0, 1."""
        apart = 2 * np.subtract.outer(np.arange(self.columns), np.arange(self.columns))
        gaps: Ints = np.abs(np.stack([apart - 1, apart, apart + 1]))
        if self.shape != "sheet":
            gaps = np.minimum(gaps, np.abs(2 * self.columns - gaps))
        return gaps**2

    @cached_property
    def neighbors(self) -> Ints:
        """(n_units, 6 or 8) the neighbors of every unit, ascending; -1 where there are fewer."""
        even, odd = HEXAGONAL_STEPS if self.form == "hexagonal" else (RECTANGULAR_STEPS, RECTANGULAR_STEPS)
        row, column = (at[:, None] for at in np.divmod(np.arange(self.n_units), self.columns))
        steps = np.where((row % 2 == 0)[..., None], np.array(even)[None], np.array(odd)[None])  # (n_units, 6 or 8, 2)
        rows, columns = row + steps[..., 0], column + steps[..., 1]
        if self.shape != "sheet":
            columns %= self.columns
        if self.shape == "toroid":
            rows %= self.rows
        inside = (rows >= 0) & (rows < self.rows) & (columns >= 0) & (columns < self.columns)
        return _distinct(np.where(inside, rows * self.columns + columns, -1))


def _distinct(neighbors: Ints) -> Ints:
    """Removes duplicates and the unit itself, which occur among the neighbors on a small cylinder or toroid."""
    own = np.arange(len(neighbors))[:, None]
    found = np.sort(np.where(neighbors == own, -1, neighbors), axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = -1
    return np.sort(found, axis=1).astype(np.int64)
