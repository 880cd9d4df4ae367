"""Sorted neighborhood: records are compared if they are close to each other after both files are sorted together.

two files -> Candidates

Hernandez & Stolfo (1998), doi:10.1023/A:1009761603038. A window slides over the records of both files, sorted by one
column; two records are compared if they are fewer than ``window`` positions apart. Records with equal values keep the
order of their files, the original before the release.

Departure from the paper: where more records share a value than fit into the window, not all of them would be compared.
There the window is widened to include all of them (not with ``adapt=False``), and the candidates count these cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Vector
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.linkage_tables import LinkageTables


@dataclass(frozen=True)
class SortedNeighborhood:
    """``keys``: sort columns, one pass each; empty: every column. ``window``: a number of positions, or a share of the
    records of a file (the mean of both, if their sizes differ)."""

    keys: Sequence[str] = ()
    window: float | int = 0.1
    adapt: bool = True

    def __post_init__(self) -> None:
        is_share = isinstance(self.window, float) and 0 < self.window <= 1
        if not is_share and not (isinstance(self.window, int | np.integer) and self.window >= 1):
            raise LinkageError.bad_window(self.window)

    def candidates(self, tables: LinkageTables) -> Candidates:
        indices = [tables.column_index(key) for key in self.keys] or range(len(tables.original))
        found = [self._pass(tables.original[at].sort_keys, tables.released[at].sort_keys) for at in indices]
        return Candidates(tuple(runs for runs, _ in found), sum(n_widened for _, n_widened in found))

    def _pass(self, original: Vector, released: Vector) -> tuple[Runs, int]:
        n = len(original)
        values = np.concatenate([original, released])
        rank = np.empty(len(values), dtype=np.int64)
        rank[np.argsort(values, kind="stable")] = np.arange(len(values))
        order = np.argsort(rank[n:])
        sorted_ranks = rank[n:][order]  # (n_released,) ranks of the released records in sorted order
        size = self._size(n, len(released))
        begin = np.searchsorted(sorted_ranks, rank[:n] - size, "right")
        end = np.searchsorted(sorted_ranks, rank[:n] + size, "left")
        if not self.adapt:
            return Runs(order, begin, np.maximum(begin, end)), 0
        first = np.searchsorted(released[order], original, "left")
        last = np.searchsorted(released[order], original, "right")
        is_wider = (first < last) & (last > end)  # equal released records sort after the original: only ends move
        end = np.where(is_wider, last, end)
        return Runs(order, begin, np.maximum(begin, end)), int(is_wider.sum())

    def _size(self, n_original: int, n_released: int) -> float:
        return self.window * (n_original + n_released) / 2 if isinstance(self.window, float) else self.window
