"""Fixtures of all attacks."""

from without_linkage import without_linkage

__all__ = ["without_linkage"]
