"""Plans: what a method decides, before any value is changed."""

from __future__ import annotations

from shoal.plan.blanks import Blanks
from shoal.plan.cut_tree import CutTree
from shoal.plan.domain import Categories, Domain, Numbers, Part
from shoal.plan.extent import Anything, Extent, Extents, Interval, Missing, Node, Span, Values
from shoal.plan.partition import Partition

__all__ = [
    "Anything",
    "Blanks",
    "Categories",
    "CutTree",
    "Domain",
    "Extent",
    "Extents",
    "Interval",
    "Missing",
    "Node",
    "Numbers",
    "Part",
    "Partition",
    "Span",
    "Values",
]
