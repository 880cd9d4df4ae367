"""A 2^d-tree grown from counts alone.

ranges, cells -> TwodTree

A node of more than ``limit`` records is divided: every dimension at the middle of its range, 2^d parts at once. Only
counts decide, so the records are never held: they are counted by cell a few levels ahead, and where nodes of more than
``limit`` records are left they are counted again, deeper. The tree does not depend on how far ahead that is.

Where the parts would hold few groups, or about k records as in ten dimensions, dividing by 2^d tears apart what belongs
together and leaves half a million leaves of nothing. There one dimension after the other is halved, in their order,
until no more than ``limit`` records are left. Published is ``whole=True``, which does not ask.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

import numpy as np

from shoal.blocking.cells import Cells, widened, words_for
from shoal.blocking.cut import Cut
from shoal.blocking.nodes import Nodes
from shoal.blocking.space import Space
from shoal.blocking.tree import TwodTree
from shoal.kernels import Labels, Matrix

FEW_GROUPS = 100  # parts that hold fewer, on average, are mostly border


@dataclass(frozen=True, eq=False)
class Growth:
    """A tree that grows: ``while growth.is_open: growth = growth.grown(cells)``.

    ``cells`` is the sum of ``growth.count(batch)`` over all batches of the records.
    """

    space: Space
    limit: int
    k: int
    whole: bool
    nodes: Nodes
    open: Labels  # nodes of more than limit records that were not looked into yet, in the order of their keys
    n_counts: int = 0

    @classmethod
    def start(cls, space: Space, n_records: int, limit: int, k: int, *, whole: bool) -> Growth:
        nodes = Nodes.root(n_records, len(space.lower))
        return cls(space, limit, k, whole, nodes, np.zeros(int(n_records > limit), dtype=np.int64))

    @property
    def is_open(self) -> bool:
        return bool(self.open.size)

    @property
    def n_bits(self) -> int:
        """How deep the next count goes: first as deep as even cells ask for, then twice as far ahead every time."""
        even = int(log2(self.nodes.n_records[0] / self.limit) / self.space.d)
        n_levels = even + 1 if self.n_counts == 0 else 2 ** (self.n_counts - 1)
        return min(self._open_bits + n_levels * self.space.d, self.space.deepest)

    @property
    def _open_bits(self) -> int:
        return int(self.nodes.n_bits[self.open[0]])  # open nodes were all cut off at the same depth

    def count(self, X: Matrix) -> Cells:
        """What the tree has to know next, of one batch of the records."""
        within = widened(self.nodes.keys[self.open], words_for(self._open_bits))
        return Cells.of(X, self.space, self.n_bits, within, self._open_bits)

    def grown(self, cells: Cells) -> Growth:
        """The tree with all that the cells tell."""
        cut = Cut(cells)
        nodes, active = self.nodes, self.open
        begin, end = cut.side_by_side(nodes.n_records[active])
        while active.size:
            n_bits = self._bits_of_children(cut, nodes[active], begin, end)
            owner, begin, end = cut.divided(begin, end, n_bits)
            children = cut.nodes(begin, end, n_bits[owner], nodes.level[active][owner] + 1, active[owner])
            is_large = (children.n_records > self.limit) & (children.n_bits < cells.n_bits)
            active, begin, end = (len(nodes) + np.flatnonzero(is_large)), begin[is_large], end[is_large]
            nodes = nodes + children
        return replace(self, nodes=nodes, open=self._cut_off(nodes, cells.n_bits), n_counts=self.n_counts + 1)

    def _bits_of_children(self, cut: Cut, nodes: Nodes, begin: Labels, end: Labels) -> Labels:
        """Up to the next whole level, or one bit more where children on that level would hold few groups."""
        next_level = nodes.n_bits + self.space.d - nodes.n_bits % self.space.d
        if self.whole:
            return next_level
        n_children = np.bincount(cut.divided(begin, end, next_level)[0], minlength=len(nodes))  # those with records
        return np.where(nodes.n_records >= FEW_GROUPS * self.k * n_children, next_level, nodes.n_bits + 1)

    def _cut_off(self, nodes: Nodes, n_bits: int) -> Labels:
        """Nodes of more than limit records at the depth of the cells; at the deepest of all, they stay leaves."""
        found = np.flatnonzero((nodes.n_bits == n_bits) & (nodes.n_records > self.limit))
        order = np.lexsort(nodes.keys[found].T[::-1])
        return found[order] if n_bits < self.space.deepest else found[:0]

    def tree(self) -> TwodTree:
        return TwodTree(self.space, self.nodes)
