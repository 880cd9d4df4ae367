"""The splits that a partition may use, in a fixed order: the lower the id, the earlier it comes in a partition tree.

attributes -> SplitSet

A split is a position between two codes of a line, or all positions between the children of a taxonomy node at once. The
latter are siblings: m children have m - 1 positions, with ids of their own that ascend from right to left, so that
positions taken in this order give a left-deep tree (``timestamped.py``). Ids are assigned column by column, line or
level by level.

Sets of splits are integers with one bit for each, bit 0 for the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.methods.generalization.attribute import Attribute, SplitRule

Range = tuple[int, int, int]  # first code, end, node: what a block covers of a column


@dataclass(frozen=True)
class Split:
    """A split. ``places``: its positions, as the first code to the right of each, in the order of their ids."""

    id: int
    column: int
    node: int
    places: tuple[int, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(range(self.id, self.id + len(self.places)))


@dataclass(frozen=True, eq=False)
class SplitSet:
    """``shortest[j]``: the taxonomy level below which column j must not be released; 0 without such a requirement."""

    attributes: tuple[Attribute, ...]
    splits: tuple[Split, ...]
    shortest: tuple[float, ...]

    @classmethod
    def of(cls, attributes: tuple[Attribute, ...], shortest: Sequence[float] | None = None) -> SplitSet:
        splits: list[Split] = []
        next_id = 1
        for column, attribute in enumerate(attributes):
            for node, places in _places(attribute):
                splits.append(Split(next_id, column, node, places))
                next_id += len(places)
        return cls(attributes, tuple(splits), tuple(shortest or [0.0] * len(attributes)))

    @property
    def n_ids(self) -> int:
        """Number of splits as the paper counts them: every position is one."""
        return sum(len(split.places) for split in self.splits)

    def is_line(self, split: int) -> bool:
        one = self.splits[split]
        return self.attributes[one.column].nodes[one.node].rule == SplitRule.LINE

    def available(self, column: int, part: Range) -> int:
        """The set of splits of a column that divide the part covered by a block."""
        start, stop, node = part
        return self._set(
            split.column == column and split.node == node and all(start < place < stop for place in split.places)
            for split in self.splits
        )

    def parts(self, split: int, part: Range) -> tuple[Range, ...]:
        """The parts into which a split divides a block's part, from left to right."""
        one, (start, stop, node) = self.splits[split], part
        if self.is_line(split):
            return (start, one.places[0], node), (one.places[0], stop, node)
        nodes = self.attributes[one.column].nodes
        children = range(nodes[node].first_child, nodes[node].first_child + nodes[node].n_children)
        return tuple((nodes[c].start, nodes[c].stop, self.last_equal_node(one.column, c)) for c in children)

    def whole(self, column: int) -> Range:
        root = self.attributes[column].nodes[0]
        return root.start, root.stop, self.last_equal_node(column, 0)

    def last_equal_node(self, column: int, node: int) -> int:
        """The lowest node with the same values that may be released: a node with one child is not divided."""
        nodes = self.attributes[column].nodes
        while nodes[node].n_children == 1 and nodes[nodes[node].first_child].level >= self.shortest[column]:
            node = nodes[node].first_child
        return node

    @staticmethod
    def _set(members: Iterable[bool]) -> int:
        return sum(1 << at for at, is_in in enumerate(members) if is_in)


def _places(attribute: Attribute) -> list[tuple[int, tuple[int, ...]]]:
    """Node and positions of every split of a column, in the order of the ids."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for at, node in enumerate(attribute.nodes):
        if node.rule == SplitRule.LINE:
            found += [(at, (place,)) for place in range(node.start + 1, node.stop)]
        elif node.n_children > 1:
            starts = [attribute.nodes[node.first_child + child].start for child in range(1, node.n_children)]
            found.append((at, tuple(reversed(starts))))
    return found
