"""Blocking: blocks of records that are processed one at a time, and the rules that assign records to blocks.

For record linkage, blocking selects the pairs of records to compare (`LinkageBlocking` -> `Candidates`).
"""

from __future__ import annotations

from shoal.blocking.block_rules import rule_from_json
from shoal.blocking.blocks import BlockRule, Blocks

__all__ = ["BlockRule", "Blocks", "rule_from_json"]
