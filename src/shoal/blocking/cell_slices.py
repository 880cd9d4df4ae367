"""Tree nodes as slices of the sorted cells: cells whose keys share a prefix are contiguous."""

from __future__ import annotations

import numpy as np

from shoal.blocking.grid_cells import GridCells, truncate_keys
from shoal.blocking.tree_nodes import Nodes
from shoal.kernels import Ints


class CellSlices:
    """Cells that can be divided by any number of leading key bits."""

    def __init__(self, cells: GridCells) -> None:
        self._keys = cells.keys
        self._shared = cells.shared_bits()
        self._counts = np.append(0, np.cumsum(cells.counts))  # (n_cells + 1,)
        self._sums = np.vstack([np.zeros_like(cells.sums[:1]), np.cumsum(cells.sums, axis=0)])

    def of_sizes(self, n_records: Ints) -> tuple[Ints, Ints]:
        """(begin, end) of the consecutive slices of cells that hold ``n_records`` records each."""
        ends = np.searchsorted(self._counts, np.cumsum(n_records))
        return np.append(0, ends[:-1]), ends

    def divide(self, begin: Ints, end: Ints, n_bits: Ints) -> tuple[Ints, Ints, Ints]:
        """(owner, begin, end) of the parts of every slice: a new part begins where the first ``n_bits`` change."""
        lengths = end - begin
        owner = np.repeat(np.arange(len(lengths)), lengths)
        at = np.arange(len(owner)) + (end - np.cumsum(lengths))[owner]  # the cells of all slices
        is_first = self._shared[at] < n_bits[owner]
        begins, owner = at[is_first], owner[is_first]
        is_last = np.append(owner[1:] != owner[:-1], True)
        return owner, begins, np.where(is_last, end[owner], np.append(begins[1:], 0))

    def nodes(self, begin: Ints, end: Ints, n_bits: Ints, level: Ints, parent: Ints) -> Nodes:
        """The slices as nodes, with their keys, record counts and sums."""
        keys = truncate_keys(self._keys[begin], n_bits)
        n_records, sums = self._counts[end] - self._counts[begin], self._sums[end] - self._sums[begin]
        return Nodes(n_bits, level, parent, keys, n_records, sums)
