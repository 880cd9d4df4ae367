"""Tree of cuts of the space of quasi-identifiers: a rule that assigns a block to every record.

Nodes are in preorder, so a parent comes before its children; the blocks are the nodes without children, numbered in
preorder. The children of a node partition the node's part of one column. A tree is plain data: it contains its column
domains, can be applied to any table that has these columns, and always assigns the same blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.errors import PolicyError, TableError
from shoal.kernels import Ints, Labels, Matrix
from shoal.plan.domain import CodeRanges, Domain, NumericDomain
from shoal.plan.partition import Partition
from shoal.schema.extent import Extents
from shoal.sources import read


@dataclass(frozen=True, eq=False)
class CutTree:
    """A cut tree. ``parts[j]`` are the parts of column j that nodes use; the first is the whole column."""

    domains: tuple[Domain, ...]
    parts: tuple[tuple[CodeRanges, ...], ...]
    parents: Ints  # (n_nodes,) the parent node; -1 for the root
    cut_on: Ints  # (n_nodes,) the column on which the parent was cut; -1 for the root
    part_of: Ints  # (n_nodes,) the part of that column that the node covers

    def __post_init__(self) -> None:
        for name in ("parents", "cut_on", "part_of"):
            values = np.ascontiguousarray(getattr(self, name), dtype=np.int64)
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        if not self._is_tree():
            raise TableError.invalid_cut_tree()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(domain.name for domain in self.domains)

    @property
    def n_nodes(self) -> int:
        return int(self.parents.size)

    @cached_property
    def blocks(self) -> Ints:
        """(n_blocks,) the nodes that are blocks (leaves)."""
        return np.setdiff1d(np.arange(self.n_nodes), self.parents)

    @property
    def n_blocks(self) -> int:
        return int(self.blocks.size)

    def records(self, table: Any) -> pa.Table:
        """The columns of the tree in ``table``, a file or any dataframe. A file is read by their kinds."""
        kinds = {domain.name: domain.cells for domain in self.domains}
        records = table if isinstance(table, pa.Table) else read(table, columns=self.columns, kinds=kinds).table
        for name in self.columns:
            if name not in records.column_names:
                raise PolicyError.unknown_column("the cut tree", name, records.column_names)
        return records.select(list(self.columns))

    def codes(self, table: Any) -> Ints:
        """(n_records, n_columns) the codes of the table's values; ``table``: a file or any dataframe."""
        records = self.records(table)
        columns = [domain.codes(records[domain.name]) for domain in self.domains]
        return np.ascontiguousarray(np.column_stack(columns))

    def block_of(self, table: Any) -> Labels:
        """(n_records,) block numbers from 0 to n_blocks - 1. A block may have no record in this table, which is a file
        or any dataframe."""
        return self.block_of_codes(self.codes(table))

    def block_of_codes(self, codes: Ints) -> Labels:
        blocks: Labels = kernels.assign_blocks(codes, *self._walk)
        return blocks

    def partition(self, table: Any) -> Partition:
        """The partition of a file or any dataframe into the blocks that have records, renumbered in their order."""
        return Partition(np.unique(self.block_of(table), return_inverse=True)[1])

    @cached_property
    def block_parts(self) -> Ints:
        """(n_blocks, n_columns) the part of every column that a block covers."""
        of_node = kernels.node_parts(self.parents, self.cut_on, self.part_of, len(self.domains))
        return np.ascontiguousarray(of_node[self.blocks])

    @cached_property
    def extents(self) -> Mapping[str, Extents]:
        """The extents of the blocks that a release shows, by column."""
        found = {}
        for at, domain in enumerate(self.domains):
            used, of_block = np.unique(self.block_parts[:, at], return_inverse=True)
            distinct = tuple(domain.extent(self.parts[at][part]) for part in used)
            found[domain.name] = Extents(distinct, of_block.astype(np.int64))
        return found

    def boxes(self, x: str, y: str, bounds: Mapping[str, tuple[float, float]]) -> Matrix:
        """(n_blocks, 4) x from, x to, y from, y to, for plotting: numbers clipped to ``bounds``, otherwise codes."""
        return np.hstack([self._ends(name, bounds.get(name)) for name in (x, y)])

    def to_sql(self) -> str:
        """A DuckDB expression for the block number; NULL where ``block_of`` raises an error."""
        from shoal.plan.cut_sql import tree_to_sql

        return tree_to_sql(self)

    def to_json(self) -> str:
        from shoal.plan.cut_json import tree_to_json

        return tree_to_json(self)

    @staticmethod
    def from_json(text: str) -> CutTree:
        from shoal.plan.cut_json import tree_from_json

        return tree_from_json(text)

    def __str__(self) -> str:
        from shoal.plan.cut_text import tree_text

        return tree_text(self)

    def __repr__(self) -> str:
        return f"CutTree({self.n_blocks} blocks of {', '.join(self.columns)})"

    @cached_property
    def part_ranges(self) -> tuple[tuple[Ints, Ints, Ints], ...]:
        """For every column: the part, first code and end of each range, (n_ranges,) each."""
        flat = [
            np.array([(at, *ends) for at, part in enumerate(parts) for ends in part.ranges], dtype=np.int64)
            for parts in self.parts
        ]
        return tuple((rows[:, 0], rows[:, 1], rows[:, 2]) for rows in flat)

    @cached_property
    def _walk(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """The tree as the kernel traverses it: column of every cut, its segments of codes, their children, blocks."""
        node, start, _ = self._segments
        above = self.parents[node]
        order = np.lexsort((start, above))
        begin = np.searchsorted(above[order], np.arange(self.n_nodes + 1))
        column = np.full(self.n_nodes, -1, dtype=np.int64)
        column[self.parents[1:]] = self.cut_on[1:]
        block = np.full(self.n_nodes, -1, dtype=np.int64)
        block[self.blocks] = np.arange(self.n_blocks)
        return column, begin, start[order], node[order], block

    @cached_property
    def _segments(self) -> tuple[Ints, Ints, Ints]:
        """(n_segments,) node, first code and end of every range of a node on the column on which its parent was cut."""
        found = []
        for column, (part, start, stop) in enumerate(self.part_ranges):
            nodes = np.flatnonzero(self.cut_on == column)
            first = np.searchsorted(part, self.part_of[nodes])
            n_ranges = np.searchsorted(part, self.part_of[nodes], side="right") - first
            row = np.repeat(first - np.cumsum(n_ranges) + n_ranges, n_ranges) + np.arange(n_ranges.sum())
            found.append((np.repeat(nodes, n_ranges), start[row], stop[row]))
        node, start, stop = (np.concatenate(each).astype(np.int64) for each in zip(*found, strict=True))
        return node, start, stop

    def _ends(self, name: str, bounds: tuple[float, float] | None) -> Matrix:
        """(n_blocks, 2) where every block begins and ends on a column."""
        if name not in self.columns:
            raise PolicyError.unknown_column("the cut tree", name, self.columns)
        at = self.columns.index(name)
        domain, spans = self.domains[at], [(part.ranges[0][0], part.ranges[-1][1]) for part in self.parts[at]]
        ends: Matrix = np.array(spans, dtype=np.float64)[self.block_parts[:, at]]
        if isinstance(domain, NumericDomain) and bounds:
            edges = np.array([bounds[0], *domain.cuts, *[bounds[1]] * (1 + domain.has_missing)])
            ends = np.clip(edges[ends.astype(np.int64)], *bounds)
        return ends

    def _is_tree(self) -> bool:
        """Whether parents precede their children, and the children of a node are disjoint and cover their parent."""
        nodes = np.arange(self.n_nodes)
        if any(values.shape != nodes.shape for values in (self.parents, self.cut_on, self.part_of)):
            return False
        if self.n_nodes == 0 or (self.parents >= nodes).any() or (self.parents[1:] < 0).any() or self.parents[0] != -1:
            return False
        sizes = [len(parts) for parts in self.parts]
        if not sizes or not (self.cut_on[1:] >= 0).all() or not (self.cut_on[1:] < len(sizes)).all():
            return False
        if (self.part_of[1:] < 0).any() or (self.part_of[1:] >= np.array(sizes)[self.cut_on[1:]]).any():
            return False
        return self.n_nodes == 1 or self._children_tile()

    def _children_tile(self) -> bool:
        node, start, stop = self._segments
        above, column = self.parents[node], self.cut_on[node]
        order = np.lexsort((start, above))
        above, column, start, stop = above[order], column[order], start[order], stop[order]
        same = above[1:] == above[:-1]
        apart = (column[1:] == column[:-1]) & (start[1:] >= stop[:-1])
        size_of = [np.bincount(part, weights=end - first) for part, first, end in self.part_ranges]
        of_node = kernels.node_parts(self.parents, self.cut_on, self.part_of, len(self.domains))
        covered = np.bincount(above, weights=stop - start, minlength=self.n_nodes)
        inner, first = np.unique(above, return_index=True)
        on = column[first]
        wanted = np.array([size_of[j][of_node[i, j]] for i, j in zip(inner, on, strict=True)])
        return bool((start < stop).all() and (apart | ~same).all() and (covered[inner] == wanted).all())
