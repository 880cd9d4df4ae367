"""Growth of a 2^d-tree from counts of records only.

ranges, cells -> TwodTree

A node of more than ``limit`` records is divided: every dimension at the midpoint of its range, into 2^d parts at once.
Only counts are needed, so the records are never held in memory: they are counted by cell a few levels ahead, and where
nodes of more than ``limit`` records remain, they are counted again at a greater depth. The tree does not depend on how
many levels are counted ahead.

Where the parts would hold few groups, or about k records as in ten dimensions, dividing by 2^d separates similar
records and leaves up to half a million nearly empty leaves. There the dimensions are halved one at a time, in their
order, until at most ``limit`` records remain. The published tree is ``whole=True``, which always divides by 2^d.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

import numpy as np

from shoal.blocking.cell_slices import CellSlices
from shoal.blocking.grid_cells import GridCells, pad_keys, words_for
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_nodes import Nodes
from shoal.blocking.tree_space import TreeSpace
from shoal.kernels import Ints, Matrix

MOST_CELLS = 1 << 20  # held by a count, unless already one level ahead needs more
FEW_GROUPS = 100  # if parts hold fewer groups on average, too many records are near a border


@dataclass(frozen=True, eq=False)
class Growth:
    """A partially grown tree: ``while growth.is_open: growth = growth.divide(cells)``.

    ``cells`` is the sum of ``growth.count(batch)`` over all batches of the records.
    """

    space: TreeSpace
    limit: int
    k: int
    whole: bool
    nodes: Nodes
    open: Ints  # nodes of more than limit records that are not divided yet, sorted by key
    n_counts: int = 0

    @classmethod
    def start(cls, space: TreeSpace, n_records: int, limit: int, k: int, *, whole: bool) -> Growth:
        nodes = Nodes.root(n_records, len(space.lower))
        return cls(space, limit, k, whole, nodes, np.zeros(int(n_records > limit), dtype=np.int64))

    @property
    def is_open(self) -> bool:
        return bool(self.open.size)

    @property
    def n_bits(self) -> int:
        """Depth of the next count in bits: first the depth that evenly filled cells need, then 1, 2, 4, ... levels, or
        fewer where these could have more than ``MOST_CELLS`` cells."""
        even = int(log2(self.nodes.n_records[0] / self.limit) / self.space.d)
        n_levels = even + 1 if self.n_counts == 0 else 2 ** (self.n_counts - 1)
        return min(self._open_bits + min(n_levels, self._most_levels) * self.space.d, self.space.deepest)

    @property
    def _most_levels(self) -> int:
        """No more cells are filled than there are records in the open nodes."""
        if int(self.nodes.n_records[self.open].sum()) <= MOST_CELLS:
            return self.space.deepest
        return max(1, int(log2(MOST_CELLS / self.open.size) / self.space.d))

    @property
    def _open_bits(self) -> int:
        return int(self.nodes.n_bits[self.open[0]])  # all open nodes are at the same depth

    def count(self, X: Matrix) -> GridCells:
        """Counts of one batch of the records in the open nodes, by cells of the next depth."""
        within = pad_keys(self.nodes.keys[self.open], words_for(self._open_bits))
        return GridCells.of(X, self.space, self.n_bits, within, self._open_bits)

    def divide(self, cells: GridCells) -> Growth:
        """The tree after dividing its open nodes down to the depth of ``cells``."""
        slices = CellSlices(cells)
        nodes, active = self.nodes, self.open
        begin, end = slices.of_sizes(nodes.n_records[active])
        while active.size:
            n_bits = self._bits_of_children(slices, nodes[active], begin, end)
            owner, begin, end = slices.divide(begin, end, n_bits)
            children = slices.nodes(begin, end, n_bits[owner], nodes.level[active][owner] + 1, active[owner])
            is_large = (children.n_records > self.limit) & (children.n_bits < cells.n_bits)
            active, begin, end = (len(nodes) + np.flatnonzero(is_large)), begin[is_large], end[is_large]
            nodes = nodes + children
        return replace(self, nodes=nodes, open=self._still_open(nodes, cells.n_bits), n_counts=self.n_counts + 1)

    def _bits_of_children(self, slices: CellSlices, nodes: Nodes, begin: Ints, end: Ints) -> Ints:
        """Up to the next whole level, or only one bit more where children on that level would hold few groups."""
        next_level = nodes.n_bits + self.space.d - nodes.n_bits % self.space.d
        if self.whole:
            return next_level
        n_children = np.bincount(slices.divide(begin, end, next_level)[0], minlength=len(nodes))  # non-empty ones
        return np.where(nodes.n_records >= FEW_GROUPS * self.k * n_children, next_level, nodes.n_bits + 1)

    def _still_open(self, nodes: Nodes, n_bits: int) -> Ints:
        """Nodes of more than limit records at the depth of the cells; at the maximum depth they remain leaves: none."""
        found = np.flatnonzero((nodes.n_bits == n_bits) & (nodes.n_records > self.limit))
        order = np.lexsort(nodes.keys[found].T[::-1])
        return found[order] if n_bits < self.space.deepest else found[:0]

    def tree(self) -> TwodTree:
        return TwodTree(self.space, self.nodes)
