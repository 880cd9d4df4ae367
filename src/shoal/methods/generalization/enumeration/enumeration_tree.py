"""The partition enumeration tree for inspection: every partition, and the partitions with one more split.

columns and cuts -> EnumerationTree, as text or JSON

It grows faster than exponentially: 4 splits of two columns give 320 partitions, 6 already 68,480.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.column_reader import read_columns
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.enumeration import partitions
from shoal.methods.generalization.enumeration.partition_tree import Tree, without_last_split
from shoal.methods.generalization.enumeration.split_set import SplitSet
from shoal.methods.generalization.enumeration.timestamped_node import TimestampedNode
from shoal.methods.generalization.splits import Cuts, attributes
from shoal.schema import Schema


def enumeration_tree(table: Any, schema: Schema, *, cuts: Cuts | None = None) -> EnumerationTree:
    """The enumeration tree of the quasi-identifiers of ``table``. ``cuts`` as in :func:`shoal.mondrian`."""
    names = list(schema.quasi_identifiers)
    counts = count_combinations(read_columns(table, schema, names), names)
    return EnumerationTree.of(SplitSet.of(attributes(counts, schema, cuts)))


@dataclass(frozen=True, eq=False)
class EnumerationTree:
    """``children`` of every partition, by its tree; the undivided space is the empty tree."""

    space: BoxSpace
    children: dict[Tree, list[Tree]]

    @classmethod
    def of(cls, splits: SplitSet) -> EnumerationTree:
        found: dict[Tree, list[Tree]] = {}
        for tree in partitions(splits):
            found[tree] = []
            if tree:
                found[without_last_split(tree)].append(tree)
        return cls(BoxSpace(splits), found)

    @property
    def n_partitions(self) -> int:
        return len(self.children)

    def partition_tree(self, tree: Tree) -> TimestampedNode:
        return TimestampedNode.of(tree, self.space)

    def __str__(self) -> str:
        """One line per partition: its splits with their timestamps, below the partition from which it was derived."""
        return "\n".join(self._lines((), 0))

    def to_json(self) -> str:
        return json.dumps(self._node(()))

    def _lines(self, tree: Tree, depth: int) -> Iterator[str]:
        inner = [node for node in self.partition_tree(tree).preorder() if node.split]
        splits = " ".join(f"({node.split})[{node.timestamp}]" for node in inner)
        yield "  " * depth + (splits or "the whole space")
        for child in self.children[tree]:
            yield from self._lines(child, depth + 1)

    def _node(self, tree: Tree) -> dict[str, Any]:
        below = [self._node(child) for child in self.children[tree]]
        return {"partition": self.partition_tree(tree).to_dict(), "children": below}
