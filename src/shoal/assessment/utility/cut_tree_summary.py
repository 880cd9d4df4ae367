"""The top of a cut tree for a drawing: nodes with a description of their cut and their number of records.

Only released records are counted: a part is shown with at least k of them or not at all, and no difference between a
node and its parts reveals anything about other records. Values of fewer than k records are not named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from shoal.encode.count_table import CountTable
from shoal.kernels import Labels
from shoal.plan import CodeRanges, CutTree, Domain, Extent, Extents, Span, Values
from shoal.plan.cut_levels import depths, node_totals
from shoal.release.grammar import write
from shoal.schema import Schema

MOST_NODES, MOST_DEPTH = 30, 4
MOST_PARTS = 6  # of one node; smaller ones are shown together
MOST_VALUES = 3  # named of a set
RARE = "…"  # replaces a value of few records


@dataclass(frozen=True)
class DrawnNode:
    """A node, or several small parts of one shown together."""

    parent: int  # its index among the drawn nodes; -1 for the root
    depth: int
    column: str  # on which its parent is cut; empty for the root
    label: str  # its part of this column
    n_records: int  # released
    n_blocks: int  # with released records
    is_complete: bool  # nothing of it is left out: it is a block, or its parts are drawn


@dataclass(frozen=True, eq=False)
class DrawnTree:
    """Selection of the top of a tree: the largest node is opened first."""

    tree: CutTree
    totals: Labels  # (n_blocks,) released records
    counts: CountTable
    schema: Schema
    fewest: int  # least number of records of anything shown
    _records_by_code: dict[str, Labels] = field(default_factory=dict)  # by column: (n_codes,) records of every value

    def nodes(self) -> tuple[DrawnNode, ...]:
        """Parents first, parts in the order of the tree."""
        expanded = self._expanded()
        drawn: list[DrawnNode] = []

        def draw(node: int, parent: int, depth: int) -> None:
            column = self.tree.columns[self.tree.cut_on[node]] if node else ""
            label = self._label(node) if node else "all records"
            n_blocks = int(self._blocks[node])
            drawn.append(
                DrawnNode(
                    parent, depth, column, label, int(self._records[node]), n_blocks, node in expanded or n_blocks < 2
                )
            )
            index = len(drawn) - 1
            for part in expanded.get(node, ()):
                draw(part, index, depth + 1)
            other_parts = [part for part in self._parts(node) if part not in expanded[node]] if node in expanded else []
            if other_parts:
                drawn.append(self._combined_node(other_parts, index, depth + 1))

        draw(0, -1, 0)
        return tuple(drawn)

    @cached_property
    def _records(self) -> Labels:
        return node_totals(self.tree, self.totals)

    @cached_property
    def _blocks(self) -> Labels:
        return node_totals(self.tree, (self.totals > 0).astype(np.int64))

    @cached_property
    def _depths(self) -> Labels:
        return depths(self.tree)

    def _parts(self, node: int) -> list[int]:
        """The parts that are shown, in the order of the tree."""
        return [p for p in np.flatnonzero(self.tree.parents == node).tolist() if self._records[p] >= self.fewest]

    def _expanded(self) -> dict[int, list[int]]:
        """Nodes whose parts are drawn, each with the parts that are drawn individually."""
        expanded: dict[int, list[int]] = {}
        queue, n_nodes = [(0, 0)], 1
        while queue:
            _, node = heappop(queue)
            parts = self._parts(node) if self._blocks[node] > 1 and self._depths[node] < MOST_DEPTH else []
            drawn_parts = self._drawn_parts(parts)
            n_more = len(drawn_parts) + (len(drawn_parts) < len(parts))
            if not parts or n_nodes + n_more > MOST_NODES:
                continue
            n_nodes += n_more
            expanded[node] = drawn_parts
            for part in drawn_parts:
                heappush(queue, (-int(self._records[part]), part))
        return expanded

    def _drawn_parts(self, parts: list[int]) -> list[int]:
        if len(parts) <= MOST_PARTS:
            return parts
        largest = sorted(parts, key=lambda part: (-self._records[part], part))[: MOST_PARTS - 1]
        return sorted(largest)

    def _combined_node(self, parts: list[int], parent: int, depth: int) -> DrawnNode:
        column = self.tree.columns[self.tree.cut_on[parts[0]]]
        n_records, n_blocks = int(self._records[parts].sum()), int(self._blocks[parts].sum())
        return DrawnNode(parent, depth, column, f"{len(parts)} other parts", n_records, n_blocks, False)

    def _label(self, node: int) -> str:
        """The part as written in a release, without rare values and without those beyond ``MOST_VALUES``."""
        at, part = int(self.tree.cut_on[node]), int(self.tree.part_of[node])
        domain = self.tree.domains[at]
        if domain.is_known(self.tree.parts[at][part]):
            return "known"
        extent = domain.extent(self.tree.parts[at][part])
        if isinstance(extent, Span | Values) and len(extent.values) > 1:
            is_common = self._is_common(domain, self.tree.parts[at][part])
            if not all(is_common) or (isinstance(extent, Values) and len(is_common) > MOST_VALUES + 1):
                return _shortened_set(extent, is_common)
        return self._extent_text(extent, domain.name) or "missing"

    def _is_common(self, domain: Domain, part: CodeRanges) -> list[bool]:
        """For every value of a part, whether enough records have it."""
        if domain.name not in self._records_by_code:
            n, codes = self.counts.n, domain.codes(self.counts[domain.name])
            self._records_by_code[domain.name] = np.bincount(codes, weights=n, minlength=domain.n_codes).astype(
                np.int64
            )
        is_frequent = self._records_by_code[domain.name] >= self.fewest
        return [bool(is_frequent[code]) for start, stop in part.ranges for code in range(start, stop)]

    def _extent_text(self, extent: Extent, name: str) -> str | None:
        text: str | None = write(Extents((extent,), np.zeros(1, dtype=np.int64)), self.schema[name])[0].as_py()
        return text


def _shortened_set(extent: Span | Values, is_common: list[bool]) -> str:
    if isinstance(extent, Span):
        first, last = (extent.values[at] if is_common[at] else RARE for at in (0, -1))
        return f"[{first} .. {last}]"
    shown_values = [value for value, is_frequent in zip(extent.values, is_common, strict=True) if is_frequent][
        :MOST_VALUES
    ]
    return "{" + ", ".join([*shown_values, f"{len(extent.values) - len(shown_values)} more"]) + "}"
