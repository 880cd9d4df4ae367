"""A grown 2^d-tree: its nodes, their limits, parents and children, and its leaves."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from shoal.blocking.tree_nodes import Nodes
from shoal.blocking.tree_space import TreeSpace
from shoal.kernels import Ints, Matrix


@dataclass(frozen=True)
class TreeNode:
    """One node. ``lower`` and ``upper`` are its limits in every dimension of the tree."""

    node_id: int
    level: int
    n_records: int
    parent: int | None
    children: tuple[int, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class TwodTree:
    """Nodes are numbered from the root, 0, downwards. Leaves have separate numbers, in the order of their keys."""

    space: TreeSpace
    nodes: Nodes

    @property
    def n_nodes(self) -> int:
        return len(self.nodes)

    @property
    def n_leaves(self) -> int:
        return len(self.leaves)

    @cached_property
    def leaves(self) -> Ints:
        """(n_leaves,) the node number of every leaf."""
        return self.nodes.leaves()

    @cached_property
    def leaf_sizes(self) -> Ints:
        """(n_leaves,) number of records of every leaf; no leaf is empty."""
        return self.nodes.n_records[self.leaves]

    @cached_property
    def leaf_centroids(self) -> Matrix:
        """(n_leaves, n_columns) centroids of the leaves, precise to 2^-32 of the range of a column."""
        return self.space.means(self.nodes.sums[self.leaves], self.leaf_sizes)

    @cached_property
    def leaf_ranges(self) -> Ints:
        """(n_nodes, 2) first and last of the leaves first .. last - 1 below every node."""
        first = np.full(self.n_nodes, self.n_leaves, dtype=np.int64)
        last = np.zeros(self.n_nodes, dtype=np.int64)
        first[self.leaves], last[self.leaves] = np.arange(self.n_leaves), np.arange(self.n_leaves) + 1
        for level in range(int(self.nodes.level.max()), 0, -1):
            below = np.flatnonzero(self.nodes.level == level)
            np.minimum.at(first, self.nodes.parent[below], first[below])
            np.maximum.at(last, self.nodes.parent[below], last[below])
        return np.column_stack([first, last])

    def node(self, node_id: int) -> TreeNode:
        parent = int(self.nodes.parent[node_id])
        lower, upper = self.limits(node_id)
        return TreeNode(
            node_id,
            int(self.nodes.level[node_id]),
            int(self.nodes.n_records[node_id]),
            None if parent < 0 else parent,
            tuple(self.children(node_id).tolist()),
            tuple(lower.tolist()),
            tuple(upper.tolist()),
        )

    def children(self, node_id: int) -> Ints:
        """The children of a node, sorted by key."""
        begin, end = np.searchsorted(self._parents, [node_id, node_id + 1])
        return self._by_parent[begin:end]

    @cached_property
    def _by_parent(self) -> Ints:
        return np.argsort(self.nodes.parent, kind="stable")

    @cached_property
    def _parents(self) -> Ints:
        return self.nodes.parent[self._by_parent]

    def limits(self, node_id: int) -> tuple[np.ndarray, np.ndarray]:
        """The limits of a node in every dimension of the tree: each bit of the key halves a range."""
        lower = self.space.lower[self.space.dimensions].copy()
        width = self.space.upper[self.space.dimensions] - lower
        low, size = np.zeros(self.space.d), np.ones(self.space.d)  # as shares of the range, exact
        for bit in range(int(self.nodes.n_bits[node_id])):
            word = int(self.nodes.keys[node_id, bit // 64])
            size[bit % self.space.d] /= 2
            low[bit % self.space.d] += (word >> (63 - bit % 64) & 1) * size[bit % self.space.d]
        return lower + width * low, lower + width * (low + size)

    def prune(self, limit: int) -> TwodTree:
        """The tree for a larger limit: nodes of at most ``limit`` records become leaves."""
        kept = np.append(True, self.nodes.n_records[self.nodes.parent[1:]] > limit)
        number = np.cumsum(kept) - 1
        nodes = self.nodes[np.flatnonzero(kept)]
        parent = np.where(nodes.parent < 0, -1, number[nodes.parent])
        return TwodTree(self.space, Nodes(nodes.n_bits, nodes.level, parent, nodes.keys, nodes.n_records, nodes.sums))

    def to_json(self) -> str:
        """All nodes as JSON. The limits of the root are values of the data: confidential, not for release."""
        return json.dumps([asdict(self.node(node_id)) for node_id in range(self.n_nodes)])
