"""Conversion of the splits of a partition to a plan: a rule that assigns a block to every record."""

from __future__ import annotations

import numpy as np

from shoal.methods.generalization.cut_tree_builder import tree_from_nodes
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.partition_tree import PartitionNode, Tree, nodes_of
from shoal.plan import CutTree


def cut_tree(tree: Tree, space: BoxSpace) -> CutTree:
    rows = np.array([_row(node, space) for node in nodes_of(tree, space)], dtype=np.int64)
    return tree_from_nodes(space.splits.attributes, rows, {})


def _row(node: PartitionNode, space: BoxSpace) -> tuple[int, ...]:
    """Parent, column, first code, end and node of the attribute; the last three are 0 for the root."""
    return node.parent, node.column, *(space.boxes[node.box][node.column] if node.parent >= 0 else (0, 0, 0))
