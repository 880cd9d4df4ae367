"""What a method decided, before any value changes."""

from __future__ import annotations

from shoal.plan.partition import Partition

__all__ = ["Partition"]
