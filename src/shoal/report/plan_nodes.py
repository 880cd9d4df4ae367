"""Parts of a report about a cut tree and the search that found it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.assessment.utility.cut_tree_top import DrawnNode
from shoal.report.words import counted, isolated


@dataclass(frozen=True)
class Branch:
    """The text of a node, with those of its children that are drawn."""

    text: str
    parts: tuple[Branch, ...]


@dataclass(frozen=True)
class CutTreePicture:
    """The top of a cut tree, every node with its cut and its records."""

    title: str
    caption: str
    nodes: tuple[DrawnNode, ...]  # parents before children, the root first
    form: ClassVar[str] = "cut_tree"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {counted(len(self.nodes), 'node')}. {self.caption} All nodes are listed below."

    @property
    def root(self) -> Branch:
        """The tree as nested text."""
        return self._branch(0)

    def _branch(self, at: int) -> Branch:
        parts = tuple(self._branch(part) for part, node in enumerate(self.nodes) if node.parent == at)
        return Branch(in_words(self.nodes[at]), parts)


def in_words(node: DrawnNode) -> str:
    """Such as: age: [30, 40), 1,200 records in 14 blocks"""
    return f"{label(node)}, {counted(node.n_records, 'record')} in {counted(node.n_blocks, 'block')}"


def label(node: DrawnNode) -> str:
    return f"{isolated(node.column)}: {isolated(node.label)}" if node.column else node.label


@dataclass(frozen=True)
class Convergence:
    """Cost and lower bound over the time of a search."""

    title: str
    caption: str
    moments: tuple[tuple[float, float, float], ...]  # seconds, cost, lower bound
    measure: str
    form: ClassVar[str] = "convergence"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {self.measure}, by seconds. {self.caption}"
