"""Fixtures of all attacks."""

from without_linkage import without_linkage, without_second_lock

__all__ = ["without_linkage", "without_second_lock"]
