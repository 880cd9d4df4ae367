"""What a method decided, before any value changes."""

from __future__ import annotations

from shoal.plan.blanks import Blanks
from shoal.plan.extent import Anything, Extent, Extents, Interval, Missing, Node, Span, Values
from shoal.plan.partition import Partition

__all__ = ["Anything", "Blanks", "Extent", "Extents", "Interval", "Missing", "Node", "Partition", "Span", "Values"]
