"""Combinations of values, split into parts with different blanked cells: the state of local suppression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pyarrow as pa

from shoal.encode.codes import to_codes
from shoal.encode.packed_combinations import PackedCombinations, Words, number_keys
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import number_combinations
from shoal.plan import Blanks
from shoal.plan.blanks import Cells
from shoal.requirements.groups import first_of_units
from shoal.schema.helper_columns import UNIT


@dataclass(frozen=True)
class SuppressionState:
    """The parts and their blanks. Initially nothing is blanked, and every combination is one part."""

    columns: tuple[str, ...]  # those that may be blanked
    packed: PackedCombinations  # the combinations of all columns
    rows: Ints  # (n_parts,) the combination of each part
    cells: Cells  # (n_parts, n_columns) whether a cell is blanked
    n: Ints  # (n_parts,) number of records
    units: Labels | None = None  # (n_combinations,) the unit of all its records, -1: each is one; None: all are

    @classmethod
    def of(cls, combinations: pa.Table, columns: tuple[str, ...], n: Ints) -> Self:
        codes = [to_codes(name, combinations[name]).codes for name in combinations.column_names]
        rows = np.lexsort(codes[::-1])  # sorted, so that the order of counting does not matter
        cells = np.zeros((rows.size, len(columns)), dtype=bool)
        units = to_codes(UNIT, combinations[UNIT]).codes if UNIT in combinations.column_names else None
        return cls(columns, PackedCombinations.of(combinations, columns), rows, cells, n[rows], units)

    def column_indices(self, names: Sequence[str]) -> list[int]:
        return [self.columns.index(name) for name in names]

    @property
    def n_cells(self) -> int:
        """Number of blank cells, including those that were missing before."""
        return int(self.n @ self.cells.sum(axis=1))

    @property
    def unit_of(self) -> Labels | None:
        """(n_parts,) the unit of the records of each part, -1: each is one; None: all are."""
        return None if self.units is None else self.units[self.rows]

    @property
    def n_units(self) -> int:
        """Number of distinct units, or of records where each is one."""
        n = self.n if self.unit_of is None else first_of_units(np.zeros_like(self.rows), self.n, self.unit_of)
        return int(n.sum())

    def keys(self, names: Sequence[str]) -> Words:
        """(n_parts, 2) packed values that are released in the given columns."""
        kept = np.zeros((self.rows.size, 2), np.uint64)
        for j in self.column_indices(names):
            kept |= np.where(self.cells[:, j, None], np.uint64(0), self.packed.fields[j])
        return self.packed.keys[self.rows] & kept

    def class_numbers(self, names: Sequence[str]) -> Labels:
        """(n_parts,) the equivalence class of every part on the given columns."""
        return number_keys(self.keys(names))

    def classes_by_unit(self, names: Sequence[str]) -> Labels:
        """(n_parts,) the equivalence class of every part, divided by units where units are counted."""
        classes = self.class_numbers(names)
        return classes if self.unit_of is None else number_combinations([classes, self.unit_of], len(classes))

    def to_all_columns(self, names: Sequence[str], cells: Cells) -> Cells:
        """(n, n_columns) cells of the given columns, extended to all columns."""
        wide = np.zeros((len(cells), len(self.columns)), dtype=bool)
        wide[:, self.column_indices(names)] = cells
        return wide

    def divide_classes(self, labels: Labels, rows: Ints, cells: Cells, n: Ints) -> Self:
        """Adds the blanks of other parts, which divide classes, not combinations.

        ``labels``: the class of every own part. Both divide the same records: within each class the two divisions are
        laid side by side, and every boundary of either becomes a boundary of the result.
        """
        own, other = np.argsort(labels, kind="stable"), np.argsort(rows, kind="stable")
        own_ends, other_ends = np.cumsum(self.n[own]), np.cumsum(n[other])
        ends = np.sort(np.concatenate([own_ends, other_ends]))
        ends = ends[np.diff(ends, prepend=0) > 0]
        own, other = own[np.searchsorted(own_ends, ends)], other[np.searchsorted(other_ends, ends)]
        return replace(self, rows=self.rows[own], cells=self.cells[own] | cells[other], n=np.diff(ends, prepend=0))

    def add_blanks(self, cells: Cells) -> Self:
        return replace(self, cells=self.cells | cells)

    def blanks(self, combinations: pa.Table) -> Blanks:
        """The plan; parts of a combination with the same blanks are merged."""
        bits = (self.cells << np.arange(len(self.columns))).sum(axis=1)  # (n_parts,)
        order = np.lexsort((bits, self.rows))
        changes = np.diff(self.rows[order], prepend=-1).astype(bool) | np.diff(bits[order], prepend=-1).astype(bool)
        first = np.flatnonzero(changes)
        n = np.add.reduceat(self.n[order], first)
        return Blanks(self.columns, combinations, self.rows[order][first], self.cells[order][first], n)
