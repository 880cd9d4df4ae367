"""Quasi-identifiers as a search uses them: nodes, and the splits that a cut may apply.

A node is a set of codes of a domain (shoal.plan.domain), and its rule says how it can be split:

    line      between any two of its codes: numbers, dates, ordinal values
    all       into all of its children at once: taxonomy nodes; anything -> known | missing
    subsets   into two subsets of its values: nominal values without a taxonomy, whose order has no meaning
    none      not at all: it is a single value
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from shoal import kernels
from shoal.kernels import Ints, Vector
from shoal.plan import CategoricalDomain, CodeRanges, Domain, NumericDomain

FORCED = 1e6  # width of a node that must be cut, per level above the highest that may be released


class SplitRule(IntEnum):
    """How a node can be split; the same numbers as in the kernels."""

    NONE = 0
    LINE = 1
    ALL = 2
    SUBSETS = 3


@dataclass(frozen=True)
class AttributeNode:
    """Codes from ``start`` (included) to ``stop`` (excluded), with a taxonomy level. Children are consecutive nodes."""

    start: int
    stop: int
    rule: SplitRule
    level: int = 0
    first_child: int = 0
    n_children: int = 0


@dataclass(frozen=True, eq=False)
class Attribute:
    """A quasi-identifier. Node 0 is the root; a line is measured by the lowest and highest value of its codes."""

    domain: Domain
    nodes: tuple[AttributeNode, ...]
    lows: Vector  # (n_codes,)
    highs: Vector  # (n_codes,)
    min_level: int = 0  # of the nodes that may be released
    max_level: int | None = None  # coarser nodes are cut first
    weight: float = 1.0  # importance of the column: the loss of certainty counts its widths this many times

    @property
    def kernel(self) -> kernels.Attribute:
        columns = np.array([(n.start, n.stop, n.rule, n.first_child, n.n_children) for n in self.nodes], dtype=np.int64)
        start, stop, rule, first_child, n_children = np.ascontiguousarray(columns.T)
        return kernels.Attribute(
            start=start,
            stop=stop,
            rule=rule,
            first_child=first_child,
            n_children=n_children,
            width=self._widths_of_choice,
            low=self.lows,
            high=self.highs,
            spread=self.spread,
            weight=self.weight,
        )

    @property
    def spread(self) -> float:
        """Range of all known values; 0 if there is only one."""
        last = self.domain.n_values - 1
        return float(self.highs[last] - self.lows[0])

    def part(self, start: int, stop: int, node: int) -> CodeRanges:
        return CodeRanges(((start, stop),), self.nodes[node].level)

    def widths(self, starts: Ints, stops: Ints, nodes: Ints) -> Vector:
        """(n_parts,) share of the domain that a part covers, from 0 (one value) to 1: the loss of certainty."""
        is_line = np.array([node.rule == SplitRule.LINE for node in self.nodes])[nodes]
        line = np.maximum(self.highs[stops - 1] - self.lows[starts], 0.0) / (self.spread or 1.0)  # an empty part has 0
        return np.where(is_line, line, self._node_widths[nodes])

    def lengths(self, starts: Ints, stops: Ints, nodes: Ints) -> Vector:
        """(n_parts,) as ``MinimumLength`` measures: length of an interval, level of a node, steps between values."""
        if isinstance(self.domain, NumericDomain):
            return self.domain.lengths(starts, stops)
        levels = np.array([node.level for node in self.nodes])[nodes]
        steps = levels if self.is_tree else stops - starts - 1
        return np.where(stops <= self.domain.n_values, steps, np.inf)

    @property
    def is_tree(self) -> bool:
        return isinstance(self.domain, CategoricalDomain) and len(self.domain.paths[0]) > 1

    @property
    def _widths_of_choice(self) -> Vector:
        """(n_nodes,) widths by which Mondrian chooses: nodes that must not be released are wider than all others."""
        if self.max_level is None:
            return self._node_widths
        above = np.array([node.level for node in self.nodes]) - self.max_level
        return np.where(above > 0, FORCED * above, self._node_widths)

    @property
    def _node_widths(self) -> Vector:
        """(n_nodes,) the share of the values that a node contains; 0 for a single value and for the missing one."""
        n = np.array([node.stop - node.start for node in self.nodes])
        return np.where(n > 1, np.minimum(n / self.domain.n_values, 1.0), 0.0)
