"""Plans: what a method decides, before any value is changed."""

from __future__ import annotations

from shoal.plan.blanks import Blanks
from shoal.plan.cut_tree import CutTree
from shoal.plan.domain import CategoricalDomain, CodeRanges, Domain, NumericDomain
from shoal.plan.partition import Partition
from shoal.schema.extent import AnyExtent, Extent, Extents, Interval, MissingExtent, Span, TaxonomyNode, Values

__all__ = [
    "AnyExtent",
    "Blanks",
    "CategoricalDomain",
    "CodeRanges",
    "CutTree",
    "Domain",
    "Extent",
    "Extents",
    "Interval",
    "MissingExtent",
    "NumericDomain",
    "Partition",
    "Span",
    "TaxonomyNode",
    "Values",
]
